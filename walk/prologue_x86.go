package walk

import (
	"bytes"
	"slices"

	"coredbg/core"
)

// Register numbers of x86 instructions that matter for frames.
const (
	x86SP = 4
	x86BP = 5
)

// slotX86 maps register numbers of x86-64 instructions to slots, which follow
// DWARF; i386 numbers agree with its DWARF numbers.
var slotX86 = [16]int{0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15}

// An x86Frame is the frame of a function as its instructions build it.
type x86Frame struct {
	sp    int64 // CFA minus stack pointer, in bytes
	fpOff int64 // CFA minus frame pointer
	// saved is how far below the CFA the register of that number was saved.
	saved   [16]int32
	spKnown bool
	fp      bool // the frame pointer is set up
	// stash is what was known of the frame pointer when it was last stored with
	// mov, and where: Go does so around calls of its own kind (duffzero), and up
	// to 1.20 at the start of each function.
	stash x86Stash
}

// An x86Flow follows the instructions of a function along its jumps, from its
// start to one instruction, and keeps what each does to the frame.
type x86Flow struct {
	arch    *core.Arch
	long    bool
	word    int64
	code    []byte
	pc      int
	seen    []uint64 // bit i: the instruction at offset i was followed
	pending []x86Point
	// behind are the points after calls. They are followed after all others:
	// a call may not return, and what is after it then has another frame,
	// which a jump brings.
	behind []x86Point
	calls  []x86Calls // the frames in which calls were made
	budget int
}

// x86Calls says how many calls are made in a frame.
type x86Calls struct {
	frame x86Frame
	n     int
}

// An x86Point is an instruction with the frame it finds.
type x86Point struct {
	at    int
	frame x86Frame
}

func prologueAMD64(code []byte, pc, budget int) (frameShape, bool) {
	return prologueX86(core.AMD64, code, pc, budget)
}

func prologueI386(code []byte, pc, budget int) (frameShape, bool) {
	return prologueX86(core.I386, code, pc, budget)
}

// prologueX86 returns the frame that the function in code has at pc. Where no
// direct jump leads to pc (after a jump through a table, in an exception
// handler), it is the frame that most calls of the function are made in.
func prologueX86(arch *core.Arch, code []byte, pc, budget int) (frameShape, bool) {
	w := &x86Flow{arch: arch, long: arch.PtrSize == 8, word: int64(arch.PtrSize), code: code, pc: pc,
		seen: make([]uint64, len(code)/64+1), budget: budget}
	w.pending = []x86Point{{0, x86Frame{sp: w.word, spKnown: true}}}
	f, ok := w.follow()
	sure := ok
	for gap := 0; !ok; {
		if gap = w.gap(gap); gap < 0 || w.budget <= 0 {
			return frameShape{}, false
		}
		w.pending = append(w.pending, x86Point{gap, w.body()})
		f, ok = w.follow()
	}
	s, ok := w.shape(&f)
	s.sure, s.entry = sure, sure && clearsFP(code)
	return s, ok
}

// follow runs along everything pending and reports the frame at pc, if that was
// passed.
func (w *x86Flow) follow() (x86Frame, bool) {
	for {
		p, ok := w.pop()
		if !ok {
			return x86Frame{}, false
		}
		for at, f := p.at, p.frame; at >= 0 && at <= len(w.code) && w.budget > 0; {
			if at == w.pc {
				return f, true
			}
			if at == len(w.code) || w.seen[at/64]>>(at%64)&1 != 0 {
				break
			}
			w.budget--
			at = w.step(at, &f)
		}
	}
}

// pop takes the next point to follow.
func (w *x86Flow) pop() (x86Point, bool) {
	if n := len(w.pending); n > 0 {
		p := w.pending[n-1]
		w.pending = w.pending[:n-1]
		return p, true
	}
	if len(w.behind) > 0 {
		p := w.behind[0]
		w.behind = w.behind[1:]
		return p, true
	}
	return x86Point{}, false
}

