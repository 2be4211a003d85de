package track

import (
	"encoding/binary"

	"coredbg/core"
	"coredbg/walk/isa"
)

// trackerRISCV follows code of RV64GC (The RISC-V Instruction Set Manual, volume I,
// 20191213: chapters 16, "C", and 24, "RV32/64G Instruction Set Listings").
var trackerRISCV = tracker{arch: core.RISCV64, step: func(f *tracked, code []byte) isa.Control {
	switch {
	case len(code) >= 2 && code[0]&3 != 3:
		w := uint32(binary.LittleEndian.Uint16(code))
		f.riscvShort(w)
		return controlRISCVShort(w)
	case len(code) >= 4:
		w := binary.LittleEndian.Uint32(code)
		f.riscv(w)
		return controlRISCV(w)
	}
	return isa.Control{}
}}

// field returns the n bits of w from one on, at another place.
func field(w uint32, from, n, to uint) uint32 { return w >> from & (1<<n - 1) << to }

// signedBits returns the low n bits of v as a number with a sign.
func signedBits(v uint32, n uint) int64 { return int64(int32(v<<(32-n)) >> (32 - n)) }

func (f *tracked) riscv(w uint32) {
	rd, f3, rs1, rs2, f7 := int(w>>7&31), w>>12&7, int(w>>15&31), int(w>>20&31), w>>25
	imm := int64(int32(w) >> 20)
	set := func(v trackedValue) {
		if rd != 0 {
			f.set(rd, v)
		}
	}
	a, b := f.regs[rs1], f.regs[rs2]
	if rs1 == 0 {
		a = constant(0)
	}
	if rs2 == 0 {
		b = constant(0)
	}
	switch op := w & 0x7f; {
	case (op == 0x13 || op == 0x1b) && f3 == 0: // addi, addiw
		if imm == 0 && op == 0x13 { // mv
			set(a)
		} else {
			set(a.plus(imm))
		}
	case op == 0x23: // sd
		if f3 == 3 {
			f.store(rs2, rs1, signedBits(w>>7&31|w>>25<<5, 12))
		}
	case op == 0x03 && f3 == 3: // ld
		if rd != 0 {
			f.load(rd, rs1, imm)
		}
	case op == 0x37: // lui
		set(constant(int64(int32(w &^ 0xfff))))
	case op == 0x33 && f3 == 0 && f7 == 0: // add
		f.add(rd, a, b)
	case op == 0x33 && f3 == 0 && f7 == 0x20: // sub
		f.sub(rd, a, b)
	case op == 0x03, op == 0x13, op == 0x17, op == 0x1b, op == 0x2f, op == 0x33, op == 0x3b, op == 0x67,
		op == 0x6f, op == 0x73:
		set(trackedValue{})
	}
}

func (f *tracked) riscvShort(w uint32) {
	rd, rs2 := int(w>>7&31), int(w>>2&31)
	imm := signedBits(field(w, 2, 5, 0)|field(w, 12, 1, 5), 6)
	switch op := w&3<<3 | w>>13; {
	case op == 0<<3: // c.addi4spn
		f.set(int(w>>2&7)+8, f.regs[2].plus(int64(field(w, 11, 2, 4)|field(w, 7, 4, 6)|field(w, 6, 1, 2)|
			field(w, 5, 1, 3))))
	case op == 0<<3|7: // c.sd
		f.store(int(w>>2&7)+8, int(w>>7&7)+8, int64(field(w, 10, 3, 3)|field(w, 5, 2, 6)))
	case op == 0<<3|3: // c.ld
		f.load(int(w>>2&7)+8, int(w>>7&7)+8, int64(field(w, 10, 3, 3)|field(w, 5, 2, 6)))
	case op == 1<<3: // c.addi
		f.set(rd, f.regs[rd].plus(imm))
	case op == 1<<3|1: // c.addiw
		f.dull(rd)
	case op == 1<<3|2: // c.li
		f.set(rd, constant(imm))
	case op == 1<<3|3 && rd == 2: // c.addi16sp
		f.set(2, f.regs[2].plus(signedBits(field(w, 12, 1, 9)|field(w, 6, 1, 4)|field(w, 5, 1, 6)|field(w, 3, 2, 7)|
			field(w, 2, 1, 5), 10)))
	case op == 1<<3|3: // c.lui
		f.set(rd, constant(imm<<12))
	case op == 1<<3|4: // arithmetic
		f.set(int(w>>7&7)+8, trackedValue{})
	case op == 2<<3: // c.slli
		f.set(rd, trackedValue{})
	case op == 2<<3|3: // c.ldsp
		f.load(rd, 2, int64(field(w, 12, 1, 5)|field(w, 5, 2, 3)|field(w, 2, 3, 6)))
	case op == 2<<3|7: // c.sdsp
		f.store(rs2, 2, int64(field(w, 10, 3, 3)|field(w, 7, 3, 6)))
	case op == 2<<3|4 && rs2 != 0 && w>>12&1 == 0: // c.mv
		f.set(rd, f.regs[rs2])
	case op == 2<<3|4 && rs2 != 0: // c.add
		f.add(rd, f.regs[rd], f.regs[rs2])
	case op == 2<<3|4 && w>>12&1 != 0: // c.jalr
		f.set(1, trackedValue{})
	case op == 0<<3|2, op == 2<<3|2: // c.lw, c.lwsp
		f.dull(rd)
	}
}

