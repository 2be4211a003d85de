package walk

import (
	"context"
	"encoding/binary"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// FuzzPrologue analyses arbitrary bytes as functions of all architectures.
func FuzzPrologue(f *testing.F) {
	f.Add([]byte{0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0x48, 0x89, 0xe5, 0x53, 0x48, 0x83, 0xec, 0x18, 0x74, 0xf0, 0xc9, 0xc3}, uint16(16))
	f.Add([]byte{0xeb, 0xfe}, uint16(2))                                            // jumps to itself
	f.Add([]byte{0xe8, 0, 0, 0, 0, 0x0f, 0x84, 0xf5, 0xff, 0xff, 0xff}, uint16(11)) // jumps back into an instruction
	f.Add([]byte{0xfd, 0x7b, 0xbd, 0xa9, 0xfd, 3, 0, 0x91, 0xc0, 3, 0x5f, 0xd6}, uint16(8))
	f.Add([]byte{0xff, 0x43, 0, 0xd1, 0xff, 0x63, 0x2c, 0xcb}, uint16(8))
	f.Fuzz(func(t *testing.T, code []byte, pc uint16) {
		if int(pc) > len(code) {
			return
		}
		for _, arch := range []*core.Arch{core.AMD64, core.I386, core.ARM64} {
			abi := abiOf(arch)
			abi.prologue(code, int(pc), maxInsns)
			abi.call(code[:pc])
			if abi.entered != nil {
				abi.entered(arch, code[:pc], code[pc:])
			}
		}
	})
}

// FuzzCode follows arbitrary bytes to where they return and where they lead.
func FuzzCode(f *testing.F) {
	f.Add([]byte{0x74, 0x06, 0x48, 0x83, 0xc4, 0x18, 0x5b, 0xc3, 0xe8, 0, 0, 0, 0, 0xc9, 0xc3})
	f.Add([]byte{0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0x25, 0xf6, 0x13, 0, 0})
	f.Add([]byte{0xeb, 0xfe})
	f.Add([]byte{0x10, 0, 0, 0xb0, 0x11, 2, 0x44, 0xf9, 0x20, 2, 0x1f, 0xd6}) // adrp; ldr; br
	f.Add([]byte{0xfd, 0x7b, 0xc2, 0xa8, 0xc0, 3, 0x5f, 0xd6})                // ldp; ret
	f.Fuzz(func(t *testing.T, code []byte) {
		if len(code) > textSize {
			return
		}
		for _, arch := range []*core.Arch{core.AMD64, core.I386, core.ARM64, core.ARM} {
			p := coretest.New(arch).MapProt(textAt, code, core.Read|core.Exec).Thread(1, nil).Process()
			target := NewTarget(p, Options{})
			for _, exact := range []bool{true, false} {
				if s := target.aheadOf(target.site(textAt, exact)); s != nil && s.cfaOff < 0 && !s.fromFP {
					t.Errorf("%s: the caller's stack ends %d bytes below its own", arch.Name, -s.cfaOff)
				}
			}
			target.leads(textAt, textAt+core.Addr(len(code)), maxTailCall)
			target.site(textAt+core.Addr(len(code)), false)
		}
	})
}

// FuzzWalk walks arbitrary stacks from arbitrary registers over code with call
// frame information, frame pointers, calls and a trampoline: each walk ends,
// with a reason, and its frames move outwards but for signal frames.
func FuzzWalk(f *testing.F) {
	word := func(vs ...uint64) (out []byte) {
		for _, v := range vs {
			out = binary.LittleEndian.AppendUint64(out, v)
		}
		return out
	}
	f.Add(word(textAt+0x100, stackAt+0x20, textAt+0x200, stackAt, textAt+0x300), uint64(textAt+0x50), uint64(stackAt), uint64(stackAt+8), false)
	f.Add(word(textAt+0x400, textAt+0x400, 0, textAt+0x100), uint64(0), uint64(stackAt), uint64(0), false)
	f.Add(word(stackAt+0x10, textAt+0x100, stackAt+0x20, textAt+0x200, 0, 0), uint64(textAt+0x50), uint64(stackAt), uint64(stackAt), true)
	// What the kernel of macOS leaves above a trampoline's frame.
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
