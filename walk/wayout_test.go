package walk

import (
	"encoding/binary"
	"fmt"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// words assembles instructions of 4 bytes.
func insnWords(words ...uint32) (code []byte) {
	for _, w := range words {
		code = binary.LittleEndian.AppendUint32(code, w)
	}
	return code
}

// TestReturns: the current instruction is a return after a jump through a table,
// so that nothing says which frame the function has there. The caller is where
// the processor goes.
func TestReturns(t *testing.T) {
	const (
		sp    = stackAt + 0x100
		stale = textAt + 0x200 // after a call, and on the stack where it does not count
	)
	for _, c := range []struct {
		name  string
		arch  *core.Arch
		code  []byte // the function: a frame, a call in it, a jump through a table
		ret   string
		stack []uint64 // from the stack pointer on
		link  bool     // the return address is in the link register
		pop   int      // words taken off the stack
		ra    uint64
	}{
		{"ret", core.AMD64, []byte{0x48, 0x83, 0xec, 0x18, 0xe8, 0, 0, 0, 0, 0xff, 0xe0}, "\xc3",
			[]uint64{textAt + 0x180, 0, 0, stale}, false, 1, 0},
		{"rep ret", core.AMD64, []byte{0x48, 0x83, 0xec, 0x18, 0xe8, 0, 0, 0, 0, 0xff, 0xe0}, "\xf3\xc3",
			[]uint64{textAt + 0x180, 0, 0, stale}, false, 1, 0},
		{"bnd ret", core.AMD64, []byte{0x48, 0x83, 0xec, 0x18, 0xe8, 0, 0, 0, 0, 0xff, 0xe0}, "\xf2\xc3",
			[]uint64{textAt + 0x180, 0, 0, stale}, false, 1, 0},
		{"ret n", core.I386, []byte{0x83, 0xec, 0x08, 0xe8, 0, 0, 0, 0, 0xff, 0xe0}, "\xc2\x08\x00",
			[]uint64{textAt + 0x180, 0, stale}, false, 3, 0},
		{"arm64", core.ARM64, insnWords(0xa9be7bfd, 0x97ffffe0, 0xd61f0060), "\xc0\x03\x5f\xd6",
			[]uint64{0, stale}, true, 0, 0},
		{"retaa", core.ARM64, insnWords(0xa9be7bfd, 0x97ffffe0, 0xd61f0060), "\xff\x0b\x5f\xd6",
			[]uint64{0, stale}, true, 0, 0},
		{"bx lr", core.ARM, nil, "\x1e\xff\x2f\xe1", []uint64{stale}, true, 0, 0},
		{"pop", core.ARM, nil, "\x30\x80\xbd\xe8", []uint64{4, 5, textAt + 0x180, stale}, false, 3, 0},
		{"pop.w (Thumb)", core.ARM, nil, "\xbd\xe8\x30\x80", []uint64{4, 5, textAt + 0x180, stale}, false, 3, 0},
		{"pop (Thumb)", core.ARM, nil, "\x10\xbd\x00\xbf", []uint64{4, textAt + 0x180 | 1, stale}, false, 2, 0},
		{"ldr", core.ARM, nil, "\x08\xf0\x9d\xe4", []uint64{textAt + 0x180, 0, stale}, false, 2, 0},
		{"riscv64", core.RISCV64, nil, "\x82\x80\x01\x00", []uint64{stale}, true, 0, 0},
		{"ppc64le", core.PPC64LE, nil, "\x20\x00\x80\x4e", []uint64{stale}, true, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(c.arch)
			s.code(0x40, c.code...)
			s.code(0x60, []byte(c.ret)...)
			call, other := map[*core.Arch][]byte{
				core.ARM:     {0xe5, 0xff, 0xff, 0xeb}, // bl
				core.RISCV64: {0xef, 0xf0, 0x1f, 0xfe}, // jal
				core.PPC64LE: {0x01, 0xff, 0xff, 0x4b}, // bl
			}[c.arch]
			if !other {
				s.call(0x180)
				s.call(0x200)
			} else {
				s.code(0x17c, call...)
				s.code(0x1fc, call...)
			}
			s.opts.FuncStart = func(a core.Addr) (core.Addr, bool) { return textAt + 0x40, a-textAt-0x40 < 0x40 }
			s.put(sp, c.stack...)
			regs := map[string]uint64{c.arch.RegNames[c.arch.PC]: textAt + 0x60, c.arch.RegNames[c.arch.SP]: sp}
			if c.link {
				regs[c.arch.RegNames[c.arch.LR]] = textAt + 0x180
			}
			frames, _ := s.walk(t, regs)
			if len(frames) < 2 {
				t.Fatal("no caller")
			}
			if want := core.Addr(sp + c.pop*c.arch.PtrSize); frames[1].PC != textAt+0x180 || frames[1].SP != want ||
				frames[1].Trust != Prologue {
				t.Errorf("%v %v, stack pointer %v, want %#x and %v", frames[1].Trust, frames[1].PC, frames[1].SP,
					textAt+0x180, want)
			}
		})
	}
}

