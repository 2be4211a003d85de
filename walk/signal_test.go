package walk

import (
	"testing"

	"coredbg/core"
)

// The trampolines, as glibc and the kernel's vdso have them.
var (
	restoreRT   = []byte{0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05}
	sigreturn64 = []byte{0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4}
	rtSigret32  = []byte{0xb8, 0xad, 0, 0, 0, 0xcd, 0x80}
	sigret32    = []byte{0x58, 0xb8, 0x77, 0, 0, 0, 0xcd, 0x80}
)

// signalAMD64 writes the kernel's frame for a handler whose return address lies
// at a: struct ucontext follows, with the registers at 40.
func (s *scene) signalAMD64(a, trampoline uint64, regs map[string]uint64) {
	s.put(a, trampoline)
	order := []string{"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rdi", "rsi", "rbp", "rbx", "rdx",
		"rax", "rcx", "rsp", "rip"}
	for i, name := range order {
		s.put(a+8+40+uint64(i)*8, regs[name])
	}
}

// TestSignal: a handler on the interrupted stack, or on one of its own above or
// below it. The interrupted function has two rows: the one of its first
// instruction is right only if the program counter is taken as it is.
func TestSignal(t *testing.T) {
	for name, handler := range map[string]uint64{
		"same stack": stackAt + 0x100, "alternate stack": altAt + 0x200, "alternate stack above": stackAt + 0xc00,
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(core.AMD64)
			s.code(0x300, restoreRT...)
			s.function(0x40, 0x40)             // the handler
			s.function(0x7f, 0x01, 0x0e, 0x40) // the function before the interrupted one
			s.function(0x80, 0x10, 0x41, 0x0e, 32)
			s.function(0xf0, 0x20, 0x0e, 16)
			sp := uint64(stackAt + 0x800)
			s.signalAMD64(handler, textAt+0x300, map[string]uint64{"rip": textAt + 0x80, "rsp": sp,
				"rbx": 33, "rax": 44})
			s.put(sp, s.call(0x100), 0, s.call(0x200))
			s.function(0x1f0, 0x20, 0x07, 16)
			frames, stop := s.walk(t, map[string]uint64{"rip": textAt + 0x50, "rsp": handler, "rbx": 1})
			expect(t, frames, stop, "root", "registers 0x400050", "cfi 0x400300 trampoline",
				"registers 0x400080", "cfi 0x400100", "cfi 0x400200")
			if f := frames[2]; !f.Exact() || f.Regs.Val[0] != 44 || f.Regs.Val[3] != 33 || f.SP != core.Addr(sp) {
				t.Errorf("the interrupted frame: exact %v, rax %d, rbx %d, sp %v", f.Exact(), f.Regs.Val[0],
					f.Regs.Val[3], f.SP)
			}
			if f := frames[1]; f.Exact() || f.LookupPC() != f.PC {
				t.Errorf("the trampoline is looked up at %v", f.LookupPC())
			}
		})
	}
}

// TestSignalWildCall: the signal came from a call through a null pointer.
func TestSignalWildCall(t *testing.T) {
	s := newScene(core.AMD64)
	s.code(0x300, 0xb8, 0x0f, 0, 0, 0, 0x0f, 0x05) // mov $15,%eax; syscall
	s.function(0x40, 0x40)
	sp := uint64(stackAt + 0x800)
	s.signalAMD64(stackAt+0x100, textAt+0x300, map[string]uint64{"rip": 0, "rsp": sp})
	s.put(sp, s.call(0x100))
	s.function(0xf0, 0x20, 0x07, 16)
	frames, stop := s.walk(t, map[string]uint64{"rip": textAt + 0x50, "rsp": stackAt + 0x100})
	expect(t, frames, stop, "root", "registers 0x400050", "cfi 0x400300 trampoline", "registers 0x0",
		"prologue 0x400100")
}

// TestSignalLoop: a signal frame that says it has interrupted its own handler.
func TestSignalLoop(t *testing.T) {
	s := newScene(core.AMD64)
	s.code(0x300, restoreRT...)
	s.function(0x40, 0x40)
	s.signalAMD64(stackAt+0x100, textAt+0x300, map[string]uint64{"rip": textAt + 0x50, "rsp": stackAt + 0x100})
	frames, stop := s.walk(t, map[string]uint64{"rip": textAt + 0x50, "rsp": stackAt + 0x100})
	expect(t, frames, stop, "no-progress 0x400300", "registers 0x400050", "cfi 0x400300 trampoline",
		"registers 0x400050", "cfi 0x400300 trampoline")
}

