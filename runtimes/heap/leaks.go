package heap

import (
	"context"
	"slices"
)

// The thresholds of suspects.
const (
	// suspectShare is the least part of all reachable bytes that a suspect retains.
	suspectShare = 10 // percent
	// suspectBytes is the least that it retains: a process that has just begun has
	// tables of that size which are not leaks.
	suspectBytes = 1 << 20
	// suspectObjects is from how many objects on of one class they are an accumulation.
	suspectObjects = 50
	// fewShare is the least share of all that makes few objects an accumulation, too, if they have at
	// least fewBytes.
	fewShare = 50 // percent
	fewBytes = 4 << 20
	// maxSuspects bounds the list.
	maxSuspects = 20
)

// A SuspectKind says how memory accumulates.
type SuspectKind string

// The kinds.
const (
	Collects SuspectKind = "collection" // many objects of a class below one holder
	Chained  SuspectKind = "chain"      // objects of a class, each held by the one before
	Single   SuspectKind = "object"     // one object that is large itself
)

// A Suspect is a place where retained memory accumulates, or that a rule found.
type Suspect struct {
	Kind SuspectKind
	// Rule is the id of the rule that found or explains it, Evidence the rule's evidence; "" and nil if
	// there is no such rule.
	Rule     string
	Evidence *Evidence
	// Holds is what another rule found that the objects of Evidence keep, and By what such
	// a rule found that keeps them; nil if none did.
	Holds, By *Evidence
	// found is the finding with Evidence, if the objects are the finding's own.
	found *finding
	// nested is set if the objects are in small collections below the holder.
	nested bool
	// Below is set if the objects are not the evidence's own, but accumulate below one of them.
	Below bool
	// Holder is the nearest object of a program that all ways to the objects lead
	// through, the object itself if it is a Single; None if only roots together do.
	Holder ID
	// under is the object that the objects lie right below, or that refers to most of them;
	// None if only roots do.
	under ID
	// Class is the class of the objects. Example is the most retaining of them.
	Class   Type
	Example ID
	Objects int
	// Retained is the bytes that would go with the objects.
	Retained uint64
}

// Target returns the object whose way from a root explains the suspect: what holds a
// collection, the first of a chain.
func (s *Suspect) Target() ID {
	if s.Kind == Collects && s.Holder != None {
		return s.Holder
	}
	return s.Example
}

// accumulations finds where retained memory accumulates.
func (g *Graph) accumulations(ctx context.Context) (*suspector, error) {
	s := &suspector{g: g, t: g.tree}
	s.of, s.classes = g.classTable()
	s.weigh()
	s.least = max(s.data[0]/100*suspectShare, suspectBytes)
	pending := []int32{0}
	for len(pending) > 0 && len(s.found) < maxSuspects {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		n := pending[len(pending)-1]
		pending = append(pending[:len(pending)-1], s.look(n)...)
	}
	return s, nil
}

// A suspector goes down the dominator tree along the objects that retain much. Objects that only loose
// words lead to are left out.
type suspector struct {
	g       *Graph
	t       *Tree
	of      []int32 // the class of each type
	classes []Class
	least   uint64
	data    []uint64 // by number: retained bytes, except bytes of Program
	found   []Suspect
}

// weigh adds up retained bytes without code and the like: a program's code is not a leak.
func (s *suspector) weigh() {
	s.data = make([]uint64, len(s.t.idom))
	for n := s.g.stage[Stacked]; n > 0; n-- {
		if !s.class(n).Program {
			s.data[n] += s.g.own(s.g.order[n])
		}
		s.data[s.t.idom[n]] += s.data[n]
	}
}

// classOf returns the number of the class of the object with number n, class what it is.
func (s *suspector) classOf(n int32) int32 { return s.of[s.g.typ.of(s.g.order[n])] }
func (s *suspector) class(n int32) *Type   { return &s.classes[s.classOf(n)].Type }

// A pile is objects of one class below the same one.
type pile struct {
	objects int
	bytes   uint64
	example int32 // the most retaining
	all     []int32
}

// look notes what accumulates right below n, and returns the children that retain
// much themselves.
func (s *suspector) look(n int32) []int32 {
	var large []int32
	piles := map[int32]*pile{}
	for _, k := range s.t.below(n) {
		switch {
		case s.data[k] >= s.least:
			large = append(large, s.past(k)...)
			continue
		case s.class(k).Program:
			continue
		}
		x := piles[s.classOf(k)]
		if x == nil {
			x = &pile{example: k}
			piles[s.classOf(k)] = x
		}
		x.objects++
		x.bytes += s.data[k]
		if n == 0 {
			x.all = append(x.all, k)
		}
		if s.data[k] > s.data[x.example] {
			x.example = k
		}
	}
	found := len(s.found)
	for _, x := range piles {
		if x.bytes < s.least || x.objects < suspectObjects && !s.few(x) {
			continue
		}
		if at, ok := s.gathered(n, x); ok {
			s.add(Collects, at, x.example, x.objects, x.bytes)
		}
	}
	if n > 0 {
		s.single(n)
	}
	if n > 0 && len(large) == 0 && len(s.found) == found {
		s.nested(n)
	}
	return large
}

