package arm64

import (
	"coredbg/core"
	"coredbg/walk/isa"
)

// A frame is the frame of a function as its instructions build it.
type frame struct {
	sp    int64 // CFA minus stack pointer, in bytes
	fp    bool
	fpOff int64 // CFA minus frame pointer
	saved [core.MaxRegs]int32
	// The last constant moved to a register, for frames too large for an
	// immediate operand; lost is set if the stack pointer moved otherwise.
	movReg int
	movVal int64
	lost   bool
}

// A reached frame is the frame at an instruction that a jump leads to. It is sure if the instructions
// lead from the function's start to the jump.
type reached struct {
	frame
	sure bool
}

// prologue follows a function from its start to the instruction at pc in one pass. For encodings see
// the Arm ARM, chapter C4.
func prologue(code []byte, pc, budget int) (isa.Shape, bool) {
	if pc/4 > budget {
		return isa.Shape{}, false
	}
	p := pass{sure: true, targets: map[int]reached{}}
	for at := 0; at+4 <= pc && at+4 <= len(code); at += 4 {
		p.step(code, at, pc)
	}
	f := p.f
	s := isa.Shape{Saved: f.saved, Entry: p.entry && p.sure, CFAOff: f.sp, Sure: p.sure}
	if f.fp {
		s.FromFP, s.CFAOff = true, f.fpOff
	}
	return s, f.sp >= 0 && (f.fp || !f.lost)
}

// A pass follows a function.
type pass struct {
	f       frame
	body    frame // the frame of the function's body, once inBody
	inBody  bool
	entry   bool            // the function is where a thread begins
	sure    bool            // f follows from the code before, not from body
	targets map[int]reached // the frames of the jumps to code that comes
}

// step follows the instruction at code[at].
func (p *pass) step(code []byte, at, pc int) {
	w := core.ARM64.Order.Uint32(code[at:])
	p.entry = p.entry || at <= 8 && (w == 0xd280001d || w == 0xaa1f03fd) // mov x29,#0; mov x29,xzr
	touched := p.f.apply(w)
	if target, jumps := branch(w, at); jumps && target > at && target <= pc {
		if seen, ok := p.targets[target]; !ok || p.sure && !seen.sure {
			p.targets[target] = reached{p.f, p.sure}
		}
	}
	switch {
	case !touched && !p.inBody && w&0xfffff01f != 0xd503201f: // hints: nop, bti, paciasp
		p.body, p.inBody = p.f, true
	case touched && !(p.body.fp && !p.f.fp || p.f.sp < p.body.sp):
		p.body = p.f
	}
	_, _, calls := call(code[at : at+4])
	seen, known := p.targets[at+4]
	switch {
	case ends(w):
		p.f, p.sure = p.body, false
		if known {
			p.f, p.sure = seen.frame, seen.sure
		}
	// A call may not return; a jump then brings the frame of the code after it.
	case known && seen.sure && (calls || !p.sure):
		p.f, p.sure = seen.frame, true
	}
}

const (
	regSP = 31
	regFP = 29
)

// apply does to f what an instruction does to the stack and reports whether
// that was anything.
func (f *frame) apply(w uint32) bool {
	rn, rt := int(w>>5&31), int(w&31)
	switch {
	case w&0xff800000 == 0xd1000000 && rn == regSP && rt == regSP: // sub sp,sp,#imm
		f.sp += immediateOf(w)
	case w&0xff800000 == 0x91000000 && rn == regSP && rt == regSP: // add sp,sp,#imm
		f.sp -= immediateOf(w)
	case w&0xff800000 == 0x91000000 && rn == regSP && rt == regFP: // add x29,sp,#imm; mov x29,sp
		f.fp, f.fpOff = true, f.sp-immediateOf(w)
	case w&0xff800000 == 0x91000000 && rn == regFP && rt == regSP && f.fp: // mov sp,x29
		f.sp, f.lost = f.fpOff-immediateOf(w), false
	case w&0xff800000 == 0xd1000000 && rn == regFP && rt == regSP && f.fp: // sub sp,x29,#imm
		f.sp, f.lost = f.fpOff+immediateOf(w), false
	// and, add, sub sp,x,#imm
	case w&0xff800000 == 0x92000000 && rt == regSP, w&0xbf800000 == 0x91000000 && rt == regSP:
		f.lost = true
	case w&0xffe00000 == 0xd2800000: // mov x,#imm
		f.movReg, f.movVal = rt, int64(w>>5&0xffff)
		return false
	case w&0xbfe0fc00 == 0x8b206000 && rn == regSP && rt == regSP: // add, sub sp,sp,x
		f.addRegister(w)
	default:
		return f.access(w)
	}
	return true
}

