package crash

import (
	"encoding/binary"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/insn"
	"coredbg/crash/bugs"
	"coredbg/crash/fault"
	"coredbg/walk"
)

// TestHeldByHeap: a null pointer that was read from a block of the heap is certain only if that
// block is in use. Memory is laid out as glibc 2.36 does it: main_arena in libc's data, a tcache
// that lists one chunk, one chunk in use, that free one, the rest.
func TestHeldByHeap(t *testing.T) {
	const (
		text, libc, heap, other = 0x401000, 0x10000, 0x80000, 0x700000
		top                     = libc + 0x100 + 96
		used, free, rest        = heap + 0x2a0, heap + 0x2d0, heap + 0x2f0
	)
	for _, c := range []struct {
		name  string
		at    uint64 // of the object
		arena bool
		value uint64 // the object's first word, which the call is by
		cause bugs.Cause
		want  bugs.Cause
		sure  bugs.Confidence
	}{
		{"in use", used, true, 0, bugs.NullDereference, bugs.NullDereference, bugs.Certain},
		{"in a tcache: no next one", free, true, free >> 12, bugs.NullDereference, bugs.UseAfterFree, bugs.Likely},
		{"the rest of the heap", rest + 0x20, true, 0, bugs.NullDereference, bugs.UseAfterFree, bugs.Likely},
		{"another allocator", other, true, 0, bugs.NullDereference, bugs.NullDereference, bugs.Likely},
		{"no allocator", other, false, 0, bugs.NullDereference, bugs.NullDereference, bugs.Likely},
		{"nonsense in use", used, true, 0x4141414141414141, bugs.WildPointer, bugs.WildPointer, bugs.Certain},
		{"nonsense in another allocator's", other, true, 0x4141414141414141, bugs.WildPointer,
			bugs.WildPointer, bugs.Likely},
	} {
		img, data, mem, more := make([]byte, 4096), make([]byte, 4096), make([]byte, 4096), make([]byte, 4096)
		copy(img, "\x48\x8b\x07\xff\x50\x10") // mov (%rdi),%rax; call *0x10(%rax)
		put := func(at, v uint64) {
			b, off := data, at-libc
			if at >= other {
				b, off = more, at-other
			} else if at >= heap {
				b, off = mem, at-heap
			}
			binary.LittleEndian.PutUint64(b[off:], v)
		}
		if c.arena {
			put(top, rest)
			for i := uint64(0); i < 127; i++ {
				put(top+16+16*i, top+16*i)
				put(top+16+16*i+8, top+16*i)
			}
			put(top+16+2032+16, libc+0x100)
			put(top+16+2032+40, 0x1000)
		}
		put(heap+8, 0x291)
		put(heap+16, 1<<16) // one chunk of 0x30 bytes
		put(heap+16+128+8, free)
		put(used-8, 0x31)
		put(free-8, 0x31)
		put(rest+8, 0xd11)
		put(c.at, c.value)
		b := coretest.New(core.AMD64).MapProt(text, img, core.Read|core.Exec).MapProt(libc, data, core.Read|core.Write).
			MapProt(heap, mem, core.Read|core.Write).MapProt(other, more, core.Read|core.Write).
			Thread(1, map[string]uint64{"rdi": c.at, "rax": c.value, "rip": text + 3, "rsp": 0x7fff0000})
		b.Module("/lib/libc.so.6", libc, libc+0x1000, core.ModuleFacts{})
		p := b.Process()
		start := func(core.Addr) (core.Addr, bool) { return text, true }
		x := &examination{ctx: t.Context(), p: p, s: &Subject{Process: p, Thread: p.Threads[0],
			Walk: walk.NewTarget(p, walk.Options{FuncStart: start})},
			fault: fault.Fault{PC: text + 3, Regs: insn.Registers{Regs: p.Threads[0].Regs}}}
		f := finding{cause: c.cause, sure: bugs.Certain}
		if (heapExam{x}).heapFault(&f); f.cause != c.want || f.sure != c.sure {
			t.Errorf("%s: %s, %v, %q; want %s, %v", c.name, f.cause, f.sure, f.evidence, c.want, c.sure)
		}
		if f.sure != bugs.Certain && !strings.Contains(strings.Join(f.evidence, "\n"), "the pointer was read from "+
			core.Addr(c.at).String()) {
			t.Errorf("%s: the evidence does not say where the pointer was: %q", c.name, f.evidence)
		}
	}
}
