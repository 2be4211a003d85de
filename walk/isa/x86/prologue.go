package x86

import (
	"bytes"
	"slices"

	"coredbg/core"
	"coredbg/walk/isa"
)

// Register numbers of x86 instructions that matter for frames.
const (
	regSP = 4
	regBP = 5
)

// slots maps register numbers of x86-64 instructions to slots, which follow
// DWARF; i386 numbers agree with its DWARF numbers.
var slots = [16]int{0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15}

// A frame is the frame of a function as its instructions build it.
type frame struct {
	sp    int64 // CFA minus stack pointer, in bytes
	fpOff int64 // CFA minus frame pointer
	// saved is how far below the CFA the register of that number was saved.
	saved   [16]int32
	spKnown bool
	fp      bool // the frame pointer is set up
	probes  bool // the stack pointer was compared, as in loops that touch each page of a large frame
	// stash is the state of the frame pointer when it was last stored with mov, and the place. Go does
	// so around calls of its own kind (duffzero), and up to 1.20 at the start of each function.
	stash stash
}

// A flow follows the instructions of a function along its jumps, from its
// start to one instruction, and keeps what each does to the frame.
type flow struct {
	arch    *core.Arch
	long    bool
	word    int64
	code    []byte
	pc      int
	seen    []uint64 // bit i: the instruction at offset i was followed
	pending []point
	// behind are the points after calls. They are followed after all others: a call may not return, and
	// the code after it then has another frame, which a jump brings.
	behind []point
	calls  []calledIn // the frames at calls
	budget int
}

// calledIn says how many calls are made in a frame.
type calledIn struct {
	frame frame
	n     int
}

// A point is an instruction with the frame it finds.
type point struct {
	at    int
	frame frame
}

func prologueAMD64(code []byte, pc, budget int) (isa.Shape, bool) {
	return prologue(core.AMD64, code, pc, budget)
}

func prologueX32(code []byte, pc, budget int) (isa.Shape, bool) {
	return prologue(core.X32, code, pc, budget)
}

func prologueI386(code []byte, pc, budget int) (isa.Shape, bool) {
	return prologue(core.I386, code, pc, budget)
}

// prologue returns the frame that the function in code has at pc. Where no
// direct jump leads to pc (after a jump through a table, in an exception
// handler), it is the frame that most calls of the function are made in.
func prologue(arch *core.Arch, code []byte, pc, budget int) (isa.Shape, bool) {
	w := &flow{arch: arch, long: arch.RegSize() == 8, word: int64(arch.RegSize()), code: code, pc: pc,
		seen: make([]uint64, len(code)/64+1), budget: budget}
	w.pending = []point{{0, frame{sp: w.word, spKnown: true}}}
	f, ok := w.follow()
	sure := ok
	for gap := 0; !ok; {
		if gap = w.gap(gap); gap < 0 || w.budget <= 0 {
			return isa.Shape{}, false
		}
		w.pending = append(w.pending, point{gap, w.body()})
		f, ok = w.follow()
	}
	s, ok := w.shape(&f)
	s.Sure, s.Entry = sure, sure && clearsFP(code)
	return s, ok
}

