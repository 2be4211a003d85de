package core

import "encoding/binary"

// An Arch describes a processor architecture as far as reading a dead process
// needs it: data, so that no walker has to switch on a name.
type Arch struct {
	Name    string // "x86-64", "aarch64", as the literature of the ABI spells it
	PtrSize int    // bytes
	// regSize is the size of a general register in bytes; 0 where that is PtrSize.
	regSize int
	Order   binary.ByteOrder
	// Android is the name that Android's tombstones and traces have for it; ""
	// if there is none.
	Android string

	// RegNames names the slots of a register file.
	RegNames []string
	// PC, SP and FP are slots; FP is -1 if the ABI defines no frame pointer.
	PC, SP, FP int
	// LR is the slot of the link register, -1 where a call pushes its return
	// address to the stack.
	LR int
	// CalleeSaved has bit i set if slot i survives a call.
	CalleeSaved uint64
	// StackAlign is the alignment of the stack pointer at a call, in bytes.
	StackAlign uint64
	// MemberAlign is the largest alignment of a number in a struct, in bytes. It is 0 if each number is
	// aligned to its size.
	MemberAlign int64
	// CFAOff is how far DWARF's canonical frame address lies above the stack pointer of the
	// caller, in bytes.
	CFAOff uint64
	// ReturnBias is how far in bytes after what a call leaves as return address
	// the function returns to.
	ReturnBias uint64
	// AddrBits is the number of low bits of a user-space pointer that can be
	// significant; above them lie tags and signatures.
	AddrBits uint
	// dwarf maps DWARF register numbers above 31 to slots.
	dwarf map[uint64]int
	// wide are the registers that a register file has no slots for.
	wide []wideRun
}

// Slot returns the slot of a DWARF register number, or -1.
func (a *Arch) Slot(dwarf uint64) int {
	if s, ok := a.dwarf[dwarf]; ok {
		return s
	}
	if dwarf < uint64(len(a.RegNames)) && dwarf < 32 && a.RegNames[dwarf] != "" {
		return int(dwarf)
	}
	return -1
}

// WideName returns the name that Thread.Registers has for a floating-point or vector register
// by its DWARF number, "" if it is none.
func (a *Arch) WideName(dwarf uint64) string {
	for _, r := range a.wide {
		if dwarf >= r.first && dwarf-r.first < r.count {
			return r.prefix + itoa(int(dwarf-r.first))
		}
	}
	return ""
}

// A wideRun is registers that follow each other, numbered from 0.
type wideRun struct {
	first, count uint64 // DWARF numbers
	prefix       string
}

// SlotOf returns the slot of a register's name, or -1.
func (a *Arch) SlotOf(name string) int {
	for i, n := range a.RegNames {
		if n == name {
			return i
		}
	}
	return -1
}

// RegSize returns the size in bytes of a general register, which is what functions save of
// one: ABIs with addresses of 4 bytes may have registers of 8 (x32, MIPS n32).
func (a *Arch) RegSize() int {
	if a.regSize != 0 {
		return a.regSize
	}
	return a.PtrSize
}

// AddrMask returns the mask that a pointer of the architecture fits in.
func (a *Arch) AddrMask() Addr {
	if a.PtrSize == 4 {
		return 1<<32 - 1
	}
	return ^Addr(0)
}

func slots(ns ...int) uint64 {
	var m uint64
	for _, n := range ns {
		m |= 1 << uint(n)
	}
	return m
}

func numbered(prefix string, n int, rest ...string) []string {
	out := make([]string, 0, n+len(rest))
	for i := range n {
		out = append(out, prefix+itoa(i))
	}
	return append(out, rest...)
}

func itoa(i int) string {
	if i >= 10 {
		return string([]byte{'0' + byte(i/10), '0' + byte(i%10)})
	}
	return string([]byte{'0' + byte(i)})
}

// VG is the slot of ARM64, after the named ones, that holds the length of a scalable vector in units of
// 8 bytes. It determines the size of frames of functions that save such vectors.
const VG = 33

