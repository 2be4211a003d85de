package track

import (
	"encoding/binary"
	"math/bits"

	"coredbg/core"
	"coredbg/walk/isa"
)

// prologueARM follows code in Arm or in Thumb state; see tracker. Which of them a function
// is in is not kept with its address: in Arm state nearly all instructions have the
// condition "always" in their first four bits.
func prologueARM(code []byte, pc, budget int) (isa.Shape, bool) {
	k := tracker{arch: core.ARM, step: stepThumb}
	if stateARM(code[:min(len(code), max(pc, 32))]) {
		k.step = stepARM
	}
	return k.prologue(code, pc, budget)
}

func stateARM(code []byte) bool {
	always, n := 0, 0
	for ; len(code) >= 4; code = code[4:] {
		if n++; code[3]>>4 == 0xe {
			always++
		}
	}
	return 2*always > n
}

// stepARM follows an instruction in Arm state (Arm ARM DDI 0406C, A5, A8).
func stepARM(f *tracked, code []byte) isa.Control {
	if len(code) < 4 {
		return isa.Control{}
	}
	w := binary.LittleEndian.Uint32(code)
	c := isa.Control{Kind: isa.Passes, Size: 4}
	always := w>>28 == 0xe
	switch {
	case w>>28 == 0xf:
		if w>>25 == 0x7d { // blx
			c.Kind = isa.Calls
		}
	case w&0x0f000000 == 0x0b000000 || w&0x0ffffff0 == 0x012fff30: // bl, blx
		c.Kind = isa.Calls
	case w&0x0f000000 == 0x0a000000: // b
		c.Kind, c.Target = isa.Branches, int64(int32(w<<8)>>6)+8
		if always {
			c.Kind = isa.Jumps
		}
	case w&0x0ff000f0 == 0x07f000f0 || w&0x0ff000f0 == 0x01200070: // udf, bkpt
		c.Kind = isa.Stops
	case always:
		c.Kind = f.alwaysARM(w)
	}
	return c
}

// alwaysARM does what an instruction that depends on no condition does to registers and the stack.
func (f *tracked) alwaysARM(w uint32) isa.Kind {
	rn, rd := int(w>>16&15), int(w>>12&15)
	loads := w>>20&1 != 0
	before, up, update := w>>24&1 != 0, w>>23&1 != 0, w>>21&1 != 0
	switch {
	case w&0x0ffffff0 == 0x012fff10: // bx
		if w&15 == 14 {
			return isa.Returns
		}
		return isa.Indirect
	case w&0x0e000000 == 0x08000000: // ldm, stm
		f.multipleARM(rn, w&0xffff, loads, before, up, update)
		if loads && w>>15&1 != 0 {
			return isa.Returns
		}
	case w&0x0e000000 == 0x04000000: // ldr, str with an immediate
		if w>>22&1 == 0 {
			f.singleARM(rd, rn, int64(w&0xfff), loads, before, up, update)
		} else if loads {
			f.set(rd, trackedValue{})
		}
		switch {
		case loads && rd == 15 && rn == 13:
			return isa.Returns
		case loads && rd == 15:
			return isa.Indirect
		}
	case w&0x0e5000d0 == 0x004000d0: // ldrd, strd with an immediate
		f.doubleARM(rd, rd+1, rn, int64(w>>4&0xf0|w&15), w>>5&1 == 0, before, up, update)
	case w&0x0fbf0e00 == 0x0d2d0a00: // vpush
		f.set(13, f.regs[13].plus(-4*int64(w&0xff)))
	case w&0x0fbf0e00 == 0x0cbd0a00: // vpop
		f.set(13, f.regs[13].plus(4*int64(w&0xff)))
	case w&0x0c000000 == 0: // data processing
		f.dataARM(w, rn, rd)
		switch {
		case rd != 15 || w>>23&3 == 2:
		case w&0x0fffffff == 0x01a0f00e: // mov pc,lr
			return isa.Returns
		default:
			return isa.Indirect
		}
	}
	return isa.Passes
}

// dataARM is the instructions of data processing.
func (f *tracked) dataARM(w uint32, rn, rd int) {
	op, immediate := w>>21&15, w>>25&1 != 0
	if w>>20&1 == 0 && op>>2 == 2 { // movw, movt; others set nothing that counts
		imm := int64(w>>4&0xf000 | w&0xfff)
		switch {
		case w&0x0ff00000 == 0x03000000:
			f.set(rd, constant(imm))
		case w&0x0ff00000 == 0x03400000:
			f.set(rd, f.regs[rd].high(imm))
		}
		return
	}
	operand := trackedValue{}
	switch {
	case immediate:
		operand = constant(int64(bits.RotateLeft32(w&0xff, -int(w>>8&15)*2)))
	case w&0xff0 == 0:
		operand = f.regs[w&15]
	}
	switch {
	case rd == 15 || op>>2 == 2: // comparisons
	case !immediate && w&0x90 == 0x90: // multiplications: the register is another one
		f.dull(rn)
		f.dull(rd)
	case op == 4:
		f.add(rd, f.regs[rn], operand)
	case op == 2:
		f.sub(rd, f.regs[rn], operand)
	case op == 13:
		f.set(rd, operand)
	default:
		f.set(rd, trackedValue{})
	}
}

// high puts the upper half of a constant in.
func (v trackedValue) high(imm int64) trackedValue {
	if v.kind != trackedConstant {
		return trackedValue{}
	}
	return constant(int64(int32(uint32(v.n)&0xffff | uint32(imm)<<16)))
}

// multipleARM loads or stores the registers of a list, the lowest at the lowest address.
func (f *tracked) multipleARM(base int, list uint32, loads, before, up, update bool) {
	n := 4 * int64(bits.OnesCount32(list))
	off, end := int64(0), n
	if !up {
		off, end = -n, -n
	}
	if before == up {
		off += 4
	}
	to := f.regs[base].plus(end)
	at := f.regs[base]
	for reg := range 16 {
		if list>>reg&1 == 0 {
			continue
		}
		if loads {
			f.loadAt(reg, at.plus(off))
		} else if reg < 15 {
			f.putAt(f.regs[reg], at.plus(off))
		}
		off += 4
	}
	if update && list>>base&1 == 0 {
		f.set(base, to)
	}
}

// singleARM loads or stores a register, perhaps with its base before or after it.
func (f *tracked) singleARM(reg, base int, off int64, loads, before, up, update bool) {
	at := f.addressARM(base, off, before, up, update)
	if loads {
		f.loadAt(reg, at)
	} else {
		f.putAt(f.regs[reg], at)
	}
}

// doubleARM is singleARM of two registers.
func (f *tracked) doubleARM(first, second, base int, off int64, loads, before, up, update bool) {
	at := f.addressARM(base, off, before, up, update)
	if loads {
		f.loadAt(first, at)
		f.loadAt(second&15, at.plus(4))
	} else {
		f.putAt(f.regs[first], at)
		f.putAt(f.regs[second&15], at.plus(4))
	}
}

// addressARM returns what a load or store addresses, and changes its base if it does.
func (f *tracked) addressARM(base int, off int64, before, up, update bool) trackedValue {
	if !up {
		off = -off
	}
	at, to := f.regs[base], f.regs[base].plus(off)
	if before {
		at = to
	}
	if !before || update {
		f.set(base, to)
	}
	return at
}
