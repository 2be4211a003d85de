package kernel

import "coredbg/core"

// A UContext is where a ucontext_t keeps registers: what getcontext and swapcontext
// save, makecontext prepares, and the kernel passes to a signal handler. C libraries
// have the kernel's layout, as setcontext takes what a handler got.
type UContext struct {
	// Regs returns the address of the saved registers, given the ucontext's address.
	Regs func(c *core.Cursor, u core.Addr) core.Addr
	// Slots are the saved registers in their order, as words; -1 skips one.
	Slots []int
	// Link is the offset of uc_link in bytes.
	Link core.Addr
}

// ucontextAfter is a ucontext with its registers at an offset, and uc_link after a word
// of flags.
func ucontextAfter(offset core.Addr, arch *core.Arch, slots []int) *UContext {
	return &UContext{func(_ *core.Cursor, u core.Addr) core.Addr { return u + offset }, slots, core.Addr(arch.PtrSize)}
}

// UContextOf returns the layout of a ucontext_t in p; nil if it is not known. It is what
// a signal frame has (see the trampolines) and C libraries declare in sys/ucontext.h.
func UContextOf(p *core.Process) *UContext {
	arch := p.Arch
	if p.OS == "darwin" {
		slots := ThreadStateOf(p)
		if slots == nil {
			return nil
		}
		const link = 32 // after a word of two halves and a stack_t
		return &UContext{func(c *core.Cursor, u core.Addr) core.Addr { return c.Pointer(u+MContextAt) + ExceptionSize },
			slots, link}
	}
	if p.OS != "" && p.OS != "linux" {
		return nil
	}
	switch arch {
	case core.AMD64:
		return ucontextAfter(40, arch, slotsAMD64)
	case core.X32:
		return ucontextAfter(24, arch, slotsAMD64)
	case core.I386:
		return ucontextAfter(20, arch, slotsI386)
	case core.ARM64:
		return ucontextAfter(176+8, arch, trampolinesARM64[0].Slots)
	case core.ARM:
		return ucontextAfter(20+12, arch, slotsARM)
	case core.PPC64, core.PPC64LE:
		return ucontextAfter(232, arch, slotsPPC)
	case core.PPC:
		return &UContext{func(c *core.Cursor, u core.Addr) core.Addr { return c.Pointer(u + 48) }, slotsPPC, 4}
	case core.S390X:
		return ucontextAfter(40, arch, slotsS390X)
	case core.S390:
		return ucontextAfter(24, arch, slotsS390X)
	case core.RISCV64:
		return ucontextAfter(176, arch, trampolinesRISCV64[0].Slots)
	case core.LOONGARCH64:
		return ucontextAfter(176, arch, trampolinesLoongArch64[0].Slots)
	case core.MIPS, core.MIPSEL:
		return ucontextAfter(24+8, arch, trampolinesMIPS(arch)[1].Slots)
	case core.MIPS64, core.MIPS64EL:
		return ucontextAfter(40, arch, trampolinesMIPS(arch)[0].Slots)
	}
	return nil
}
