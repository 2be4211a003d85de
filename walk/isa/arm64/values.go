package arm64

import (
	"math/bits"

	"coredbg/core"
	"coredbg/walk/isa"
)

// regZero is the register number that is the stack pointer for some instructions and
// for others zero.
const regZero = 31

// values read and write what an instruction works on.
type values struct {
	way
	w      uint32
	size   int // of the operands in bytes
	writes []isa.Write
}

// evaluate returns the instruction's writes to registers, and applies its effects on memory and flags
// (Arm ARM, chapter C4). An unknown instruction is taken to write the register that most instructions
// write.
func (o way) evaluate(w uint32) []isa.Write {
	e := &values{way: o, w: w, size: 4 + 4*int(w>>31)}
	if !e.immediate() && !e.registers() && !e.memory() && !e.control() {
		o.Values.Flags = isa.Flags{}
		e.set(int(w&31), isa.Number{})
	}
	return e.writes
}

// x reads a register; number 31 is zero. In xsp, 31 is the stack pointer.
func (e *values) x(n int) isa.Number {
	if n == regZero {
		return isa.Numbered(0)
	}
	return e.xsp(n)
}

func (e *values) xsp(n int) isa.Number {
	v := e.Number(n)
	v.N = isa.Truncated(v.N, e.size)
	return v
}

// set writes a register; number 31 is zero. In setSP, 31 is the stack pointer.
func (e *values) set(n int, v isa.Number) {
	if n != regZero {
		e.setSP(n, v)
	}
}

func (e *values) setSP(n int, v isa.Number) {
	v.N = isa.Truncated(v.N, e.size)
	e.writes = append(e.writes, isa.Write{Slot: n, Value: v})
}

// immediate knows arithmetic, logic, moves and bit fields with constants.
func (e *values) immediate() bool {
	w := e.w
	rd, rn := int(w&31), int(w>>5&31)
	switch {
	case w&0x1f800000 == 0x11000000: // add, sub
		e.sum(rd, e.xsp(rn), isa.Numbered(uint64(immediateOf(w))), true)
	case w&0x1f800000 == 0x12000000: // and, orr, eor, ands
		mask, ok := bitmask(w)
		e.logic(rd, e.x(rn), isa.Number{N: mask, Known: ok}, true)
	case w&0x1f800000 == 0x12800000: // movn, movz, movk
		shift := w >> 21 & 3 * 16
		v := isa.Numbered(uint64(w>>5&0xffff) << shift)
		switch w >> 29 & 3 {
		case 0:
			v.N = ^v.N
		case 3:
			old := e.x(rd)
			v = isa.Number{N: old.N&^(0xffff<<shift) | v.N, Known: old.Known}
		}
		e.set(rd, v)
	case w&0x1f800000 == 0x13000000: // sbfm, bfm, ubfm
		e.bitField(rd, e.x(rn))
	case w&0x1f000000 == 0x10000000: // adr, adrp
		imm := int64(int32(w<<8)>>13)<<2 | int64(w>>29&3)
		at := e.Values.PC
		if w>>31 != 0 {
			at, imm = at&^0xfff, imm<<12
		}
		e.size = 8
		e.set(rd, isa.Numbered(uint64(at.Add(imm))))
	default:
		return false
	}
	return true
}

// sum is add and sub; with sp the result goes to the stack pointer by number 31, unless
// flags are set.
func (e *values) sum(rd int, a, b isa.Number, sp bool) {
	v := isa.Number{N: a.N + b.N, Known: a.Known && b.Known}
	flags := isa.Flags{}
	if e.w>>30&1 != 0 {
		v.N, flags = a.N-b.N, isa.Difference(a, b, e.size)
	}
	if e.w>>29&1 != 0 {
		e.Values.Flags, sp = flags, false
	}
	e.result(rd, v, sp)
}

func (e *values) result(rd int, v isa.Number, sp bool) {
	if sp {
		e.setSP(rd, v)
	} else {
		e.set(rd, v)
	}
}

// logic is and, orr, eor and ands.
func (e *values) logic(rd int, a, b isa.Number, sp bool) {
	v := isa.Number{Known: a.Known && b.Known}
	switch e.w >> 29 & 3 {
	case 0, 3:
		v.N = a.N & b.N
	case 1:
		v.N = a.N | b.N
	case 2:
		v.N = a.N ^ b.N
	}
	if e.w>>29&3 == 3 {
		e.Values.Flags, sp = isa.Logical(v, e.size), false
		e.Values.Flags.Carry = true // as of a subtraction: the processor's is clear
	}
	e.result(rd, v, sp)
}