// TestReturnAgainstTable: the call frame information of a function written by hand
// is wrong at its return; right at another, and then it counts.
func TestReturnAgainstTable(t *testing.T) {
	s := newScene(core.AMD64)
	s.function(0x40, 0x20, 0x0e, 32, 0x83, 2) // CFA = rsp+32, rbx at c-16: in the body
	s.code(0x50, 0xc3)
	sp := uint64(stackAt + 0x100)
	s.put(sp, s.call(0x180), 0, 0, s.call(0x200))
	frames, _ := s.walk(t, map[string]uint64{"rip": textAt + 0x50, "rsp": sp, "rbx": 5})
	if len(frames) < 2 || frames[1].PC != textAt+0x180 || frames[1].SP != core.Addr(sp+8) {
		t.Errorf("got %v", frames[1:])
	}
	// A return that is used as a jump leads to no place after a call.
	s.put(sp, textAt+0x1000, 77, 77, s.call(0x200))
	frames, _ = s.walk(t, map[string]uint64{"rip": textAt + 0x50, "rsp": sp, "rbx": 5})
	if len(frames) < 2 || frames[1].PC != textAt+0x200 || frames[1].Trust != CFI {
		t.Errorf("got %v", frames[1:])
	}
}

// TestWayOut: the code before the instruction is unknown; the code after it leads to the caller.
func TestWayOut(t *testing.T) {
	const sp = stackAt + 0x100
	for _, c := range []struct {
		name string
		arch *core.Arch
		code []byte
		// The place of the return address above the stack pointer in bytes, and the place of rbx or
		// x19; -1 if the register has the caller's value.
		ra, reg int
		fp      uint64 // the frame pointer
	}{
		{"pops", core.AMD64, []byte{0x48, 0x83, 0xc4, 0x18, 0x5b, 0x5d, 0xc3}, 0x28, 0x18, 0},
		{"leave", core.AMD64, []byte{0x48, 0x8b, 0x5d, 0xf8, 0xc9, 0xc3}, 0x48, 0x38, sp + 0x40},
		{"lea", core.AMD64, []byte{0x48, 0x8d, 0x65, 0xf8, 0x5b, 0x5d, 0xc3}, 0x48, 0x38, sp + 0x40},
		{"over a jump", core.AMD64, []byte{0x75, 0x05, 0xe8, 0, 0, 0, 0, 0x5b, 0xc3}, 8, 0, 0},
		{"to another function", core.AMD64, []byte{0x5b, 0xff, 0x25, 0, 0, 0, 0}, 8, 0, 0},
		{"pushed and popped", core.AMD64, []byte{0x53, 0x89, 0xfb, 0x5b, 0xc3}, 0, -1, 0},
		{"ldp", core.ARM64, insnWords(0xa94153f3, 0xa8c37bfd, 0xd65f03c0), 8, 0x10, 0},
		{"mov sp,x29", core.ARM64, insnWords(0x910003bf, 0xa94153f3, 0xa8c37bfd, 0xd65f03c0), 0x48, 0x50, sp + 0x40},
		{"b.ne", core.ARM64, insnWords(0x54000041, 0x97ffffe0, 0xf84107f3, 0xd65f03c0), -1, 0, 0},
		{"br x17", core.ARM64, insnWords(0xa8c27bfd, 0xd61f0220), 8, -1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(c.arch)
			s.code(0x50, c.code...)
			ra, stale := s.call(0x180), s.call(0x200)
			for i := uint64(0); i < 0x30; i++ {
				s.put(sp+8*i, stale)
			}
			regs := map[string]uint64{c.arch.RegNames[c.arch.PC]: textAt + 0x50, c.arch.RegNames[c.arch.SP]: sp}
			reg := "rbx"
			if c.arch == core.ARM64 {
				reg = "x19"
				regs["x30"] = stale
			}
			if regs[reg] = 5; c.reg >= 0 {
				s.put(uint64(sp+c.reg), 5)
				regs[reg] = 6
			}
			if c.fp != 0 {
				regs[c.arch.RegNames[c.arch.FP]] = c.fp
			}
			if c.ra < 0 {
				regs["x30"] = ra
			} else {
				s.put(uint64(sp+c.ra), ra)
			}
			frames, _ := s.walk(t, regs)
			if len(frames) < 2 || frames[1].PC != core.Addr(ra) {
				t.Fatalf("got %v", frames)
			}
			if v, ok := frames[1].Regs.Get(c.arch.SlotOf(reg)); !ok || v != 5 {
				t.Errorf("the caller's %s is %d, %v", reg, v, ok)
			}
		})
	}
}

