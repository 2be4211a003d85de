package x86

import (
	"math/bits"

	"coredbg/walk/isa"
)

// width returns the size of the operands in bytes.
func (in *insn) width(long bool) int {
	switch {
	case in.rex&8 != 0:
		return 8
	case in.narrow:
		return 2
	}
	return 4
}

// values read and write what an instruction works on.
type values struct {
	way
	in     *insn
	size   int
	odd    bool // a prefix makes addresses what they do not seem
	writes []isa.Write
}

// evaluate returns the instruction's writes to registers, and applies its effects on memory and flags,
// except for push, pop and leave (Intel SDM volume 2). An unknown instruction makes unknown whatever it
// could write.
func (o way) evaluate(in *insn, prefix byte) []isa.Write {
	e := &values{way: o, in: in, size: in.width(o.Arch.RegSize() == 8)}
	switch prefix {
	case 0x64, 0x65, 0x67: // fs, gs, address size
		e.odd = true
	}
	if !e.stack() && !e.move() && !e.compute() && !e.passes() {
		o.Values.Forget()
	}
	return e.writes
}

func (e *values) register(n int) isa.Number { return e.Number(e.slot(n)) }

// set writes a register: 32 bits clear the others, fewer leave them.
func (e *values) set(reg, size int, v isa.Number) {
	if size < 4 {
		v = isa.Number{}
	}
	v.N = isa.Truncated(v.N, size)
	e.writes = append(e.writes, isa.Write{Slot: e.slot(reg), Value: v})
}

// address returns where the memory operand is.
func (e *values) address() isa.Number {
	in := e.in
	sum := uint64(in.disp)
	add := func(reg int, scale uint) bool {
		v := e.register(reg)
		sum += v.N << scale
		return v.Known
	}
	known := !e.odd
	switch base := int(in.modrm & 7); {
	case base == 4:
		if index := int(in.sib>>3&7 | in.rex<<2&8); index != 4 {
			known = add(index, uint(in.sib>>6)) && known
		}
		if in.sib&7 != 5 || in.modrm >= 0x40 {
			known = add(int(in.sib&7|in.rex<<3&8), 0) && known
		}
	case base == 5 && in.modrm < 0x40:
		if e.Arch.RegSize() == 8 {
			sum += uint64(e.Values.PC) + uint64(in.size)
		}
	default:
		known = add(in.rm(), 0) && known
	}
	return isa.Number{N: sum & uint64(e.Arch.AddrMask()), Known: known}
}

// operand reads the register or memory that ModRM names.
func (e *values) operand(size int) isa.Number {
	switch {
	case !e.in.direct():
		return e.Values.Get(e.address(), size)
	case size == 1 && e.in.rex == 0 && e.in.rm() >= 4: // ah, ch, dh, bh
		return isa.Number{}
	}
	v := e.register(e.in.rm())
	v.N = isa.Truncated(v.N, size)
	return v
}

// setOperand writes the register or memory that ModRM names.
func (e *values) setOperand(size int, v isa.Number) {
	switch {
	case !e.in.direct():
		e.Values.Put(e.address(), size, v)
	case size == 1:
		e.setByte(e.in.rm())
	default:
		e.set(e.in.rm(), size, v)
	}
}

// setByte writes the low byte of a register, or, without REX, also the byte above it.
func (e *values) setByte(reg int) {
	if e.in.rex == 0 {
		reg &= 3
	}
	e.set(reg, 1, isa.Number{})
}

// stack knows what only the stack's own rules concern: of push what is not a register.
func (e *values) stack() bool {
	in, word := e.in, e.Arch.RegSize()
	top := isa.Numbered(e.Number(e.Arch.SP).N - uint64(word))
	switch {
	case in.op >= 0x50 && in.op < 0x60, in.op == 0xc9, in.op == 0x8f:
	case in.op == 0x68, in.op == 0x6a:
		e.Values.Put(top, word, isa.Numbered(uint64(in.imm)))
	case in.op == 0x9c:
		e.Values.Put(top, word, isa.Number{})
	case in.op == 0x9d:
		e.Values.Flags = isa.Flags{}
	case in.op == 0xff && in.modrm>>3&7 == 6:
		e.Values.Put(top, word, e.operand(word))
	default:
		return false
	}
	return true
}

