package m68k

import (
	"math/bits"

	"coredbg/walk/isa"
)

// A way is a way through a function of m68k.
type way struct{ *isa.Way }

// apply does to o what the instruction does to the stack. It reports false if the stack
// pointer is not known after it.
func apply(o *isa.Way, code []byte) bool {
	in, ok := decode(code)
	return ok && way{o}.step(&in)
}

func (o way) step(in *insn) bool {
	switch op := in.op; {
	case op>>12 >= 1 && op>>12 <= 3:
		return o.move(in)
	case op&0xfb80 == 0x4880 && in.from.used && in.from.mode != 0:
		return o.movem(in)
	case op&0xfff8 == 0x4e50, op&0xfff8 == 0x4808:
		return o.link(in)
	case op&0xfff8 == 0x4e58:
		return o.unlink(in)
	case op&0xffc0 == 0x4840 && in.from.used && in.from.mode > 1: // pea
		o.SP = o.SP.Plus(-4)
		return true
	case op&0xf1c0 == 0x41c0 && in.from.mode > 1:
		at, ok := o.place(&in.from)
		return o.address(8+in.reg9(), at, ok)
	case op>>12 == 5 && in.from.register() == regSP && op>>6&3 != 3:
		n := int64((in.reg9()+7)&7 + 1)
		if op>>8&1 != 0 {
			n = -n
		}
		o.SP = o.SP.Plus(n)
		return true
	case (op>>12 == 9 || op>>12 == 0xd) && op>>6&3 == 3: // suba, adda
		return o.sum(in)
	}
	o.counted(&in.from)
	return o.changed(in.writes)
}

// changed forgets registers; it reports false if the stack pointer is one of them.
func (o way) changed(writes uint32) bool {
	for ; writes != 0; writes &= writes - 1 {
		o.lose(bits.TrailingZeros32(writes) & 15)
	}
	return writes>>regSP&1 == 0
}

// lose makes what a register holds unknown.
func (o way) lose(slot int) {
	if slot == regFP {
		o.FPKnown = false
	}
	if slot != regSP {
		o.Regs[slot] = isa.Held{Kind: isa.Other}
		if v := o.Values; v != nil {
			v.Regs.Forget(slot)
		}
	}
}

// counted does what an operand does to a register that it counts up or down: the stack
// pointer stays even.
func (o way) counted(op *operand) {
	if !op.used || op.mode != 3 && op.mode != 4 {
		return
	}
	n := int64(op.bytes)
	if op.reg == 7 && n == 1 {
		n = 2
	}
	if op.mode == 4 {
		n = -n
	}
	if op.reg == 7 {
		o.SP = o.SP.Plus(n)
	} else {
		o.lose(8 + op.reg)
	}
}

// place returns the place of an operand that is the stack or frame pointer and a
// displacement.
func (o way) place(op *operand) (isa.Place, bool) {
	disp := int64(0)
	switch op.mode {
	case 2, 3:
	case 4:
		disp = -int64(op.bytes)
	case 5:
		disp = op.disp
	default:
		return isa.Place{}, false
	}
	switch {
	case op.reg == 7:
		return o.SP.Plus(disp), true
	case op.reg == 6 && o.FPKnown:
		return o.FP.Plus(disp), true
	}
	return isa.Place{}, false
}

// move is move and movea.
func (o way) move(in *insn) bool {
	from, to := in.from.register(), in.to.register()
	switch {
	case to < 0 && from < 0: // between places, or a number
		o.counted(&in.from)
		o.counted(&in.to)
	case to < 0:
		at, ok := o.place(&in.to)
		o.counted(&in.to)
		if ok && in.to.bytes == 4 && from != regSP {
			o.Store(from, at)
		}
	case from < 0:
		at, ok := o.place(&in.from)
		o.counted(&in.from)
		if to == regSP {
			return false
		}
		o.loaded(to, at, ok && in.from.bytes == 4)
	case from == regSP && in.from.bytes == 4:
		return o.address(to, o.SP, true)
	case from == regFP && in.from.bytes == 4:
		return o.address(to, o.FP, o.FPKnown)
	default:
		o.lose(to)
		return to != regSP
	}
	return true
}

// loaded is a register that is loaded, from a place if that is known.
func (o way) loaded(slot int, at isa.Place, known bool) {
	if o.lose(slot); known && o.Kept(slot) {
		o.Load(slot, at)
	}
}

// address puts a place into a register.
func (o way) address(slot int, at isa.Place, known bool) bool {
	switch slot {
	case regSP:
		if known {
			o.SP = at
		}
		return known
	case regFP:
		o.lose(slot)
		o.FP, o.FPKnown = at, known
	default:
		o.lose(slot)
	}
	return true
}

// movem is movem: in a register list for counting down, bit 0 is the last register.
func (o way) movem(in *insn) bool {
	toRegs := in.op>>10&1 != 0
	at, ok := o.place(&in.from)
	size := int64(in.from.bytes)
	n := int64(bits.OnesCount16(in.ext))
	list := in.ext
	whole := in.from
	whole.bytes = int(n * size)
	if in.from.mode == 4 {
		list = bits.Reverse16(list)
		at = at.Plus(size - n*size)
	}
	o.counted(&whole)
	for i := range 16 {
		switch {
		case list>>i&1 == 0:
			continue
		case !toRegs && ok && size == 4 && i != regSP:
			o.Store(i, at)
		case toRegs && i == regSP:
			return false
		case toRegs:
			o.loaded(i, at, ok && size == 4)
		}
		at = at.Plus(size)
	}
	return true
}

func (o way) link(in *insn) bool {
	slot := 8 + int(in.op&7)
	o.SP = o.SP.Plus(-4)
	if slot != regSP {
		o.Store(slot, o.SP)
		o.address(slot, o.SP, true)
	}
	o.SP = o.SP.Plus(in.from.disp)
	return true
}

func (o way) unlink(in *insn) bool {
	if in.op&7 != 6 || !o.FPKnown {
		o.lose(8 + int(in.op&7))
		return false
	}
	o.SP = o.FP
	o.loaded(regFP, o.SP, true)
	o.SP = o.SP.Plus(4)
	return true
}

// sum is suba and adda.
func (o way) sum(in *insn) bool {
	slot := 8 + in.reg9()
	o.counted(&in.from)
	n := in.from.disp
	if in.op>>12 == 9 {
		n = -n
	}
	switch {
	case slot == regSP && in.from.immediate():
		o.SP = o.SP.Plus(n)
	case slot == regSP:
		return false
	case slot == regFP && in.from.immediate():
		o.FP = o.FP.Plus(n)
	default:
		o.lose(slot)
	}
	return true
}
