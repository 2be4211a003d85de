package crash

import (
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/core/insn"
	"coredbg/crash/bugs"
	"coredbg/crash/where"
	"coredbg/runtimes/malloc"
)

// Bounds of the search around a fault.
const (
	memberReach = 4096 // maximum distance from a pointer to an access through it
	tableReach  = 1024 // how far in a table of functions a call reaches
	objectReach = 512  // bytes of an object that are searched for the pointer at fault
	frameReach  = 512  // bytes of the stack that may refer to the object
	headerReach = 4096 // how far after a header that was overwritten the object may be
	maxSuspects = 128
)

// inMalloc are the functions of glibc's allocator that follow its own lists, and the ones that programs
// call, whose names a stripped library shows.
var inMalloc = []string{"malloc", "calloc", "realloc", "memalign", "_int_malloc", "_int_free", "_int_realloc",
	"malloc_consolidate",
	"unlink_chunk", "unlink_chunk.constprop.0", "unlink_chunk.isra.0", "tcache_get", "_int_free_merge_chunk",
	"__libc_malloc", "__libc_calloc", "__libc_realloc"}

// asksHeap are the faults by a pointer that may have been read from memory that was freed.
var asksHeap = []bugs.Cause{bugs.WildPointer, bugs.NullDereference, bugs.NullCall, bugs.UseAfterFree, bugs.Misaligned,
	bugs.IllegalInstruction}

// heapFault makes more of a fault where the allocator knows the memory that its pointer was
// read from: it was free, or something had written over the end of a chunk. A fault is certain only
// if that memory is known to be in use.
func (x heapExam) heapFault(f *finding) {
	if !slices.Contains(asksHeap, f.cause) || x.s.Thread == nil || x.p.Arch == nil {
		return
	}
	heap, err := malloc.Open(x.ctx, x.p)
	if err != nil {
		heap = nil
	}
	words := x.words()
	if heap == nil {
		x.heldBy(f, nil, words)
		return
	}
	trapped := f.cause == bugs.IllegalInstruction
	switch {
	case trapped && x.fault.NotCode != "", x.ofTaking(f, heap):
	case trapped:
		x.stopped(f, heap)
	case x.heldBy(f, heap, words), x.heldNear(f, heap, words == nil):
	case x.followed(f, heap):
	case f.cause == bugs.WildPointer:
		x.allocatorFault(f, heap)
	}
}

// heldNear looks at the memory that the thread had at hand. Near says that it is not known which
// word the pointer was read from.
func (x heapExam) heldNear(f *finding, heap *malloc.Heap, near bool) bool {
	broken := heap.Broken(x.ctx)
	for _, v := range x.suspects(heap) {
		c, ok := heap.Chunk(x.ctx, v)
		if ok && c.State == malloc.Free && near {
			at, ok := x.readFrom(max(c.Addr, v-min(v, objectReach)), min(c.Addr+core.Addr(c.Size), v+objectReach))
			if !ok {
				continue
			}
			x.freed(f, at, &c)
			return true
		}
		for i := range broken {
			b := &broken[i]
			if f.cause != bugs.WildPointer || v < b.At || v-b.At > headerReach {
				continue
			}
			if at, ok := x.readFrom(v, v+objectReach); ok {
				x.afterBreak(f, at, b)
				return true
			}
		}
	}
	return false
}

// freed makes a fault one of memory that was freed.
func (x heapExam) freed(f *finding, at core.Addr, c *malloc.Chunk) {
	in := fmt.Sprintf("in a chunk of %d bytes at %v that is free (%s)", c.Size, c.Addr, c.List)
	if c.State == malloc.Top {
		in = "in the rest of the heap, which malloc has given to no block, or no more"
	}
	f.cause, f.sure = bugs.UseAfterFree, bugs.Likely
	f.evidence = append([]string{fmt.Sprintf("the pointer was read from %v, %s", at, in)}, f.evidence...)
}

// afterBreak makes a fault one of an overrun.
func (x heapExam) afterBreak(f *finding, at core.Addr, b *malloc.Break) {
	f.cause, f.sure = bugs.HeapCorruption, bugs.Likely
	f.evidence = append([]string{fmt.Sprintf("the pointer was read from %v, after a header of malloc that was overwritten", at), breakWords(x.p, b)}, f.evidence...)
}

