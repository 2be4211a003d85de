package sets

import (
	"encoding/binary"

	"coredbg/core"
	"coredbg/walk/isa"
)

// prologueM68K knows functions that begin with link %fp, whose frame is then known by the
// frame pointer, and the first instruction of any. Others would need every instruction
// to be decoded (M68000 Family Programmer's Reference Manual, 4: LINK).
func prologueM68K(code []byte, pc, _ int) (s isa.Shape, ok bool) {
	arch := core.M68K
	s.Sure = true
	s.Saved[arch.PC] = 4
	if pc == 0 {
		s.CFAOff = 4
		return s, true
	}
	if len(code) < 4 || pc < 4 || code[0] != 0x4e || code[1] != 0x56 {
		return isa.Shape{}, false
	}
	s.FromFP, s.CFAOff, s.Saved[arch.FP] = true, 8, 8
	return s, true
}

// returnsM68K knows rts.
func returnsM68K(arch *core.Arch, code []byte) (s isa.Shape, ok bool) {
	if len(code) < 2 || code[0] != 0x4e || code[1] != 0x75 {
		return s, false
	}
	s.Sure, s.CFAOff, s.Saved[arch.PC] = true, 4, 4
	return s, true
}

// callM68K knows bsr and jsr, by the length of their operands.
func callM68K(code []byte) (to int64, direct, ok bool) {
	n := len(code)
	word := func(back int) uint16 {
		if n < back {
			return 0
		}
		return binary.BigEndian.Uint16(code[n-back:])
	}
	switch w := word(6); {
	case w == 0x61ff: // bsr.l
		return int64(int32(uint32(word(4))<<16|uint32(word(2)))) - 4, true, true
	case w == 0x4eb9: // jsr of an address
		return 0, false, true
	}
	switch w := word(4); {
	case w == 0x6100: // bsr.w
		return int64(int16(word(2))) - 2, true, true
	case w >= 0x4ea8 && w <= 0x4ebb && w != 0x4eb9: // jsr with a displacement or an index
		return 0, false, true
	}
	w := word(2)
	if w>>8 == 0x61 && w&0xff != 0 && w&0xff != 0xff { // bsr.b
		return int64(int8(w)), true, true
	}
	return 0, false, w >= 0x4e90 && w <= 0x4e97 // jsr (%a)
}
