package triage

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"coredbg/crash/bugs"
)

// By says what makes cores those of one bug.
type By string

// What makes cores those of one bug, besides their program: a key of the signature.
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

	bugs  map[string]*gathered
	rules map[int]bool
}

// gathered is a bug with what is needed until all of its cores are known.
type gathered struct {
	Bug
	names    map[string]int
	sure     map[string]int
	programs map[string]bool
}

// Read adds the lines of a file that triage has made. What is in it besides is an error
// that names the line.
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
	if g.bugs == nil {
		g.bugs, g.rules = map[string]*gathered{}, map[int]bool{}
	}
	if l.Rules != 0 {
		g.rules[l.Rules] = true
	}
	key := g.Key(l)
	b := g.bugs[key]
	if b == nil {
		b = &gathered{Bug: Bug{Key: key}, names: map[string]int{}, sure: map[string]int{}, programs: map[string]bool{}}
		g.bugs[key] = b
	}
	b.Count++
	b.names[nameOf(l)]++
	if l.Confidence != "" {
		b.sure[l.Confidence]++
	}
	if l.Program != "" {
		b.programs[l.Program] = true
	}
	if l.Modified != "" {
		if b.First == "" || l.Modified < b.First {
			b.First = l.Modified
		}
		b.Last = max(b.Last, l.Modified)
	}
	if b.example == nil || better(l, b.example) {
		b.example = l
	}
	if g.Keep {
		b.Cores = append(b.Cores, l.Core)
	}
}

// Key is equal for cores of one bug. A core whose stack says nothing is a bug by itself.
func (g *Groups) Key(l *Line) string {
	key := l.Coarse
	if g.By == ByFine {
		key = l.Fine
	}
	switch {
	case l.Status != Read:
		return string(l.Status)
	case key == "" && l.Signature != "":
		return string(l.Cause) + " " + l.Core
	case key == "":
		key = string(l.Cause)
	}
	if !g.Across && l.Program != "" {
		key += " " + l.Program
	}
	return key
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

// better reports whether a core is a better example than another: it lacks less, is more
// certain, is smaller.
func better(a, b *Line) bool {
	return cmp.Or(
		cmp.Compare(len(a.Missing), len(b.Missing)),
		-cmp.Compare(sureness[a.Confidence], sureness[b.Confidence]),
		cmp.Compare(a.Size, b.Size),
		cmp.Compare(a.Core, b.Core)) < 0
}

// Bugs returns the bugs, those with most cores first. What could not be read comes last.
func (g *Groups) Bugs() []*Bug {
	var all []*Bug
	for _, b := range g.bugs {
		l := b.example
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

// Order compares bugs: those with most cores come first, then those seen last. What could
// not be read comes last.
func Order(a, b *Bug) int {
	return cmp.Or(cmp.Compare(rank(a), rank(b)), -cmp.Compare(a.Count, b.Count), -cmp.Compare(a.Last, b.Last), cmp.Compare(a.Key, b.Key))
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

// Diff returns of bugs those that an older run does not have, and of the older those that
// are gone, each marked as that.
func Diff(bugs, older []*Bug) []*Bug {
	index := func(list []*Bug) map[string]bool {
		keys := map[string]bool{}
		for _, b := range list {
			keys[b.Key] = true
		}
		return keys
	}
	was, is := index(older), index(bugs)
	var changed []*Bug
	for _, b := range bugs {
		if !was[b.Key] {
			b.Change = "new"
			changed = append(changed, b)
		}
	}
	for _, b := range older {
		if !is[b.Key] {
			b.Change = "gone"
			changed = append(changed, b)
		}
	}
	return changed
}