// TestLinkRegister: on arm64 the link register leads to the caller, unless what it
// leads to is in the function itself.
func TestLinkRegister(t *testing.T) {
	const sp = stackAt + 0x100
	type frames = []string
	for _, c := range []struct {
		name   string
		code   []byte // at 0x140; the program counter is at 0x150
		x30    uint64
		hidden bool // the code is not in the core
		fp     bool // the function has made its frame record
		want   frames
	}{
		{"a call before it returns elsewhere", insnWords(0xd503201f, 0xd503201f, 0xd503201f, 0xd503201f, 0xd503201f,
			0x97fffff0, 0xd61f0060),
			textAt + 0x180, false, false, frames{"prologue 0x400180", "fp 0x400200"}},
		{"a call in the function", insnWords(0x97ffffb0, 0xd503201f, 0xd503201f, 0xd503201f, 0xd503201f, 0xd61f0060),
			textAt + 0x144, false, false, frames{"fp 0x400200"}},
		{"its record is made", insnWords(0xd503201f, 0xd503201f, 0xd503201f, 0xd503201f, 0xd503201f,
			0x97fffff0, 0xd61f0060),
			textAt + 0x200, false, true, frames{"fp 0x400200"}},
		{"no code", nil, textAt + 0x180, true, false, frames{"prologue 0x400180", "fp 0x400200"}},
		{"no code of the caller either", nil, altAt + 0x100, true, false, frames{"scan 0x500100", "fp 0x400200"}},
		{"no code, its record is made", nil, textAt + 0x200, true, true, frames{"fp 0x400200"}},
		{"no call", nil, textAt + 0x1000, false, false, frames{"fp 0x400200"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(core.ARM64)
			s.code(0x140, c.code...)
			s.call(0x180)
			s.put(sp+0x60, 0, s.call(0x200))
			s.code(0x200, insnWords(0xd2800ba8, 0xd4000001)...) // the thread ends
			regs := map[string]uint64{"pc": textAt + 0x150, "sp": sp, "x29": sp + 0x60, "x30": c.x30}
			if c.hidden {
				regs["pc"] = altAt
				s.edit = func(p *core.Process) {
					*p = *coretest.New(core.ARM64).MapProt(textAt, s.text, core.Read|core.Exec).Map(stackAt, s.stack).
						Gap(altAt, 0x1000, core.Read|core.Exec, core.FileMissing).Thread(1, regs).Process()
				}
			}
			got, stop := s.walk(t, regs)
			expect(t, got, stop, "root", append(frames{fmt.Sprintf("registers %#x", regs["pc"])}, c.want...)...)
		})
	}
}
