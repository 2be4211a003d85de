package walk

import "math/bits"

// width returns the size of the operands in bytes.
func (in *x86Insn) width(long bool) int {
	switch {
	case in.rex&8 != 0:
		return 8
	case in.narrow:
		return 2
	}
	return 4
}

// An x86Values reads and writes what an instruction works on.
type x86Values struct {
	*wayOut
	in     *x86Insn
	size   int
	odd    bool // a prefix makes addresses what they do not seem
	writes []wayWrite
}

// evaluateX86 returns what the instruction writes to registers, and does what it does
// to memory and flags, but for push, pop and leave (Intel SDM volume 2). What it does
// not know makes unknown whatever it could write.
func (o *wayOut) evaluateX86(in *x86Insn, prefix byte) []wayWrite {
	e := &x86Values{wayOut: o, in: in, size: in.width(o.arch.PtrSize == 8)}
	switch prefix {
	case 0x64, 0x65, 0x67: // fs, gs, address size
		e.odd = true
	}
	if !e.stack() && !e.move() && !e.compute() && !e.passes() {
		o.values.forget()
	}
	return e.writes
}

func (e *x86Values) register(n int) wayNumber { return e.number(e.slotX86(n)) }

// set writes a register: 32 bits clear the others, fewer leave them.
func (e *x86Values) set(reg, size int, v wayNumber) {
	if size < 4 {
		v = wayNumber{}
	}
	v.n = truncated(v.n, size)
	e.writes = append(e.writes, wayWrite{e.slotX86(reg), v})
}

// address returns where the memory operand is.
func (e *x86Values) address() wayNumber {
	in := e.in
	sum := uint64(in.disp)
	add := func(reg int, scale uint) bool {
		v := e.register(reg)
		sum += v.n << scale
		return v.known
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
		if e.arch.PtrSize == 8 {
			sum += uint64(e.values.pc) + uint64(in.size)
		}
	default:
		known = add(in.rm(), 0) && known
	}
	return wayNumber{sum & uint64(e.arch.AddrMask()), known}
}

// operand reads the register or memory that ModRM names.
func (e *x86Values) operand(size int) wayNumber {
	switch {
	case !e.in.direct():
		return e.values.get(e.address(), size)
	case size == 1 && e.in.rex == 0 && e.in.rm() >= 4: // ah, ch, dh, bh
		return wayNumber{}
	}
	v := e.register(e.in.rm())
	v.n = truncated(v.n, size)
	return v
}

// setOperand writes the register or memory that ModRM names.
func (e *x86Values) setOperand(size int, v wayNumber) {
	switch {
	case !e.in.direct():
		e.values.put(e.address(), size, v)
	case size == 1:
		e.setByte(e.in.rm())
	default:
		e.set(e.in.rm(), size, v)
	}
}

// setByte writes the low byte of a register, or, without REX, also the byte above it.
func (e *x86Values) setByte(reg int) {
	if e.in.rex == 0 {
		reg &= 3
	}
	e.set(reg, 1, wayNumber{})
}

// stack knows what only the stack's own rules concern: of push what is not a register.
func (e *x86Values) stack() bool {
	in, word := e.in, e.arch.PtrSize
	top := numbered(e.number(e.arch.SP).n - uint64(word))
	switch {
	case in.op >= 0x50 && in.op < 0x60, in.op == 0xc9, in.op == 0x8f:
	case in.op == 0x68, in.op == 0x6a:
		e.values.put(top, word, numbered(uint64(in.imm)))
	case in.op == 0x9c:
		e.values.put(top, word, wayNumber{})
	case in.op == 0x9d:
		e.values.flags = wayFlags{}
	case in.op == 0xff && in.modrm>>3&7 == 6:
		e.values.put(top, word, e.operand(word))
	default:
		return false
	}
	return true
}

