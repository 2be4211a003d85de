package track

import (
	"coredbg/core"
	"coredbg/walk/isa"
)

// trackerPPC follows code of PowerPC of 32 and 64 bits (Power ISA 3.1, books I and
// III; instruction formats in book I, 1.6).
func trackerPPC(arch *core.Arch) tracker {
	return tracker{arch: arch, step: func(f *tracked, code []byte) isa.Control {
		if len(code) < 4 {
			return isa.Control{}
		}
		w := f.arch.Order.Uint32(code)
		f.ppc(w)
		return controlPPC(w)
	}}
}

// ppc does what an instruction does to registers and the stack.
func (f *tracked) ppc(w uint32) {
	rt, ra, rb := int(w>>21&31), int(w>>16&31), int(w>>11&31)
	imm := int64(int16(w))
	ds := imm &^ 3
	switch w >> 26 {
	case 14, 15: // addi, addis; li, lis
		if w>>26 == 15 {
			imm <<= 16
		}
		if ra == 0 {
			f.set(rt, constant(imm))
		} else {
			f.set(rt, f.regs[ra].plus(imm))
		}
	case 24, 25: // ori, oris
		v := int64(uint16(w))
		if w>>26 == 25 {
			v <<= 16
		}
		if f.regs[rt].kind == trackedConstant {
			f.set(ra, constant(f.regs[rt].n|v))
		} else if ra != rt {
			f.set(ra, trackedValue{})
		}
	case 36, 37: // stw, stwu
		if f.arch.PtrSize == 4 {
			f.storePPC(rt, ra, imm, w>>26 == 37)
		}
	case 47: // stmw
		for i := 0; rt+i < 32; i++ {
			f.store(rt+i, ra, imm+4*int64(i))
		}
	case 62: // std, stdu
		if w&2 == 0 {
			f.storePPC(rt, ra, ds, w&1 != 0)
		}
	case 32, 58: // lwz, ld
		if w>>26 == 58 {
			imm = ds
		}
		f.load(rt, ra, imm)
	case 46: // lmw
		for i := 0; rt+i < 32; i++ {
			f.load(rt+i, ra, imm+4*int64(i))
		}
	case 31:
		f.ppcX(w, rt, ra, rb)
	case 7, 8, 12, 13, 20, 21, 23, 26, 27, 28, 29, 30, 34, 40, 42: // other arithmetic and loads
		f.dull(rt)
		f.dull(ra)
	case 16, 18, 19:
		if w&1 != 0 {
			f.set(f.arch.LR, trackedValue{})
		}
	}
}

// storePPC is a store, which may update its base.
func (f *tracked) storePPC(rs, ra int, off int64, update bool) {
	f.store(rs, ra, off)
	if update {
		f.set(ra, f.regs[ra].plus(off))
	}
}

// ppcX is the instructions of primary opcode 31.
func (f *tracked) ppcX(w uint32, rt, ra, rb int) {
	const lrField = 8 << 16
	lr := f.arch.LR
	switch w >> 1 & 0x3ff {
	case 339: // mfspr
		v := trackedValue{}
		if w&0x1ff800 == lrField {
			v = f.regs[lr]
		}
		f.set(rt, v)
	case 467: // mtspr
		if w&0x1ff800 == lrField {
			f.set(lr, f.regs[rt])
		}
	case 444: // or; mr
		v := trackedValue{}
		if rt == rb {
			v = f.regs[rt]
		}
		f.set(ra, v)
	case 266: // add
		f.add(rt, f.regs[ra], f.regs[rb])
	case 40: // subf
		f.sub(rt, f.regs[rb], f.regs[ra])
	case 183, 181: // stwux, stdux
		if b := f.regs[rb]; b.kind == trackedConstant {
			f.storePPC(rt, ra, b.n, true)
		} else {
			f.set(ra, trackedValue{})
		}
	default:
		f.dull(rt)
		f.dull(ra)
	}
}

// controlPPC knows branches, calls and returns.
func controlPPC(w uint32) isa.Control {
	c := isa.Control{Kind: isa.Passes, Size: 4}
	switch w >> 26 {
	case 18: // b, bl
		c.Kind, c.Target = isa.Jumps, int64(int32(w<<6)>>6&^3)
		if w&1 != 0 {
			c.Kind = isa.Calls
		}
		if w&2 != 0 { // absolute
			c.Kind = isa.Indirect
		}
	case 16: // bc
		c.Kind, c.Target = isa.Branches, int64(int16(w&^3))
		switch {
		case w&0xfffffffd == 0x429f0005: // bcl 20,31,$+4: the address of the next one
			c.Kind = isa.Passes
		case w&1 != 0:
			c.Kind = isa.Calls
		}
	case 19:
		always := w>>21&0x14 == 0x14
		switch w >> 1 & 0x3ff {
		case 16: // bclr
			switch {
			case w&1 != 0:
				c.Kind = isa.Calls
			case always:
				c.Kind = isa.Returns
			}
		case 528, 560: // bcctr, bctar
			switch {
			case w&1 != 0:
				c.Kind = isa.Calls
			case always:
				c.Kind = isa.Indirect
			}
		}
	case 0:
		c.Kind = isa.Stops
	case 31:
		if w == 0x7fe00008 { // trap
			c.Kind = isa.Stops
		}
	}
	return c
}

// callPPC knows branches that set the link register, to an address and by a register.
func callPPC(arch *core.Arch) func(code []byte) (to int64, direct, ok bool) {
	return func(code []byte) (int64, bool, bool) {
		if len(code) < 4 {
			return 0, false, false
		}
		w := arch.Order.Uint32(code[len(code)-4:])
		switch c := controlPPC(w); {
		case c.Kind != isa.Calls:
			return 0, false, false
		case w>>26 == 18 && w&2 == 0:
			return c.Target - 4, true, true
		}
		return 0, false, true
	}
}
