package track

import (
	"coredbg/core"
	"coredbg/walk/isa"
)

// trackerMIPS follows code of MIPS up to release 5 (MIPS Architecture for Programmers,
// volume II-A, 6.05), whose jumps have delay slots; MIPS16 and microMIPS are not known.
func trackerMIPS(arch *core.Arch) tracker {
	return tracker{arch: arch, delay: true, step: func(f *tracked, code []byte) isa.Control {
		if len(code) < 4 {
			return isa.Control{}
		}
		w := f.arch.Order.Uint32(code)
		f.mips(w)
		return controlMIPS(w)
	}}
}

// mips does what an instruction does to registers and the stack.
func (f *tracked) mips(w uint32) {
	rs, rt, rd := int(w>>21&31), int(w>>16&31), int(w>>11&31)
	imm := int64(int16(w))
	value := func(reg int) trackedValue {
		if reg == 0 {
			return constant(0)
		}
		return f.regs[reg]
	}
	set := func(reg int, v trackedValue) {
		if reg != 0 {
			f.set(reg, v)
		}
	}
	switch op := w >> 26; op {
	case 9, 25: // addiu, daddiu
		set(rt, value(rs).plus(imm))
	case 15: // lui
		set(rt, constant(imm<<16))
	case 13: // ori
		if v := value(rs); v.kind == trackedConstant {
			set(rt, constant(v.n|int64(uint16(w))))
		} else {
			set(rt, trackedValue{})
		}
	case 43, 63: // sw, sd
		if op == 63 || f.arch.PtrSize == 4 {
			f.store(rt, rs, imm)
		}
	case 35, 55: // lw, ld
		if rt != 0 {
			f.load(rt, rs, imm)
		}
	case 0:
		switch w & 63 {
		case 33, 45, 37: // addu, daddu, or; move
			switch {
			case rt == 0:
				set(rd, value(rs))
			case rs == 0:
				set(rd, value(rt))
			case w&63 == 37:
				set(rd, trackedValue{})
			default:
				f.add(rd, value(rs), value(rt))
			}
		case 35, 47: // subu, dsubu
			f.sub(rd, value(rs), value(rt))
		case 8, 12, 13, 17, 19, 24, 25, 26, 27, 28, 29, 30, 31, 52: // without a register as result
		case 9: // jalr, which is a call
		default:
			set(rd, trackedValue{})
		}
	case 8, 10, 11, 12, 14, 24, 32, 33, 34, 36, 37, 38, 39: // other arithmetic and loads
		set(rt, trackedValue{})
	}
}

// controlMIPS knows branches, calls and returns.
func controlMIPS(w uint32) isa.Control {
	c := isa.Control{Kind: isa.Passes, Size: 4}
	rs, rt := w>>21&31, w>>16&31
	relative := int64(int16(w))*4 + 4
	switch op := w >> 26; {
	case op == 0 && w&63 == 8: // jr
		if c.Kind = isa.Indirect; rs == 31 {
			c.Kind = isa.Returns
		}
	case op == 0 && w&63 == 9: // jalr
		if c.Kind = isa.Calls; rd(w) == 0 {
			c.Kind = isa.Indirect
		}
	case op == 3: // jal
		c.Kind = isa.Calls
	case op == 2: // j
		c.Kind = isa.Indirect
	case op == 1 && rt&0x1e == 0x10: // bltzal, bgezal; bal
		c.Kind = isa.Calls
	case op == 4 && rs == rt: // b
		c.Kind, c.Target = isa.Jumps, relative
	case op == 1 && rt < 4, op >= 4 && op <= 7, op >= 20 && op <= 23: // branches, also the likely ones
		c.Kind, c.Target = isa.Branches, relative
	case op == 17 && rs == 8, op == 18 && rs == 8: // bc1, bc2
		c.Kind, c.Target = isa.Branches, relative
	}
	return c
}

func rd(w uint32) uint32 { return w >> 11 & 31 }

// callMIPS knows jal, jalr and bal, before the instruction in the delay slot.
func callMIPS(arch *core.Arch) func(code []byte) (to int64, direct, ok bool) {
	return func(code []byte) (int64, bool, bool) {
		n := len(code)
		if n < 8 {
			return 0, false, false
		}
		w := arch.Order.Uint32(code[n-8:])
		if controlMIPS(w).Kind != isa.Calls {
			return 0, false, false
		}
		if w>>26 == 1 {
			return int64(int16(w))*4 - 4, true, true
		}
		return 0, false, true // jal's target is in the caller's region
	}
}
