package triage

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"coredbg/crash/bugs"
)

// By is the criterion for the cores of one bug.
type By string

// The criteria for the cores of one bug, in addition to their program: a key of the signature.
const (
	ByCoarse By = "coarse"
	ByFine   By = "fine"
)

// Groups are the bugs of cores that Add was called for.
type Groups struct {
	By By
	// Across groups cores of different programs.
	Across bool
	// Keep has each Bug list all its cores.
	Keep bool
	// Whole keeps the lines of all cores, for a Site.
	Whole bool

	members  []*member
	best     map[string]int   // of the copies of a core, by Line.ID: which member says most
	examples map[string]*Line // the best lines, by key
	rules    map[int]bool
}

// gathered is a bug with the data needed until all of its cores are known.
type gathered struct {
	Bug
	names    map[string]int
	sure     map[string]int
	programs map[string]bool
	shown    *member // the example
}

// Read adds the lines of a file that triage has made. Any other line is an error that names the line.
func (g *Groups) Read(r io.Reader, name string) error {
	n := 0
	return eachLine(r, func(b []byte, ended bool) error {
		n++
		l := &Line{}
		is := struct{ Type string }{}
		if err := json.Unmarshal(b, &is); err != nil || is.Type != "triage" {
			if !ended {
				return nil // the run that wrote it was interrupted
			}
			return fmt.Errorf("%s: line %d is not one of triage", name, n)
		}
		if err := json.Unmarshal(b, l); err != nil {
			return fmt.Errorf("%s: line %d: %w", name, n, err)
		}
		g.Add(l)
		return nil
	})
}

// Add adds a core.
func (g *Groups) Add(l *Line) {
	if g.best == nil {
		g.best, g.examples, g.rules = map[string]int{}, map[string]*Line{}, map[int]bool{}
	}
	if l.Rules != 0 {
		g.rules[l.Rules] = true
	}
	m := g.member(l)
	if g.Whole {
		m.whole = l
	}
	if i, ok := g.best[m.id]; !ok || m.saysMore(g.members[i]) {
		g.best[m.id] = len(g.members)
	}
	if e := g.examples[m.key]; e == nil || m.compare(g.member(e)) < 0 {
		g.examples[m.key] = l
	}
	g.members = append(g.members, m)
}

// gather returns the bugs by key. All copies of a core go to the bug of the best copy.
func (g *Groups) gather() map[string]*gathered {
	found := map[string]*gathered{}
	for _, m := range g.members {
		best := g.members[g.best[m.id]]
		b := found[best.key]
		if b == nil {
			b = &gathered{Bug: Bug{Key: best.key, copies: map[string]bool{}}, names: map[string]int{},
				sure: map[string]int{}, programs: map[string]bool{}}
			found[best.key] = b
		}
		b.add(m, best)
		if g.Keep {
			b.Cores = append(b.Cores, m.core)
		}
		if m.whole != nil {
			b.lines = append(b.lines, m.whole)
		}
	}
	return found
}

// add adds a core whose best copy is best.
func (b *gathered) add(m, best *member) {
	b.Count++
	if !strings.HasPrefix(m.id, byPath) {
		b.copies[m.id] = true
	}
	b.names[best.name]++
	if m.confidence != "" {
		b.sure[m.confidence]++
	}
	if m.program != "" {
		b.programs[m.program] = true
	}
	if m.modified != "" {
		if b.First == "" || m.modified < b.First {
			b.First = m.modified
		}
		b.Last = max(b.Last, m.modified)
	}
	if m.key == best.key && (b.shown == nil || m.compare(b.shown) < 0) {
		b.shown = m
	}
}

// Key is equal for cores of one bug. A core whose stack says nothing is a bug by itself, with its copies.
func (g *Groups) Key(l *Line) string {
	key := l.Coarse
	if g.By == ByFine {
		key = l.Fine
	}
	switch {
	case l.Status != Read:
		return string(l.Status)
	case key == "" && l.Signature != "":
		return string(l.Cause) + " " + l.ID()
	case key == "":
		key = string(l.Cause)
	}
	if !g.Across && l.Program != "" {
		key += " " + l.Program
	}
	return key
}

// Bug returns the key of an added core's bug, which its best copy decides.
func (g *Groups) Bug(l *Line) string {
	if i, ok := g.best[l.ID()]; ok {
		return g.members[i].key
	}
	return g.Key(l)
}

// nameOf is what a bug is called by one of its cores.
func nameOf(l *Line) string {
	switch {
	case l.Status != Read:
		return "(" + string(l.Status) + ")"
	case l.Signature != "" && l.Coarse == "":
		return l.Signature + " (its stack says nothing)"
	case l.Signature != "":
		return l.Signature
	}
	return string(l.Cause)
}

// sureness orders confidences.
var sureness = map[string]int{"possible": 1, "likely": 2, "certain": 3}

// Bugs returns the bugs, most cores first. Unreadable cores come last.
func (g *Groups) Bugs() []*Bug {
	var all []*Bug
	for _, b := range g.gather() {
		l := g.examples[b.Key]
		if l.Core != b.shown.core { // a copy, which says less than another one
			l = b.shown.line()
		}
		b.example = l
		b.Name, b.Confidence = most(b.names), most(b.sure)
		b.Cause, b.Status, b.Title, b.Signal, b.Example = l.Cause, l.Status, cmp.Or(l.Title, l.Error), l.Signal, l.Core
		b.Programs = slices.Sorted(maps.Keys(b.programs))
		b.Coarse = l.Coarse
		slices.Sort(b.Cores)
		all = append(all, &b.Bug)
	}
	slices.SortFunc(all, Order)
	return all
}

// Order compares bugs: bugs with most cores come first, then the latest ones. Unreadable cores come
// last.
func Order(a, b *Bug) int {
	return cmp.Or(cmp.Compare(rank(a), rank(b)), -cmp.Compare(a.Count, b.Count), -cmp.Compare(a.Last, b.Last),
		cmp.Compare(a.Key, b.Key))
}

// rank has bugs come before what is none.
func rank(b *Bug) int {
	switch {
	case b.Status != Read:
		return 2
	case b.Cause == bugs.Snapshot:
		return 1
	}
	return 0
}

// most is the key that is counted most, of equals the first by name.
func most(count map[string]int) string {
	best := ""
	for _, k := range slices.Sorted(maps.Keys(count)) {
		if best == "" || count[k] > count[best] {
			best = k
		}
	}
	return best
}

// Rules returns the versions of the signature's rules that the lines were made with. Keys of
// different ones do not compare.
func (g *Groups) Rules() []int { return slices.Sorted(maps.Keys(g.rules)) }

// Diff returns the bugs that an older run does not have, and the older bugs that are gone, each marked
// as such. A bug is in both runs if both have a copy of one of its cores.
func Diff(bugs, older []*Bug) []*Bug {
	index := func(list []*Bug) func(*Bug) bool {
		keys, cores := map[string]bool{}, map[string]bool{}
		for _, b := range list {
			keys[b.Key] = true
			maps.Copy(cores, b.copies)
		}
		return func(b *Bug) bool {
			if keys[b.Key] {
				return true
			}
			for id := range b.copies {
				if cores[id] {
					return true
				}
			}
			return false
		}
	}
	was, is := index(older), index(bugs)
	var changed []*Bug
	for _, b := range bugs {
		if !was(b) {
			b.Change = "new"
			changed = append(changed, b)
		}
	}
	for _, b := range older {
		if !is(b) {
			b.Change = "gone"
			changed = append(changed, b)
		}
	}
	return changed
}
