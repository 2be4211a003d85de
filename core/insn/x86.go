package insn

import (
	"errors"
	"slices"

	"golang.org/x/arch/x86/x86asm"
)

var errUndecoded = errors.New("no instruction")

// An instX86 is a decoded instruction.
type instX86 struct {
	x86asm.Inst
	// name is the mnemonic of an instruction that the library takes for another; "" for others.
	name string
	// prefixes are the bytes before a VEX or an EVEX prefix.
	prefixes []byte
	vex      bool // it has one of these
}

// decodeX86 decodes an instruction. It adds the things that the library leaves
// to its caller: the sign of a displacement and, behind a VEX or an EVEX prefix,
// the size of addresses, the base RIP and the segment.
func decodeX86(code []byte, mode int) (instX86, error) {
	known, name := likeX86(code, mode)
	extra := len(code) - len(known)
	before := prefixesX86(known)
	vex := isVEX(known[before:], mode)
	if !vex {
		before = 0
	}
	lib, err := x86asm.Decode(known[before:], mode)
	inst := instX86{Inst: lib, name: name, prefixes: known[:before], vex: vex}
	if err != nil || inst.Op == 0 || inst.Len <= 0 || inst.Len > len(known)-before {
		return inst, errUndecoded
	}
	if inst.Mode = mode; vex && !inst.completeVEX(known[before:]) {
		return inst, errUndecoded
	}
	inst.Len += before + extra
	for i, arg := range inst.Args {
		if m, ok := arg.(x86asm.Mem); ok {
			m.Disp = inst.displacement(m)
			inst.Args[i] = m
		}
	}
	return inst, nil
}

// prefixesX86 returns the number of legacy prefixes at the start of code.
func prefixesX86(code []byte) int {
	return max(0, slices.IndexFunc(code, func(b byte) bool { return !slices.Contains(legacyX86, b) }))
}

// legacyX86 are the prefixes that are no part of an opcode map (Intel SDM volume 2, 2.1.1).
var legacyX86 = []byte{0xf0, 0xf2, 0xf3, 0x2e, 0x36, 0x3e, 0x26, 0x64, 0x65, 0x66, 0x67}

// isVEX reports whether code is a VEX or an EVEX prefix. In 32-bit code LES, LDS and
// BOUND have the same first byte, but an operand in memory.
func isVEX(code []byte, mode int) bool {
	return len(code) > 2 && (code[0] == 0xc4 || code[0] == 0xc5 || code[0] == 0x62) && (mode == 64 || code[1] >= 0xc0)
}

// completeVEX gives an instruction with a VEX or an EVEX prefix the segment and
// the size of addresses that its other prefixes say, and the base RIP. The bytes of
// the prefix are kept from being taken for others. It returns false if code is cut.
func (inst *instX86) completeVEX(code []byte) bool {
	n := map[byte]int{0xc5: 2, 0xc4: 3, 0x62: 4}[code[0]]
	for i := 1; i < n; i++ {
		inst.Prefix[i] |= x86asm.PrefixImplicit
	}
	inst.AddrSize = inst.Mode
	var segment x86asm.Reg
	for _, p := range inst.prefixes {
		switch p {
		case 0x64:
			segment = x86asm.FS
		case 0x65:
			segment = x86asm.GS
		case 0x67:
			inst.AddrSize = inst.Mode / 2
		}
	}
	for i, arg := range inst.Args {
		m, ok := arg.(x86asm.Mem)
		if !ok {
			continue
		}
		if n+1 >= len(code) {
			return false
		}
		m.Segment = segment
		if inst.Mode == 64 && code[n+1]&0xc7 == 0x05 {
			m.Base = x86asm.RIP
		}
		if inst.AddrSize == 32 {
			m.Base, m.Index = narrowX86(m.Base), narrowX86(m.Index)
		}
		inst.Args[i] = m
	}
	return true
}

// narrowX86 returns the lower half of a 64-bit register.
func narrowX86(r x86asm.Reg) x86asm.Reg {
	if r >= x86asm.RAX && r <= x86asm.R15 {
		return r - x86asm.RAX + x86asm.EAX
	}
	return r
}

// displacement returns the displacement of an operand with its sign.
func (inst *instX86) displacement(m x86asm.Mem) int64 {
	switch {
	case inst.AddrSize == 16:
		return int64(int16(m.Disp))
	case inst.isOffset():
		return m.Disp
	}
	return int64(int32(m.Disp))
}

// isOffset reports whether an instruction is a mov between the accumulator and
// an absolute address of 64 bits.
func (inst *instX86) isOffset() bool {
	return inst.Op == x86asm.MOV && inst.Opcode>>24&^3 == 0xa0 && inst.AddrSize == 64
}