// bitmask returns the constant of a logical instruction (Arm ARM: DecodeBitMasks).
func bitmask(w uint32) (mask uint64, ok bool) {
	n, immr, imms := w>>22&1, int(w>>16&63), int(w>>10&63)
	length := bits.Len32(n<<6|uint32(^imms)&63) - 1
	if length < 1 {
		return 0, false
	}
	size := 1 << length
	ones, turn := imms&(size-1)+1, immr&(size-1)
	mask = 1<<ones - 1
	all := ^uint64(0) >> (64 - size)
	mask = (mask>>turn | mask<<(size-turn)) & all
	for ; size < 64; size *= 2 {
		mask |= mask << size
	}
	return mask, ones < 1<<length
}

// bitField is the shifts by constants: asr, lsr, lsl, and the extensions.
func (e *values) bitField(rd int, v isa.Number) {
	width := 8 * e.size
	right, top := int(e.w>>16&63), int(e.w>>10&63)
	if top >= right { // bits right to top, moved down
		v.N = v.N << (63 - top)
		right += 63 - top
	} else { // bits 0 to top, moved up
		v.N = v.N << (63 - top)
		right = 63 - top - (width - right)
	}
	switch e.w >> 29 & 3 {
	case 0:
		v.N = uint64(int64(v.N) >> right)
	case 2:
		v.N >>= right
	default: // bfm
		v.Known = false
	}
	e.set(rd, v)
}

// registers knows arithmetic and logic of registers, and csel.
func (e *values) registers() bool {
	w := e.w
	rd, rn, rm := int(w&31), int(w>>5&31), int(w>>16&31)
	switch {
	case w&0x1f200000 == 0x0b000000: // add, sub
		e.sum(rd, e.x(rn), e.shifted(rm), false)
	case w&0x1fe00000 == 0x0b200000: // add, sub of a part of a register
		b := e.x(rm)
		size := 1 << (w >> 13 & 3)
		if b.N = isa.Truncated(b.N, min(size, 8)); w>>15&1 != 0 {
			b.N = isa.Extended(b.N, size)
		}
		b.N <<= w >> 10 & 7
		e.sum(rd, e.xsp(rn), b, true)
	case w&0x1f000000 == 0x0a000000: // and, orr, eor, ands; bic …
		b := e.shifted(rm)
		if w>>21&1 != 0 {
			b.N = ^b.N
		}
		e.logic(rd, e.x(rn), b, false)
	case w&0x7fe00c00 == 0x1a800000: // csel
		v, other := e.x(rn), e.x(rm)
		switch holds, sure := condition(e.Values.Flags, int(w>>12&15)); {
		case !sure:
			v = isa.Number{}
		case !holds:
			v = other
		}
		e.set(rd, v)
	case w&0x3fe00000 == 0x3a400000: // ccmp, ccmn
		e.Values.Flags = isa.Flags{}
	default:
		return false
	}
	return true
}

// shifted returns the second operand of arithmetic.
func (e *values) shifted(rm int) isa.Number {
	v := e.x(rm)
	by := e.w >> 10 & 63
	switch e.w >> 22 & 3 {
	case 0:
		v.N <<= by
	case 1:
		v.N >>= by
	case 2:
		v.N = uint64(int64(isa.Extended(v.N, e.size)) >> by)
	case 3: // ror
		v.Known = v.Known && by == 0
	}
	return v
}

// memory knows loads and stores. It knows the values that single general registers and pairs of them
// load; other loads make their registers unknown.
func (e *values) memory() bool {
	w := e.w
	if w>>27&1 == 0 || w>>25&1 != 0 {
		return false
	}
	rt, rn := int(w&31), int(w>>5&31)
	vector := w>>26&1 != 0
	e.size = 8
	base := e.xsp(rn)
	at := func(off int64) isa.Number { return isa.Number{N: base.N + uint64(off), Known: base.Known} }
	switch {
	case w>>28&3 == 2: // ldp, stp
		off := int64(int32(w<<10)>>25) << pairScale(w)
		mode, where := w>>23&3, at(off)
		if mode == 1 {
			where = base
		}
		size := 1 << pairScale(w)
		e.access(rt, where, size, w>>22&1 != 0, !vector && w>>30 == 1, vector)
		where.N += uint64(size)
		e.access(int(w>>10&31), where, size, w>>22&1 != 0, !vector && w>>30 == 1, vector)
		if mode&1 != 0 {
			e.setSP(rn, at(off))
		}
	case w>>28&3 == 1: // ldr of a constant
		e.size = 8
		if !vector {
			e.set(rt, isa.Number{})
		}
	case w>>28&3 == 3:
		e.single(rt, base, vector)
	default: // exclusive, ordered
		e.set(rt, isa.Number{})
		e.set(int(w>>16&31), isa.Number{})
	}
	return true
}

