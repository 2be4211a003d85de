package kernel

import (
	"bytes"

	"coredbg/core"
)

// A Trampoline is a code sequence that a signal handler returns to, with the
// place of the interrupted registers on its stack.
type Trampoline struct {
	code []byte
	// Context returns the address of the saved registers, given the stack
	// pointer at the first instruction.
	Context func(c *core.Cursor, sp core.Addr) core.Addr
	// Slots are the saved registers in their order, as words; -1 skips one.
	Slots []int
	// PC, if it is not 0, is the place of the saved program counter if Slots does not include it, in
	// bytes from the first slot. Registers that survive calls and are not saved then have the handler's
	// values, as the handler has returned.
	PC core.Addr
}

// The signal frame of x86-64 is struct rt_sigframe without its first word,
// which the handler's return has popped: a ucontext, whose uc_mcontext begins
// with the registers in the order of struct sigcontext (Linux
// arch/x86/include/asm/sigframe.h, uapi/asm/sigcontext.h).
var (
	contextAMD64 = func(_ *core.Cursor, sp core.Addr) core.Addr { return sp + 40 }
	slotsAMD64   = []int{8, 9, 10, 11, 12, 13, 14, 15, 5, 4, 6, 3, 1, 0, 2, 7, 16}

	trampolinesAMD64 = []Trampoline{
		// mov $15,%rax; syscall
		{code: []byte{0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05}, Context: contextAMD64, Slots: slotsAMD64},
		// mov $15,%eax; syscall
		{code: []byte{0xb8, 0x0f, 0, 0, 0, 0x0f, 0x05}, Context: contextAMD64, Slots: slotsAMD64},
	}
)

// That of x32 has a ucontext with addresses of 4 bytes (struct ucontext_x32, padded to the
// same struct sigcontext), and numbers of system calls with bit 30 set.
var trampolinesX32 = []Trampoline{
	// mov $0x40000201,%rax; syscall
	{code: []byte{0x48, 0xc7, 0xc0, 1, 2, 0, 0x40, 0x0f, 0x05}, Context: contextX32, Slots: slotsAMD64},
	// mov $0x40000201,%eax; syscall
	{code: []byte{0xb8, 1, 2, 0, 0x40, 0x0f, 0x05}, Context: contextX32, Slots: slotsAMD64},
}

func contextX32(_ *core.Cursor, sp core.Addr) core.Addr { return sp + 24 }

// The signal frame of aarch64 is struct rt_sigframe: a siginfo of 128 bytes
// and a ucontext with the sigcontext at 176, whose registers follow the fault
// address (Linux arch/arm64/kernel/signal.c, uapi/asm/sigcontext.h).
var trampolinesARM64 = []Trampoline{{
	code:    []byte{0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4}, // mov x8,#139; svc #0
	Context: func(_ *core.Cursor, sp core.Addr) core.Addr { return sp + 128 + 176 + 8 },
	Slots: []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
		26, 27, 28, 29, 30, 31, 32},
}}

// The signal frames of i386 are struct sigframe, with the sigcontext after
// the signal number, and struct rt_sigframe, with a pointer to the ucontext as
// its fourth word. A sigcontext begins with four segment registers.
var trampolinesI386 = []Trampoline{
	{code: []byte{0x58, 0xb8, 0x77, 0, 0, 0, 0xcd, 0x80}, // pop %eax; mov $119,%eax; int $0x80
		Context: func(_ *core.Cursor, sp core.Addr) core.Addr { return sp + 4 }, Slots: slotsI386},
	{code: []byte{0xb8, 0xad, 0, 0, 0, 0xcd, 0x80}, // mov $173,%eax; int $0x80
		Context: func(c *core.Cursor, sp core.Addr) core.Addr { return c.Pointer(sp+8) + 20 }, Slots: slotsI386},
}

var slotsI386 = []int{-1, -1, -1, -1, 7, 6, 5, 4, 3, 1, 2, 0, -1, -1, 8}

// The signal frames of arm are struct sigframe, a ucontext with the registers
// after three words at 20, and struct rt_sigframe, with a siginfo of 128 bytes
// before that (Linux arch/arm/kernel/signal.h). C libraries have trampolines
// in both instruction sets.
var (
	slotsARM     = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	contextARM   = func(_ *core.Cursor, sp core.Addr) core.Addr { return sp + 20 + 12 }
	contextRTARM = func(_ *core.Cursor, sp core.Addr) core.Addr { return sp + 128 + 20 + 12 }

	trampolinesARM = []Trampoline{
		// mov r7,#119; svc 0
		{code: []byte{0x77, 0x70, 0xa0, 0xe3, 0, 0, 0, 0xef}, Context: contextARM, Slots: slotsARM},
		// mov r7,#173; svc 0
		{code: []byte{0xad, 0x70, 0xa0, 0xe3, 0, 0, 0, 0xef}, Context: contextRTARM, Slots: slotsARM},
		{code: []byte{0x4f, 0xf0, 0x77, 0x07, 0, 0xdf}, Context: contextARM, Slots: slotsARM},   // mov.w r7,#119; svc 0
		{code: []byte{0x4f, 0xf0, 0xad, 0x07, 0, 0xdf}, Context: contextRTARM, Slots: slotsARM}, // mov.w r7,#173; svc 0
		{code: []byte{0x77, 0x27, 0, 0xdf}, Context: contextARM, Slots: slotsARM},               // movs r7,#119; svc 0
		{code: []byte{0xad, 0x27, 0, 0xdf}, Context: contextRTARM, Slots: slotsARM},             // movs r7,#173; svc 0
	}
)