// controlRISCV knows the jumps of 32 bits; a jump that links to ra or t0 is a call.
func controlRISCV(w uint32) isa.Control {
	c := isa.Control{Kind: isa.Passes, Size: 4}
	rd, rs1 := w>>7&31, w>>15&31
	switch w & 0x7f {
	case 0x6f: // jal
		c.Kind, c.Target = isa.Jumps, signedBits(field(w, 31, 1, 20)|field(w, 12, 8, 12)|field(w, 20, 1, 11)|
			field(w, 21, 10, 1), 21)
		if rd != 0 {
			c.Kind = isa.Calls
		}
	case 0x67: // jalr
		switch {
		case rd != 0:
			c.Kind = isa.Calls
		case rs1 == 1:
			c.Kind = isa.Returns
		default:
			c.Kind = isa.Indirect
		}
	case 0x63:
		c.Kind, c.Target = isa.Branches, signedBits(field(w, 31, 1, 12)|field(w, 7, 1, 11)|field(w, 25, 6, 5)|
			field(w, 8, 4, 1), 13)
	case 0x73:
		if w == 0x00100073 { // ebreak
			c.Kind = isa.Stops
		}
	}
	return c
}

// controlRISCVShort is the control of instructions of 16 bits.
func controlRISCVShort(w uint32) isa.Control {
	c := isa.Control{Kind: isa.Passes, Size: 2}
	rd, rs2 := w>>7&31, w>>2&31
	switch w&3<<3 | w>>13 {
	case 1<<3 | 5: // c.j
		c.Kind = isa.Jumps
		c.Target = signedBits(field(w, 12, 1, 11)|field(w, 11, 1, 4)|field(w, 9, 2, 8)|field(w, 8, 1, 10)|
			field(w, 7, 1, 6)|
			field(w, 6, 1, 7)|field(w, 3, 3, 1)|field(w, 2, 1, 5), 12)
	case 1<<3 | 6, 1<<3 | 7: // c.beqz, c.bnez
		c.Kind, c.Target = isa.Branches, signedBits(field(w, 12, 1, 8)|field(w, 10, 2, 3)|field(w, 5, 2, 6)|
			field(w, 3, 2, 1)|field(w, 2, 1, 5), 9)
	case 2<<3 | 4:
		switch {
		case w == 0x9002: // c.ebreak
			c.Kind = isa.Stops
		case rs2 != 0:
		case w>>12&1 != 0: // c.jalr
			c.Kind = isa.Calls
		case rd == 1:
			c.Kind = isa.Returns
		case rd != 0:
			c.Kind = isa.Indirect
		}
	case 0:
		if w == 0 {
			c.Kind = isa.Stops
		}
	}
	return c
}

// callRISCV knows jal, auipc with jalr, jalr and c.jalr.
func callRISCV(code []byte) (to int64, direct, ok bool) {
	n := len(code)
	if n >= 4 && code[n-4]&3 == 3 {
		w := binary.LittleEndian.Uint32(code[n-4:])
		switch c := controlRISCV(w); {
		case c.Kind != isa.Calls:
		case w&0x7f == 0x6f:
			return c.Target - 4, true, true
		default:
			if n >= 8 {
				hi := binary.LittleEndian.Uint32(code[n-8:])
				if hi&0x7f == 0x17 && hi>>7&31 == w>>15&31 {
					return int64(int32(hi&^0xfff)) + int64(int32(w)>>20) - 8, true, true
				}
			}
			return 0, false, true
		}
	}
	return 0, false, n >= 2 && controlRISCVShort(uint32(binary.LittleEndian.Uint16(code[n-2:]))).Kind == isa.Calls
}
