package track

import (
	"encoding/binary"

	"coredbg/core"
	"coredbg/walk/isa"
)

// trackerS390 follows code of s390 and s390x (z/Architecture Principles of Operation,
// SA22-7832, appendix B for the formats).
func trackerS390(arch *core.Arch) tracker {
	return tracker{arch: arch, step: func(f *tracked, code []byte) isa.Control {
		n := lengthS390(code)
		if n == 0 || len(code) < n {
			return isa.Control{}
		}
		f.s390(code[:n])
		return controlS390(code[:n])
	}}
}

// lengthS390 returns the length of an instruction, by its first two bits.
func lengthS390(code []byte) int {
	if len(code) == 0 {
		return 0
	}
	return [4]int{2, 4, 4, 6}[code[0]>>6]
}

// s390 does what an instruction does to registers and the stack.
func (f *tracked) s390(c []byte) {
	r1, r2 := int(c[1]>>4), int(c[1]&15)
	switch len(c) {
	case 2:
		switch c[0] {
		case 0x18: // lr
			f.set(r1, f.regs[r2])
		case 0x1a: // ar
			f.add(r1, f.regs[r1], f.regs[r2])
		case 0x1b: // sr
			f.sub(r1, f.regs[r1], f.regs[r2])
		case 0x0d: // basr
			f.set(r1, trackedValue{})
		case 0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x17, 0x1c, 0x1d:
			f.dull(r1)
		}
	case 4:
		f.s390RX(c, r1, r2)
	case 6:
		f.s390Long(c, r1, r2)
	}
}

// s390RX is the instructions of four bytes.
func (f *tracked) s390RX(c []byte, r1, r2 int) {
	base, disp := int(c[2]>>4), int64(binary.BigEndian.Uint16(c[2:])&0xfff)
	imm := int64(int16(binary.BigEndian.Uint16(c[2:])))
	switch c[0] {
	case 0x90: // stm
		f.range390(r1, r2, func(reg int, off int64) { f.store(reg, base, disp+off) })
	case 0x98: // lm
		f.range390(r1, r2, func(reg int, off int64) { f.load(reg, base, disp+off) })
	case 0x50: // st
		if r2 == 0 && f.arch.PtrSize == 4 {
			f.store(r1, base, disp)
		}
	case 0x58: // l
		f.indexed390(r2, func() { f.load(r1, base, disp) }, r1)
	case 0x41: // la
		f.indexed390(r2, func() { f.address390(r1, base, disp) }, r1)
	case 0xa7:
		switch c[1] & 15 {
		case 8, 9: // lhi, lghi
			f.set(r1, constant(imm))
		case 0xa, 0xb: // ahi, aghi
			f.set(r1, f.regs[r1].plus(imm))
		case 5: // bras
			f.set(r1, trackedValue{})
		}
	case 0xb9:
		to, from := int(c[3]>>4), int(c[3]&15)
		switch c[1] {
		case 0x04: // lgr
			f.set(to, f.regs[from])
		case 0x08: // agr
			f.add(to, f.regs[to], f.regs[from])
		case 0x09: // sgr
			f.sub(to, f.regs[to], f.regs[from])
		case 0x20, 0x21, 0x30, 0x31: // comparisons
		default:
			f.set(to, trackedValue{})
		}
	case 0x5a, 0x5b, 0x5e, 0x5f: // a, s, al, sl: by a number in memory
		f.set(r1, trackedValue{})
	case 0xa5, 0x43, 0x48, 0x49, 0x54, 0x56, 0x57:
		f.dull(r1)
	case 0xb3:
		if c[1] == 0xcd { // lgdr: from a floating-point register, perhaps what it saved
			f.set(int(c[3]>>4), trackedValue{})
		}
	}
}