// The signal frame of ppc64 is a ucontext with the registers at 232, above a
// stack frame of 128 bytes (Linux arch/powerpc/kernel/signal_64.c), or of 144
// as qemu makes it. That frame's back chain is the interrupted stack pointer,
// r1, which distinguishes them.
var (
	// li r0,172; sc
	trampolinesPPC64LE = []Trampoline{{code: []byte{0xac, 0, 0, 0x38, 0x02, 0, 0, 0x44}, Context: contextPPC64,
		Slots: slotsPPC}}
	trampolinesPPC64 = []Trampoline{{code: []byte{0x38, 0, 0, 0xac, 0x44, 0, 0, 0x02}, Context: contextPPC64,
		Slots: slotsPPC}}

	slotsPPC = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
		27, 28, 29, 30, 31, 32, -1, -1, -1, 33}
)

func contextPPC64(c *core.Cursor, sp core.Addr) core.Addr {
	const gpRegs = 232
	if at := sp + 144 + gpRegs; c.Word(at+8) == c.Word(sp) {
		return at
	}
	return sp + 128 + gpRegs
}

// The signal frames of s390x are, above 160 bytes for the handler, struct
// sigframe with the registers after a sigcontext of 16 bytes, and struct
// rt_sigframe with them in the ucontext: the PSW mask and address, then the
// general registers (Linux arch/s390/kernel/signal.c).
var (
	slotsS390X = []int{-1, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}

	trampolinesS390X = []Trampoline{
		{code: []byte{0x0a, 119}, Context: func(_ *core.Cursor, sp core.Addr) core.Addr { return sp + 160 + 16 },
			Slots: slotsS390X},
		{code: []byte{0x0a, 173}, Context: func(_ *core.Cursor, sp core.Addr) core.Addr {
			return sp + 160 + 8 + 128 +
				40
		}, Slots: slotsS390X},
	}
)

// The signal frames of ppc are above 64 bytes for the handler and the interrupted
// function's back chain: struct rt_sigframe, 16 bytes, a siginfo of 128 and a ucontext
// with a pointer to the registers at 48; and a sigcontext with one at 28 (Linux
// arch/powerpc/kernel/signal_32.c, uapi/asm/sigcontext.h).
var trampolinesPPC = []Trampoline{
	{code: []byte{0x38, 0, 0, 0xac, 0x44, 0, 0, 0x02}, // li r0,172; sc
		Context: func(c *core.Cursor, sp core.Addr) core.Addr { return c.Pointer(sp + 64 + 16 + 128 + 48) },
		Slots:   slotsPPC},
	{code: []byte{0x38, 0, 0, 0x77, 0x44, 0, 0, 0x02}, // li r0,119; sc
		Context: func(c *core.Cursor, sp core.Addr) core.Addr { return c.Pointer(sp + 64 + 28) }, Slots: slotsPPC},
}

// The signal frames of s390, 31 bits, are above 96 bytes for the handler: struct
// sigframe32 with the registers after a sigcontext of 12 bytes, and struct rt_sigframe32
// with a siginfo of 128 after two bytes of instruction, and the registers after 20 bytes of the
// ucontext; both are aligned to 8, as a PSW is (Linux arch/s390/kernel/compat_signal.c).
var trampolinesS390 = []Trampoline{
	{code: []byte{0x0a, 119}, Context: func(_ *core.Cursor, sp core.Addr) core.Addr { return sp + 96 + 16 },
		Slots: slotsS390X},
	{code: []byte{0x0a, 173}, Context: func(_ *core.Cursor, sp core.Addr) core.Addr { return sp + 96 + 8 + 128 + 24 },
		Slots: slotsS390X},
}

// The signal frame of riscv64 is struct rt_sigframe: a siginfo of 128 bytes and a ucontext
// with the registers at 176, the program counter in the place of x0 (Linux
// arch/riscv/kernel/signal.c, uapi/asm/ucontext.h).
var trampolinesRISCV64 = []Trampoline{{
	code:    []byte{0x93, 0x08, 0xb0, 0x08, 0x73, 0, 0, 0}, // li a7,139; ecall
	Context: func(_ *core.Cursor, sp core.Addr) core.Addr { return sp + 128 + 176 },
	Slots: []int{32, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
		27, 28, 29, 30, 31},
}}