// move knows mov and its like, lea and cmov.
func (e *values) move() bool {
	in := e.in
	imm := isa.Numbered(uint64(in.imm))
	switch op := in.op; {
	case op == 0x88:
		e.setOperand(1, isa.Number{})
	case op == 0x89:
		e.setOperand(e.size, e.register(in.reg()))
	case op == 0x8a:
		e.setByte(in.reg())
	case op == 0x8b:
		e.set(in.reg(), e.size, e.operand(e.size))
	case op == 0x8d:
		e.odd = false
		e.set(in.reg(), e.size, e.address())
	case op == 0xc6:
		e.setOperand(1, imm)
	case op == 0xc7:
		e.setOperand(e.size, imm)
	case op >= 0xb0 && op < 0xb8:
		e.setByte(op - 0xb0 + int(in.rex<<3&8))
	case op >= 0xb8 && op < 0xc0:
		e.set(op-0xb8+int(in.rex<<3&8), e.size, imm)
	case op == 0x63 && e.Arch.RegSize() == 8, op == 0x0fb6, op == 0x0fb7, op == 0x0fbe, op == 0x0fbf:
		e.extend()
	case op >= 0x0f40 && op < 0x0f50:
		v, other := e.operand(e.size), e.register(in.reg())
		switch taken, sure := condition(e.Values.Flags, op&15); {
		case !sure:
			v = isa.Number{}
		case !taken:
			v = other
		}
		e.set(in.reg(), e.size, v)
	default:
		return false
	}
	return true
}

// extend is movsxd, movzx and movsx.
func (e *values) extend() {
	from := map[int]int{0x63: 4, 0x0fb6: 1, 0x0fbe: 1, 0x0fb7: 2, 0x0fbf: 2}[e.in.op]
	v := e.operand(from)
	if e.in.op != 0x0fb6 && e.in.op != 0x0fb7 {
		v.N = isa.Extended(v.N, from)
	}
	e.set(e.in.reg(), e.size, v)
}

// The operations of arithmetic, as ModRM has them.
const (
	opAdd = 0
	opOr  = 1
	opAnd = 4
	opSub = 5
	opXor = 6
	opCmp = 7
)

// compute knows arithmetic and shifts.
func (e *values) compute() bool {
	in, group := e.in, int(e.in.modrm>>3&7)
	imm := isa.Numbered(uint64(in.imm))
	switch op := in.op; {
	case op < 0x40 && op&7 == 1:
		e.arithmetic(op>>3, e.operand(e.size), e.register(in.reg()), e.setOperand)
	case op < 0x40 && op&7 == 3:
		e.arithmetic(op>>3, e.register(in.reg()), e.operand(e.size),
			func(size int, v isa.Number) { e.set(in.reg(), size, v) })
	case op < 0x40 && op&7 == 5:
		e.arithmetic(op>>3, e.register(0), imm, func(size int, v isa.Number) { e.set(0, size, v) })
	case op == 0x81, op == 0x83:
		e.arithmetic(group, e.operand(e.size), imm, e.setOperand)
	case op == 0x85:
		e.test(e.register(in.reg()))
	case op == 0xf7 && group == 0:
		e.test(imm)
	case op == 0xa9:
		a := e.register(0)
		e.Values.Flags = isa.Logical(isa.Number{N: a.N & imm.N, Known: a.Known}, e.size)
	case op == 0xc1:
		e.shift(group, uint(in.imm))
	case op == 0xd1:
		e.shift(group, 1)
	case op == 0xff && group < 2:
		v := e.operand(e.size)
		v.N += 1 - 2*uint64(group)
		e.Values.Flags = isa.Flags{}
		e.setOperand(e.size, v)
	default:
		return false
	}
	return true
}

// arithmetic writes the result of an operation.
func (e *values) arithmetic(kind int, a, b isa.Number, set func(int, isa.Number)) {
	v := isa.Number{N: 0, Known: a.Known && b.Known}
	in := e.in
	if kind == opSub || kind == opXor {
		if in.op < 0x40 && in.op&7 != 5 && in.direct() && in.reg() == in.rm() {
			v.Known = true // a register less itself
		}
	}
	switch kind {
	case opAdd:
		v.N = a.N + b.N
	case opOr:
		v.N = a.N | b.N
	case opAnd:
		v.N = a.N & b.N
	case opXor:
		v.N = a.N ^ b.N
	case opSub, opCmp:
		v.N = a.N - b.N
	default: // with carry
		v.Known = false
	}
	switch kind {
	case opSub, opCmp:
		e.Values.Flags = isa.Difference(a, b, e.size)
	case opOr, opAnd, opXor:
		e.Values.Flags = isa.Logical(v, e.size)
	default:
		e.Values.Flags = isa.Flags{}
	}
	if kind != opCmp {
		set(e.size, v)
	}
}

