package golang

import (
	"cmp"
	"slices"

	"coredbg/core"
)

// Where no file says what the program has, its threads still show the runtime: each has a g, that leads to an m, whose
// first word leads to a g of the same m. The fields of m move from release to release; the fields of g
// that are used have not moved since Go 1.4 (runtime/runtime2.go: g, m, gobuf).
const (
	gM       = 0x30 // g.m
	gSchedSP = 0x38 // g.sched.sp
	gSchedPC = 0x40 // g.sched.pc
	mG0      = 0    // m.g0
	maxM     = 0x400
)

// maxStack is how large a stack may be in bytes (runtime/proc.go, maxstacksize and its double).
const maxStack = 2 << 30

// threadStacks returns the stacks that the threads alone show, by address.
func (p process) threadStacks() (all []span) {
	for _, t := range p.t.Process.Threads {
		for _, s := range p.stacksOf(t) {
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
func (p process) stacksOf(t *core.Thread) (all []span) {
	if p.abi == nil {
		return nil
	}
	c := p.t.Process.Cursor()
	for _, g := range p.gsOf(t) {
		m := c.Pointer(g + gM)
		g0 := c.Pointer(m + mG0)
		if back := c.Pointer(g0 + gM); c.Reset() != nil || m == 0 || back != m {
			continue
		}
		for at := m; at < m+maxM; at += 8 {
			g := c.Pointer(at)
			if low, high, ok := p.stackOfG(g, m); ok {
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
func (p process) stackOfG(g, m core.Addr) (low, high core.Addr, ok bool) {
	c := p.t.Process.Cursor()
	low, high = c.Pointer(g), c.Pointer(g+8)
	if back := c.Pointer(g + gM); c.Reset() != nil || g == 0 || g&7 != 0 || back != m || low >= high ||
		high-low > maxStack {
		return 0, 0, false
	}
	heap, found := p.t.Process.Space.Find(g)
	return low, high, found && heap.Prot&core.Write != 0 && heap.Start <= low && high <= heap.End
}

// gsOf returns what may be the g of a thread: what a register has while Go's code runs, and on x86 thread-local memory.
func (p process) gsOf(t *core.Thread) (gs []core.Addr) {
	c, arch := p.t.Process.Cursor(), p.t.Process.Arch
	if p.abi != nil {
		if g, ok := t.Regs.Get(arch.SlotOf(p.abi.register)); ok {
			gs = append(gs, core.Addr(g))
		}
	}
	if t.TLS != 0 && (arch == core.AMD64 || arch == core.I386) {
		gs = append(gs, c.Pointer(t.TLS-core.Addr(arch.PtrSize)))
	}
	return gs
}