// step executes the instruction at at and returns where control goes on, or
// -1.
func (w *x86Flow) step(at int, f *x86Frame) int {
	in, ok := decodeX86(w.code[at:], w.long)
	if !ok {
		w.seen[at/64] |= 1 << (at % 64)
		return -1
	}
	next := at + in.size
	for i := at; i < next && i < len(w.code); i++ {
		w.seen[i/64] |= 1 << (i % 64)
	}
	if in.op == 0xe8 || in.op == 0xff && in.modrm>>3&7 == 2 {
		w.called(f)
		if next == w.pc {
			return next
		}
		w.behind = append(w.behind, x86Point{next, *f})
		return -1
	}
	w.apply(f, &in)
	target, jumps := in.target(next)
	jumps = jumps && target >= 0 && target < len(w.code)
	switch {
	case in.ends() && jumps:
		return target
	case in.ends():
		return -1
	case jumps:
		w.pending = append(w.pending, x86Point{target, *f})
	}
	return next
}

// gap returns the last unseen offset at or before pc that follows something
// seen, and is after the one before.
func (w *x86Flow) gap(last int) int {
	for at := min(w.pc, len(w.code)-1); at > last; at-- {
		if w.seen[at/64]>>(at%64)&1 == 0 && w.seen[(at-1)/64]>>((at-1)%64)&1 != 0 {
			return at
		}
	}
	return -1
}

// called counts a call that is made in f.
func (w *x86Flow) called(f *x86Frame) {
	for i := range w.calls {
		if w.calls[i].frame == *f {
			w.calls[i].n++
			return
		}
	}
	w.calls = append(w.calls, x86Calls{*f, 1})
}

// body is the frame that most calls are made in, the smallest of several.
func (w *x86Flow) body() x86Frame {
	best := x86Calls{frame: x86Frame{sp: w.word, spKnown: true}}
	for _, c := range w.calls {
		if c.n > best.n || c.n == best.n && c.frame.sp < best.frame.sp {
			best = c
		}
	}
	return best.frame
}

// clearsFP reports whether the function's first instruction clears the frame
// pointer, as that of a process or thread does.
func clearsFP(code []byte) bool {
	for _, endbr := range [][]byte{{0xf3, 0x0f, 0x1e, 0xfa}, {0xf3, 0x0f, 0x1e, 0xfb}} {
		code = bytes.TrimPrefix(code, endbr)
	}
	code = bytes.TrimPrefix(code, []byte{0x48})
	return bytes.HasPrefix(code, []byte{0x31, 0xed}) // xor %ebp,%ebp
}

// shape is the frame in terms of slots.
func (w *x86Flow) shape(f *x86Frame) (frameShape, bool) {
	var s frameShape
	s.saved[w.arch.PC] = int32(w.word)
	for reg, below := range f.saved {
		if below != 0 {
			s.saved[w.slot(reg)] = below
		}
	}
	switch {
	case f.fp:
		s.fromFP, s.cfaOff = true, f.fpOff
	case f.spKnown:
		s.cfaOff = f.sp
	default:
		return s, false
	}
	return s, true
}

// ends reports whether control never goes on to the next instruction.
func (in *x86Insn) ends() bool {
	switch in.op {
	case 0xc3, 0xc2, 0xe9, 0xeb, 0xf4, 0xcc, 0x0f0b:
		return true
	}
	return in.op == 0xff && in.modrm>>3&7 == 4
}

// target returns where a direct jump goes, relative to the function.
func (in *x86Insn) target(next int) (int, bool) {
	switch {
	case in.op == 0xe9, in.op == 0xeb, in.op >= 0x70 && in.op < 0x80, in.op >= 0x0f80 && in.op < 0x0f90:
		return next + int(in.imm), true
	}
	return 0, false
}

