package track

import (
	"encoding/binary"

	"coredbg/core"
	"coredbg/walk/isa"
)

// trackerLoongArch follows code of LA64 (LoongArch Reference Manual, volume 1, 1.10:
// chapter 2 and appendix B, "Table of Instruction Encoding").
var trackerLoongArch = tracker{arch: core.LOONGARCH64, step: func(f *tracked, code []byte) isa.Control {
	if len(code) < 4 {
		return isa.Control{}
	}
	w := binary.LittleEndian.Uint32(code)
	f.loongArch(w)
	return controlLoongArch(w)
}}

// loongArch does what an instruction does to registers and the stack.
func (f *tracked) loongArch(w uint32) {
	rd, rj, rk := int(w&31), int(w>>5&31), int(w>>10&31)
	value := func(reg int) trackedValue {
		if reg == 0 {
			return constant(0)
		}
		return f.regs[reg]
	}
	set := func(v trackedValue) {
		if rd != 0 {
			f.set(rd, v)
		}
	}
	imm, imm14 := signedBits(w>>10, 12), signedBits(w>>10, 14)*4
	switch op := w >> 22; {
	case op == 0x0a || op == 0x0b || op == 0x0e || op>>4 == 0x04 || op>>3 == 0x0a || op>>3 == 0x0b:
		set(immediateLoongArch(w, value(rj), value(rd)))
	case op == 0xa7: // st.d
		f.putAt(value(rd), f.regs[rj].plus(imm))
	case op>>2 == 0x27: // stptr.d
		f.putAt(value(rd), f.regs[rj].plus(imm14))
	case op == 0xa3 && rd != 0: // ld.d
		f.load(rd, rj, imm)
	case op>>2 == 0x26 && rd != 0: // ldptr.d
		f.load(rd, rj, imm14)
	case w>>15 == 0x21 && rd != 0: // add.d
		f.add(rd, value(rj), value(rk))
	case w>>15 == 0x23 && rd != 0: // sub.d
		f.sub(rd, value(rj), value(rk))
	case w>>15 == 0x2a && (rj == 0 || rk == 0): // or; move
		set(value(rj | rk))
	case writesLoongArch(w):
		set(trackedValue{})
	}
}

// immediateLoongArch returns the result of an instruction with a constant in it; from is its operand, and old what
// the register had before.
func immediateLoongArch(w uint32, from, old trackedValue) trackedValue {
	imm := signedBits(w>>10, 12)
	switch op := w >> 22; {
	case op == 0x0a || op == 0x0b: // addi.w, addi.d
		if imm == 0 {
			return from
		}
		return from.plus(imm)
	case op == 0x0e: // ori
		if imm == 0 {
			return from
		}
		if from.kind == trackedConstant {
			return constant(from.n | int64(w>>10&0xfff))
		}
	case op>>4 == 0x04: // addu16i.d
		return from.plus(signedBits(w>>10, 16) << 16)
	case op>>3 == 0x0a: // lu12i.w
		return constant(signedBits(w>>5, 20) << 12)
	case op>>3 == 0x0b: // lu32i.d
		if old.kind == trackedConstant {
			return constant(signedBits(w>>5, 20)<<32 | old.n&(1<<32-1))
		}
	}
	return trackedValue{}
}

// writesLoongArch reports whether an instruction has a general register as its result.
func writesLoongArch(w uint32) bool {
	switch op := w >> 24; {
	case op == 0: // arithmetic, except break, dbcl and syscall
		return w>>17 != 0x15
	case op == 1: // movfr2gr, movfrh2gr, movfcsr2gr, movcf2gr
		return w>>10 >= 0x452d && w>>10 <= 0x452f || w>>10 == 0x4532 || w>>10 == 0x4537
	case op >= 2 && op <= 0x07, op >= 0x10 && op <= 0x24, op == 0x26: // immediate operands, ll, sc
		return true
	case op == 0x28, op == 0x2a: // loads, except preld
		return w>>22 != 0xab
	case op == 0x38: // ldx, atomics
		n := w >> 18 & 63
		return n <= 3 || n >= 8 && n <= 10 || n >= 0x14 && n <= 0x1b
	case op == 0x72, op == 0x76: // vpickve2gr, xvpickve2gr
		return w>>18 >= 0x1cbb && w>>18 <= 0x1cbd || w>>18 >= 0x1dbb && w>>18 <= 0x1dbd
	}
	return false
}

// controlLoongArch knows the jumps; one that links to ra is a call.
func controlLoongArch(w uint32) isa.Control {
	c := isa.Control{Kind: isa.Passes, Size: 4}
	rd, rj := w&31, w>>5&31
	switch op := w >> 26; op {
	case 0x10, 0x11, 0x12: // beqz, bnez, bceqz and bcnez
		c.Kind, c.Target = isa.Branches, signedBits(field(w, 10, 16, 2)|field(w, 0, 5, 18), 23)
	case 0x13: // jirl
		switch {
		case rd != 0:
			c.Kind = isa.Calls
		case rj == 1:
			c.Kind = isa.Returns
		default:
			c.Kind = isa.Indirect
		}
	case 0x14, 0x15: // b, bl
		c.Kind, c.Target = isa.Jumps, signedBits(field(w, 10, 16, 2)|field(w, 0, 10, 18), 28)
		if op == 0x15 {
			c.Kind = isa.Calls
		}
	case 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b: // beq, bne, blt, bge, bltu, bgeu
		c.Kind, c.Target = isa.Branches, signedBits(field(w, 10, 16, 2), 18)
		if rd == rj && (op == 0x16 || op == 0x19 || op == 0x1b) {
			c.Kind = isa.Jumps
		}
	case 0:
		if w>>15 == 0x54 || w == 0 { // break
			c.Kind = isa.Stops
		}
	}
	return c
}

// callLoongArch knows bl, pcaddu18i with jirl, and jirl.
func callLoongArch(code []byte) (to int64, direct, ok bool) {
	n := len(code)
	if n < 4 {
		return 0, false, false
	}
	w := binary.LittleEndian.Uint32(code[n-4:])
	switch c := controlLoongArch(w); {
	case c.Kind != isa.Calls:
		return 0, false, false
	case w>>26 == 0x15:
		return c.Target - 4, true, true
	case n >= 8:
		if hi := binary.LittleEndian.Uint32(code[n-8:]); hi>>25 == 0x0f && hi&31 == w>>5&31 {
			return signedBits(hi>>5, 20)<<18 + signedBits(field(w, 10, 16, 2), 18) - 8, true, true
		}
	}
	return 0, false, true
}