// The architectures that loaders know. DWARF numbers follow each processor's psABI.
var (
	// AMD64 follows the System V ABI, AMD64 supplement, figure 3.36.
	AMD64 = &Arch{
		Name: "x86-64", PtrSize: 8, Order: binary.LittleEndian, Android: "x86_64",
		RegNames: []string{"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp",
			"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rip"},
		PC: 16, SP: 7, FP: 6, LR: -1, StackAlign: 16, AddrBits: 47,
		CalleeSaved: slots(3, 6, 12, 13, 14, 15),
		wide:        []wideRun{{17, 16, "xmm"}, {33, 8, "st"}},
	}
	// ARM64 follows "DWARF for the Arm 64-bit Architecture" (aadwarf64).
	ARM64 = &Arch{
		Name: "aarch64", PtrSize: 8, Order: binary.LittleEndian, Android: "arm64",
		RegNames: numbered("x", 31, "sp", "pc"),
		PC:       32, SP: 31, FP: 29, LR: 30, StackAlign: 16, AddrBits: 48,
		CalleeSaved: slots(19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, VG),
		dwarf:       map[uint64]int{32: 32, 46: VG},
		wide:        []wideRun{{64, 32, "v"}, {48, 16, "p"}, {96, 32, "z"}},
	}
	// I386 follows the System V ABI, Intel386 supplement.
	I386 = &Arch{
		Name: "i386", PtrSize: 4, Order: binary.LittleEndian, Android: "x86",
		RegNames: []string{"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", "eip"},
		PC:       8, SP: 4, FP: 5, LR: -1, StackAlign: 4, AddrBits: 32, MemberAlign: 4,
		CalleeSaved: slots(3, 5, 6, 7),
		wide:        []wideRun{{11, 8, "st"}, {21, 8, "xmm"}},
	}
	// ARM follows "DWARF for the Arm Architecture" (aadwarf32).
	ARM = &Arch{
		Name: "arm", PtrSize: 4, Order: binary.LittleEndian, Android: "arm",
		RegNames: numbered("r", 13, "sp", "lr", "pc"),
		PC:       15, SP: 13, FP: 11, LR: 14, StackAlign: 8, AddrBits: 32,
		CalleeSaved: slots(4, 5, 6, 7, 8, 9, 10, 11),
	}
	// RISCV64 follows the RISC-V ELF psABI.
	RISCV64 = &Arch{
		Name: "riscv64", PtrSize: 8, Order: binary.LittleEndian, Android: "riscv64",
		RegNames: []string{"zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1",
			"a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "s2", "s3", "s4", "s5",
			"s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6", "pc"},
		PC: 32, SP: 2, FP: 8, LR: 1, StackAlign: 16, AddrBits: 56,
		CalleeSaved: slots(8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27),
	}
	// PPC64LE follows the 64-bit ELF V2 ABI: DWARF 65 is the link register.
	PPC64LE = &Arch{
		Name: "ppc64le", PtrSize: 8, Order: binary.LittleEndian,
		RegNames: numbered("r", 32, "pc", "lr"),
		PC:       32, SP: 1, FP: 31, LR: 33, StackAlign: 16, AddrBits: 64,
		CalleeSaved: slots(14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31),
		dwarf:       map[uint64]int{65: 33},
	}
	// S390X follows the zSeries ELF ABI supplement: DWARF 65 is the PSW address, and
	// the CFA comes after the register save area of 160 bytes.
	S390X = &Arch{
		Name: "s390x", PtrSize: 8, Order: binary.BigEndian,
		RegNames: numbered("r", 16, "pswa"),
		PC:       16, SP: 15, FP: 11, LR: 14, StackAlign: 8, AddrBits: 64,
		// the register save area, which the caller provides (ELF ABI s390x Supplement 1.6, "The Stack Frame")
		CFAOff:      160,
		CalleeSaved: slots(6, 7, 8, 9, 10, 11, 12, 13),
		dwarf:       map[uint64]int{65: 16, 16: -1}, // DWARF 16 is f0
	}
)
