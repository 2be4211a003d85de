package insn

import (
	"fmt"

	"coredbg/core"
)

// effectARM64 returns what a load or a store refers to (Arm ARM, C4.1.94 "Loads
// and Stores"). A branch to nowhere is refused where it leads, not where it is.
func effectARM64(w uint32, pc core.Addr, regs *Registers) Effect {
	e := Effect{Known: true}
	if w>>27&1 == 0 || w>>25&1 != 0 {
		return e
	}
	a := Access{Write: w>>22&1 == 0}
	base, ok := regs.Get(int(w >> 5 & 31))
	a.Operand = registerARM64(int(w >> 5 & 31))
	offset := int64(0)
	switch {
	case w&0x3b000000 == 0x18000000: // literal
		a.Operand, base, ok, a.Write = "pc", uint64(pc), true, false
		offset = signedBits(w>>5, 19) * 4
	case w&0x3a000000 == 0x28000000: // pair
		scale := 2 + w>>31
		if w>>26&1 != 0 {
			scale = 2 + w>>30
		}
		if w>>23&3 != 1 {
			offset = signedBits(w>>15, 7) << scale
		}
	case w&0x3a000000 == 0x38000000: // one register
		s, more := singleARM64(w, regs)
		if !more {
			return e
		}
		a.Write, offset, base = s.write, s.offset, base+s.index
		a.Operand += s.register
	case w&0x3f000000 == 0x08000000, w&0xbe000000 == 0x0c000000: // exclusive, ordered, swaps; vectors
	default:
		return e
	}
	if !ok {
		return e
	}
	switch {
	case offset > 0:
		a.Operand += fmt.Sprintf("+%#x", offset)
	case offset < 0:
		a.Operand += fmt.Sprintf("-%#x", -offset)
	}
	a.Addr = core.Addr(base + uint64(offset))
	e.Accesses = append(e.Accesses, a)
	return e
}

// A single is what a load or store of one register adds to its base.
type single struct {
	write    bool
	offset   int64
	index    uint64 // the value of a register that is added
	register string // "+x3"; "" if none is
}

// singleARM64 decodes a load or store of one register. It returns false for
// prefetches, which do not fault, and where a register is not known.
func singleARM64(w uint32, regs *Registers) (single, bool) {
	size, vector, opc := w>>30, w>>26&1 != 0, w>>22&3
	if size == 3 && !vector && opc == 2 {
		return single{}, false
	}
	s := single{write: opc == 0 || vector && opc == 2}
	if vector && opc >= 2 {
		size = 4
	}
	switch {
	case w>>24&1 != 0:
		s.offset = int64(w>>10&0xfff) << size
	case w>>21&1 == 0:
		if w>>10&3 != 1 { // 1: added after the access
			s.offset = signedBits(w>>12, 9)
		}
	case w>>10&3 == 0: // atomic
		s.write = true
	case w>>10&1 == 1: // authenticated: 10 bits, scaled
		s.write, s.offset = false, (signedBits(w>>22, 1)<<9|int64(w>>12&0x1ff))*8
	default:
		return s.indexed(w, size, regs)
	}
	return s, true
}

// indexed adds the register, extended and scaled, that is the offset.
func (s single) indexed(w, size uint32, regs *Registers) (single, bool) {
	n := int(w >> 16 & 31)
	if n == 31 {
		return s, true
	}
	v, ok := regs.Get(n)
	switch w >> 13 & 7 {
	case 2:
		v = uint64(uint32(v))
	case 6:
		v = uint64(int64(int32(v)))
	}
	if w>>12&1 != 0 {
		v <<= size
	}
	s.index, s.register = v, fmt.Sprintf("+x%d", n)
	return s, ok
}

// signedBits returns the low n bits of w as a signed number.
func signedBits(w uint32, n uint) int64 { return int64(w) << (64 - n) >> (64 - n) }

func registerARM64(n int) string {
	if n == 31 {
		return "sp"
	}
	return fmt.Sprintf("x%d", n)
}
