package heap

import (
	"cmp"
	"context"
	"slices"
)

// The thresholds of suspects.
const (
	// suspectShare is the least part of all reachable bytes that a suspect retains.
	suspectShare = 10 // percent
	// suspectBytes is the least that it retains: a process that has just begun has
	// tables of that size which are no leak.
	suspectBytes = 1 << 20
	// suspectObjects is from how many objects on of one class they are an accumulation.
	suspectObjects = 50
	// maxSuspects bounds the list.
	maxSuspects = 20
)

// A SuspectKind says in which way memory accumulates.
type SuspectKind string

// The kinds.
const (
	Collects SuspectKind = "collection" // many objects of a class below one holder
	Chained  SuspectKind = "chain"      // objects of a class, each held by the one before
	Single   SuspectKind = "object"     // one object that is large itself
)

// A Suspect is a place where retained memory accumulates.
type Suspect struct {
	Kind SuspectKind
	// Holder is the nearest object of a program that all ways to the objects lead
	// through, the object itself if it is a Single; None if only roots together do.
	Holder ID
	// Class is that of the objects, of which Example is the most retaining.
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

// Suspects returns where retained memory accumulates, the most first; none where
// nothing stands out.
func (g *Graph) Suspects(ctx context.Context) ([]Suspect, error) {
	s := &suspector{g: g, t: g.tree}
	s.weigh()
	s.least = max(s.data[0]/100*suspectShare, suspectBytes)
	s.children()
	pending := []int32{0}
	for len(pending) > 0 && len(s.found) < maxSuspects {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		n := pending[len(pending)-1]
		pending = append(pending[:len(pending)-1], s.look(n)...)
	}
	slices.SortFunc(s.found, func(a, b Suspect) int {
		return cmp.Or(-cmp.Compare(a.Retained, b.Retained), cmp.Compare(a.Example, b.Example))
	})
	return s.found, nil
}

// A suspector goes down the dominator tree along what retains much.
type suspector struct {
	g     *Graph
	t     *Tree
	least uint64
	data  []uint64 // by number: retained bytes, but for those of Program
	first []int32  // by number: where its children begin in kids
	kids  []int32
	found []Suspect
}

// weigh adds up retained bytes without those of code and the like: a program is not
// what leaks.
func (s *suspector) weigh() {
	s.data = make([]uint64, len(s.t.idom))
	for n := len(s.data) - 1; n > 0; n-- {
		if id := s.g.order[n]; !s.g.Type(id).Program {
			s.data[n] += s.g.Size(id) + s.g.ext[id]
		}
		s.data[s.t.idom[n]] += s.data[n]
	}
}

// children turns the tree round.
func (s *suspector) children() {
	n := len(s.t.idom)
	s.first, s.kids = make([]int32, n+1), make([]int32, n)
	for w := 1; w < n; w++ {
		s.first[s.t.idom[w]]++
	}
	sum := int32(0)
	for i, k := range s.first {
		sum += k
		s.first[i] = sum
	}
	for w := n - 1; w > 0; w-- {
		d := s.t.idom[w]
		s.first[d]--
		s.kids[s.first[d]] = int32(w)
	}
}

func (s *suspector) of(n int32) []int32 { return s.kids[s.first[n]:s.first[n+1]] }

// A pile is objects of one class below the same one.
type pile struct {
	objects int
	bytes   uint64
	example int32 // the most retaining
}

// look notes what accumulates right below n, and returns the children that retain
// much themselves.
func (s *suspector) look(n int32) []int32 {
	var large []int32
	piles := map[Type]*pile{}
	for _, k := range s.of(n) {
		t := *s.g.Type(s.g.order[k])
		switch {
		case s.data[k] >= s.least:
			large = append(large, s.past(k)...)
			continue
		case t.Program:
			continue
		}
		x := piles[t]
		if x == nil {
			x = &pile{example: k}
			piles[t] = x
		}
		x.objects++
		x.bytes += s.data[k]
		if s.data[k] > s.data[x.example] {
			x.example = k
		}
	}
	for t, x := range piles {
		if x.bytes >= s.least && x.objects >= suspectObjects {
			s.found = append(s.found, Suspect{Kind: Collects, Holder: s.holder(n), Class: t, Example: s.g.order[x.example], Objects: x.objects, Retained: x.bytes})
		}
	}
	if n > 0 {
		s.single(n)
	}
	return large
}

// single notes an object that is large itself: one of a program, or a part of one such
// as the bytes of a string.
func (s *suspector) single(n int32) {
	id := s.g.order[n]
	own, t := s.g.Size(id)+s.g.ext[id], s.g.Type(id)
	if own < s.least || s.data[n]-own >= s.least || t.Program || t.Internal && len(s.of(n)) > 0 {
		return
	}
	s.found = append(s.found, Suspect{Kind: Single, Holder: s.holder(n), Class: *t, Example: id, Objects: 1, Retained: s.data[n]})
}

// past goes down a chain of objects each of which holds the next, such as a list that
// is linked, and notes it. It returns where to look further.
func (s *suspector) past(n int32) []int32 {
	counts := map[Type]int{}
	var way []int32
	for last := n; ; {
		way = append(way, last)
		counts[*s.g.Type(s.g.order[last])]++
		// It is a chain as long as hardly anything is lost by a step.
		next := s.heaviest(last)
		if next == 0 || s.data[next] < s.least || s.data[last]-s.data[next] > s.least/8 {
			break
		}
		last = next
	}
	var class Type
	most := 0
	for t, c := range counts {
		if c > most && !t.Program {
			class, most = t, c
		}
	}
	if most < suspectObjects {
		return way[len(way)-1:]
	}
	is := func(k int32) bool { return *s.g.Type(s.g.order[k]) == class }
	top := s.begins(way, is)
	x := Suspect{Kind: Chained, Holder: s.holder(s.t.idom[top]), Class: class, Example: s.g.order[top], Retained: s.t.retained[top]}
	for k := top; k != 0; k = s.heaviest(k) {
		if is(k) {
			x.Objects++
		}
	}
	s.found = append(s.found, x)
	return nil
}

// begins returns the first object of a chain on the way to it: from where on the next
// of its class is never more than some steps off.
func (s *suspector) begins(way []int32, is func(int32) bool) int32 {
	const steps = 4
	begin, last := 0, -1
	for i, k := range way {
		if !is(k) {
			continue
		}
		if last < 0 || i-last > steps {
			if last >= 0 && i > suspectObjects {
				break // it ends there
			}
			begin = i
		}
		last = i
	}
	return way[begin]
}

// heaviest returns the child that retains most; 0 if there is none.
func (s *suspector) heaviest(n int32) int32 {
	best := int32(0)
	for _, k := range s.of(n) {
		if best == 0 || s.data[k] > s.data[best] {
			best = k
		}
	}
	return best
}

// holder returns the nearest object of a program at or above number n.
func (s *suspector) holder(n int32) ID {
	for ; n > 0; n = s.t.idom[n] {
		if id := s.g.order[n]; !s.g.Type(id).Internal {
			return id
		}
	}
	return None
}