// The signal frame of loongarch64 is struct rt_sigframe: a siginfo of 128 bytes and a
// ucontext with the sigcontext at 176, the program counter and then the general registers
// (Linux arch/loongarch/kernel/signal.c, uapi/asm/ucontext.h).
var trampolinesLoongArch64 = []Trampoline{{
	code:    []byte{0x0b, 0x2c, 0x82, 0x03, 0, 0, 0x2b, 0}, // ori a7,zero,139; syscall 0
	Context: func(_ *core.Cursor, sp core.Addr) core.Addr { return sp + 128 + 176 },
	Slots: []int{32, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
		27, 28, 29, 30, 31},
}}

// trampolinesMIPS are the signal frames of MIPS: above 24 bytes, in o32 a sigcontext or a siginfo of
// 128 bytes and a ucontext with one at 24, in n64 such a ucontext with it at 40 (Linux
// arch/mips/kernel/signal.c, uapi/asm/sigcontext.h). A sigcontext of o32 has two words, then the
// program counter and the general registers in 8 bytes each. A sigcontext of n64 begins with the
// general registers, and has the program counter at 576.
func trampolinesMIPS(arch *core.Arch) []Trampoline {
	const above, siginfo = 24, 128
	frame := func(number uint32, context core.Addr, slots []int) Trampoline {
		code := make([]byte, 8)
		arch.Order.PutUint32(code, 0x24020000|number) // li v0,number
		arch.Order.PutUint32(code[4:], 0x0000000c)    // syscall
		return Trampoline{code: code, Context: func(_ *core.Cursor, sp core.Addr) core.Addr {
			return sp + above +
				context
		}, Slots: slots}
	}
	var slots []int
	if arch.PtrSize == 8 {
		for i := range 72 {
			slots = append(slots, i)
			if i == 0 || i >= 32 {
				slots[i] = -1
			}
		}
		return []Trampoline{frame(5211, siginfo+40, append(slots, arch.PC))}
	}
	for i := range 33 {
		slot := i - 1
		switch i {
		case 0:
			slot = arch.PC
		case 1:
			slot = -1
		}
		if arch.Order.Uint16([]byte{0, 1}) == 1 { // big-endian
			slots = append(slots, -1, slot)
		} else {
			slots = append(slots, slot, -1)
		}
	}
	return []Trampoline{frame(4119, 8, slots), frame(4193, siginfo+24+8, slots)}
}

// The signal frames of m68k begin with the return address, which the handler has popped: struct
// rt_sigframe, whose fourth word points to the ucontext, with d0 to d7, a0 to a6, the stack
// pointer and the program counter after 24 bytes; and struct sigframe, whose fourth word
// points to a sigcontext: a mask, the stack pointer, d0, d1, a0, a1, a status of two bytes, the
// program counter (Linux arch/m68k/kernel/signal.c, uapi/asm/sigcontext.h, uapi/asm/ucontext.h).
var trampolinesM68K = []Trampoline{
	{code: []byte{0x70, 0x52, 0x46, 0, 0x4e, 0x40}, // moveq #82,%d0; not.b %d0; trap #0
		Context: func(c *core.Cursor, sp core.Addr) core.Addr { return c.Pointer(sp+8) + 24 },
		Slots:   []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}},
	{code: []byte{0x70, 0x77, 0x4e, 0x40}, // moveq #119,%d0; trap #0
		Context: func(c *core.Cursor, sp core.Addr) core.Addr { return c.Pointer(sp+8) + 4 },
		Slots:   []int{15, 0, 1, 8, 9}, PC: 22},
}

// Trampolines are the code sequences that a kernel's signal handlers return to.
type Trampolines []Trampoline

// TrampolinesOf returns the trampolines of an architecture; nil if they are not known.
func TrampolinesOf(arch *core.Arch) Trampolines {
	switch arch {
	case core.AMD64:
		return trampolinesAMD64
	case core.X32:
		return trampolinesX32
	case core.I386:
		return trampolinesI386
	case core.ARM64:
		return trampolinesARM64
	case core.ARM:
		return trampolinesARM
	case core.PPC64LE:
		return trampolinesPPC64LE
	case core.PPC64:
		return trampolinesPPC64
	case core.PPC:
		return trampolinesPPC
	case core.S390X:
		return trampolinesS390X
	case core.S390:
		return trampolinesS390
	case core.RISCV64:
		return trampolinesRISCV64
	case core.LOONGARCH64:
		return trampolinesLoongArch64
	case core.M68K:
		return trampolinesM68K
	case core.MIPS, core.MIPSEL, core.MIPSN32, core.MIPSN32EL, core.MIPS64, core.MIPS64EL:
		return trampolinesMIPS(arch)
	}
	return nil
}

// At returns the trampoline that begins at pc, or nil.
func (ts Trampolines) At(p *core.Process, pc core.Addr) *Trampoline {
	for i := range ts {
		t := &ts[i]
		var buf [16]byte
		code := buf[:len(t.code)]
		if n, _ := p.Space.ReadAt(code, pc); n == len(code) && bytes.Equal(code, t.code) {
			return t
		}
	}
	return nil
}
