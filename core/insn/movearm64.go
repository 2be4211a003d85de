package insn

import "coredbg/core"

// moveARM64 follows the Arm ARM, C4.1 "A64 instruction set encoding".
func moveARM64(w uint32, pc core.Addr) Move {
	m := Move{Reg: -1, Sum: -1, At: Place{Base: -1, Index: -1}}
	rd, rn, rm := int(w&31), int(w>>5&31), int(w>>16&31)
	switch {
	case w&0xffe0ffe0 == 0xaa0003e0: // mov xd, xm
		m.computes(rd, Place{Base: zeroARM64(rm), Index: -1})
	case w&0x7f800000 == 0x11000000, w&0x7f800000 == 0x51000000: // add, sub with a number
		by := int64(w >> 10 & 0xfff << (w >> 22 & 1 * 12))
		if w>>30&1 != 0 {
			by = -by
		}
		switch {
		case w>>31 == 0:
			m.changes(rd)
		case rd == rn:
			m.Sum, m.By = rd, by
		default:
			m.computes(rd, Place{Base: rn, Index: -1, Disp: by})
		}
	case w&0x9f000000 == 0x90000000: // adrp
		m.computes(rd, Place{Base: -1, Index: -1, Disp: int64(pc&^0xfff) +
			(signedBits(w>>5, 19)<<2|int64(w>>29&3))<<12})
	case w>>27&1 != 0 && w>>25&1 == 0:
		m.memoryARM64(w, pc)
	case w>>26&7 == 5: // branches
	case w>>25&7 == 7: // vectors: a move to a general register is lost
		m.changes(rd)
	default:
		m.changes(rd)
	}
	return m
}

func (m *Move) computes(rd int, at Place) { m.Kind, m.Reg, m.At = Computes, rd, at }

func (m *Move) changes(slots ...int) { m.Changes = append(m.Changes, slots...) }

// zeroARM64 is the slot of a register where 31 is the one that is zero.
func zeroARM64(n int) int {
	if n == 31 {
		return -1
	}
	return n
}

// memoryARM64 is a load or a store.
func (m *Move) memoryARM64(w uint32, pc core.Addr) {
	rt, rn := int(w&31), int(w>>5&31)
	load, vector := w>>22&1 != 0, w>>26&1 != 0
	places, _ := placesARM64(w)
	pair := w&0x3a000000 == 0x28000000
	switch {
	case pair && w>>23&1 != 0, w&0x3b200000 == 0x38000000 && w>>10&1 != 0: // it changes its base
		m.changes(rn)
	}
	switch {
	case vector:
	case w&0x3b000000 == 0x18000000: // literal
		if m.changes(rt); w>>30 == 1 {
			m.Changes, m.Kind, m.Reg = nil, Loads, rt
			m.At = Place{Base: -1, Index: -1, Disp: int64(pc) + signedBits(w>>5, 19)*4}
		}
	case pair && w>>30 == 2 && len(places) > 0:
		m.Reg, m.At, m.Kind = rt, places[0], Stores
		if load {
			m.Kind = Loads
			m.changes(int(w >> 10 & 31))
		}
	case w&0x3a000000 == 0x38000000 && w>>30 == 3 && w>>23&1 == 0 && len(places) > 0:
		m.Reg, m.At, m.Kind = rt, places[0], Stores
		if load {
			m.Kind = Loads
		}
	case pair:
		m.changes(rt, int(w>>10&31))
	default:
		m.changes(rt, int(w>>16&31))
	}
	if m.Kind == Stores && rt == 31 { // zero
		m.Kind, m.Reg = Opaque, -1
	}
}

// placesARM64 returns the operand of a load or a store, or the register of an indirect branch.
func placesARM64(w uint32) (places []Place, target int) {
	base := int(w >> 5 & 31)
	switch {
	// br, blr, ret, with authentication or without
	case w&0xfe9ffc00 == 0xd61f0000&0xfe9ffc00 && w&0xfe000000 == 0xd6000000:
		return nil, base
	case w>>27&1 == 0 || w>>25&1 != 0:
		return nil, -1
	}
	// A base that is an index times 0 stands for an operand that is only its base.
	p := Place{Base: base, Index: -1}
	switch {
	case w&0x3b000000 == 0x18000000: // literal
		return nil, -1
	case w&0x3a000000 == 0x28000000: // pair
		if w>>23&3 != 1 {
			scale := 2 + w>>31
			if w>>26&1 != 0 {
				scale = 2 + w>>30
			}
			p.Disp = signedBits(w>>15, 7) << scale
		}
	case w&0x3b200c00 == 0x38200800: // with a register
		if w>>13&7 != 3 { // not the whole register, unshifted by more than the size
			return nil, -1
		}
		p.Index, p.Scale = zeroARM64(int(w>>16&31)), 1
		if w>>12&1 != 0 {
			p.Scale = 1 << (w >> 30)
		}
	case w&0x3a000000 == 0x38000000: // one register
		s, ok := singleARM64(w, &Registers{})
		if !ok {
			return nil, -1
		}
		p.Disp = s.offset
	}
	return []Place{p}, -1
}
