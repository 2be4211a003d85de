package crash

import (
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/crash/bugs"
	"coredbg/crash/origin"
	"coredbg/runtimes/malloc"
)

// takers are the functions of allocators whose first argument is a block, by the names that libraries with
// and without symbols have for them: glibc, musl, jemalloc, mimalloc, gperftools.
var takers = []string{"free", "cfree", "__libc_free", "__GI___libc_free", "realloc", "__libc_realloc",
	"__GI___libc_realloc",
	"je_free", "je_realloc", "sdallocx", "dallocx", "mi_free", "mi_realloc", "tc_free", "tc_cfree", "tc_realloc",
	"tc_delete", "tc_deletearray"}

// deletes are what the names of C++'s operator delete begin with.
var deletes = []string{"_ZdlPv", "_ZdaPv"}

// takes reports whether a function has such a name.
func takes(name string) bool {
	return slices.Contains(takers, name) || slices.ContainsFunc(deletes,
		func(s string) bool { return strings.HasPrefix(name, s) })
}

// giverFrames is how many frames from the abort on the allocator's functions are looked for.
const giverFrames = 24

// A taking is a call of an allocator's function that takes a block.
type taking struct {
	name   string
	frames []origin.Frame
	index  int  // of the function among the frames
	inner  bool // only the C library and the function's own image have frames inside of it
}

// taking returns the innermost such call. The function may have no frame of its own: the call by its caller
// shows it, too.
func (x heapExam) taking() (taking, bool) {
	if x.s.Walk == nil || x.s.Symbols == nil || x.p.Arch == nil {
		return taking{}, false
	}
	frames := x.originFrames(giverFrames)
	for i := range frames {
		name, ok := x.takerAt(frames, i)
		if !ok {
			continue
		}
		t := taking{name: name, frames: frames, index: i, inner: true}
		first, own := x.p.Module(frames[0].PC), x.p.Module(frames[i].PC)
		for _, f := range frames[:i] {
			m := x.p.Module(f.PC)
			t.inner = t.inner && m != nil && (m == own || m == first && !m.Exe)
		}
		return t, true
	}
	return taking{}, false
}

// takerAt returns the name of the function of a frame if it is one that takes a block.
func (x heapExam) takerAt(frames []origin.Frame, i int) (string, bool) {
	pc := frames[i].PC
	if i > 0 {
		pc--
	}
	if y, _, found := x.s.Symbols.Lookup(pc); found && takes(y.Name) {
		return y.Name, true
	}
	if i+1 == len(frames) {
		return "", false
	}
	to, known := x.s.Walk.Called(frames[i+1].PC)
	if !known {
		return "", false
	}
	y, off, found := x.s.Symbols.Lookup(to)
	return y.Name, found && off == 0 && takes(y.Name) && x.p.Module(pc) == y.Module
}

// given returns the block that the program gave to free or realloc when the allocator gave up.
func (x heapExam) given() (at core.Addr, ok bool) {
	t, ok := x.taking()
	if !ok {
		return 0, false
	}
	v, _, ok := origin.Argument(x.ctx, x.code(), t.frames, t.index)
	return core.Addr(v), ok
}

// misused returns the kind of bug that a pointer given to free is by itself: a block that is free already, or
// no block at all. It returns None if the pointer is a block in use, or its memory does not show.
func (x heapExam) misused(heap *malloc.Heap, at core.Addr) bugs.Cause {
	c, chunk := heap.Chunk(x.ctx, at)
	switch _, mapped := x.p.Mapping(at); {
	case !mapped:
		return bugs.None
	case chunk && c.State == malloc.Used && at != c.Addr:
		return bugs.InvalidFree
	case chunk && c.State == malloc.Free && at == c.Addr:
		return bugs.DoubleFree
	case !chunk && heap.Owner(x.ctx, at) == nil:
		return bugs.InvalidFree
	}
	return bugs.None
}

// ofTaking makes a fault inside of free one of the pointer that free was given, if that is no block in use.
func (x heapExam) ofTaking(f *finding, heap *malloc.Heap) bool {
	if t, ok := x.taking(); !ok || !t.inner {
		return false
	}
	at, ok := x.given()
	if !ok {
		return false
	}
	cause := x.misused(heap, at)
	if cause == bugs.None {
		return false
	}
	f.cause, f.sure = cause, bugs.Likely
	f.evidence = append([]string{x.givenWords(heap, at)}, f.evidence...)
	return true
}

// stopped makes a trap or an abort inside of an allocator one of the damage that the allocator has found.
func (x heapExam) stopped(f *finding, heap *malloc.Heap) bool {
	t, ok := x.taking()
	if !ok || !t.inner {
		return false
	}
	found := x.blockEvidence(heap)
	if f.cause != bugs.IllegalInstruction && len(heap.Broken(x.ctx))+len(heap.Strays(x.ctx)) == 0 {
		return false
	}
	f.cause, f.sure = bugs.HeapCorruption, bugs.Likely
	f.evidence = append(append([]string{t.name + " has stopped the program"}, found...), f.evidence...)
	return true
}

// followed makes a bad pointer inside of an allocator's function one of the damage that the heap has.
func (x heapExam) followed(f *finding, heap *malloc.Heap) bool {
	if f.cause != bugs.WildPointer && f.cause != bugs.NullDereference {
		return false
	}
	t, ok := x.taking()
	if !ok || !t.inner || len(heap.Broken(x.ctx))+len(heap.Strays(x.ctx)) == 0 {
		return false
	}
	f.cause, f.sure = bugs.HeapCorruption, bugs.Likely
	f.evidence = append(append([]string{t.name + " has followed what was overwritten"}, x.blockEvidence(heap)...),
		f.evidence...)
	return true
}

// abortedInFree makes an abort by an allocator one of the block that it was given, or of the damage that it has found.
func (x heapExam) abortedInFree(f *finding) bool {
	heap, err := malloc.Open(x.ctx, x.p)
	return err == nil && (x.ofTaking(f, heap) || x.stopped(f, heap))
}
