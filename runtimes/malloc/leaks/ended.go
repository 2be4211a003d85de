package leaks

import (
	"strings"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// ended returns the stacks and thread-local variables of ended threads. glibc keeps them for new threads.
// Such a stack is a mapping of its own, without a stack pointer in it. At its end is its thread's record,
// which leads to itself and has no thread's number. The record still holds blocks of the C library.
func (f *Scanner) ended() []block.Span {
	number := f.threadNumber()
	if number == 0 {
		return nil
	}
	var out []block.Span
	for _, g := range f.p.Mappings {
		if g.Prot&core.Write == 0 || g.Path != "" && !strings.HasPrefix(g.Path, "[anon") || f.occupied(g) {
			continue
		}
		for at := max(g.End-min(g.End-g.Start, 2*tcbSize), g.Start); at < g.End; at += tcbAlign {
			if f.isRecord(at) && f.cleared(at+number) {
				out = append(out, block.Span{Start: g.Start, End: at})
				break
			}
		}
	}
	return out
}

const tcbAlign = 16 // of a thread's record

// isRecord reports whether a thread's record of glibc begins at an address. Its first and its third word lead
// to itself.
func (f *Scanner) isRecord(at core.Addr) bool {
	c := f.p.Cursor()
	w := core.Addr(c.PtrSize())
	first, third := c.Pointer(at), c.Pointer(at+2*w)
	return c.Reset() == nil && first == at && third == at
}

// occupied reports whether a mapping has a thread's stack pointer or record, or part of a module.
func (f *Scanner) occupied(g core.Mapping) bool {
	for _, t := range f.p.Threads {
		sp, _ := t.Regs.Get(f.p.Arch.SP)
		if t.TLS >= g.Start && t.TLS < g.End || core.Addr(sp) >= g.Start && core.Addr(sp) < g.End {
			return true
		}
	}
	return block.ModuleOf(f.p, g.Start) != nil
}

// threadNumber returns where in its record a thread has its number: the place that holds it in all threads; 0
// if there is none.
func (f *Scanner) threadNumber() core.Addr {
	p := f.p
	if p.Arch == nil || len(p.Threads) == 0 {
		return 0
	}
	for _, t := range p.Threads {
		if t.TLS == 0 || !f.isRecord(t.TLS) {
			return 0
		}
	}
next:
	for at := core.Addr(4 * 4); at < tcbSize; at += 4 {
		for _, t := range p.Threads {
			if f.half(t.TLS+at) != uint32(t.TID) {
				continue next
			}
		}
		return at
	}
	return 0
}

// half returns the 32 bits at an address, 0 if they cannot be read.
func (f *Scanner) half(at core.Addr) uint32 {
	c := f.p.Cursor()
	v := c.U32(at)
	if c.Reset() != nil {
		return 0
	}
	return v
}

// cleared reports whether the number at an address is not a thread's. The kernel makes it 0 at a thread's
// end, and pthread_join makes it -1.
func (f *Scanner) cleared(at core.Addr) bool {
	c := f.p.Cursor()
	v := int32(c.U32(at))
	return c.Reset() == nil && v <= 0
}
