package main

import (
	"regexp"
	"slices"

	"coredbg/internal/liveset"
)

// enough is the share of the blocks that the whole set reaches which the quick set has to reach.
const enough = 0.98

// Costs of a core. A core that needs only installed programs costs 1.
const (
	costOfRelease = 0.1 // the first core of an engine's or a compiler's release
	costOfSlow    = 4   // a core of a kind that is slow to get
)

// A choice is a set of cores on its way to be the quick set.
type choice struct {
	*measured
	left     []string
	chosen   []string
	reached  blocks
	kinds    map[*liveset.Kind]bool
	releases map[string]bool
}

// choose returns the cores of the quick set among names, how many blocks these reach, and how
// many all names reach. Each kind that is not slow gets a core. Then the core that adds most
// blocks for its cost is next, until the chosen cores reach enough.
func choose(m *measured, names []string) (chosen []string, reached, all int) {
	c := &choice{measured: m, left: slices.Clone(names), kinds: map[*liveset.Kind]bool{}, releases: map[string]bool{}}
	var union blocks
	for _, name := range names {
		union.union(m.Cores[name].Reached)
	}
	all = union.count()
	lacks := func(name string) bool {
		k := liveset.KindOf(name)
		return k != nil && !k.Slow() && !c.kinds[k]
	}
	for c.take(lacks) {
	}
	some := func(string) bool { return true }
	for float64(c.reached.count()) < enough*float64(all) && c.take(some) {
	}
	c.drop()
	slices.Sort(c.chosen)
	return c.chosen, c.reached.count(), all
}

// take takes the best of the cores that are asked for: the one that adds most blocks for its
// cost, and of equals the smallest. It returns false if there is no such core.
func (c *choice) take(asked func(string) bool) bool {
	best, gain := -1, -1.0
	for i, name := range c.left {
		if !asked(name) {
			continue
		}
		core := c.Cores[name]
		g := float64(core.Reached.beyond(c.reached)) / c.cost(name)
		if g > gain || g == gain && core.Size < c.Cores[c.left[best]].Size {
			best, gain = i, g
		}
	}
	if best < 0 {
		return false
	}
	name := c.left[best]
	c.left = slices.Delete(c.left, best, best+1)
	c.chosen = append(c.chosen, name)
	c.reached.union(c.Cores[name].Reached)
	c.kinds[liveset.KindOf(name)] = true
	c.releases[releaseOf(name)] = true
	return true
}

// cost returns the cost of a core, given the cores that were taken.
func (c *choice) cost(name string) float64 {
	cost := 1.0
	if r := releaseOf(name); r != "" && !c.releases[r] {
		cost += costOfRelease
	}
	if k := liveset.KindOf(name); k != nil && k.Slow() {
		cost += costOfSlow
	}
	return cost
}

// drop gives up cores whose blocks and kinds the cores that were taken later have as well.
func (c *choice) drop() {
	for i := 0; i < len(c.chosen); {
		rest := slices.Delete(slices.Clone(c.chosen), i, i+1)
		k := liveset.KindOf(c.chosen[i])
		needless := k != nil && k.Slow()
		var reached blocks
		for _, name := range rest {
			reached.union(c.Cores[name].Reached)
			needless = needless || liveset.KindOf(name) == k
		}
		if needless && reached.count() == c.reached.count() {
			c.chosen = rest
			continue
		}
		i++
	}
}

// release finds the release of an engine or of Go, or Android's by processor, in a name.
var release = regexp.MustCompile(`^art-[0-9]+-[a-z0-9]+|[0-9]+\.[0-9.]*[0-9]`)

// releaseOf returns the release that a core needs to be fetched, "" if it needs only installed
// programs.
func releaseOf(name string) string { return release.FindString(name) }