// follow runs along everything pending and reports the frame at pc, if that was
// passed.
func (w *flow) follow() (frame, bool) {
	for {
		p, ok := w.pop()
		if !ok {
			return frame{}, false
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
func (w *flow) pop() (point, bool) {
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
	return point{}, false
}

// step executes the instruction at at and returns where control goes on, or
// -1.
func (w *flow) step(at int, f *frame) int {
	in, ok := decode(w.code[at:], w.long)
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
		w.behind = append(w.behind, point{next, *f})
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
		w.pending = append(w.pending, point{target, *f})
	}
	return next
}

// gap returns the last unseen offset at or before pc that follows something
// seen, and is after the one before.
func (w *flow) gap(last int) int {
	for at := min(w.pc, len(w.code)-1); at > last; at-- {
		if w.seen[at/64]>>(at%64)&1 == 0 && w.seen[(at-1)/64]>>((at-1)%64)&1 != 0 {
			return at
		}
	}
	return -1
}

// called counts a call that is made in f.
func (w *flow) called(f *frame) {
	for i := range w.calls {
		if w.calls[i].frame == *f {
			w.calls[i].n++
			return
		}
	}
	w.calls = append(w.calls, calledIn{*f, 1})
}

// body is the frame that most calls are made in, the smallest of several.
func (w *flow) body() frame {
	best := calledIn{frame: frame{sp: w.word, spKnown: true}}
	for _, c := range w.calls {
		if c.n > best.n || c.n == best.n && c.frame.sp < best.frame.sp {
			best = c
		}
	}
	return best.frame
}

// clearsFP reports whether the function's first instruction clears the frame pointer, as in the first
// function of a process or thread.
func clearsFP(code []byte) bool {
	for _, endbr := range [][]byte{{0xf3, 0x0f, 0x1e, 0xfa}, {0xf3, 0x0f, 0x1e, 0xfb}} {
		code = bytes.TrimPrefix(code, endbr)
	}
	code = bytes.TrimPrefix(code, []byte{0x48})
	return bytes.HasPrefix(code, []byte{0x31, 0xed}) // xor %ebp,%ebp
}

// shape is the frame in terms of slots.
func (w *flow) shape(f *frame) (isa.Shape, bool) {
	var s isa.Shape
	s.Saved[w.arch.PC] = int32(w.word)
	for reg, below := range f.saved {
		if below != 0 {
			s.Saved[w.slot(reg)] = below
		}
	}
	switch {
	case f.fp:
		s.FromFP, s.CFAOff = true, f.fpOff
		if f.spKnown && !f.probes {
			s.SPOff = f.sp
		}
	case f.spKnown:
		s.CFAOff = f.sp
	default:
		return s, false
	}
	return s, true
}

// pushOrPop is apply for instructions that push or pop; it reports whether in is one.
func (w *flow) pushOrPop(f *frame, in *insn) bool {
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
		w.popReg(f, regBP)
	default:
		return false
	}
	return true
}

// apply does to f what the instruction does to the stack.
func (w *flow) apply(f *frame, in *insn) {
	if w.pushOrPop(f, in) {
		return
	}
	switch {
	case (in.op == 0x81 || in.op == 0x83) && in.direct() && in.rm() == regSP:
		f.arithmetic(in)
	case in.op == 0x29 && in.direct() && in.rm() == regSP: // sub reg,%rsp
		f.spKnown = false
	case (in.op == 0x39 || in.op == 0x3b) && in.direct() && (in.rm() == regSP || in.reg() == regSP): // cmp
		f.probes = true
	case in.op == 0x89 && in.direct():
		f.move(in.rm(), in.reg())
	case in.op == 0x8b && in.direct():
		f.move(in.reg(), in.rm())
	case (in.op == 0x89 || in.op == 0x8b) && in.reg() == regBP:
		w.moveFP(f, in)
	case in.op == 0x8d:
		f.lea(in)
	}
}

func (w *flow) slot(reg int) int {
	if !w.long {
		return reg
	}
	return slots[reg]
}

func (w *flow) pushReg(f *frame, reg int) {
	f.sp += w.word
	if f.spKnown && f.saved[reg] == 0 && w.arch.CalleeSaved>>uint(w.slot(reg))&1 != 0 {
		f.saved[reg] = int32(f.sp)
	}
}

func (w *flow) popReg(f *frame, reg int) {
	if reg == regBP || f.spKnown && int64(f.saved[reg]) == f.sp {
		f.saved[reg] = 0
	}
	if reg == regBP {
		f.fp = false
	}
	f.sp -= w.word
}

// arithmetic is add, sub and and of the stack pointer with a constant.
func (f *frame) arithmetic(in *insn) {
	switch in.modrm >> 3 & 7 {
	case 0:
		f.sp -= in.imm
	case 5:
		f.sp += in.imm
	case 4:
		f.spKnown = false
	}
}

func (f *frame) move(to, from int) {
	switch {
	case to == regBP && from == regSP:
		f.fp, f.fpOff = f.spKnown, f.sp
	case to == regSP && from == regBP && f.fp:
		f.sp, f.spKnown = f.fpOff, true
	case to == regSP:
		f.spKnown = false
	}
}

// lea is disp(%rsp),%rsp and its like.
func (f *frame) lea(in *insn) {
	fromSP := in.modrm&7 == 4 && in.sib == 0x24 && in.rex&3 == 0
	fromBP := in.modrm&7 == 5 && in.modrm >= 0x40 && in.rex&1 == 0
	switch {
	case in.reg() == regSP && fromSP:
		f.sp -= in.disp
	case in.reg() == regSP && fromBP && f.fp:
		f.sp, f.spKnown = f.fpOff-in.disp, true
	case in.reg() == regBP && fromSP && f.spKnown:
		f.fp, f.fpOff = true, f.sp-in.disp
	case in.reg() == regSP:
		f.spKnown = false
	}
}

// entered recognises the first instructions of a function, where the frame
// pointer is still the caller's: before and after push %rbp; mov %rsp,%rbp.
func entered(arch *core.Arch, before, after []byte) (isa.Shape, bool) {
	word := int32(arch.RegSize())
	shape := func(pushed bool) (isa.Shape, bool) {
		s := isa.Shape{CFAOff: int64(word)}
		s.Saved[arch.PC] = word
		if pushed {
			s.CFAOff += int64(word)
			s.Saved[arch.FP] = 2 * word
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
	return isa.Shape{}, false
}
