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

// A Rule finds one leak pattern of a runtime's programs.
type Rule struct {
	ID string // "listeners"
	// Always is set if a single object is wrong however little it keeps. Findings of other rules are
	// evidence from the thresholds below on.
	Always bool
	// Explains is set for rules that only say why something accumulates, and are no
	// evidence of their own.
	Explains bool
	// Find returns what the rule found. Part of it may come with an error.
	Find func(ctx context.Context, g *Graph) ([]Evidence, error)
}

// The thresholds of rules, which are specific, are lower than the thresholds of accumulations.
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
	// With are objects that live and die with Objects: what only they keep counts, too.
	With  []core.Addr
	Class string // what they are: "Timeout"; "" for the class of the first
	Place Place  // where the program made them, or waits
	// Why says in a few words what is wrong with them.
	Why string
	// More is the command that shows more; "" for the commands of each suspect.
	More string
	// Listed is set where a list of the runtime's own holds them, which explains nothing.
	Listed bool
	// Outside are bytes outside the heap that are not in the graph.
	Outside uint64
}

// A finding is evidence with its place in the graph.
type finding struct {
	*Evidence
	rule     *Rule
	rank     int         // of the rule in its table
	ids      []ID        // of Objects: reachable, in order
	has      map[ID]bool // these, and With
	retained uint64      // by all of ids as a set, and outside
}

// Suspects returns the places where retained memory accumulates and the findings of rules, the largest
// first. The list is empty if nothing stands out. An accumulation that a rule explains is one suspect;
// if two rules explain it, the first gives the reason. The error says which rules could not be tried,
// or that ctx has ended.
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

// evidence applies the rules, and returns the findings that pass the thresholds: the first rule's
// first, and of each rule the most retaining first.
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
			if f.rule.Explains {
				f.rank += len(rules) // there has to be something to explain
			}
			f.ids = f.add(g, f.Objects)
			f.add(g, f.With)
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

// add adds the reachable objects at addresses, and returns the ones that are new.
func (f *finding) add(g *Graph, list []core.Addr) (ids []ID) {
	for _, a := range list {
		if id, ok := g.ID(a); ok && g.Reachable(id, Stacked) && !f.has[id] {
			f.has[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}

// retainEvidence computes what the objects of each retain as a set.
func (g *Graph) retainEvidence(ctx context.Context, part []finding) error {
	any := newBitset(g.Len())
	sets := map[ID]uint64{}
	for i := range part {
		for id := range part[i].has {
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
