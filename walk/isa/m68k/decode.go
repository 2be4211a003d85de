package m68k

import (
	"encoding/binary"

	"coredbg/core"
)

// The slots of the registers that matter for frames. d0 to d7 and a0 to a7 have the slots
// 0 to 15, as instructions number them.
const (
	regFP = 14
	regSP = 15
)

// An insn is an instruction, as far as it says something of the stack.
type insn struct {
	size int    // bytes
	op   uint16 // the first word
	ext  uint16 // the second one, where the operation has one
	from operand
	to   operand // of move only
	// writes has bit i set if the register in slot i changes in a way that op does not show: by
	// arithmetic, or by a load.
	writes uint32
}

// An operand is an effective address.
type operand struct {
	used  bool
	mode  int   // 0 to 7
	reg   int   // 0 to 7; of mode 7 which of its kinds
	disp  int64 // bytes from the register, the address, or the immediate value
	bytes int   // how many are there
}

// register returns the slot of an operand that is a register, else -1.
func (o *operand) register() int {
	if o.used && o.mode < 2 {
		return o.mode*8 + o.reg
	}
	return -1
}

// immediate reports whether the operand is a number.
func (o *operand) immediate() bool { return o.used && o.mode == 7 && o.reg == 4 }

// A reader takes the words of an instruction. It is also bad if there is no such instruction.
type reader struct{ core.Buf }

// long takes a signed number of two words.
func (r *reader) long() int64 { return int64(int32(r.U32())) }

// skip passes n bytes.
func (r *reader) skip(n int) { r.Bytes(uint64(n)) }

// operand takes the words of an effective address of the given size.
func (r *reader) operand(field uint16, bytes int) operand {
	o := operand{used: true, mode: int(field >> 3 & 7), reg: int(field & 7), bytes: bytes}
	switch kind := o.mode*8 + o.reg; {
	case o.mode < 5:
	case o.mode == 5, kind == 070, kind == 072:
		o.disp = int64(int16(r.U16()))
	case o.mode == 6, kind == 073:
		r.index()
	case kind == 071:
		o.disp = r.long()
	case kind == 074 && bytes <= 2:
		o.disp = int64(int16(r.U16()))
	case kind == 074 && bytes == 4:
		o.disp = r.long()
	case kind == 074:
		r.skip(bytes)
	default:
		r.Bad = true
	}
	return o
}

// index takes the words of an address with an index, which may have displacements of
// its own (M68000PM/AD, 2.1, "brief" and "full" extension words).
func (r *reader) index() {
	w := r.U16()
	if w>>8&1 == 0 {
		return
	}
	sizes := [4]int{0, 0, 2, 4}
	r.skip(sizes[w>>4&3])
	if w&7 != 0 {
		r.skip(sizes[w&3])
	}
}

// sized are the bytes of an operand by the two bits that most instructions have.
var sized = [4]int{1, 2, 4, 0}

// decode decodes the instruction that code begins with.
func decode(code []byte) (insn, bool) {
	r := &reader{core.Buf{Data: code, Order: binary.BigEndian}}
	in := insn{op: r.U16()}
	if r.Bad {
		return in, false
	}
	groups[in.op>>12](&in, r)
	in.size = r.Off
	return in, !r.Bad
}

// groups decode the instructions by their first four bits.
var groups = [16]func(in *insn, r *reader){immediates, move, move, move, miscellaneous, quick, branch, moveQuick,
	arithmetic, arithmetic, moveThree, arithmetic, arithmetic, arithmetic, shift, coprocessor}

// change marks a register that is an operand, or that in.op has in bits 9 to 11.
func (in *insn) change(slot int) {
	if slot >= 0 {
		in.writes |= 1 << uint(slot)
	}
}

func (in *insn) reg9() int { return int(in.op >> 9 & 7) }

