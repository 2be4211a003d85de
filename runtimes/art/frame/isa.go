package frame

import (
	"fmt"
	"math/bits"

	"coredbg/core"
	"coredbg/runtimes/art/code"
)

// An isa describes ART's frames on an architecture: the registers that the runtime's own frames save
// (runtime/arch/*/callee_save_frame_*.h), and the behaviour of the nterp interpreter (runtime/nterp_helpers.cc,
// runtime/interpreter/mterp/*ng/main.S).
type isa struct {
	arch string // as codeinfo names it
	// slots maps ART's numbers of core registers to the numbers of core.Regs.
	slots []int
	// saves are the callee-save frames by art::CalleeSaveType: all callee
	// saves, references only, references and arguments, everything.
	saves [4]spills
	// methodReg is the register that a method is called with, by ART's number.
	methodReg int
	// nterpEntry is the size in bytes of the registers that nterp saves on entry, and nterpSpills the core
	// registers among them.
	nterpEntry  uint64
	nterpSpills uint32
	// dexPC is the slot of the register that holds nterp's dex pc. mterpPC is the slot of mterp's dex pc, and
	// mterpFP the slot of its pointer to the registers of the ShadowFrame (runtime/interpreter/mterp/*/header.S
	// of Android 10).
	dexPC, mterpPC, mterpFP int
	// handleScope is the size in bytes of an empty HandleScope, as generic JNI
	// frames had it until Android 10.
	handleScope uint64
	// minOuts is the least number of out registers in nterp's frames.
	minOuts int
}

// spills are the registers that a frame saves: masks by ART's numbers, the
// return address included, and the frame's size in bytes.
type spills struct {
	core, fp uint32
	size     uint64
}

// The indexes of isa.saves.
const (
	saveAll = iota
	saveRefsOnly
	saveRefsAndArgs
	saveEverything
)

func mask(regs ...int) (m uint32) {
	for _, r := range regs {
		m |= 1 << uint(r)
	}
	return m
}

func numbers(from, to int) []int {
	var out []int
	for r := from; r <= to; r++ {
		out = append(out, r)
	}
	return out
}

// spilled makes spills of masks; fpWords is how many words a floating point
// register takes.
func spilled(ptr, fpWords int, core, fp uint32) spills {
	words := bits.OnesCount32(core) + fpWords*bits.OnesCount32(fp) + 1 // the method
	return spills{core, fp, roundUp(uint64(words*ptr), code.StackAlignment)}
}

func roundUp(n, to uint64) uint64 { return (n + to - 1) / to * to }

// Supports reports whether ART runs on an architecture.
func Supports(arch *core.Arch) bool { return isaOf(arch) != nil }

// isaOf returns the frames of an architecture; nil if ART does not run there.
func isaOf(arch *core.Arch) *isa {
	switch arch {
	case core.AMD64:
		return isaAMD64()
	case core.ARM64:
		return isaARM64()
	case core.I386:
		return isaI386()
	case core.ARM:
		return isaARM()
	}
	return nil
}

func isaAMD64() *isa {
	refs := mask(3, 5, 12, 13, 14, 15, 16) // rbx, rbp, r12 to r15; 16 stands for the return address
	fp := mask(12, 13, 14, 15)
	return &isa{
		arch:  "x86-64",
		slots: []int{0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15},
		saves: [4]spills{
			spilled(8, 1, refs, fp),
			spilled(8, 1, refs, fp),
			spilled(8, 1, refs|mask(1, 2, 6, 8, 9), fp|mask(numbers(0, 7)...)),
			spilled(8, 1, refs|mask(0, 1, 2, 6, 7, 8, 9, 10, 11), mask(numbers(0, 15)...)),
		},
		// r12, r13
		methodReg: 7, nterpEntry: 11 * 8, nterpSpills: refs, dexPC: 12, mterpPC: 12, mterpFP: 13, handleScope: 12,
	}
}

func isaARM64() *isa {
	refs := mask(numbers(20, 30)...) // 30 is the link register
	all := refs | mask(19)
	return &isa{
		arch:  "aarch64",
		slots: numbers(0, 30),
		saves: [4]spills{
			spilled(8, 1, all, mask(numbers(8, 15)...)),
			spilled(8, 1, refs, 0),
			spilled(8, 1, refs|mask(numbers(1, 7)...), mask(numbers(0, 7)...)),
			spilled(8, 1, all|mask(numbers(0, 17)...), ^uint32(0)),
		},
		nterpEntry: 20 * 8, nterpSpills: all, dexPC: 22, mterpPC: 20, mterpFP: 21, handleScope: 12,
	}
}

func isaI386() *isa {
	refs := mask(5, 6, 7, 8) // ebp, esi, edi; 8 stands for the return address
	return &isa{
		arch:  "i386",
		slots: []int{0, 1, 2, 3, 4, 5, 6, 7},
		saves: [4]spills{
			spilled(4, 2, refs, 0),
			spilled(4, 2, refs, 0),
			spilled(4, 2, refs|mask(1, 2, 3), mask(0, 1, 2, 3)),
			spilled(4, 2, refs|mask(0, 1, 2, 3), mask(numbers(0, 7)...)),
		},
		nterpEntry: 8 * 4, nterpSpills: refs, dexPC: 6, mterpPC: 6, mterpFP: 7, handleScope: 8, minOuts: 3, // esi, edi
	}
}

func isaARM() *isa {
	refs := mask(5, 6, 7, 8, 10, 11, 14) // 14 is the link register
	all := refs | mask(4, 9)
	return &isa{
		arch:  "arm",
		slots: numbers(0, 15),
		saves: [4]spills{
			spilled(4, 1, all, mask(numbers(16, 31)...)),
			spilled(4, 1, refs, 0),
			spilled(4, 1, refs|mask(1, 2, 3), mask(numbers(0, 15)...)),
			spilled(4, 1, all|mask(0, 1, 2, 3, 12), ^uint32(0)),
		},
		nterpEntry: 25 * 4, nterpSpills: all, dexPC: 11, mterpPC: 4, mterpFP: 5, handleScope: 8,
	}
}

// slotOf returns the slot of core.Regs for a number of ART's, or -1.
func (s *isa) slotOf(n int) int {
	if n < len(s.slots) {
		return s.slots[n]
	}
	return -1
}

// RegisterName names a register by the compiler's number, as masks of saved
// registers and locations of dex registers have it. x86 counts the return
// address as one more core register.
func (d *Decoder) RegisterName(n int, fp bool) string {
	switch x86 := d.Process.Arch == core.AMD64 || d.Process.Arch == core.I386; {
	case fp && x86:
		return fmt.Sprintf("xmm%d", n)
	case fp && d.Process.Arch == core.ARM:
		return fmt.Sprintf("s%d", n)
	case fp:
		return fmt.Sprintf("d%d", n)
	case x86 && n == len(d.isa.slots):
		return "pc"
	}
	if slot := d.isa.slotOf(n); slot >= 0 && slot < len(d.Process.Arch.RegNames) {
		return d.Process.Arch.RegNames[slot]
	}
	return fmt.Sprintf("r%d", n)
}
