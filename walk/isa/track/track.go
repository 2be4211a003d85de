package track

import (
	"slices"

	"coredbg/core"
	"coredbg/walk/isa"
)

// A tracked is what the registers and the stack of a function hold at one of its
// instructions, as far as its frame depends on it: what they held at its start, or
// a place on the stack.
type tracked struct {
	arch *core.Arch
	regs [core.MaxRegs]trackedValue
	mem  []trackedWord // what was put on the stack, at most maxTracked of it
	// home has bit i set as long as register i is not saved, or restored again.
	home uint64
	// maybe is the number of instructions that follow which a condition may skip.
	maybe int
}

// maxTracked bounds the words of a frame that are tracked.
const maxTracked = 64

// A trackedValue is a value in terms of a function's start.
type trackedValue struct {
	kind trackedKind
	n    int64 // bytes from the stack pointer at the start, or the constant
	reg  int   // slot
}

// A trackedKind is the kind of a trackedValue.
type trackedKind uint8

const (
	trackedOther    trackedKind = iota // not known
	trackedOwn                         // what register reg held at the start
	trackedStack                       // n bytes above the stack pointer at the start
	trackedConstant                    // n
)

// A trackedWord is a value on the stack.
type trackedWord struct {
	at    int64 // bytes from the stack pointer at the function's start
	value trackedValue
}

func newTracked(arch *core.Arch) tracked {
	f := tracked{arch: arch, home: ^uint64(0)}
	for i := range f.regs {
		f.regs[i] = trackedValue{kind: trackedOwn, reg: i}
	}
	f.regs[arch.SP] = trackedValue{kind: trackedStack}
	return f
}

func constant(n int64) trackedValue { return trackedValue{kind: trackedConstant, n: n} }

// plus returns a value n higher.
func (v trackedValue) plus(n int64) trackedValue {
	if v.kind == trackedStack || v.kind == trackedConstant {
		v.n += n
		return v
	}
	return trackedValue{}
}

// add sets a register to the sum of two values.
func (f *tracked) add(to int, a, b trackedValue) {
	if a.kind == trackedConstant {
		a, b = b, a
	}
	if b.kind != trackedConstant {
		f.set(to, trackedValue{})
		return
	}
	f.set(to, a.plus(b.n))
}

// sub sets a register to the difference of two values.
func (f *tracked) sub(to int, a, b trackedValue) {
	if b.kind == trackedConstant {
		f.set(to, a.plus(-b.n))
		return
	}
	f.set(to, trackedValue{})
}

// set gives a register a value.
func (f *tracked) set(reg int, v trackedValue) {
	if f.maybe > 0 || reg < 0 {
		return
	}
	f.regs[reg] = v
	if v.kind == trackedOwn && v.reg == reg {
		f.home |= 1 << uint(reg)
	}
}

// dull makes what a register holds unknown if it is a constant: an instruction that is
// not decoded may have written it.
func (f *tracked) dull(reg int) {
	if f.regs[reg].kind == trackedConstant {
		f.regs[reg] = trackedValue{}
	}
}

// store puts a register at a place.
func (f *tracked) store(reg, base int, off int64) {
	f.put(f.regs[reg], base, off)
}

func (f *tracked) put(v trackedValue, base int, off int64) {
	f.putAt(v, f.regs[base].plus(off))
}

// putAt puts a value where another one points to.
func (f *tracked) putAt(v, to trackedValue) {
	if f.maybe > 0 || to.kind != trackedStack {
		return
	}
	if v.kind == trackedOwn {
		f.home &^= 1 << uint(v.reg)
	}
	for i := range f.mem {
		if f.mem[i].at == to.n {
			f.mem = slices.Clone(f.mem) // which a jump's frame may have, too
			f.mem[i].value = v
			return
		}
	}
	if v.kind != trackedOther && v.kind != trackedConstant && len(f.mem) < maxTracked {
		f.mem = append(slices.Clip(f.mem), trackedWord{to.n, v})
	}
}

// load takes a register from a place.
func (f *tracked) load(reg, base int, off int64) { f.loadAt(reg, f.regs[base].plus(off)) }

// loadAt takes it from where a value points to.
func (f *tracked) loadAt(reg int, from trackedValue) {
	v := trackedValue{}
	for _, m := range f.mem {
		if from.kind == trackedStack && m.at == from.n {
			v = m.value
		}
	}
	f.set(reg, v)
}

// called does what a call does: registers that do not survive one are unknown, the
// link register with them.
func (f *tracked) called() {
	for i := range f.arch.RegNames {
		if i != f.arch.SP && f.arch.CalleeSaved>>uint(i)&1 == 0 {
			f.set(i, trackedValue{})
		}
	}
}

// deeper reports whether f is the frame of more of the function than g: what is on the
// stack is at least as much.
func (f *tracked) deeper(g *tracked) bool {
	a, b := f.regs[f.arch.SP], g.regs[g.arch.SP]
	if a.kind != trackedStack || b.kind != trackedStack {
		return a.kind != trackedStack
	}
	return a.n < b.n || a.n == b.n && f.home&^g.home == 0
}

// shape is the frame that f is; ok is false if that does not lead to the caller.
func (f *tracked) shape() (s isa.Shape, ok bool) {
	arch := f.arch
	base := f.base()
	if base < 0 {
		return s, false
	}
	s.FromFP, s.CFAOff = base != arch.SP, -f.regs[base].n
	if base != arch.FP && s.FromFP {
		s.Base = base
	}
	for _, m := range f.mem {
		if reg := m.value.reg; m.value.kind == trackedOwn && f.home>>uint(reg)&1 == 0 && s.Saved[reg] == 0 &&
			(reg == arch.LR || arch.CalleeSaved>>uint(reg)&1 != 0) && -m.at == int64(int32(-m.at)) {
			s.Saved[reg] = int32(-m.at)
		}
	}
	lr := f.regs[max(arch.LR, 0)]
	ok = arch.LR < 0 || s.Saved[arch.LR] != 0 || lr.kind == trackedOwn && lr.reg == arch.LR
	return s, ok && s.CFAOff >= 0
}

// base returns the register that gives the place of the frame: the stack pointer, or if that is not
// known, the frame pointer or another register that survives calls. It returns -1 if there is no such
// register.
func (f *tracked) base() int {
	arch := f.arch
	for _, reg := range []int{arch.SP, arch.FP} {
		if f.regs[reg].kind == trackedStack {
			return reg
		}
	}
	for reg := range arch.RegNames {
		if arch.CalleeSaved>>uint(reg)&1 != 0 && f.regs[reg].kind == trackedStack {
			return reg
		}
	}
	return -1
}