// immediates are operations with a number or on a bit, movep, moves, cas.
func immediates(in *insn, r *reader) {
	size := in.op >> 6 & 3
	switch {
	case in.op>>8&1 != 0 && in.op>>3&7 == 1: // movep
		r.skip(2)
		in.change(in.reg9())
		return
	case in.op>>8&1 != 0: // a bit, by a register
		in.from = r.operand(in.op, 1)
	case in.op>>8 == 8: // a bit, by a number
		r.skip(2)
		in.from = r.operand(in.op, 1)
	case in.op == 0x0cfc, in.op == 0x0efc: // cas2
		r.skip(4)
		in.writes |= 0xff
		return
	case size == 3 && in.op>>8 == 6: // callm, rtm
		r.Bad = true
		return
	case size == 3: // cmp2, chk2, cas
		in.writes |= 1 << (r.U16() & 7)
		in.from = r.operand(in.op, 1)
	case in.op>>8 == 0x0e: // moves
		in.change(int(r.U16() >> 12))
		in.from = r.operand(in.op, sized[size])
	default:
		r.skip(max(2, sized[size]))
		if in.op&0x3f != 0x3c { // but to ccr and sr
			in.from = r.operand(in.op, sized[size])
		}
	}
	if in.from.mode == 0 && in.from.used {
		in.change(in.from.register())
	}
}

// move is move and movea.
func move(in *insn, r *reader) {
	bytes := [4]int{0, 1, 4, 2}[in.op>>12]
	in.from = r.operand(in.op, bytes)
	in.to = r.operand(in.op>>9&7|in.op>>6&7<<3, bytes)
}

// miscellaneous is the group of instructions that belong to no other.
func miscellaneous(in *insn, r *reader) {
	size, mode := in.op>>6&3, in.op>>3&7
	switch {
	case in.op&0xff80 == 0x4880 && mode != 0, in.op&0xff80 == 0x4c80: // movem
		in.ext = r.U16()
		in.from = r.operand(in.op, []int{2, 4}[in.op>>6&1])
	case in.op&0xf1c0 == 0x41c0 && mode != 0: // lea
		in.from = r.operand(in.op, 4)
	case in.op&0xfe00 == 0x4e00 && size < 2: // trap, link, …
		system(in, r)
	case in.op&0xff80 == 0x4e80: // jsr, jmp
		in.from = r.operand(in.op, 4)
	case in.op&0xfff8 == 0x4808: // link.l
		in.from = operand{used: true, mode: 7, reg: 4, disp: r.long()}
	case in.op&0xfff8 == 0x4848, in.op == 0x4afc, in.op == 0x4ac8, in.op == 0x4acc: // bkpt, illegal, halt, pulse
	case in.op&0xffc0 == 0x4840 && mode != 0: // pea
		in.from = r.operand(in.op, 4)
	case in.op&0xff80 == 0x4c00: // mul.l, div.l
		w := r.U16()
		in.writes |= 1<<(w&7) | 1<<(w>>12&7)
		in.from = r.operand(in.op, 4)
	case in.op>>8&1 != 0: // chk, extb
		in.from = r.operand(in.op, [2]int{4, 2}[in.op>>7&1])
		in.change(in.from.register())
	case size == 3: // moves of sr and ccr, tas, ext
		in.from = r.operand(in.op, 2)
		in.change(in.from.register())
	default: // negx, clr, neg, not, nbcd, swap, ext, tst
		in.from = r.operand(in.op, sized[size])
		in.change(in.from.register())
	}
}

// system are the instructions from 0x4e40 on.
func system(in *insn, r *reader) {
	switch {
	case in.op>>4 == 0x4e4: // trap
		in.writes = 1 // what a system call returns
	case in.op&0xfff8 == 0x4e50: // link
		in.from = operand{used: true, mode: 7, reg: 4, disp: int64(int16(r.U16()))}
	case in.op&0xfff8 == 0x4e58: // unlk
	case in.op&0xfff8 == 0x4e68: // move from usp
		in.change(8 + int(in.op&7))
	case in.op&0xfff8 == 0x4e60: // to it
	case in.op == 0x4e72: // stop
		r.skip(2)
	case in.op == 0x4e74: // rtd
		in.from = operand{used: true, mode: 7, reg: 4, disp: int64(int16(r.U16()))}
	case in.op == 0x4e7a, in.op == 0x4e7b: // movec
		if w := r.U16(); in.op == 0x4e7a {
			in.change(int(w >> 12))
		}
	case in.op >= 0x4e70 && in.op <= 0x4e77: // reset, nop, rte, rts, trapv, rtr
	default:
		r.Bad = true
	}
}