// TestSignalWithoutCFI: nothing calls a trampoline, and yet it is a return
// address.
func TestSignalWithoutCFI(t *testing.T) {
	s := newScene(core.AMD64)
	s.code(0x300, restoreRT...)
	s.put(stackAt+0xf8, stackAt+0x840)
	s.signalAMD64(stackAt+0x100, textAt+0x300, map[string]uint64{"rip": textAt + 0x80, "rsp": stackAt + 0x800,
		"rbp": stackAt + 0x840})
	s.put(stackAt+0x840, 0, s.call(0x100))
	frames, stop := s.walk(t, map[string]uint64{"rip": textAt + 0x50, "rsp": stackAt + 0xe0, "rbp": stackAt + 0xf8})
	expect(t, frames, stop, "root", "registers 0x400050", "fp 0x400300 trampoline", "registers 0x400080", "fp 0x400100")
}

func TestSignalARM64(t *testing.T) {
	s := newScene(core.ARM64)
	s.code(0x300, sigreturn64...)
	s.function(0x40, 0x40, 0x07, 29) // the handler's record is not a frame
	sp := uint64(stackAt + 0x100)
	regs := sp + 128 + 176 + 8
	for i := range 31 {
		s.put(regs+uint64(i)*8, uint64(1000+i))
	}
	ra := s.call(0x100)
	s.put(regs+30*8, ra, stackAt+0x800, textAt+0x80) // x30, sp, pc
	s.function(0x80, 0x10)
	s.function(0xf0, 0x20, 0x07, 30)
	frames, stop := s.walk(t, map[string]uint64{"pc": textAt + 0x50, "sp": sp, "x30": textAt + 0x300})
	expect(t, frames, stop, "root", "registers 0x400050", "cfi 0x400300 trampoline", "registers 0x400080",
		"cfi 0x400100")
	if v := frames[2].Regs.Val[19]; v != 1019 {
		t.Errorf("x19 is %d", v)
	}
}

// TestSignalOutermost: a handler that says that nothing has called it, as Go's does, is the root only where it does not
// return to a trampoline.
func TestSignalOutermost(t *testing.T) {
	for _, ret := range []uint64{textAt + 0x300, textAt + 0x100, 0} {
		s := newScene(core.ARM64)
		s.code(0x300, sigreturn64...)
		s.code(0x40, 0xfe, 0x0f, 0x1e, 0xf8) // str x30,[sp,#-32]!
		s.function(0x40, 0x40, 0x07, 30)
		s.opts.FuncStart = func(a core.Addr) (core.Addr, bool) { return textAt + 0x40, a-textAt-0x40 < 0x40 }
		s.call(0x100)
		sp := uint64(stackAt + 0x100)
		s.put(sp, ret)
		s.put(sp+32+128+176+8+31*8, stackAt+0x800, textAt+0x80) // sp, pc
		s.function(0x80, 0x10, 0x07, 30)
		want := []string{"registers 0x400050"}
		if ret == textAt+0x300 {
			want = append(want, "prologue 0x400300 trampoline", "registers 0x400080")
		}
		frames, stop := s.walk(t, map[string]uint64{"pc": textAt + 0x50, "sp": sp, "x30": 0})
		expect(t, frames, stop, "root", want...)
	}
}

// TestTrampolineOnItsPage: the bytes before a trampoline need not exist (qemu maps a page for it).
func TestTrampolineOnItsPage(t *testing.T) {
	s := newScene(core.ARM64)
	s.code(0, sigreturn64...)
	s.function(0x40, 0x40)
	sp := uint64(stackAt + 0x100)
	s.put(sp+128+176+8+31*8, stackAt+0x800, textAt+0x80) // sp, pc
	s.function(0x80, 0x10, 0x07, 30)
	frames, stop := s.walk(t, map[string]uint64{"pc": textAt + 0x50, "sp": sp, "x30": textAt})
	expect(t, frames, stop, "root", "registers 0x400050", "cfi 0x400000 trampoline", "registers 0x400080")
}

