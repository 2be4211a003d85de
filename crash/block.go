package crash

import (
	"fmt"
	"strings"

	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/crash/bugs"
	"coredbg/crash/where"
	"coredbg/runtimes/malloc"
	"coredbg/runtimes/malloc/block"
	"coredbg/runtimes/malloc/faults"
)

// allocatorBlock says which block the allocator gave up for: the one that it was given, if that is
// known, and the headers and links that were overwritten. It makes a "double free or corruption" the
// one or the other.
func (x heapExam) allocatorBlock(f *finding, message string) {
	heap, err := malloc.Open(x.ctx, x.p)
	if err != nil {
		heap = nil
	}
	at, known := x.given()
	if heap == nil {
		if known {
			f.evidence = append(f.evidence, x.givenWords(nil, at))
		}
		return
	}
	f.evidence = append(f.evidence, x.blockEvidence(heap)...)
	c, chunk := heap.Chunk(x.ctx, at)
	if known && f.cause == bugs.HeapCorruption && len(heap.Broken(x.ctx)) == 0 {
		if cause := x.misused(heap, at); cause != bugs.None {
			f.cause = cause // the heap itself is in order
		}
	}
	if known && f.cause == bugs.DoubleFree && strings.Contains(message, "or corruption") &&
		len(heap.Broken(x.ctx)) > 0 && (!chunk || c.State == malloc.Used) {
		f.cause = bugs.HeapCorruption // the header says so, and the block is in no list
	}
}

// blockEvidence says which block the allocator was given, and which headers and links were
// overwritten.
func (x heapExam) blockEvidence(heap *malloc.Heap) []string {
	var out []string
	if at, ok := x.given(); ok {
		out = append(out, x.givenWords(heap, at))
	}
	broken := heap.Broken(x.ctx)
	for i := range broken[:min(len(broken), maxEvidences)] {
		out = append(out, breakWords(x.p, &broken[i]))
	}
	n := 0
	for _, a := range heap.All {
		h := a.Heap(x.ctx)
		for i := 0; i < len(h.Strays) && n < maxEvidences; i, n = i+1, n+1 {
			out = append(out, x.strayWords(h, &h.Strays[i]))
		}
	}
	return out
}

// givenWords says what the pointer is that the allocator was given.
func (x heapExam) givenWords(heap *malloc.Heap, at core.Addr) string {
	return fmt.Sprintf("the pointer that was given to the allocator is %v: %s", at, x.blockWords(heap, at))
}

// blockWords describes an address that the allocator was given.
func (x heapExam) blockWords(heap *malloc.Heap, at core.Addr) string {
	if heap != nil {
		if c, ok := heap.Chunk(x.ctx, at); ok {
			return chunkWords(&c, at)
		}
	}
	m, mapped := x.p.Mapping(at)
	for _, t := range x.p.Threads {
		sp, ok := t.Regs.Get(x.p.Arch.SP)
		if low := core.Addr(sp) - redZone; mapped && ok && low >= m.Start && at >= low && at-low < stackReach {
			return fmt.Sprintf("on the stack of thread %d, no block of the heap", t.TID)
		}
	}
	name := where.Symbolic(x.p, x.s.Symbols, at)
	switch {
	case !mapped:
		return where.Near(x.p, at)
	case name != "":
		return "in " + name + ", no block of the heap"
	case heap != nil && heap.Has(at):
		return "in the heap, after a header that was overwritten"
	case m.Path != "" && m.Path != "[heap]":
		return "in " + sym.Clean(m.Path) + ", no block of the heap"
	}
	return fmt.Sprintf("in %s (%v), in no block that malloc is known to have given out", where.MappingName(m), m.Prot)
}

// chunkWords says where in a chunk an address is, and whether the chunk is free.
func chunkWords(c *malloc.Chunk, at core.Addr) string {
	state := "in use"
	switch c.State {
	case malloc.Free:
		state = "free already (" + c.List + ")"
	case malloc.Top:
		return "in the rest of the heap, which no block has: it is free already, or was never given out"
	}
	if at == c.Addr {
		return fmt.Sprintf("a block of %d bytes that is %s", c.Size, state)
	}
	return fmt.Sprintf("%d bytes into a block of %d bytes at %v that is %s", at-c.Addr, c.Size, c.Addr, state)
}

// strayWords says which link of a list of free blocks leads astray.
func (x heapExam) strayWords(h *block.Heap, s *malloc.Stray) string {
	f := faults.OfStray(x.p, h, s)
	words := fmt.Sprintf("%v has %v", s.At, s.Value)
	if t := where.Text(x.p, uint64(s.Value)); t != "" {
		words += " (" + t + ")"
	}
	if words += ": " + f.Why; f.Culprit.Addr != 0 {
		words += fmt.Sprintf("; it is the block of %d bytes at %v", f.Culprit.Size, f.Culprit.Addr)
	}
	return words
}
