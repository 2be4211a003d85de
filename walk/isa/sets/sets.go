package sets

import (
	"coredbg/core"
	"coredbg/walk/isa"
	"coredbg/walk/isa/arm64"
	"coredbg/walk/isa/m68k"
	"coredbg/walk/isa/track"
	"coredbg/walk/isa/x86"
)

// For returns the instruction set of an architecture. For an unknown one it is empty.
func For(arch *core.Arch) *isa.Set {
	switch arch {
	case core.AMD64:
		return x86.AMD64()
	case core.X32:
		return x86.X32()
	case core.I386:
		return x86.I386()
	case core.ARM64:
		return arm64.Set()
	case core.ARM:
		return track.ARM()
	case core.PPC64LE, core.PPC64, core.PPC:
		return track.PPC(arch)
	case core.S390X, core.S390:
		return track.S390(arch)
	case core.RISCV64:
		return track.RISCV64()
	case core.LOONGARCH64:
		return track.LoongArch64()
	case core.MIPS, core.MIPSEL, core.MIPSN32, core.MIPSN32EL, core.MIPS64, core.MIPS64EL:
		return track.MIPS(arch)
	case core.M68K:
		return m68k.Set()
	case core.SPARC64:
		return &isa.Set{Call: callSPARC}
	}
	return &isa.Set{}
}