func (e *values) test(b isa.Number) {
	a := e.operand(e.size)
	e.Values.Flags = isa.Logical(isa.Number{N: a.N & b.N, Known: a.Known && b.Known}, e.size)
}

// shift is rol, ror, shl, shr and sar by a constant.
func (e *values) shift(kind int, by uint) {
	v := e.operand(e.size)
	by &= uint(8*e.size) - 1
	switch kind {
	case 0:
		v.N, v.Known = bits.RotateLeft64(v.N, int(by)), v.Known && e.size == 8
	case 1:
		v.N, v.Known = bits.RotateLeft64(v.N, -int(by)), v.Known && e.size == 8
	case 4, 6:
		v.N <<= by
	case 5:
		v.N >>= by
	case 7:
		v.N = uint64(int64(isa.Extended(v.N, e.size)) >> by)
	default:
		v.Known = false
	}
	e.Values.Flags = isa.Flags{}
	e.setOperand(e.size, v)
}

// passes knows what writes no register or only few.
func (e *values) passes() bool {
	in := e.in
	flags := isa.Flags{}
	switch op := in.op; {
	case op == 0x84, op == 0xa8, op == 0xf6 && in.modrm>>3&7 == 0, op == 0x38, op == 0x3a, op == 0x3c, op == 0x80 &&
		in.modrm>>3&7 == 7:
		// Comparisons of bytes.
	case op < 0x40 && op&7 == 0, op == 0x80, op == 0xfe: // arithmetic of bytes
		e.setOperand(1, isa.Number{})
	case op < 0x40 && op&7 == 2:
		e.setByte(in.reg())
	case op == 0xd3, op == 0xf7 && in.modrm>>3&7 < 4: // shifts by cl, not, neg
		e.setOperand(e.size, isa.Number{})
	case op == 0x69, op == 0x6b: // imul
		e.set(in.reg(), e.size, isa.Number{})
	case op == 0x90 && in.rex&1 == 0, op >= 0x70 && op < 0x80, op >= 0x0f80 && op < 0x0f90, op == 0xe9, op == 0xeb,
		op == 0xff && in.modrm>>3&7 == 4, op == 0x0f1f, op == 0x0f1e && in.direct(), op == 0x0f0d, op == 0x0f18:
		flags = e.Values.Flags // jumps, nop, endbr, prefetch
	case op >= 0x0f10 && op < 0x0f80, op >= 0x0fc2 && op < 0x0fc7, op >= 0x0fd0: // SSE, which also moves to registers
		e.set(in.reg(), 8, isa.Number{})
		if in.direct() {
			e.set(in.rm(), 8, isa.Number{})
		} else {
			e.Values.Put(e.address(), 16, isa.Number{})
		}
		e.notPlaces()
	default:
		return false
	}
	e.Values.Flags = flags
	return true
}

// notPlaces takes back that the stack and frame pointers are written: instructions of
// vectors have their numbers for other registers.
func (e *values) notPlaces() {
	kept := e.writes[:0]
	for _, w := range e.writes {
		if w.Slot != e.Arch.SP && w.Slot != e.Arch.FP {
			kept = append(kept, w)
		}
	}
	e.writes = kept
}

// condition decides a condition by its number (Intel SDM volume 1, appendix B).
func condition(f isa.Flags, number int) (holds, sure bool) {
	switch number >> 1 {
	case 0:
		holds = f.Overflow
	case 1:
		holds = f.Carry
	case 2:
		holds = f.Zero
	case 3:
		holds = f.Carry || f.Zero
	case 4:
		holds = f.Negative
	case 5: // parity
		return false, false
	case 6:
		holds = f.Negative != f.Overflow
	case 7:
		holds = f.Zero || f.Negative != f.Overflow
	}
	return holds != (number&1 != 0), f.Known
}

// decide decides a conditional jump.
func decide(o *isa.Way, code []byte) (taken, sure bool) {
	in, ok := decode(code, o.Arch.RegSize() == 8)
	if !ok || o.Values == nil || in.op < 0x70 || in.op >= 0x80 && in.op < 0x0f80 {
		return false, false
	}
	return condition(o.Values.Flags, in.op&15)
}
