package walk

// applyX86 does to o what the instruction does to the stack. It reports false if
// the stack pointer is not known after it, or where a register came from.
func applyX86(o *wayOut, code []byte) bool {
	decoded, ok := decodeX86(code, o.arch.PtrSize == 8)
	if !ok {
		return false
	}
	in := &decoded
	if o.values == nil {
		return o.moveStackX86(in)
	}
	writes := o.evaluateX86(in, code[0])
	return o.write(writes, o.moveStackX86(in))
}

// moveStackX86 is applyX86 for what the instruction says of the stack by itself.
func (o *wayOut) moveStackX86(in *x86Insn) bool {
	word := int64(o.arch.PtrSize)
	rex := int(in.rex << 3 & 8)
	switch {
	case in.op >= 0x50 && in.op < 0x58:
		o.sp = o.sp.plus(-word)
		o.store(o.slotX86(in.op-0x50+rex), o.sp)
	case in.op >= 0x58 && in.op < 0x60:
		o.popX86(in.op - 0x58 + rex)
		return in.op-0x58+rex != x86SP
	case in.op == 0x68, in.op == 0x6a, in.op == 0x9c, in.op == 0xff && in.modrm>>3&7 == 6:
		o.sp = o.sp.plus(-word)
	case in.op == 0x8f, in.op == 0x9d:
		o.sp = o.sp.plus(word)
	case in.op == 0xc9: // leave
		if !o.fpKnown {
			return false
		}
		o.sp = o.fp
		o.popX86(x86BP)
	case in.op == 0xc8: // enter
		return false
	case (in.op == 0x81 || in.op == 0x83) && in.direct() && in.rm() == x86SP:
		return o.arithmeticX86(in)
	case in.op == 0x89:
		return o.moveX86(in, in.rm(), in.reg(), true)
	case in.op == 0x8b:
		return o.moveX86(in, in.reg(), in.rm(), false)
	case in.op == 0x8d:
		return o.leaX86(in)
	case in.op < 0x40 && in.op&7 < 2 && in.op>>3 != 7 && in.direct(), in.op == 0x87 && in.direct(): // add, or, sub … but cmp; xchg
		return in.rm() != x86SP && (in.op != 0x87 || in.reg() != x86SP)
	case in.op < 0x40 && in.op&7 < 4 && in.op&7 > 1 && in.op>>3 != 7:
		return in.reg() != x86SP
	}
	return true
}

func (o *wayOut) slotX86(reg int) int {
	if o.arch.PtrSize == 8 {
		return slotX86[reg]
	}
	return reg
}

func (o *wayOut) popX86(reg int) {
	o.load(o.slotX86(reg), o.sp)
	o.sp = o.sp.plus(int64(o.arch.PtrSize))
}

// arithmeticX86 is arithmetic of the stack pointer with a constant.
func (o *wayOut) arithmeticX86(in *x86Insn) bool {
	switch in.modrm >> 3 & 7 {
	case 0: // add
		o.sp = o.sp.plus(in.imm)
	case 5: // sub
		o.sp = o.sp.plus(-in.imm)
	case 7: // cmp
	default:
		return false
	}
	return true
}

// moveX86 is mov between registers, or between a register and the stack.
func (o *wayOut) moveX86(in *x86Insn, to, from int, store bool) bool {
	if !in.direct() {
		at, ok := o.operandX86(in)
		whole := o.arch.PtrSize == 4 || in.rex&8 != 0
		switch slot := o.slotX86(in.reg()); {
		case in.reg() == x86SP && !store:
			return false
		case !o.kept(slot):
		case store && ok && whole:
			o.store(slot, at)
		case !store && ok && whole:
			o.load(slot, at)
		case !store && slot == o.arch.FP:
			o.fpKnown = false
		}
		return true
	}
	switch {
	case to == x86SP && from == x86BP && o.fpKnown:
		o.sp = o.fp
	case to == x86SP:
		return false
	case to == x86BP && from == x86SP:
		o.fp, o.fpKnown = o.sp, true
	case to == x86BP:
		o.fpKnown = false
	}
	return true
}

// operandX86 returns the place of a memory operand that is the stack or frame
// pointer and a displacement.
func (o *wayOut) operandX86(in *x86Insn) (stackPlace, bool) {
	switch {
	case in.direct():
	case in.modrm&7 == 4 && in.sib&^0xc0 == 0x24 && in.rex&3 == 0:
		return o.sp.plus(in.disp), true
	case in.modrm&7 == 5 && in.modrm >= 0x40 && in.rex&1 == 0 && o.fpKnown:
		return o.fp.plus(in.disp), true
	}
	return stackPlace{}, false
}

// leaX86 is lea of or to the stack and frame pointers.
func (o *wayOut) leaX86(in *x86Insn) bool {
	at, ok := o.operandX86(in)
	switch {
	case in.reg() == x86SP:
		o.sp = at
		return ok
	case in.reg() == x86BP:
		o.fp, o.fpKnown = at, ok
	}
	return true
}
