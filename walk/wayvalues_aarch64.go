package walk

import (
	"math/bits"

	"coredbg/core"
)

// arm64Zero is the register number that is the stack pointer for some instructions and
// for others zero.
const arm64Zero = 31

// An arm64Values reads and writes what an instruction works on.
type arm64Values struct {
	*wayOut
	w      uint32
	size   int // of the operands in bytes
	writes []wayWrite
}

// evaluateARM64 returns what the instruction writes to registers, and does what it does
// to memory and flags (Arm ARM, chapter C4). What it does not know it takes to write
// the register that most instructions do.
func (o *wayOut) evaluateARM64(w uint32) []wayWrite {
	e := &arm64Values{wayOut: o, w: w, size: 4 + 4*int(w>>31)}
	if !e.immediate() && !e.registers() && !e.memory() && !e.control() {
		o.values.flags = wayFlags{}
		e.set(int(w&31), wayNumber{})
	}
	return e.writes
}

// x reads a register, of which 31 is zero; xsp one of which 31 is the stack pointer.
func (e *arm64Values) x(n int) wayNumber {
	if n == arm64Zero {
		return numbered(0)
	}
	return e.xsp(n)
}

func (e *arm64Values) xsp(n int) wayNumber {
	v := e.number(n)
	v.n = truncated(v.n, e.size)
	return v
}

// set writes a register, of which 31 is zero; setSP one of which 31 is the stack pointer.
func (e *arm64Values) set(n int, v wayNumber) {
	if n != arm64Zero {
		e.setSP(n, v)
	}
}

func (e *arm64Values) setSP(n int, v wayNumber) {
	v.n = truncated(v.n, e.size)
	e.writes = append(e.writes, wayWrite{n, v})
}

// immediate knows arithmetic, logic, moves and bit fields with constants.
func (e *arm64Values) immediate() bool {
	w := e.w
	rd, rn := int(w&31), int(w>>5&31)
	switch {
	case w&0x1f800000 == 0x11000000: // add, sub
		e.sum(rd, e.xsp(rn), numbered(uint64(immARM64(w))), true)
	case w&0x1f800000 == 0x12000000: // and, orr, eor, ands
		mask, ok := bitmaskARM64(w)
		e.logic(rd, e.x(rn), wayNumber{mask, ok}, true)
	case w&0x1f800000 == 0x12800000: // movn, movz, movk
		shift := w >> 21 & 3 * 16
		v := numbered(uint64(w>>5&0xffff) << shift)
		switch w >> 29 & 3 {
		case 0:
			v.n = ^v.n
		case 3:
			old := e.x(rd)
			v = wayNumber{old.n&^(0xffff<<shift) | v.n, old.known}
		}
		e.set(rd, v)
	case w&0x1f800000 == 0x13000000: // sbfm, bfm, ubfm
		e.bitField(rd, e.x(rn))
	case w&0x1f000000 == 0x10000000: // adr, adrp
		imm := int64(int32(w<<8)>>13)<<2 | int64(w>>29&3)
		at := e.values.pc
		if w>>31 != 0 {
			at, imm = at&^0xfff, imm<<12
		}
		e.size = 8
		e.set(rd, numbered(uint64(at.Add(imm))))
	default:
		return false
	}
	return true
}

// sum is add and sub; with sp the result goes to the stack pointer by number 31, unless
// flags are set.
func (e *arm64Values) sum(rd int, a, b wayNumber, sp bool) {
	v := wayNumber{a.n + b.n, a.known && b.known}
	flags := wayFlags{}
	if e.w>>30&1 != 0 {
		v.n, flags = a.n-b.n, difference(a, b, e.size)
	}
	if e.w>>29&1 != 0 {
		e.values.flags, sp = flags, false
	}
	e.result(rd, v, sp)
}

func (e *arm64Values) result(rd int, v wayNumber, sp bool) {
	if sp {
		e.setSP(rd, v)
	} else {
		e.set(rd, v)
	}
}

