package heap

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"coredbg/core"
)

// A Rule knows one way in which programs of a runtime leak.
type Rule struct {
	ID string // "listeners"
	// Always is set where one object is wrong however little it keeps. What other rules
	// find is evidence from the thresholds below on.
	Always bool
	// Explains is set for rules that only say why something accumulates, and are no
	// evidence of their own.
	Explains bool
	// Find returns what the rule found. Part of it may come with an error.
	Find func(ctx context.Context, g *Graph) ([]Evidence, error)
}

// The thresholds of rules, which know what they look at, are lower than those of
// accumulations.
const (
	ruleShare = 2 // percent of all reachable bytes
	// RuleBytes is the least that the evidence of a rule retains.
	RuleBytes = 256 << 10
	// maxEvidence bounds what is taken of one rule.
	maxEvidence = 1 << 12
)

// RuleObjects is from how many objects of one place on a rule may call them many.
const RuleObjects = suspectObjects

// Evidence is what a rule found.
type Evidence struct {
	// Objects are where the objects begin that leak, or that hold what does.
	Objects []core.Addr
	Class   string // what they are: "Timeout"; "" for the class of the first
	Place   string // where the program made them, or waits: "/srv/app.js:14"
	// Why says in a few words what is wrong with them.
	Why string
	// More is the command that shows more; "" for those of each suspect.
	More string
	// Listed is set where a list of the runtime's own holds them, which explains nothing.
	Listed bool
	// Outside are bytes outside the heap that the graph does not know of.
	Outside uint64
}

// A finding is evidence with what the graph says of it.
type finding struct {
	*Evidence
	rule     *Rule
	rank     int  // of the rule in its table
	ids      []ID // reachable, in order
	has      map[ID]bool
	retained uint64 // by all of ids as a set, and outside
}

// Suspects returns where retained memory accumulates and what rules found, the most
// first; none where nothing stands out. What an accumulation and a rule both explain is
// one suspect, and of two rules the one that comes first says why. The error says which rules could not be tried, or that ctx has ended.
func (g *Graph) Suspects(ctx context.Context, rules ...Rule) ([]Suspect, error) {
	s, err := g.accumulations(ctx)
	if err != nil {
		return nil, err
	}
	evidence, problem := g.evidence(ctx, rules)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	slices.SortFunc(s.found, func(a, b Suspect) int { return -cmp.Compare(a.Retained, b.Retained) })
	list := s.found
	for i := range evidence {
		list = s.merge(list, &evidence[i])
	}
	slices.SortStableFunc(list, func(a, b Suspect) int {
		return cmp.Or(-cmp.Compare(a.Retained, b.Retained), cmp.Compare(a.Example, b.Example))
	})
	return list[:min(len(list), maxSuspects)], problem
}

// evidence asks the rules, and returns what passes the thresholds: that of the first rule
// first, and of each what retains most.
func (g *Graph) evidence(ctx context.Context, rules []Rule) ([]finding, error) {
	var all []finding
	var problems []error
	for i := range rules {
		list, err := rules[i].Find(ctx, g)
		if err != nil {
			problems = append(problems, fmt.Errorf("rule %s: %w", rules[i].ID, err))
		}
		for k := range list[:min(len(list), maxEvidence)] {
			f := finding{Evidence: &list[k], rule: &rules[i], rank: i, has: map[ID]bool{}}
			for _, a := range f.Objects {
				if id, ok := g.ID(a); ok && g.Reachable(id, Stacked) && !f.has[id] {
					f.has[id] = true
					f.ids = append(f.ids, id)
				}
			}
			if len(f.ids) > 0 {
				slices.Sort(f.ids)
				all = append(all, f)
			}
		}
	}
	for part := all; len(part) > 0; part = part[min(setBits, len(part)):] {
		if err := g.retainEvidence(ctx, part[:min(setBits, len(part))]); err != nil {
			return nil, err
		}
	}
	least := max(g.tree.Total()/100*ruleShare, RuleBytes)
	all = slices.DeleteFunc(all, func(f finding) bool { return !f.rule.Always && f.retained < least })
	slices.SortStableFunc(all, func(a, b finding) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), -cmp.Compare(a.retained, b.retained))
	})
	return all, errors.Join(problems...)
}

// retainEvidence computes what the objects of each retain as a set.
func (g *Graph) retainEvidence(ctx context.Context, part []finding) error {
	any := newBitset(g.Len())
	sets := map[ID]uint64{}
	for i := range part {
		for _, id := range part[i].ids {
			any.add(id)
			sets[id] |= 1 << i
		}
	}
	keeps, err := g.keeps(ctx, func(id ID) uint64 {
		if any.has(id) {
			return sets[id]
		}
		return 0
	})
	if err != nil {
		return err
	}
	for i, n := range g.sumSets(keeps) {
		if i < len(part) {
			part[i].retained = n + part[i].Outside
		}
	}
	return nil
}

// keeps solves the equations of the package comment for the sets that gen says each
// object is in, by going over the objects in depth-first order until nothing changes.
func (g *Graph) keeps(ctx context.Context, gen func(ID) uint64) ([]uint64, error) {
	n := g.stage[Stacked] + 1
	keeps := make([]uint64, n)
	for w := int32(1); w < n; w++ {
		keeps[w] = math.MaxUint64
	}
	for changed := true; changed; {
		changed = false
		limit := int32(0)
		for w := int32(1); w < n; w++ {
			if w&0xfffff == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if keeps[w] == 0 {
				continue
			}
			if w > limit {
				limit = g.limit(w)
			}
			id := g.order[w]
			x := uint64(0)
			if !g.rooted.has(id) {
				x = keeps[w]
				in := g.row(id)
				for p := in.next(); p != None; p = in.next() {
					if v := g.number[p]; v > 0 && v <= limit {
						if x &= keeps[v]; x == 0 {
							break
						}
					}
				}
			}
			if x |= gen(id); x != keeps[w] {
				keeps[w], changed = x, true
			}
		}
	}
	return keeps, nil
}