// single is ldr and str of a register in all their forms.
func (e *values) single(rt int, base isa.Number, vector bool) {
	w := e.w
	scale, op := w>>30, w>>22&3
	if vector && op > 1 {
		scale += 4
	}
	load, signed := op != 0, op > 1
	if vector {
		load, signed = op&1 != 0, false
	}
	where := base
	switch off := int64(int32(w<<11) >> 23); {
	case w>>24&1 != 0:
		where.N += uint64(w>>10&0xfff) << scale
	case w>>21&1 != 0 && w>>10&3 == 2: // by a register
		index := e.x(int(w >> 16 & 31))
		if w>>13&3 == 2 {
			if index.N = isa.Truncated(index.N, 4); w>>15&1 != 0 {
				index.N = isa.Extended(index.N, 4)
			}
		}
		if w>>12&1 != 0 {
			index.N <<= scale
		}
		where = isa.Number{N: base.N + index.N, Known: base.Known && index.Known}
	case w>>21&1 != 0: // atomic
		e.set(rt, isa.Number{})
		return
	default:
		where.N += uint64(off)
		if w>>10&1 != 0 {
			e.setSP(int(w>>5&31), where)
		}
		if w>>10&3 == 1 { // post-index
			where = base
		}
	}
	switch {
	case !vector && scale == 3 && op == 2: // prfm
		return
	case signed && op == 3:
		e.size = 4
	}
	e.access(rt, where, 1<<scale, load, signed, vector)
}

// access is a load or a store.
func (e *values) access(reg int, at isa.Number, size int, load, signed, vector bool) {
	switch {
	case vector && !load:
		e.Values.Put(at, size, isa.Number{})
	case vector:
	case !load:
		e.Values.Put(at, size, e.x(reg))
	default:
		v := e.Values.Get(at, size)
		if signed {
			v.N = isa.Extended(v.N, size)
		}
		e.set(reg, v)
	}
}

// control knows branches, returns, hints and vectors, which write no register that
// matters: a signature is taken off at the end.
func (e *values) control() bool {
	w := e.w
	switch {
	case w>>26&7 == 5: // branches, exceptions, hints; but mrs
		return w&0xfff00000 != 0xd5300000
	case w>>25&7 == 7: // vectors and floating point
		e.Values.Flags = isa.Flags{}
		return w&0x5f20fc00 != 0x1e200000 && w&0xbfe08400 != 0x0e000400 // but moves to general registers
	}
	return false
}

// condition decides a condition by its number (Arm ARM C1.2.4). The carry of the
// processor is set by a subtraction that does not borrow.
func condition(f isa.Flags, number int) (holds, sure bool) {
	switch number >> 1 {
	case 0:
		holds = f.Zero
	case 1:
		holds = !f.Carry
	case 2:
		holds = f.Negative
	case 3:
		holds = f.Overflow
	case 4:
		holds = !f.Carry && !f.Zero
	case 5:
		holds = f.Negative == f.Overflow
	case 6:
		holds = !f.Zero && f.Negative == f.Overflow
	case 7:
		return true, true
	}
	return holds != (number&1 != 0), f.Known
}

// decide decides b.cond, cbz, cbnz, tbz and tbnz.
func decide(o *isa.Way, code []byte) (taken, sure bool) {
	if len(code) < 4 || o.Values == nil {
		return false, false
	}
	w := core.ARM64.Order.Uint32(code)
	if w>>24 == 0x54 {
		return condition(o.Values.Flags, int(w&15))
	}
	v := isa.Number{Known: true}
	if w&31 != regZero {
		v = o.Number(int(w & 31))
	}
	if w>>25&0x3f == 0x1b {
		v.N &= 1 << (w>>31<<5 | w>>19&31)
	} else if w>>31 == 0 {
		v.N = isa.Truncated(v.N, 4)
	}
	return (v.N == 0) != (w>>24&1 != 0), v.Known
}
