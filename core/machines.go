package core

import "encoding/binary"

// Further architectures, of the families above and of others. DWARF numbers follow each processor's
// psABI, or GCC if the psABI defines no numbers.
var (
	// X32 is AMD64 with addresses of 4 bytes; its stack has words of 8.
	X32 = &Arch{
		Name: "x32", PtrSize: 4, regSize: 8, Order: binary.LittleEndian,
		RegNames: AMD64.RegNames,
		PC:       16, SP: 7, FP: 6, LR: -1, StackAlign: 16, AddrBits: 32,
		CalleeSaved: AMD64.CalleeSaved, wide: AMD64.wide,
	}
	// PPC64 follows the 64-bit ELF V1 ABI, where function symbols are addresses of descriptors.
	PPC64 = &Arch{
		Name: "ppc64", PtrSize: 8, Order: binary.BigEndian,
		RegNames: PPC64LE.RegNames,
		PC:       32, SP: 1, FP: 31, LR: 33, StackAlign: 16, AddrBits: 64,
		CalleeSaved: PPC64LE.CalleeSaved, dwarf: PPC64LE.dwarf,
	}
	// PPC follows the System V ABI, PowerPC supplement: the link register is DWARF
	// 108, in .eh_frame 65.
	PPC = &Arch{
		Name: "ppc", PtrSize: 4, Order: binary.BigEndian,
		RegNames: PPC64LE.RegNames,
		PC:       32, SP: 1, FP: 31, LR: 33, StackAlign: 16, AddrBits: 32,
		CalleeSaved: PPC64LE.CalleeSaved, dwarf: map[uint64]int{65: 33, 108: 33},
	}
	// S390 is S390X of 31 bits: bit 31 of an instruction address is the addressing
	// mode, and the register save area has 96 bytes.
	S390 = &Arch{
		Name: "s390", PtrSize: 4, Order: binary.BigEndian,
		RegNames: S390X.RegNames,
		PC:       16, SP: 15, FP: 11, LR: 14, StackAlign: 8, AddrBits: 31, CFAOff: 96,
		CalleeSaved: S390X.CalleeSaved, dwarf: S390X.dwarf,
	}
	// MIPS and MIPSEL follow the o32 ABI (System V ABI, MIPS supplement).
	MIPS   = mips("mips", 4, binary.BigEndian, mipsO32)
	MIPSEL = mips("mipsel", 4, binary.LittleEndian, mipsO32)
	// MIPSN32 and MIPSN32EL follow the n32 ABI: registers of 64 bits, addresses of
	// 32.
	MIPSN32   = mipsN32("mipsn32", binary.BigEndian)
	MIPSN32EL = mipsN32("mipsn32el", binary.LittleEndian)
	// MIPS64 and MIPS64EL follow the n64 ABI.
	MIPS64   = mips("mips64", 8, binary.BigEndian, mipsN64)
	MIPS64EL = mips("mips64el", 8, binary.LittleEndian, mipsN64)
	// SPARC64 follows the SPARC Compliance Definition 2.4: stack and frame pointers
	// are 2,047 below what they point to, and a call leaves its own address, with
	// an instruction in its delay slot. %l and %i survive calls in windows, which
	// are at the stack pointer of whose they are.
	SPARC64 = &Arch{
		Name: "sparc64", PtrSize: 8, Order: binary.BigEndian,
		RegNames: []string{"g0", "g1", "g2", "g3", "g4", "g5", "g6", "g7", "o0", "o1", "o2", "o3", "o4",
			"o5", "sp", "o7",
			"l0", "l1", "l2", "l3", "l4", "l5", "l6", "l7", "i0", "i1", "i2", "i3", "i4", "i5", "fp", "i7", "pc"},
		PC: 32, SP: 14, FP: 30, LR: 15, StackAlign: 16, AddrBits: 64, CFAOff: 2047, ReturnBias: 8,
		CalleeSaved: slots(16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31),
	}
	// LOONGARCH64 follows the LoongArch psABI 2.0 (la-abi).
	LOONGARCH64 = &Arch{
		Name: "loongarch64", PtrSize: 8, Order: binary.LittleEndian,
		RegNames: []string{"zero", "ra", "tp", "sp", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "t0",
			"t1", "t2", "t3",
			"t4", "t5", "t6", "t7", "t8", "r21", "fp", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "pc"},
		PC: 32, SP: 3, FP: 22, LR: 1, StackAlign: 16, AddrBits: 48,
		CalleeSaved: slots(22, 23, 24, 25, 26, 27, 28, 29, 30, 31),
	}
	// M68K follows the System V ABI, Motorola 68000 supplement, with GCC's number
	// of the program counter, 24; 16 to 23 are fp0 to fp7.
	M68K = &Arch{
		Name: "m68k", PtrSize: 4, Order: binary.BigEndian, MemberAlign: 2,
		RegNames: []string{"d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7", "a0", "a1", "a2", "a3", "a4", "a5",
			"fp", "sp", "pc"},
		PC: 16, SP: 15, FP: 14, LR: -1, StackAlign: 2, AddrBits: 32,
		CalleeSaved: slots(2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14),
		dwarf:       map[uint64]int{24: 16, 16: -1},
	}
)

// The names of MIPS' registers, which differ between the ABIs from 8 to 15.
var (
	mipsO32 = []string{"t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7"}
	mipsN64 = []string{"a4", "a5", "a6", "a7", "t0", "t1", "t2", "t3"}
)

func mips(name string, ptr int, order binary.ByteOrder, middle []string) *Arch {
	names := append([]string{"zero", "at", "v0", "v1", "a0", "a1", "a2", "a3"}, middle...)
	names = append(names, "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "t8", "t9", "k0", "k1", "gp", "sp",
		"fp", "ra", "pc")
	return &Arch{Name: name, PtrSize: ptr, Order: order, RegNames: names,
		PC: 32, SP: 29, FP: 30, LR: 31, StackAlign: uint64(ptr) * 2, AddrBits: uint(ptr) * 8,
		CalleeSaved: slots(16, 17, 18, 19, 20, 21, 22, 23, 28, 30)}
}

func mipsN32(name string, order binary.ByteOrder) *Arch {
	a := mips(name, 4, order, mipsN64)
	a.regSize, a.StackAlign = 8, 16
	return a
}