// quick is addq, subq, and conditional instructions.
func quick(in *insn, r *reader) {
	size, mode, reg := in.op>>6&3, in.op>>3&7, in.op&7
	switch {
	case size != 3:
		in.from = r.operand(in.op, sized[size])
	case mode == 1: // dbcc
		in.from.disp = int64(int16(r.U16()))
		in.change(int(reg))
		return
	case mode == 7 && reg >= 2: // trapcc
		r.skip([8]int{2: 2, 3: 4}[reg])
		r.Bad = r.Bad || reg > 4
		return
	default: // scc
		in.from = r.operand(in.op, 1)
	}
	if in.from.register() != regSP {
		in.change(in.from.register())
	}
}

// branch is bra, bsr and bcc; the displacement is from after the first word.
func branch(in *insn, r *reader) {
	in.from.disp = int64(int8(in.op))
	switch in.op & 0xff {
	case 0:
		in.from.disp = int64(int16(r.U16()))
	case 0xff:
		in.from.disp = r.long()
	}
}

// moveQuick is moveq, and mvs and mvz of ColdFire.
func moveQuick(in *insn, r *reader) {
	in.change(in.reg9())
	if in.op>>8&1 != 0 {
		in.from = r.operand(in.op, [2]int{1, 2}[in.op>>6&1])
	}
}

// moveThree is mov3q of ColdFire.
func moveThree(in *insn, r *reader) {
	if in.op&0xf1c0 != 0xa140 {
		r.Bad = true
		return
	}
	in.from = r.operand(in.op, 4)
	in.change(in.from.register())
}

// arithmetic is or, div, sub, cmp, eor, and, mul, exg, add and the forms with an extension.
func arithmetic(in *insn, r *reader) {
	group, mode, kind := in.op>>12, in.op>>3&7, in.op>>6&7
	switch {
	case kind == 3 || kind == 7: // of addresses, or to 32 bits
		in.from = r.operand(in.op, [2]int{2, 4}[kind>>2])
		if group == 8 || group == 0xc {
			in.from.bytes = 2
			in.change(in.reg9())
		}
		return
	case kind < 3:
		in.from = r.operand(in.op, sized[kind])
		if group != 0xb {
			in.change(in.reg9())
		}
		return
	case mode > 1 || group == 0xb && mode == 0:
		in.from = r.operand(in.op, sized[kind&3])
		in.change(in.from.register())
		return
	case group == 8 && kind != 4: // pack, unpk
		r.skip(2)
	}
	switch {
	case group == 0xc && kind != 4: // exg
		first, second := in.reg9(), int(in.op&7)
		if kind == 5 && mode == 1 {
			first += 8
		}
		if mode == 1 {
			second += 8
		}
		in.change(first)
		in.change(second)
	case mode == 0:
		in.change(in.reg9())
	default: // from memory to memory, counting both down or up
		in.writes |= 1<<(8+uint32(in.reg9())) | 1<<(8+uint32(in.op&7))
	}
}

// shift is shifts, rotations and fields of bits.
func shift(in *insn, r *reader) {
	switch {
	case in.op>>6&3 != 3:
		in.change(int(in.op & 7))
	case in.op>>11&1 != 0: // a field
		in.change(int(r.U16() >> 12 & 7))
		in.from = r.operand(in.op, 1)
		in.change(in.from.register())
	default:
		in.from = r.operand(in.op, 2)
	}
}