// logic is and, orr, eor and ands.
func (e *arm64Values) logic(rd int, a, b wayNumber, sp bool) {
	v := wayNumber{known: a.known && b.known}
	switch e.w >> 29 & 3 {
	case 0, 3:
		v.n = a.n & b.n
	case 1:
		v.n = a.n | b.n
	case 2:
		v.n = a.n ^ b.n
	}
	if e.w>>29&3 == 3 {
		e.values.flags, sp = logical(v, e.size), false
		e.values.flags.carry = true // as of a subtraction: the processor's is clear
	}
	e.result(rd, v, sp)
}

// bitmaskARM64 returns the constant of a logical instruction (Arm ARM: DecodeBitMasks).
func bitmaskARM64(w uint32) (mask uint64, ok bool) {
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
func (e *arm64Values) bitField(rd int, v wayNumber) {
	width := 8 * e.size
	right, top := int(e.w>>16&63), int(e.w>>10&63)
	if top >= right { // bits right to top, moved down
		v.n = v.n << (63 - top)
		right += 63 - top
	} else { // bits 0 to top, moved up
		v.n = v.n << (63 - top)
		right = 63 - top - (width - right)
	}
	switch e.w >> 29 & 3 {
	case 0:
		v.n = uint64(int64(v.n) >> right)
	case 2:
		v.n >>= right
	default: // bfm
		v.known = false
	}
	e.set(rd, v)
}

// registers knows arithmetic and logic of registers, and csel.
func (e *arm64Values) registers() bool {
	w := e.w
	rd, rn, rm := int(w&31), int(w>>5&31), int(w>>16&31)
	switch {
	case w&0x1f200000 == 0x0b000000: // add, sub
		e.sum(rd, e.x(rn), e.shifted(rm), false)
	case w&0x1fe00000 == 0x0b200000: // add, sub of a part of a register
		b := e.x(rm)
		size := 1 << (w >> 13 & 3)
		if b.n = truncated(b.n, min(size, 8)); w>>15&1 != 0 {
			b.n = extended(b.n, size)
		}
		b.n <<= w >> 10 & 7
		e.sum(rd, e.xsp(rn), b, true)
	case w&0x1f000000 == 0x0a000000: // and, orr, eor, ands; bic …
		b := e.shifted(rm)
		if w>>21&1 != 0 {
			b.n = ^b.n
		}
		e.logic(rd, e.x(rn), b, false)
	case w&0x7fe00c00 == 0x1a800000: // csel
		v, other := e.x(rn), e.x(rm)
		switch holds, sure := e.values.flags.conditionARM64(int(w >> 12 & 15)); {
		case !sure:
			v = wayNumber{}
		case !holds:
			v = other
		}
		e.set(rd, v)
	case w&0x3fe00000 == 0x3a400000: // ccmp, ccmn
		e.values.flags = wayFlags{}
	default:
		return false
	}
	return true
}

// shifted returns the second operand of arithmetic.
func (e *arm64Values) shifted(rm int) wayNumber {
	v := e.x(rm)
	by := e.w >> 10 & 63
	switch e.w >> 22 & 3 {
	case 0:
		v.n <<= by
	case 1:
		v.n >>= by
	case 2:
		v.n = uint64(int64(extended(v.n, e.size)) >> by)
	case 3: // ror
		v.known = v.known && by == 0
	}
	return v
}

// memory knows loads and stores. All but those of single general registers and pairs
// of them make unknown what they load.
func (e *arm64Values) memory() bool {
	w := e.w
	if w>>27&1 == 0 || w>>25&1 != 0 {
		return false
	}
	rt, rn := int(w&31), int(w>>5&31)
	vector := w>>26&1 != 0
	e.size = 8
	base := e.xsp(rn)
	at := func(off int64) wayNumber { return wayNumber{base.n + uint64(off), base.known} }
	switch {
	case w>>28&3 == 2: // ldp, stp
		off := int64(int32(w<<10)>>25) << pairScale(w)
		mode, where := w>>23&3, at(off)
		if mode == 1 {
			where = base
		}
		size := 1 << pairScale(w)
		e.access(rt, where, size, w>>22&1 != 0, !vector && w>>30 == 1, vector)
		where.n += uint64(size)
		e.access(int(w>>10&31), where, size, w>>22&1 != 0, !vector && w>>30 == 1, vector)
		if mode&1 != 0 {
			e.setSP(rn, at(off))
		}
	case w>>28&3 == 1: // ldr of a constant
		e.size = 8
		if !vector {
			e.set(rt, wayNumber{})
		}
	case w>>28&3 == 3:
		e.single(rt, base, vector)
	default: // exclusive, ordered
		e.set(rt, wayNumber{})
		e.set(int(w>>16&31), wayNumber{})
	}
	return true
}

// single is ldr and str of a register in all their forms.
func (e *arm64Values) single(rt int, base wayNumber, vector bool) {
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
		where.n += uint64(w>>10&0xfff) << scale
	case w>>21&1 != 0 && w>>10&3 == 2: // by a register
		index := e.x(int(w >> 16 & 31))
		if w>>13&3 == 2 {
			if index.n = truncated(index.n, 4); w>>15&1 != 0 {
				index.n = extended(index.n, 4)
			}
		}
		if w>>12&1 != 0 {
			index.n <<= scale
		}
		where = wayNumber{base.n + index.n, base.known && index.known}
	case w>>21&1 != 0: // atomic
		e.set(rt, wayNumber{})
		return
	default:
		where.n += uint64(off)
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
func (e *arm64Values) access(reg int, at wayNumber, size int, load, signed, vector bool) {
	switch {
	case vector && !load:
		e.values.put(at, size, wayNumber{})
	case vector:
	case !load:
		e.values.put(at, size, e.x(reg))
	default:
		v := e.values.get(at, size)
		if signed {
			v.n = extended(v.n, size)
		}
		e.set(reg, v)
	}
}

// control knows branches, returns, hints and vectors, which write no register that
// matters: a signature is taken off at the end.
func (e *arm64Values) control() bool {
	w := e.w
	switch {
	case w>>26&7 == 5: // branches, exceptions, hints; but mrs
		return w&0xfff00000 != 0xd5300000
	case w>>25&7 == 7: // vectors and floating point
		e.values.flags = wayFlags{}
		return w&0x5f20fc00 != 0x1e200000 && w&0xbfe08400 != 0x0e000400 // but moves to general registers
	}
	return false
}

// conditionARM64 decides a condition by its number (Arm ARM C1.2.4). The carry of the
// processor is set by a subtraction that does not borrow.
func (f wayFlags) conditionARM64(number int) (holds, sure bool) {
	switch number >> 1 {
	case 0:
		holds = f.zero
	case 1:
		holds = !f.carry
	case 2:
		holds = f.negative
	case 3:
		holds = f.overflow
	case 4:
		holds = !f.carry && !f.zero
	case 5:
		holds = f.negative == f.overflow
	case 6:
		holds = !f.zero && f.negative == f.overflow
	case 7:
		return true, true
	}
	return holds != (number&1 != 0), f.known
}

// decideARM64 decides b.cond, cbz, cbnz, tbz and tbnz.
func decideARM64(o *wayOut, code []byte) (taken, sure bool) {
	if len(code) < 4 || o.values == nil {
		return false, false
	}
	w := core.ARM64.Order.Uint32(code)
	if w>>24 == 0x54 {
		return o.values.flags.conditionARM64(int(w & 15))
	}
	v := wayNumber{known: true}
	if w&31 != arm64Zero {
		v = o.number(int(w & 31))
	}
	if w>>25&0x3f == 0x1b {
		v.n &= 1 << (w>>31<<5 | w>>19&31)
	} else if w>>31 == 0 {
		v.n = truncated(v.n, 4)
	}
	return (v.n == 0) != (w>>24&1 != 0), v.known
}