// s390Long is the instructions of six bytes.
func (f *tracked) s390Long(c []byte, r1, r2 int) {
	base := int(c[2] >> 4)
	disp := int64(int8(c[4]))<<12 | int64(binary.BigEndian.Uint16(c[2:])&0xfff)
	imm := int64(int32(binary.BigEndian.Uint32(c[2:])))
	switch op := uint16(c[0])<<8 | uint16(c[5]); op {
	case 0xeb24, 0xeb90: // stmg, stmy
		f.range390(r1, r2, func(reg int, off int64) { f.store(reg, base, disp+off) })
	case 0xeb04, 0xeb98: // lmg, lmy
		f.range390(r1, r2, func(reg int, off int64) { f.load(reg, base, disp+off) })
	case 0xe324, 0xe350: // stg, sty
		if r2 == 0 {
			f.store(r1, base, disp)
		}
	case 0xe304, 0xe358: // lg, ly
		f.indexed390(r2, func() { f.load(r1, base, disp) }, r1)
	case 0xe371: // lay
		f.indexed390(r2, func() { f.address390(r1, base, disp) }, r1)
	}
	switch c[0] {
	case 0xc0:
		switch c[1] & 15 {
		case 1: // lgfi
			f.set(r1, constant(imm))
		case 0, 5: // larl, brasl
			f.set(r1, trackedValue{})
		default:
			f.dull(r1)
		}
	case 0xc2:
		switch v := f.regs[r1]; c[1] & 15 {
		case 8, 9: // agfi, afi
			f.set(r1, v.plus(imm))
		case 0xa, 0xb: // algfi, alfi
			f.set(r1, v.plus(int64(uint32(imm))))
		case 4, 5: // slgfi, slfi
			f.set(r1, v.plus(-int64(uint32(imm))))
		}
	case 0xe3, 0xeb, 0xec:
		f.dull(r1)
	}
}

// range390 goes through the registers of a store or load of many, which wraps.
func (f *tracked) range390(from, to int, visit func(reg int, off int64)) {
	for i := range 16 {
		reg := (from + i) & 15
		if visit(reg, int64(i*f.arch.PtrSize)); reg == to {
			break
		}
	}
}

// indexed390 does what an instruction does whose address has no index; with one it is
// not known.
func (f *tracked) indexed390(index int, do func(), to int) {
	if index == 0 {
		do()
	} else {
		f.set(to, trackedValue{})
	}
}

func (f *tracked) address390(to, base int, disp int64) {
	if base == 0 {
		f.set(to, constant(disp))
	} else {
		f.set(to, f.regs[base].plus(disp))
	}
}

// controlS390 knows branches, calls and returns.
func controlS390(c []byte) isa.Control {
	out := isa.Control{Kind: isa.Passes, Size: len(c)}
	half := func() int64 { return 2 * int64(int16(binary.BigEndian.Uint16(c[2:]))) }
	mask := c[1] >> 4
	switch {
	case c[0] == 0x07 && c[1] == 0xfe: // br %r14
		out.Kind = isa.Returns
	case c[0] == 0x07 && mask == 15 && c[1]&15 != 0: // br
		out.Kind = isa.Indirect
	case c[0] == 0x0d && c[1]&15 != 0: // basr
		out.Kind = isa.Calls
	case c[0] == 0xa7 && c[1]&15 == 5: // bras
		out.Kind, out.Target = isa.Calls, half()
	case c[0] == 0xc0 && c[1]&15 == 5: // brasl
		out.Kind, out.Target = isa.Calls, 2*int64(int32(binary.BigEndian.Uint32(c[2:])))
	case c[0] == 0xa7 && c[1]&15 == 4: // brc
		out.Kind, out.Target = isa.Branches, half()
	case c[0] == 0xa7 && c[1]&15 == 6, c[0] == 0xa7 && c[1]&15 == 7: // brct
		out.Kind, out.Target = isa.Branches, half()
		return out
	case c[0] == 0xc0 && c[1]&15 == 4: // brcl
		out.Kind, out.Target = isa.Branches, 2*int64(int32(binary.BigEndian.Uint32(c[2:])))
	case c[0] == 0xec:
		switch c[5] {
		case 0x64, 0x65, 0x76, 0x77, 0x7c, 0x7d, 0x7e, 0x7f: // cgrj, clgrj, crj, clrj, cgij, clgij, cij, clij
			out.Kind, out.Target = isa.Branches, half()
		}
		return out
	case c[0] == 0x00: // what compilers have for a trap
		out.Kind = isa.Stops
	}
	if out.Kind == isa.Branches {
		switch mask {
		case 15:
			out.Kind = isa.Jumps
		case 0:
			out.Kind = isa.Passes
		}
	}
	return out
}

// callS390 knows basr, bras and brasl with %r14.
func callS390(code []byte) (to int64, direct, ok bool) {
	n := len(code)
	if n >= 6 && code[n-6] == 0xc0 && code[n-5] == 0xe5 {
		return 2*int64(int32(binary.BigEndian.Uint32(code[n-4:]))) - 6, true, true
	}
	if n >= 4 && code[n-4] == 0xa7 && code[n-3] == 0xe5 {
		return 2*int64(int16(binary.BigEndian.Uint16(code[n-2:]))) - 4, true, true
	}
	return 0, false, n >= 2 && code[n-2] == 0x0d && code[n-1]>>4 == 14 && code[n-1]&15 != 0
}