// allocatorFault is a fault of the allocator itself, which follows pointers that it keeps
// in memory that is free and before its blocks.
func (x heapExam) allocatorFault(f *finding, heap *malloc.Heap) {
	if x.stack == nil || len(x.stack.Frames) == 0 {
		return
	}
	name := x.stack.Frames[0].Name
	at, known := core.Addr(0), false
	switch {
	case takes(name):
		if at, known = x.given(); !known || !heap.Has(at) {
			break // it was given what is no block
		}
		fallthrough
	case slices.Contains(inMalloc, name):
		f.cause, f.sure = bugs.HeapCorruption, bugs.Likely
		words := []string{name + " has read a pointer that is none from its own lists: memory that is free was written to, or a chunk was overrun"}
		if takes(name) {
			words[0] = name + " has followed a header that was overwritten"
		}
		f.evidence = append(append(words, x.blockEvidence(heap)...), f.evidence...)
		return
	default:
		return
	}
	if known {
		f.evidence = append(f.evidence, x.givenWords(heap, at))
	}
}

// suspects are the addresses of the heap that the thread had at hand: in registers, and on
// the stack next to its top.
func (x heapExam) suspects(heap *malloc.Heap) []core.Addr {
	var out []core.Addr
	add := func(v core.Addr) {
		if v%8 == 0 && heap.Has(v) && !slices.Contains(out, v) && len(out) < maxSuspects {
			out = append(out, v)
		}
	}
	regs := x.fault.Regs.Regs
	for i := range core.MaxRegs {
		if v, ok := regs.Get(i); ok && i != x.p.Arch.SP && i != x.p.Arch.PC {
			add(core.Addr(v))
		}
	}
	if sp, ok := regs.Get(x.p.Arch.SP); ok {
		c := x.p.Cursor()
		for at := core.Addr(sp) &^ 7; at < core.Addr(sp)+frameReach; at += 8 {
			add(c.Pointer(at))
			if c.Reset() != nil {
				break
			}
		}
	}
	return out
}

// readFrom returns the address of the word of a range that is the pointer at fault: the
// access was next to where it leads, or it leads to a table whose entry was called.
func (x heapExam) readFrom(from, to core.Addr) (core.Addr, bool) {
	faults, called := x.faultAddresses()
	c := x.p.Cursor()
	for at := from &^ 7; at < to; at += 8 {
		v := c.Pointer(at)
		if c.Reset() != nil {
			return 0, false
		}
		if v < where.NullPage {
			if v != 0 && slices.Contains(x.bases(), v) {
				return at, true
			}
			continue
		}
		for _, a := range faults {
			if a == v && called != 0 || a >= v && a-v < memberReach && !x.inUse(v) {
				return at, true
			}
		}
		for entry := core.Addr(0); called != 0 && entry < tableReach; entry += 8 {
			if target := c.Pointer(v + entry); c.Reset() != nil {
				break
			} else if target == called {
				return at, true
			}
		}
	}
	return 0, false
}

// inUse reports whether a is memory that a program reads and writes.
func (x heapExam) inUse(a core.Addr) bool {
	m, ok := x.p.Mapping(a)
	return ok && m.Prot&core.Read != 0
}

// faultAddresses returns what the processor refused to access, and the address that was
// called if nothing can be fetched from it.
func (x heapExam) faultAddresses() (accessed []core.Addr, called core.Addr) {
	if !x.p.Executable(x.fault.PC) {
		called = x.fault.PC
		return []core.Addr{called}, called
	}
	if g := x.fault.Signal; g != nil && g.HasAddr && g.CodeName != "SI_KERNEL" {
		return []core.Addr{x.p.StripCode(g.Addr)}, 0
	}
	code, _ := x.p.Space.Slice(x.fault.PC, insn.MaxLen)
	does := insn.EffectOf(x.p.Arch, code, x.fault.PC, &x.fault.Regs)
	for _, a := range does.Accesses {
		accessed = append(accessed, a.Addr)
	}
	if does.HasTarget {
		accessed = append(accessed, does.Target)
	}
	return accessed, 0
}

// freedTag makes more of a tag fault where the allocator says that the memory was free: it has
// given it another tag then.
func (x heapExam) freedTag(f *finding) {
	g := x.fault.Signal
	if f.cause != bugs.TagMismatch || g == nil || g.CodeName != "SEGV_MTESERR" {
		return
	}
	heap, err := malloc.Open(x.ctx, x.p)
	if err != nil {
		return
	}
	if c, ok := heap.Chunk(x.ctx, g.Addr.Untagged()); ok && c.State == malloc.Free {
		f.cause, f.sure = bugs.UseAfterFree, bugs.Likely
		f.evidence = append([]string{fmt.Sprintf("the access was to a chunk of %d bytes at %v that is free (%s)",
			c.Size, c.Addr, c.List)}, f.evidence...)
	}
}

// A heapExam is the part of an examination that asks the allocator.
type heapExam struct{ *examination }