func TestSignalI386(t *testing.T) {
	for name, c := range map[string]struct {
		code []byte
		regs uint64 // offset of the sigcontext from the handler's return address
	}{"sigreturn": {sigret32, 8}, "rt_sigreturn": {rtSigret32, 0x80 + 20}} {
		t.Run(name, func(t *testing.T) {
			s := newScene(core.I386)
			s.noMod = true
			s.code(0x300, c.code...)
			sp := uint64(stackAt + 0x100)
			s.put(sp-4, sp+0x400, textAt+0x300, 11, 0, sp+0x80)
			// gs fs es ds edi esi ebp esp ebx edx ecx eax trapno err eip
			s.put(sp+c.regs, 0, 0, 0, 0, 7, 6, stackAt+0x900, stackAt+0x8f0, 3, 2, 1, 0, 14, 4, textAt+0x80)
			s.put(stackAt+0x900, 0, s.call(0x100))
			frames, stop := s.walk(t, map[string]uint64{"eip": textAt + 0x50, "esp": sp - 8, "ebp": sp - 4})
			expect(t, frames, stop, "root", "registers 0x400050", "fp 0x400300 trampoline",
				"registers 0x400080", "fp 0x400100")
		})
	}
}

// TestPointerAuthentication: signatures are removed by the kernel's mask, or, if the core has no mask,
// by the size of addresses.
func TestPointerAuthentication(t *testing.T) {
	for name, mask := range map[string]uint64{"mask note": 0x7f << 48, "no note": 0} {
		t.Run(name, func(t *testing.T) {
			s := newScene(core.ARM64)
			s.edit = func(p *core.Process) { p.CodeMask = mask }
			sp := uint64(stackAt + 0x100)
			const sig = 0x2a << 48
			s.function(0x40, 0x40, 0x2d, 0x0e, 32, 0x9d, 4, 0x9e, 3)
			s.put(sp, sp+0x40, s.call(0x100)|sig)
			s.put(sp+0x40, 0, s.call(0x200)|sig)
			s.function(0x1f0, 0x20, 0x07, 30)
			frames, stop := s.walk(t, map[string]uint64{"pc": textAt + 0x50, "sp": sp, "x29": sp, "x30": 1})
			expect(t, frames, stop, "root", "registers 0x400050", "cfi 0x400100", "fp 0x400200")
		})
	}
}

// TestFramePointerARM64: the record does not tell the stack pointer, so rules
// relative to it are not followed.
func TestFramePointerARM64(t *testing.T) {
	s := newScene(core.ARM64)
	sp := uint64(stackAt + 0x100)
	s.put(sp+0x20, sp+0x60, s.call(0x100))
	s.put(sp+0x60, sp+0xa0, s.call(0x200))
	s.put(sp+0xa0, 0, 0)
	s.function(0xf0, 0x20, 0x0e, 16, 0x9e, 1) // would find the return address at sp+0x38
	frames, stop := s.walk(t, map[string]uint64{"pc": textAt + 0x50, "sp": sp, "x29": sp + 0x20})
	expect(t, frames, stop, "root", "registers 0x400050", "fp 0x400100", "fp 0x400200")
	if frames[1].Regs.Has(core.ARM64.SP) || frames[1].SP != core.Addr(sp+0x30) {
		t.Errorf("the stack pointer is %v, known %v", frames[1].SP, frames[1].Regs.Has(core.ARM64.SP))
	}
}

// TestStackPointerFromRecord: where the row says which part of the frame the
// record is, the stack pointer follows from the frame pointer.
func TestStackPointerFromRecord(t *testing.T) {
	s := newScene(core.ARM64)
	sp := uint64(stackAt + 0x100)
	s.put(sp+0x20, sp+0x60, s.call(0x100))
	s.function(0xf0, 0x20, 0x0e, 48, 0x9d, 4, 0x9e, 3, 0x93, 2) // x29 at c-32, x30 at c-24, x19 at c-16
	s.put(sp+0x60, 0, s.call(0x200), 19)
	s.function(0x1f0, 0x20, 0x07, 30)
	frames, stop := s.walk(t, map[string]uint64{"pc": textAt + 0x50, "sp": sp, "x29": sp + 0x20})
	expect(t, frames, stop, "root", "registers 0x400050", "fp 0x400100", "cfi 0x400200")
	if v, ok := frames[2].Regs.Get(19); !ok || v != 19 || frames[2].SP != core.Addr(sp+0x80) {
		t.Errorf("x19 %d, %v, sp %v", v, ok, frames[2].SP)
	}
}

// TestLeafARM64: a leaf's caller has the same stack pointer, once.
func TestLeafARM64(t *testing.T) {
	s := newScene(core.ARM64)
	sp := uint64(stackAt + 0x100)
	s.function(0x40, 0x40)
	s.function(0xf0, 0x20)
	frames, stop := s.walk(t, map[string]uint64{"pc": textAt + 0x50, "sp": sp, "x30": s.call(0x100), "x29": 1})
	expect(t, frames, stop, "no-progress 0x400100", "registers 0x400050", "cfi 0x400100")
}
