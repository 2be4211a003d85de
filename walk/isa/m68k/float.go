package m68k

// coprocessor is the instructions of the floating-point unit, and move16.
func coprocessor(in *insn, r *reader) {
	switch unit, kind := in.op>>9&7, in.op>>6&7; {
	case in.op&0xffe0 == 0xf620:
		r.skip(2)
	case in.op&0xffe0 == 0xf600:
		r.skip(4)
	case unit == 2: // cinv, cpush, pflush
	case unit != 1:
		r.Bad = true
	case kind == 0:
		float(in, r)
	case kind == 1: // fdbcc, ftrapcc, fscc
		r.skip(2)
		switch mode, reg := in.op>>3&7, in.op&7; {
		case mode == 1:
			in.from.disp = int64(int16(r.U16()))
			in.change(int(reg))
		case mode == 7 && reg >= 2:
			r.skip([8]int{2: 2, 3: 4}[reg])
		default:
			in.from = r.operand(in.op, 1)
			in.change(in.from.register())
		}
	case kind == 2: // fbcc
		in.from.disp = int64(int16(r.U16()))
	case kind == 3:
		in.from.disp = r.long()
	default: // fsave, frestore: the size depends on the processor
		in.from = r.operand(in.op, 4)
		if (in.from.mode == 3 || in.from.mode == 4) && in.from.reg == 7 {
			r.Bad = true
		}
	}
}

// floats are the bytes of a floating-point operand by its format.
var floats = [8]int{4, 4, 12, 12, 2, 8, 1, 0}

// float is an operation of the floating-point unit.
func float(in *insn, r *reader) {
	in.ext = r.U16()
	bytes := floats[in.ext>>10&7]
	switch in.ext >> 13 {
	case 0: // between registers
		return
	case 2:
		if in.ext>>10&7 == 7 { // fmovecr
			return
		}
	case 3:
		if in.ext>>10&7 == 7 { // a packed number, its factor in a register
			bytes = 12
		}
	case 4, 5: // control registers
		n := 0
		for b := in.ext >> 10 & 7; b != 0; b &= b - 1 {
			n++
		}
		bytes = 4 * n
	case 6, 7: // fmovem
		n := 0
		for b := in.ext & 0xff; b != 0; b &= b - 1 {
			n++
		}
		bytes = 12 * n
		if in.ext>>11&1 != 0 && in.op>>3&7 > 2 && in.op>>3&7 < 5 && in.op&7 == 7 { // which are in a register
			r.Bad = true
		}
	default:
		r.Bad = true
		return
	}
	in.from = r.operand(in.op, bytes)
	in.change(in.from.register())
}