// access is apply for loads and stores.
func (f *frame) access(w uint32) bool {
	rn, rt := int(w>>5&31), int(w&31)
	switch {
	case w>>22&^7 == 0x2a0 && rn == regSP: // ldp, stp of x registers
		return f.pair(w)
	case w>>22 == 0x2a5 && rn == regFP && f.fp: // ldp x,x,[x29,#imm]
		at := f.fpOff - int64(int32(w<<10)>>25)*8
		f.restored(rt, at)
		f.restored(int(w>>10&31), at-8)
	case w>>24 == 0xf8 && w>>21&1 == 0 && w>>10&1 == 1 && rn == regSP: // str, ldr with writeback
		return f.single(w)
	case w>>22 == 0x3e4 && rn == regSP: // str x,[sp,#imm]
		f.save(rt, f.sp-int64(w>>10&0xfff)*8)
	case rn == regSP && w>>27&7 == 5 && w>>23&5 == 1: // ldp, stp of other registers, with writeback
		f.sp -= int64(int32(w<<10)>>25) << pairScale(w)
	case rn == regSP && w>>27&7 == 7 && w>>24&3 == 0 && w>>21&1 == 0 && w>>10&1 == 1: // ldr, str of other registers
		f.sp -= int64(int32(w<<11) >> 23)
	default:
		return false
	}
	return true
}

// addRegister is add and sub of the stack pointer with a register.
func (f *frame) addRegister(w uint32) {
	switch {
	case int(w>>16&31) != f.movReg || f.movReg == 0:
		f.lost = true
	case w>>30&1 != 0:
		f.sp += f.movVal
	default:
		f.sp -= f.movVal
	}
}

// pairScale is the binary logarithm of the size of a register in ldp and stp: of 4
// and 8 bytes, or of 4, 8 and 16 where it is a vector register.
func pairScale(w uint32) uint32 {
	if w>>26&1 != 0 {
		return 2 + w>>30
	}
	return 2 + w>>31
}

// immediateOf is the immediate of add and sub.
func immediateOf(w uint32) int64 {
	v := int64(w >> 10 & 0xfff)
	if w>>22&1 != 0 {
		v <<= 12
	}
	return v
}

func (f *frame) save(reg int, below int64) {
	if reg < regSP && !f.lost && f.saved[reg] == 0 && below > 0 && below < 1<<30 &&
		(core.ARM64.CalleeSaved>>uint(reg)&1 != 0 || reg == 30) {
		f.saved[reg] = int32(below)
	}
}

// restored forgets that a register was saved if it is loaded from where that was:
// it is the caller's again. From elsewhere come arguments.
func (f *frame) restored(reg int, below int64) {
	if reg >= regSP || f.lost || f.saved[reg] != 0 && int64(f.saved[reg]) != below {
		return
	}
	f.saved[reg] = 0
	if reg == regFP {
		f.fp = false
	}
}

// pair is stp and ldp of 64-bit registers relative to sp: with an offset, or
// with writeback before or after.
func (f *frame) pair(w uint32) bool {
	off := int64(int32(w<<10)>>25) * 8
	t1, t2 := int(w&31), int(w>>10&31)
	mode, load := w>>23&3, w>>22&1 != 0
	if mode == 0 {
		return false // without temporal hint: not used for frames
	}
	at := f.sp - off
	if mode == 1 { // post-index
		at = f.sp
	}
	if load {
		f.restored(t1, at)
		f.restored(t2, at-8)
	} else {
		f.save(t1, at)
		f.save(t2, at-8)
	}
	if mode != 2 {
		f.sp -= off
	}
	return true
}

// single is str and ldr of a 64-bit register with writeback of sp.
func (f *frame) single(w uint32) bool {
	off := int64(int32(w<<11) >> 23)
	reg := int(w & 31)
	at := f.sp
	if w>>11&1 != 0 { // pre-index
		at -= off
	}
	if w>>22&3 == 1 {
		f.restored(reg, at)
	} else {
		f.save(reg, at)
	}
	f.sp -= off
	return true
}
