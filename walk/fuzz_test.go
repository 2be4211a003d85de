package walk

import (
	"context"
	"encoding/binary"
	"testing"

	"coredbg/core"
)

// FuzzWalk walks arbitrary stacks from arbitrary registers over code with call frame information, frame
// pointers, calls and a trampoline: each walk ends, with a reason, and its frames move outwards, except
// for signal frames.
func FuzzWalk(f *testing.F) {
	word := func(vs ...uint64) (out []byte) {
		for _, v := range vs {
			out = binary.LittleEndian.AppendUint64(out, v)
		}
		return out
	}
	f.Add(word(textAt+0x100, stackAt+0x20, textAt+0x200, stackAt, textAt+0x300), uint64(textAt+0x50), uint64(stackAt),
		uint64(stackAt+8), false)
	f.Add(word(textAt+0x400, textAt+0x400, 0, textAt+0x100), uint64(0), uint64(stackAt), uint64(0), false)
	f.Add(word(stackAt+0x10, textAt+0x100, stackAt+0x20, textAt+0x200, 0, 0), uint64(textAt+0x50), uint64(stackAt),
		uint64(stackAt), true)
	// The data that the kernel of macOS leaves above a trampoline's frame.
	frame := make([]uint64, 256)
	frame[0], frame[28+6], frame[28+5] = textAt+0x200, stackAt+8, 120
	f.Add(word(frame...), uint64(textAt+0x50), uint64(stackAt), uint64(stackAt+8), false)
	f.Fuzz(func(t *testing.T, stack []byte, pc, sp, fp uint64, arm bool) {
		arch, names := core.AMD64, [3]string{"rip", "rsp", "rbp"}
		if arm {
			arch, names = core.ARM64, [3]string{"pc", "sp", "x29"}
		}
		s := newScene(arch)
		copy(s.stack, stack)
		for _, off := range []int{0x100, 0x200, 0x300} {
			s.call(off)
		}
		s.code(0x400, restoreRT...)
		s.code(0x500, sigreturn64...)
		s.function(0x40, 0x40, 0x0e, 16)
		s.function(0xf0, 0x20, 0x0c, 6, 16, 0x86, 2)
		s.function(0x1f0, 0x20, 0x0f, 3, 0x77, 0, 0x06) // CFA = [rsp]
		regs := map[string]uint64{names[0]: pc, names[1]: sp, names[2]: fp, "x30": pc}
		if !arm {
			delete(regs, "x30")
		}
		for _, os := range []string{"linux", "darwin"} {
			p := s.process(regs)
			p.OS = os
			frames, _ := gather(t, NewTarget(p, Options{MaxFrames: 9000}).Walk(context.Background(), p.Threads[0]))
			for i := 1; i < len(frames); i++ {
				if frames[i].SP < frames[i-1].SP && !frames[i-1].Trampoline {
					t.Fatalf("%s: frame %d moves inwards: %v, %v", os, i, frames[i-1].SP, frames[i].SP)
				}
			}
		}
	})
}
