package insn

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/arch/x86/x86asm"
)

// The library's x86asm.GNUSyntax puts operands into their order and names most
// instructions as GNU objdump does. Operands in memory, immediates and the other
// names are written here; objdump_test.go compares all of it with objdump.

// attText returns an instruction in AT&T syntax, with a tab after the mnemonic.
func attText(inst *instX86, in *Instruction) string {
	formal := inst.Inst
	var marks []string
	for i, arg := range inst.Args {
		switch a := arg.(type) {
		case x86asm.Mem:
			mark := x86asm.Mem{Segment: a.Segment, Disp: memoryMark + int64(i)}
			marks = append(marks, fmt.Sprintf("%#x", mark.Disp), attMemory(inst, a))
			formal.Args[i] = mark
		case x86asm.Imm:
			mark := x86asm.Imm(immediateMark + int64(i))
			if !attKeeps(inst, a) {
				marks = append(marks, fmt.Sprintf("%#x", int64(mark)), attImmediate(inst, a))
				formal.Args[i] = mark
			}
		}
	}
	t := attSplit(strings.NewReplacer(marks...).Replace(x86asm.GNUSyntax(formal, uint64(in.Addr), nil)))
	t.correct(inst)
	if _, ok := inst.Args[0].(x86asm.Rel); ok {
		t.operands = in.Target.String()
	}
	return t.String()
}

// An attInsn is the text of an instruction in its parts.
type attInsn struct {
	prefixes []string
	mnemonic string
	operands string
}

// attPrefixes are the words that may precede a mnemonic.
var attPrefixes = []string{"lock", "rep", "repe", "repn", "repne", "repz", "repnz", "bnd", "notrack", "xacquire",
	"xrelease", "data16", "data32",
	"addr16", "addr32", "addr64", "cs", "ds", "es", "ss", "fs", "gs", "rex", "rex.w"}

func isPrefix(word string) bool {
	return slices.Contains(attPrefixes, word) || strings.HasPrefix(word, "rex.")
}

// attSplit takes the library's text apart.
func attSplit(s string) attInsn {
	var t attInsn
	for {
		word, rest, more := strings.Cut(s, " ")
		if !more || !isPrefix(word) {
			t.mnemonic, t.operands = word, strings.ReplaceAll(rest, " {", "{")
			return t
		}
		t.prefixes = append(t.prefixes, word)
		s = rest
	}
}

func (t *attInsn) String() string {
	s := strings.Join(append(slices.Clone(t.prefixes), t.mnemonic), " ")
	if t.operands == "" {
		return s
	}
	return s + "\t" + t.operands
}

// memoryMark and immediateMark are the numbers that stand for operands until the
// library has put them into their places. Other numbers in its text have one digit.
const (
	memoryMark    = 0x6d656d00
	immediateMark = 0x696d6d00
)

// attMemory returns an operand in memory without its segment.
func attMemory(inst *instX86, m x86asm.Mem) string {
	if m.Index == 0 && (m.Scale == 0 || m.Scale == 1 && isStackX86(m.Base) ||
		m.Base == 0 && m.Scale == 1 && inst.Mode == 64) {
		if m.Base == 0 {
			return fmt.Sprintf("%#x", uint64(m.Disp)&(1<<inst.AddrSize-1))
		}
		return signedHex(m.Disp) + "(" + attRegister(m.Base) + ")"
	}
	base, index := "", "%eiz"
	if m.Base != 0 {
		base = attRegister(m.Base)
	}
	if inst.AddrSize == 64 {
		index = "%riz"
	}
	if m.Index != 0 {
		index = attRegister(m.Index)
	}
	switch {
	case inst.AddrSize == 16:
		return fmt.Sprintf("%s(%s,%s)", signedHex(m.Disp), base, index)
	case m.Base == 0 && m.Disp == 0:
		return fmt.Sprintf("0x0(,%s,%d)", index, m.Scale)
	}
	return fmt.Sprintf("%s(%s,%s,%d)", signedHex(m.Disp), base, index, m.Scale)
}

// isStackX86 reports whether an address with the base r always has a byte for an index.
func isStackX86(r x86asm.Reg) bool {
	return r == x86asm.ESP || r == x86asm.RSP || r == x86asm.R12 || r == x86asm.R12L
}

// signedHex returns "" for zero.
func signedHex(n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%#x", n)
}

func attRegister(r x86asm.Reg) string {
	return x86asm.GNUSyntax(x86asm.Inst{Op: x86asm.NOP, Mode: 64, Args: x86asm.Args{r}}, 0, nil)[len("nop "):]
}

// attKeeps reports whether the library makes a mnemonic of an immediate, or leaves it out.
func attKeeps(inst *instX86, n x86asm.Imm) bool {
	switch inst.Op {
	case x86asm.CMPPS, x86asm.CMPPD, x86asm.CMPSD_XMM, x86asm.CMPSS, x86asm.PCLMULQDQ,
		x86asm.VCMPPD, x86asm.VCMPPS, x86asm.VCMPSD, x86asm.VCMPSS, x86asm.VCMPPH, x86asm.VCMPSH, x86asm.VCMPBF16:
		return true
	}
	return n == 1 && inst.Opcode>>24&^1 == 0xd0
}

// attImmediate returns an immediate, without the "$", as wide as the operation.
func attImmediate(inst *instX86, n x86asm.Imm) string {
	return fmt.Sprintf("%#x", uint64(n)&(1<<widthX86(inst)-1))
}

// widthX86 returns the width of an operation on integers in bits.
func widthX86(inst *instX86) int {
	if inst.Op == x86asm.PUSH {
		return inst.Mode
	}
	if inst.MemBytes > 0 && inst.MemBytes < 8 {
		return 8 * inst.MemBytes
	}
	if r, ok := inst.Args[0].(x86asm.Reg); ok {
		switch {
		case r >= x86asm.AL && r <= x86asm.R15B:
			return 8
		case r >= x86asm.AX && r <= x86asm.R15W:
			return 16
		case r >= x86asm.EAX && r <= x86asm.R15L:
			return 32
		}
	}
	return 64
}