// move knows mov and its like, lea and cmov.
func (e *x86Values) move() bool {
	in := e.in
	imm := numbered(uint64(in.imm))
	switch op := in.op; {
	case op == 0x88:
		e.setOperand(1, wayNumber{})
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
	case op == 0x63 && e.arch.PtrSize == 8, op == 0x0fb6, op == 0x0fb7, op == 0x0fbe, op == 0x0fbf:
		e.extend()
	case op >= 0x0f40 && op < 0x0f50:
		v, other := e.operand(e.size), e.register(in.reg())
		switch taken, sure := e.values.flags.conditionX86(op & 15); {
		case !sure:
			v = wayNumber{}
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
func (e *x86Values) extend() {
	from := map[int]int{0x63: 4, 0x0fb6: 1, 0x0fbe: 1, 0x0fb7: 2, 0x0fbf: 2}[e.in.op]
	v := e.operand(from)
	if e.in.op != 0x0fb6 && e.in.op != 0x0fb7 {
		v.n = extended(v.n, from)
	}
	e.set(e.in.reg(), e.size, v)
}

// The operations of arithmetic, as ModRM has them.
const (
	x86Add = 0
	x86Or  = 1
	x86And = 4
	x86Sub = 5
	x86Xor = 6
	x86Cmp = 7
)

// compute knows arithmetic and shifts.
func (e *x86Values) compute() bool {
	in, group := e.in, int(e.in.modrm>>3&7)
	imm := numbered(uint64(in.imm))
	switch op := in.op; {
	case op < 0x40 && op&7 == 1:
		e.arithmetic(op>>3, e.operand(e.size), e.register(in.reg()), e.setOperand)
	case op < 0x40 && op&7 == 3:
		e.arithmetic(op>>3, e.register(in.reg()), e.operand(e.size), func(size int, v wayNumber) { e.set(in.reg(), size, v) })
	case op < 0x40 && op&7 == 5:
		e.arithmetic(op>>3, e.register(0), imm, func(size int, v wayNumber) { e.set(0, size, v) })
	case op == 0x81, op == 0x83:
		e.arithmetic(group, e.operand(e.size), imm, e.setOperand)
	case op == 0x85:
		e.test(e.register(in.reg()))
	case op == 0xf7 && group == 0:
		e.test(imm)
	case op == 0xa9:
		a := e.register(0)
		e.values.flags = logical(wayNumber{a.n & imm.n, a.known}, e.size)
	case op == 0xc1:
		e.shift(group, uint(in.imm))
	case op == 0xd1:
		e.shift(group, 1)
	case op == 0xff && group < 2:
		v := e.operand(e.size)
		v.n += 1 - 2*uint64(group)
		e.values.flags = wayFlags{}
		e.setOperand(e.size, v)
	default:
		return false
	}
	return true
}

// arithmetic writes the result of an operation.
func (e *x86Values) arithmetic(kind int, a, b wayNumber, set func(int, wayNumber)) {
	v := wayNumber{0, a.known && b.known}
	in := e.in
	if kind == x86Sub || kind == x86Xor {
		if in.op < 0x40 && in.op&7 != 5 && in.direct() && in.reg() == in.rm() {
			v.known = true // a register less itself
		}
	}
	switch kind {
	case x86Add:
		v.n = a.n + b.n
	case x86Or:
		v.n = a.n | b.n
	case x86And:
		v.n = a.n & b.n
	case x86Xor:
		v.n = a.n ^ b.n
	case x86Sub, x86Cmp:
		v.n = a.n - b.n
	default: // with carry
		v.known = false
	}
	switch kind {
	case x86Sub, x86Cmp:
		e.values.flags = difference(a, b, e.size)
	case x86Or, x86And, x86Xor:
		e.values.flags = logical(v, e.size)
	default:
		e.values.flags = wayFlags{}
	}
	if kind != x86Cmp {
		set(e.size, v)
	}
}

func (e *x86Values) test(b wayNumber) {
	a := e.operand(e.size)
	e.values.flags = logical(wayNumber{a.n & b.n, a.known && b.known}, e.size)
}

// shift is rol, ror, shl, shr and sar by a constant.
func (e *x86Values) shift(kind int, by uint) {
	v := e.operand(e.size)
	by &= uint(8*e.size) - 1
	switch kind {
	case 0:
		v.n, v.known = bits.RotateLeft64(v.n, int(by)), v.known && e.size == 8
	case 1:
		v.n, v.known = bits.RotateLeft64(v.n, -int(by)), v.known && e.size == 8
	case 4, 6:
		v.n <<= by
	case 5:
		v.n >>= by
	case 7:
		v.n = uint64(int64(extended(v.n, e.size)) >> by)
	default:
		v.known = false
	}
	e.values.flags = wayFlags{}
	e.setOperand(e.size, v)
}

// passes knows what writes no register or only few.
func (e *x86Values) passes() bool {
	in := e.in
	flags := wayFlags{}
	switch op := in.op; {
	case op == 0x84, op == 0xa8, op == 0xf6 && in.modrm>>3&7 == 0, op == 0x38, op == 0x3a, op == 0x3c, op == 0x80 && in.modrm>>3&7 == 7:
		// Comparisons of bytes.
	case op < 0x40 && op&7 == 0, op == 0x80, op == 0xfe: // arithmetic of bytes
		e.setOperand(1, wayNumber{})
	case op < 0x40 && op&7 == 2:
		e.setByte(in.reg())
	case op == 0xd3, op == 0xf7 && in.modrm>>3&7 < 4: // shifts by cl, not, neg
		e.setOperand(e.size, wayNumber{})
	case op == 0x69, op == 0x6b: // imul
		e.set(in.reg(), e.size, wayNumber{})
	case op == 0x90 && in.rex&1 == 0, op >= 0x70 && op < 0x80, op >= 0x0f80 && op < 0x0f90, op == 0xe9, op == 0xeb,
		op == 0xff && in.modrm>>3&7 == 4, op == 0x0f1f, op == 0x0f1e && in.direct(), op == 0x0f0d, op == 0x0f18:
		flags = e.values.flags // jumps, nop, endbr, prefetch
	case op >= 0x0f10 && op < 0x0f80, op >= 0x0fc2 && op < 0x0fc7, op >= 0x0fd0: // SSE, which also moves to registers
		e.set(in.reg(), 8, wayNumber{})
		if in.direct() {
			e.set(in.rm(), 8, wayNumber{})
		} else {
			e.values.put(e.address(), 16, wayNumber{})
		}
		e.notPlaces()
	default:
		return false
	}
	e.values.flags = flags
	return true
}

// notPlaces takes back that the stack and frame pointers are written: instructions of
// vectors have their numbers for other registers.
func (e *x86Values) notPlaces() {
	kept := e.writes[:0]
	for _, w := range e.writes {
		if w.slot != e.arch.SP && w.slot != e.arch.FP {
			kept = append(kept, w)
		}
	}
	e.writes = kept
}

// conditionX86 decides a condition by its number (Intel SDM volume 1, appendix B).
func (f wayFlags) conditionX86(number int) (holds, sure bool) {
	switch number >> 1 {
	case 0:
		holds = f.overflow
	case 1:
		holds = f.carry
	case 2:
		holds = f.zero
	case 3:
		holds = f.carry || f.zero
	case 4:
		holds = f.negative
	case 5: // parity
		return false, false
	case 6:
		holds = f.negative != f.overflow
	case 7:
		holds = f.zero || f.negative != f.overflow
	}
	return holds != (number&1 != 0), f.known
}

// decideX86 decides a conditional jump.
func decideX86(o *wayOut, code []byte) (taken, sure bool) {
	in, ok := decodeX86(code, o.arch.PtrSize == 8)
	if !ok || o.values == nil || in.op < 0x70 || in.op >= 0x80 && in.op < 0x0f80 {
		return false, false
	}
	return o.values.flags.conditionX86(in.op & 15)
}
