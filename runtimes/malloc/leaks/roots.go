package leaks

import (
	"cmp"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

const (
	redZone  = 128     // bytes below a stack pointer that functions use
	tcbSize  = 4096    // of a thread's record of the C library, at most
	tlsReach = 1 << 20 // how far before the end of a stack's mapping the thread's control block is
)

// holes are the stretches of memory that lead to nothing: those of allocators, their records, and dead stacks.
func (f *Scanner) holes() []block.Span {
	var out []block.Span
	f.x.Regions(func(r *block.Region, _ int) { out = append(out, block.Span{Start: r.Start, End: r.End}) })
	for _, h := range f.heaps {
		out = append(out, h.Own...)
	}
	if !f.conservative {
		out = append(out, f.dead()...)
		out = append(out, f.ended()...)
	}
	slices.SortFunc(out, func(a, b block.Span) int { return cmp.Compare(a.Start, b.Start) })
	return out
}

// dead are the parts of stacks below the stack pointers, where it is certain that a mapping is the stack of a thread.
func (f *Scanner) dead() []block.Span {
	var out []block.Span
	p := f.p
	if p.Arch == nil {
		return nil
	}
	for _, t := range p.Threads {
		v, ok := t.Regs.Get(p.Arch.SP)
		sp := core.Addr(v)
		m, mapped := p.Mapping(sp)
		if !ok || !mapped || sp < m.Start+redZone || t.Task != nil {
			continue
		}
		low := m.Start
		if m.Path != "[stack]" {
			end := p.StackEnd(sp, m.End)
			if end == m.End || t.TLS == 0 || core.Addr(t.TLS) < sp || core.Addr(t.TLS) >= m.End ||
				m.End-end > tlsReach {
				continue // what it is a stack of is not known
			}
			for _, o := range p.Threads { // another one that ends below, in the same mapping
				if o.TLS >= m.Start && o.TLS < sp {
					low = max(low, o.TLS+tcbSize)
				}
			}
		}
		if low < sp-redZone {
			out = append(out, block.Span{Start: low, End: sp - redZone})
		}
	}
	return out
}

// Memory calls scan for all memory that may lead to blocks.
func (f *Scanner) Memory(scan func(from, to core.Addr)) {
	holes := f.holes()
	for _, g := range f.p.Space.Segments() {
		if g.Kind != core.SegCore || g.Prot&core.Exec != 0 && g.Prot&core.Write == 0 {
			continue
		}
		at := g.Start
		i, _ := slices.BinarySearchFunc(holes, at,
			func(h block.Span, a core.Addr) int { return cmp.Compare(h.End, a+1) })
		// Holes may nest: all that end before a place are passed over.
		for ; i < len(holes) && holes[i].Start < g.End; i++ {
			if holes[i].Start > at {
				scan(at, holes[i].Start)
			}
			at = max(at, holes[i].End)
		}
		if at < g.End {
			scan(at, g.End)
		}
	}
}

// Registers visits the registers of all threads.
func (f *Scanner) Registers(visit func(id int, t *core.Thread)) {
	for _, t := range f.p.Threads {
		of := func(id int, _ core.Addr) { visit(id, t) }
		for i := range core.MaxRegs {
			if v, ok := t.Regs.Get(i); ok {
				f.visit(core.Addr(v), 0, of)
			}
		}
		if t.Registers != nil {
			for _, r := range t.Registers() {
				f.visit(core.Addr(r.Value), 0, of)
				f.words(r.Bytes, 0, of)
			}
		}
	}
}
