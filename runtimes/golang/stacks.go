package golang

import (
	"cmp"
	"slices"

	"coredbg/core"
)

// Stacks of goroutines are next to each other in the runtime's heap, with stacks of machines that C has
// not made between them: no mapping shows where one ends.

// maxMachines bounds the machines of a process that are looked at, and the p's.
const maxMachines = 1 << 16

// allMachines returns the m's of goroutines and threads, and the m's that they lead to: runtime.allm is
// the last one, and each names the one that was made before it (runtime/runtime2.go, m.alllink).
func (s *scheduler) allMachines(first []core.Addr) (all []core.Addr) {
	c, seen := s.t.Process.Cursor(), map[core.Addr]bool{}
	if a, _, ok := s.global("allm"); ok {
		if m := c.Pointer(a); c.Reset() == nil {
			first = append(first, m)
		}
	}
	for _, t := range s.t.Process.Threads {
		first = append(first, s.machineOf(t))
	}
	link, linked := s.m["alllink"]
	for _, m := range first {
		for m != 0 && !seen[m] && len(seen) < maxMachines {
			seen[m] = true
			all = append(all, m)
			if !linked {
				break
			}
			if m = c.Pointer(m + link.off); c.Reset() != nil {
				break
			}
		}
	}
	return all
}

// machineOf returns the m of a thread, 0 if that is not known.
func (s *scheduler) machineOf(t *core.Thread) core.Addr {
	c := s.t.Process.Cursor()
	for _, g := range s.gsOf(t) {
		m := c.Pointer(g + s.g["m"].off)
		if id := c.U64(m + s.m["procid"].off); c.Reset() == nil && id == uint64(t.TID) {
			return m
		}
	}
	return 0
}

// stacksOf returns the places of stacks, by address: stacks of goroutines, and machines' own stacks in
// the same mappings.
func (s *scheduler) stacksOf(list []*Goroutine, machines []core.Addr) (all []span) {
	mapped := map[core.Addr]bool{} // by the start of the segment
	all = make([]span, 0, len(list))
	for _, g := range list {
		if seg, ok := s.t.Process.Space.Find(g.Low); ok && g.Err == nil && g.Low < g.High && g.High-g.Low <= maxStack {
			mapped[seg.Start] = true
			all = append(all, span{g.Low, g.High})
		}
	}
	c := s.t.Process.Cursor()
	for _, m := range machines {
		for _, own := range []string{"g0", "gsignal"} {
			f, ok := s.m[own]
			if !ok {
				continue
			}
			g := c.Pointer(m + f.off)
			low, high := c.Pointer(g+s.stack["lo"].off), c.Pointer(g+s.stack["hi"].off)
			if c.Reset() != nil || low >= high || high-low > maxStack {
				continue
			}
			if seg, ok := s.t.Process.Space.Find(low); ok && mapped[seg.Start] {
				all = append(all, span{low, high})
			}
		}
	}
	slices.SortFunc(all, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	return all
}
