package golang

import (
	"cmp"
	"errors"
	"slices"

	"coredbg/core"
)

// Where no file says what the program has, its threads still show the runtime: each has a g, that leads to an m, whose
// first word leads to a g of the same m. The fields of these are where they were since Go 1.4 (switched.go).

var errNoFile = errors.New("the file that has Go's runtime is not at hand")

// threadStacks returns the stacks that the threads alone show, by address.
func (r *Runtime) threadStacks() (all []span) {
	for _, t := range r.t.Process.Threads {
		for _, s := range r.stacksOf(t) {
			if !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	slices.SortFunc(all, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	return all
}

// stacksOf returns the stacks of the gs that a thread's m points to, as far as these are in Go's heap,
// where gs are. The stack of a thread that C has made extends beyond the bounds that the runtime
// records.
func (r *Runtime) stacksOf(t *core.Thread) (all []span) {
	if r.abi == nil {
		return nil
	}
	c := r.t.Process.Cursor()
	for _, g := range r.gsOf(t) {
		m := c.Pointer(g + gM)
		g0 := c.Pointer(m + mG0)
		if back := c.Pointer(g0 + gM); c.Reset() != nil || m == 0 || back != m {
			continue
		}
		for at := m; at < m+maxM; at += 8 {
			g := c.Pointer(at)
			if low, high, ok := r.stackOfG(g, m); ok {
				all = append(all, span{low, high})
			}
			if c.Reset() != nil {
				break
			}
		}
	}
	return all
}

// stackOfG returns the stack of a g, if it belongs to that m and both are in one segment of memory.
func (r *Runtime) stackOfG(g, m core.Addr) (low, high core.Addr, ok bool) {
	c := r.t.Process.Cursor()
	low, high = c.Pointer(g), c.Pointer(g+8)
	if back := c.Pointer(g + gM); c.Reset() != nil || g == 0 || g&7 != 0 || back != m || low >= high ||
		high-low > maxStack {
		return 0, 0, false
	}
	heap, found := r.t.Process.Space.Find(g)
	return low, high, found && heap.Prot&core.Write != 0 && heap.Start <= low && high <= heap.End
}