// sumSets adds up the bytes of the sets.
func (g *Graph) sumSets(keeps []uint64) (sums [setBits]uint64) {
	for w := 1; w < len(keeps); w++ {
		id := g.order[w]
		bytes := g.own(id)
		for x := keeps[w]; x != 0; x &= x - 1 {
			sums[bits.TrailingZeros64(x)] += bytes
		}
	}
	return sums
}

// merge adds what a rule found to the suspects: to the accumulations that it explains, of
// which the strongest stays, or as one of its own.
func (s *suspector) merge(list []Suspect, f *finding) []Suspect {
	var into *Suspect
	out := list[:0]
	for _, x := range list {
		within := s.within(&x, f)
		if x.Evidence != nil {
			if out = append(out, x); within && into == nil {
				into = &x // a rule before this one says more of the same
			}
			continue
		}
		pile := !within && s.isPile(&x, f)
		within = within || !pile && s.links(&x, f)
		if !within && !pile {
			out = append(out, x)
			continue
		}
		if into != nil {
			continue
		}
		holder, under := x.Holder, x.under
		if pile {
			x = s.suspect(f)
			x.Kind, x.Holder, x.under = Collects, holder, under
		} else {
			// What piles up is the better description, the rule says why it is there.
			x.Rule, x.Evidence, x.Below, x.Retained = f.rule.ID, f.Evidence, true, max(x.Retained, f.retained)
		}
		out = append(out, x)
		into = &x
	}
	if into == nil && !f.rule.Explains {
		out = append(out, s.suspect(f))
	}
	return out
}

// suspect makes a suspect of evidence alone.
func (s *suspector) suspect(f *finding) Suspect {
	x := Suspect{Kind: Collects, under: None, Rule: f.rule.ID, Evidence: f.Evidence, Objects: len(f.ids), Retained: f.retained, Example: f.ids[0]}
	for _, id := range f.ids {
		if s.t.Retained(id) > s.t.Retained(x.Example) {
			x.Example = id
		}
	}
	x.Class = *s.class(s.g.number[x.Example])
	if f.Class != "" {
		x.Class.Class, x.Class.Place = f.Class, ""
	}
	if len(f.ids) == 1 {
		x.Kind = Single
	}
	x.Holder = s.holder(s.common(f.ids))
	return x
}

// common returns the number of the nearest object that dominates all, without being one
// of them; 0 if only the roots together do.
func (s *suspector) common(ids []ID) int32 {
	n := s.t.idom[s.g.number[ids[0]]]
	for _, id := range ids[1:] {
		k := s.t.idom[s.g.number[id]]
		for k != n { // a dominator has the smaller number
			if k > n {
				k = s.t.idom[k]
			} else {
				n = s.t.idom[n]
			}
		}
	}
	return n
}

// within reports whether what piles up is below an object of the evidence.
func (s *suspector) within(x *Suspect, f *finding) bool {
	for n := s.g.number[x.Example]; n > 0; n = s.t.idom[n] {
		if f.has[s.g.order[n]] {
			return x.Evidence != nil || n != s.g.number[x.Example] || len(f.ids) == 1
		}
	}
	return false
}

// links reports whether most of the objects of the evidence are in a chain, and keep most
// of it: they are what links it.
func (s *suspector) links(x *Suspect, f *finding) bool {
	if x.Kind != Chained || 2*f.retained < x.Retained {
		return false
	}
	top, in := s.g.number[x.Example], 0
	inside := map[int32]bool{top: true} // of numbers that were passed
	for _, id := range f.ids {
		var way []int32
		n := s.g.number[id]
		below, known := inside[n]
		for !known && n > top { // a dominator has the smaller number
			way = append(way, n)
			n = s.t.idom[n]
			below, known = inside[n]
		}
		for _, k := range way {
			inside[k] = below
		}
		if below {
			in++
		}
	}
	return 2*in >= len(f.ids)
}

// maxAbove bounds how far up a pile is looked for.
const maxAbove = 1 << 8

// isPile reports whether most of the objects of the evidence are those that pile up, or
// each below one of them, and account for most of the pile.
func (s *suspector) isPile(x *Suspect, f *finding) bool {
	top := s.g.number[x.Example]
	under, class := s.t.idom[top], s.classOf(top)
	seen := map[int32]bool{}
	in, bytes := 0, uint64(0)
	for _, id := range f.ids {
		n := s.g.number[id]
		member := func() bool {
			return n == top || x.Kind == Collects && n > 0 && s.t.idom[n] == under && s.classOf(n) == class
		}
		for i := 0; i < maxAbove && n > 0 && !member(); i++ {
			n = s.t.idom[n]
		}
		if !member() {
			continue
		}
		if in++; x.Kind != Collects {
			n = s.g.number[id] // all of a chain is below its top
		}
		if !seen[n] {
			seen[n] = true
			bytes += s.data[n]
		}
	}
	return 2*in >= len(f.ids) && 2*min(bytes, f.retained) >= x.Retained
}
