package track

import (
	"encoding/binary"
	"math/bits"

	"coredbg/walk/isa"
)

// stepThumb follows one in Thumb state (A6).
func stepThumb(f *tracked, code []byte) isa.Control {
	if len(code) < 2 {
		return isa.Control{}
	}
	w := uint32(binary.LittleEndian.Uint16(code))
	maybe := f.maybe
	var c isa.Control
	if w>>11 >= 0x1d {
		if len(code) < 4 {
			return isa.Control{}
		}
		c = f.thumbWide(w, uint32(binary.LittleEndian.Uint16(code[2:])))
	} else {
		c = f.thumb(w)
	}
	if maybe > 0 {
		f.maybe = maybe - 1
		if c.Kind != isa.Calls {
			c.Kind = isa.Passes
		}
	}
	return c
}

// thumb is the instructions of 16 bits.
func (f *tracked) thumb(w uint32) isa.Control {
	c := isa.Control{Kind: isa.Passes, Size: 2}
	switch {
	case w&0xfe00 == 0xbc00: // pop
		f.multipleARM(13, w&0xff|w&0x100<<7, true, false, true, true)
		if w&0x100 != 0 {
			c.Kind = isa.Returns
		}
	case w&0xff87 == 0x4780: // blx
		c.Kind = isa.Calls
	case w == 0x4770: // bx lr
		c.Kind = isa.Returns
	case w&0xff87 == 0x4700: // bx
		c.Kind = isa.Indirect
	case w&0xff00 == 0xde00, w&0xff00 == 0xbe00: // udf, bkpt
		c.Kind = isa.Stops
	case w&0xf000 == 0xd000: // b<c>
		c.Kind, c.Target = isa.Branches, signedBits(w, 8)*2+4
	case w&0xf800 == 0xe000: // b
		c.Kind, c.Target = isa.Jumps, signedBits(w, 11)*2+4
	case w&0xf500 == 0xb100: // cbz, cbnz
		c.Kind, c.Target = isa.Branches, int64(w>>3&31|w>>4&32)*2+4
	case w&0xff00 == 0xbf00 && w&15 != 0: // it
		f.maybe = 4 - bits.TrailingZeros32(w&15) + 1
	default:
		f.thumbData(w)
	}
	return c
}

// thumbData is thumb for instructions that go on to the next one.
func (f *tracked) thumbData(w uint32) {
	low, imm := int(w>>8&7), int64(w&0xff)
	switch {
	case w&0xfe00 == 0xb400: // push
		f.multipleARM(13, w&0xff|w&0x100<<6, false, true, false, true)
	case w&0xff80 == 0xb080: // sub sp,#
		f.set(13, f.regs[13].plus(-4*int64(w&0x7f)))
	case w&0xff80 == 0xb000: // add sp,#
		f.set(13, f.regs[13].plus(4*int64(w&0x7f)))
	case w&0xf800 == 0xa800: // add r,sp,#
		f.set(low, f.regs[13].plus(4*imm))
	case w&0xf800 == 0x9000: // str r,[sp,#]
		f.store(low, 13, 4*imm)
	case w&0xf800 == 0x9800: // ldr r,[sp,#]
		f.load(low, 13, 4*imm)
	case w&0xf800 == 0x6000: // str r,[r,#]
		f.store(int(w&7), int(w>>3&7), int64(w>>6&31)*4)
	case w&0xf800 == 0x6800: // ldr
		f.load(int(w&7), int(w>>3&7), int64(w>>6&31)*4)
	case w&0xff00 == 0x4600: // mov
		f.set(int(w&7|w>>4&8), f.regs[w>>3&15])
	case w&0xff00 == 0x4400: // add
		to := int(w&7 | w>>4&8)
		f.add(to, f.regs[to], f.regs[w>>3&15])
	case w&0xf800 == 0x2000: // movs
		f.set(low, constant(imm))
	case w&0xf800 == 0x3000: // adds
		f.set(low, f.regs[low].plus(imm))
	case w&0xf800 == 0x3800: // subs
		f.set(low, f.regs[low].plus(-imm))
	case w&0xffc0 == 0x4200, w&0xff80 == 0x4280: // tst, cmp, cmn
	case w&0xe000 == 0, w&0xfc00 == 0x4000: // arithmetic of low registers
		f.set(int(w&7), trackedValue{})
	case w&0xf000 == 0x8000, w&0xf000 == 0x7000, w&0xf000 == 0x5000, w&0xf800 == 0x4800: // other loads
		f.dull(int(w & 7))
		f.dull(low)
	}
}

