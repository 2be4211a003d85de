package track

import (
	"bytes"

	"coredbg/core"
	"coredbg/walk/isa"
)

// ARM returns the instruction set of 32-bit Arm. The mode bit is Thumb's.
func ARM() *isa.Set {
	return &isa.Set{Mode: 1, Call: callARM, Returns: returnsARM, Prologue: prologueARM}
}

// PPC returns the set of PowerPC of 32 or 64 bits.
func PPC(arch *core.Arch) *isa.Set {
	return trackerPPC(arch).tracks(&isa.Set{Call: callPPC(arch), Returns: returnsWord(0x4e800020)}) // blr
}

// S390 returns the set of s390x, or of s390, whose addresses have a mode bit.
func S390(arch *core.Arch) *isa.Set {
	s := &isa.Set{Call: callS390, Returns: returnsWord(0x07fe)} // br %r14
	if arch == core.S390 {
		s.Mode = 1 << 31
	}
	return trackerS390(arch).tracks(s)
}

// RISCV64 returns the set of riscv64.
func RISCV64() *isa.Set {
	return trackerRISCV.tracks(&isa.Set{Call: callRISCV, Returns: returnsWord(0x00008067, 0x8082)}) // ret, c.jr ra
}

// LoongArch64 returns the set of loongarch64.
func LoongArch64() *isa.Set {
	s := trackerLoongArch.tracks(&isa.Set{Call: callLoongArch, Returns: returnsWord(0x4c000020)}) // jr ra
	s.Begins = func(code []byte) bool { return bytes.HasPrefix(code, []byte{0, 0, 0x40, 3}) }     // nop
	return s
}

// MIPS returns the set of a form of MIPS.
func MIPS(arch *core.Arch) *isa.Set {
	return &isa.Set{Call: callMIPS(arch), Prologue: trackerMIPS(arch).prologue}
}