// few reports whether a pile of few objects is an accumulation: they are most of the heap.
func (s *suspector) few(x *pile) bool {
	return x.objects > 1 && x.bytes >= max(s.data[0]/100*fewShare, fewBytes)
}

// gathered returns the number of a pile's holder. Objects that only the roots together dominate are one
// pile if most have a root of their own that a program made, or if one object holds them, among others.
// Otherwise they are the parts of a whole program.
func (s *suspector) gathered(n int32, x *pile) (int32, bool) {
	if n != 0 {
		return n, true
	}
	rooted, by, best := 0, map[ID]int{}, None
	for _, k := range x.all {
		id := s.g.order[k]
		if slices.ContainsFunc(s.g.Roots(id), func(r Root) bool { return r.Strength == Certain && r.Rank == Lasting }) {
			rooted++
		}
		last := None
		in := s.g.row(id)
		for h := in.next(); h != None; h = in.next() {
			if h == last || s.g.number[h] == 0 {
				continue
			}
			last = h
			if by[h]++; best == None || by[h] > by[best] || by[h] == by[best] && h < best {
				best = h
			}
		}
	}
	switch {
	case 2*rooted >= x.objects:
		return 0, true
	case best != None && 2*by[best] >= x.objects:
		return s.g.number[best], true
	}
	return 0, false
}

// add notes a suspect whose holder is at or above number n.
func (s *suspector) add(kind SuspectKind, n, example int32, objects int, bytes uint64) {
	under := None
	if n > 0 {
		under = s.g.order[n]
	}
	s.found = append(s.found, Suspect{Kind: kind, Holder: s.holder(n), under: under, Class: *s.class(example),
		Example: s.g.order[example],
		Objects: objects, Retained: bytes})
}

// single notes an object that is large itself: one of a program, or a part of one such
// as the bytes of a string.
func (s *suspector) single(n int32) {
	own, t := s.g.own(s.g.order[n]), s.class(n)
	if own >= s.least && s.data[n]-own < s.least && !t.Program && (!t.Internal || len(s.t.below(n)) == 0) {
		s.add(Single, n, n, 1, s.data[n])
	}
}

// past goes down a chain of objects that hold each other in turn, such as a linked list, and notes it.
// It returns where to look further.
func (s *suspector) past(n int32) []int32 {
	counts := map[int32]int{}
	shed := map[int32]uint64{} // bytes that are held by objects of a class and not by the next on the way
	var way []int32
	for last := n; ; {
		way = append(way, last)
		counts[s.classOf(last)]++
		// It is a chain as long as hardly anything is lost by a step.
		next := s.heaviest(last)
		if next == 0 || s.data[next] < s.least || s.data[last]-s.data[next] > s.least/8 {
			break
		}
		shed[s.classOf(last)] += s.data[last] - s.data[next]
		last = next
	}
	class := s.chained(counts, shed)
	top, ok := s.begins(way, class)
	if !ok {
		return way[len(way)-1:]
	}
	objects := 0
	for k := top; k != 0; k = s.heaviest(k) {
		if s.classOf(k) == class {
			objects++
		}
	}
	s.add(Chained, s.t.idom[top], top, objects, s.t.retained.of(top))
	return nil
}

// chained returns the class of a chain, given the number of its objects of each class and the bytes
// that these hold apart from the next object: the class with most objects, or, if classes take turns
// along it, the one that holds most.
func (s *suspector) chained(counts map[int32]int, shed map[int32]uint64) int32 {
	most := 0
	for c, n := range counts {
		if !s.classes[c].Program {
			most = max(most, n)
		}
	}
	class := int32(-1)
	for c, n := range counts {
		if s.classes[c].Program || n+n/64+1 < most {
			continue
		}
		if class < 0 || shed[c] > shed[class] || shed[c] == shed[class] && c < class {
			class = c
		}
	}
	return class
}

// chainStep is how far the objects of a chain may be apart on the way along it: a list
// of entries has an array or a closure between two.
const chainStep = 4

// begins returns the first object of a chain of a class on a way.
func (s *suspector) begins(way []int32, class int32) (top int32, ok bool) {
	objects, last := 0, 0
	for i, k := range way {
		if s.classOf(k) != class {
			continue
		}
		if objects == 0 || i-last > chainStep {
			top, objects = k, 0
		}
		last = i
		if objects++; objects >= suspectObjects {
			return top, true
		}
	}
	return 0, false
}

// heaviest returns the child that retains most; 0 if there is none.
func (s *suspector) heaviest(n int32) int32 {
	best := int32(0)
	for _, k := range s.t.below(n) {
		if best == 0 || s.data[k] > s.data[best] {
			best = k
		}
	}
	return best
}

// holder returns the nearest object of a program at or above number n.
func (s *suspector) holder(n int32) ID {
	for ; n > 0; n = s.t.idom[n] {
		if !s.class(n).Internal {
			return s.g.order[n]
		}
	}
	return None
}