// thumbAccess is the loads and stores of 32 bits.
func (f *tracked) thumbAccess(w, x uint32) isa.Kind {
	rn, rt, loads := int(w&15), int(x>>12), w>>4&1 != 0
	before, up, update := w>>8&1 != 0, w>>7&1 != 0, w>>5&1 != 0
	switch {
	case w&0xfe40 == 0xe800 && w>>7&3 != 0 && w>>7&3 != 3: // ldm, stm
		f.multipleARM(rn, x, loads, before, up, update)
		if loads && x>>15 != 0 {
			return isa.Returns
		}
	case w&0xfe40 == 0xe840 && (before || update): // ldrd, strd
		f.doubleARM(rt, int(x>>8&15), rn, 4*int64(x&0xff), loads, before, up, update)
	case w&0xffe0 == 0xf840 && x>>11&1 != 0: // ldr, str with writeback or below the base
		f.singleARM(rt, rn, int64(x&0xff), loads, x>>10&1 != 0, x>>9&1 != 0, x>>8&1 != 0)
		if loads && rt == 15 {
			return isa.Returns
		}
	case w&0xffe0 == 0xf8c0: // ldr, str with an offset of 12 bits
		f.singleARM(rt, rn, int64(x&0xfff), loads, true, true, false)
	case w>>9 == 0x7c && loads: // other loads
		f.set(rt, trackedValue{})
	}
	return isa.Passes
}

// thumbBranch is a branch of 32 bits.
func thumbBranch(w, x uint32) (kind isa.Kind, target int64) {
	s := w >> 10 & 1
	j1, j2 := x>>13&1, x>>11&1
	switch {
	case x>>14&1 != 0: // bl, blx
		return isa.Calls, 0
	case x>>12&1 != 0: // b.w
		return isa.Jumps, signedBits(s<<24|(1^j1^s)<<23|(1^j2^s)<<22|w&0x3ff<<12|x&0x7ff<<1, 25) + 4
	case w>>6&15 < 14: // b<c>.w
		return isa.Branches, signedBits(s<<20|j2<<19|j1<<18|w&0x3f<<12|x&0x7ff<<1, 21) + 4
	}
	return isa.Passes, 0
}

// thumbWide is the instructions of 32 bits.
func (f *tracked) thumbWide(w, x uint32) isa.Control {
	c := isa.Control{Kind: isa.Passes, Size: 4}
	rn := int(w & 15)
	switch {
	case w&0xfff0 == 0xe8d0 && x&0xffe0 == 0xf000: // tbb, tbh
		c.Kind = isa.Indirect
	case w&0xfe00 == 0xe800 || w>>9 == 0x7c:
		c.Kind = f.thumbAccess(w, x)
	case w&0xffbf == 0xed2d && x&0xe00 == 0xa00: // vpush
		f.set(13, f.regs[13].plus(-4*int64(x&0xff)))
	case w&0xffbf == 0xecbd && x&0xe00 == 0xa00: // vpop
		f.set(13, f.regs[13].plus(4*int64(x&0xff)))
	case w>>11 == 0x1e && x>>15 != 0: // branches
		c.Kind, c.Target = thumbBranch(w, x)
	case w>>11 == 0x1e: // data processing with an immediate
		f.thumbImmediate(w, x, rn, int(x>>8&15))
	case w&0xfe00 == 0xea00: // and with a register
		f.thumbRegister(w, x, rn, int(x>>8&15))
	case w&0xff00 == 0xfa00, w&0xff00 == 0xfb00:
		f.set(int(x>>8&15), trackedValue{})
	}
	return c
}

// thumbImmediate is data processing with an immediate operand.
func (f *tracked) thumbImmediate(w, x uint32, rn, rd int) {
	imm := w>>10&1<<11 | x>>4&0x700 | x&0xff
	if w>>9&1 != 0 { // plain: of 12 or 16 bits
		switch w >> 4 & 31 {
		case 0: // addw
			f.set(rd, f.regs[rn].plus(int64(imm)))
		case 10: // subw
			f.set(rd, f.regs[rn].plus(-int64(imm)))
		case 4: // movw
			f.set(rd, constant(int64(w&15<<12|imm)))
		case 12: // movt
			f.set(rd, f.regs[rd].high(int64(w&15<<12|imm)))
		default:
			f.set(rd, trackedValue{})
		}
		return
	}
	v := int64(expandThumb(imm))
	switch op := w >> 5 & 15; {
	case rd == 15: // comparisons
	case op == 8:
		f.set(rd, f.regs[rn].plus(v))
	case op == 13:
		f.set(rd, f.regs[rn].plus(-v))
	case op == 2 && rn == 15: // mov
		f.set(rd, constant(v))
	default:
		f.set(rd, trackedValue{})
	}
}

// expandThumb is ThumbExpandImm (A6.3.2).
func expandThumb(imm uint32) uint32 {
	b := imm & 0xff
	switch imm >> 8 {
	case 0:
		return b
	case 1:
		return b<<16 | b
	case 2:
		return b<<24 | b<<8
	case 3:
		return b * 0x01010101
	}
	return bits.RotateLeft32(b|0x80, -int(imm>>7))
}

// thumbRegister is data processing with a register that is not shifted.
func (f *tracked) thumbRegister(w, x uint32, rn, rd int) {
	operand := trackedValue{}
	if x&0x70f0 == 0 {
		operand = f.regs[x&15]
	}
	switch op := w >> 5 & 15; {
	case rd == 15:
	case op == 8:
		f.add(rd, f.regs[rn], operand)
	case op == 13:
		f.sub(rd, f.regs[rn], operand)
	case op == 2 && rn == 15:
		f.set(rd, operand)
	default:
		f.set(rd, trackedValue{})
	}
}
