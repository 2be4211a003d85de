package x86

import "coredbg/walk/isa"

// A way is a way out of a function of x86.
type way struct{ *isa.Way }

// apply does to o what the instruction does to the stack. It reports false if
// the stack pointer is not known after it, or where a register came from.
func apply(o *isa.Way, code []byte) bool {
	decoded, ok := decode(code, o.Arch.RegSize() == 8)
	if !ok {
		return false
	}
	in := &decoded
	on := way{o}
	if o.Values == nil {
		return on.moveStack(in)
	}
	writes := on.evaluate(in, code[0])
	return o.Write(writes, on.moveStack(in))
}

// pushOrPop is moveStack for instructions that push or pop; is reports whether in is one.
func (o way) pushOrPop(in *insn) (ok, is bool) {
	word := int64(o.Arch.RegSize())
	rex := int(in.rex << 3 & 8)
	switch {
	case in.op >= 0x50 && in.op < 0x58:
		o.SP = o.SP.Plus(-word)
		o.Store(o.slot(in.op-0x50+rex), o.SP)
	case in.op >= 0x58 && in.op < 0x60:
		o.pop(in.op - 0x58 + rex)
		return in.op-0x58+rex != regSP, true
	case in.op == 0x68, in.op == 0x6a, in.op == 0x9c, in.op == 0xff && in.modrm>>3&7 == 6:
		o.SP = o.SP.Plus(-word)
	case in.op == 0x8f, in.op == 0x9d:
		o.SP = o.SP.Plus(word)
	case in.op == 0xc9: // leave
		if !o.FPKnown {
			return false, true
		}
		o.SP = o.FP
		o.pop(regBP)
	default:
		return false, false
	}
	return true, true
}

// moveStack is apply for effects on the stack that the instruction alone shows.
func (o way) moveStack(in *insn) bool {
	if ok, is := o.pushOrPop(in); is {
		return ok
	}
	switch {
	case in.op == 0xc8: // enter
		return false
	case (in.op == 0x81 || in.op == 0x83) && in.direct() && in.rm() == regSP:
		return o.adjust(in)
	case in.op == 0x89:
		return o.transfer(in, in.rm(), in.reg(), true)
	case in.op == 0x8b:
		return o.transfer(in, in.reg(), in.rm(), false)
	case in.op == 0x8d:
		return o.lea(in)
	// add, or, sub … but cmp; xchg
	case in.op < 0x40 && in.op&7 < 2 && in.op>>3 != 7 && in.direct(), in.op == 0x87 && in.direct():
		return in.rm() != regSP && (in.op != 0x87 || in.reg() != regSP)
	case in.op < 0x40 && in.op&7 < 4 && in.op&7 > 1 && in.op>>3 != 7:
		return in.reg() != regSP
	}
	return true
}

func (o way) slot(reg int) int {
	if o.Arch.RegSize() == 8 {
		return slots[reg]
	}
	return reg
}

func (o way) pop(reg int) {
	o.Load(o.slot(reg), o.SP)
	o.SP = o.SP.Plus(int64(o.Arch.RegSize()))
}

// adjust is arithmetic of the stack pointer with a constant.
func (o way) adjust(in *insn) bool {
	switch in.modrm >> 3 & 7 {
	case 0: // add
		o.SP = o.SP.Plus(in.imm)
	case 5: // sub
		o.SP = o.SP.Plus(-in.imm)
	case 7: // cmp
	default:
		return false
	}
	return true
}

// transfer is mov between registers, or between a register and the stack.
func (o way) transfer(in *insn, to, from int, store bool) bool {
	if !in.direct() {
		at, ok := o.place(in)
		whole := o.Arch.RegSize() == 4 || in.rex&8 != 0
		switch slot := o.slot(in.reg()); {
		case in.reg() == regSP && !store:
			return false
		case !o.Kept(slot):
		case store && ok && whole:
			o.Store(slot, at)
		case !store && ok && whole:
			o.Load(slot, at)
		case !store && slot == o.Arch.FP:
			o.FPKnown = false
		}
		return true
	}
	switch {
	case to == regSP && from == regBP && o.FPKnown:
		o.SP = o.FP
	case to == regSP:
		return false
	case to == regBP && from == regSP:
		o.FP, o.FPKnown = o.SP, true
	case to == regBP:
		o.FPKnown = false
	}
	return true
}

// place returns the place of a memory operand that is the stack or frame
// pointer and a displacement.
func (o way) place(in *insn) (isa.Place, bool) {
	switch {
	case in.direct():
	case in.modrm&7 == 4 && in.sib&^0xc0 == 0x24 && in.rex&3 == 0:
		return o.SP.Plus(in.disp), true
	case in.modrm&7 == 5 && in.modrm >= 0x40 && in.rex&1 == 0 && o.FPKnown:
		return o.FP.Plus(in.disp), true
	}
	return isa.Place{}, false
}

// lea is lea of or to the stack and frame pointers.
func (o way) lea(in *insn) bool {
	at, ok := o.place(in)
	switch {
	case in.reg() == regSP:
		o.SP = at
		return ok
	case in.reg() == regBP:
		o.FP, o.FPKnown = at, ok
	}
	return true
}