// apply does to f what the instruction does to the stack.
func (w *x86Flow) apply(f *x86Frame, in *x86Insn) {
	switch {
	case in.op >= 0x50 && in.op < 0x58:
		w.pushReg(f, in.op-0x50+int(in.rex<<3&8))
	case in.op >= 0x58 && in.op < 0x60:
		w.popReg(f, in.op-0x58+int(in.rex<<3&8))
	case in.op == 0x68, in.op == 0x6a, in.op == 0x9c, in.op == 0xff && in.modrm>>3&7 == 6:
		f.sp += w.word
	case in.op == 0x8f, in.op == 0x9d:
		f.sp -= w.word
	case in.op == 0xc9: // leave
		if f.fp {
			f.sp, f.spKnown = f.fpOff, true
		}
		w.popReg(f, x86BP)
	case (in.op == 0x81 || in.op == 0x83) && in.direct() && in.rm() == x86SP:
		f.arithmetic(in)
	case in.op == 0x29 && in.direct() && in.rm() == x86SP: // sub reg,%rsp
		f.spKnown = false
	case in.op == 0x89 && in.direct():
		f.move(in.rm(), in.reg())
	case in.op == 0x8b && in.direct():
		f.move(in.reg(), in.rm())
	case (in.op == 0x89 || in.op == 0x8b) && in.reg() == x86BP:
		w.moveFP(f, in)
	case in.op == 0x8d:
		f.lea(in)
	}
}

func (w *x86Flow) slot(reg int) int {
	if !w.long {
		return reg
	}
	return slotX86[reg]
}

func (w *x86Flow) pushReg(f *x86Frame, reg int) {
	f.sp += w.word
	if f.spKnown && f.saved[reg] == 0 && w.arch.CalleeSaved>>uint(w.slot(reg))&1 != 0 {
		f.saved[reg] = int32(f.sp)
	}
}

func (w *x86Flow) popReg(f *x86Frame, reg int) {
	if reg == x86BP || f.spKnown && int64(f.saved[reg]) == f.sp {
		f.saved[reg] = 0
	}
	if reg == x86BP {
		f.fp = false
	}
	f.sp -= w.word
}

// arithmetic is add, sub and and of the stack pointer with a constant.
func (f *x86Frame) arithmetic(in *x86Insn) {
	switch in.modrm >> 3 & 7 {
	case 0:
		f.sp -= in.imm
	case 5:
		f.sp += in.imm
	case 4:
		f.spKnown = false
	}
}

func (f *x86Frame) move(to, from int) {
	switch {
	case to == x86BP && from == x86SP:
		f.fp, f.fpOff = f.spKnown, f.sp
	case to == x86SP && from == x86BP && f.fp:
		f.sp, f.spKnown = f.fpOff, true
	case to == x86SP:
		f.spKnown = false
	}
}

// lea is disp(%rsp),%rsp and its like.
func (f *x86Frame) lea(in *x86Insn) {
	fromSP := in.modrm&7 == 4 && in.sib == 0x24 && in.rex&3 == 0
	fromBP := in.modrm&7 == 5 && in.modrm >= 0x40 && in.rex&1 == 0
	switch {
	case in.reg() == x86SP && fromSP:
		f.sp -= in.disp
	case in.reg() == x86SP && fromBP && f.fp:
		f.sp, f.spKnown = f.fpOff-in.disp, true
	case in.reg() == x86BP && fromSP && f.spKnown:
		f.fp, f.fpOff = true, f.sp-in.disp
	case in.reg() == x86SP:
		f.spKnown = false
	}
}

// enteredX86 recognises the first instructions of a function, where the frame
// pointer is still the caller's: before and after push %rbp; mov %rsp,%rbp.
func enteredX86(arch *core.Arch, before, after []byte) (frameShape, bool) {
	word := int32(arch.PtrSize)
	shape := func(pushed bool) (frameShape, bool) {
		s := frameShape{cfaOff: int64(word)}
		s.saved[arch.PC] = word
		if pushed {
			s.cfaOff += int64(word)
			s.saved[arch.FP] = 2 * word
		}
		return s, true
	}
	starts := func(b []byte, codes ...string) bool {
		return slices.ContainsFunc(codes, func(c string) bool { return bytes.HasPrefix(b, []byte(c)) })
	}
	// mov %rsp,%rbp, in both encodings
	moves := []string{"\x48\x89\xe5", "\x48\x8b\xec"}
	if arch.PtrSize == 4 {
		moves = []string{"\x89\xe5", "\x8b\xec"}
	}
	const push = "\x55"
	switch {
	case starts(after, "\xf3\x0f\x1e\xfa", "\xf3\x0f\x1e\xfb"): // endbr
		return shape(false)
	case starts(after, push+moves[0], push+moves[1]):
		return shape(false)
	case bytes.HasSuffix(before, []byte(push)) && starts(after, moves...):
		return shape(true)
	}
	return frameShape{}, false
}
