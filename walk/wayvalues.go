package walk

import (
	"slices"

	"coredbg/core"
)

// wayValues are the numbers in the registers and on the stack, where the way out of a
// function is followed with the registers of an interrupted frame. With them the way
// has all its places relative to the stack pointer, and the stack pointer may move by
// what a register holds.
type wayValues struct {
	space *core.Space
	arch  *core.Arch
	pc    core.Addr // of the instruction
	base  uint64    // the stack pointer where the way begins
	// regs are the registers but the stack and frame pointers, which are places.
	regs   core.Regs
	stored []wayWord
	flags  wayFlags
	// lost is set where the stack pointer moved by an unknown number: of the stack
	// is known from then on only what is put there.
	lost bool
}

// A wayWord is what was stored on the way.
type wayWord struct {
	at    uint64
	size  int
	value wayNumber
}

// A wayNumber is a number that may be unknown.
type wayNumber struct {
	n     uint64
	known bool
}

// numbered returns n, which is known.
func numbered(n uint64) wayNumber { return wayNumber{n, true} }

// A wayWrite is what an instruction puts into the register in a slot.
type wayWrite struct {
	slot  int
	value wayNumber
}

// newWayOutAt returns the way out of f with its registers; ok is false if the stack
// pointer is not known.
func newWayOutAt(p *core.Process, f *Frame) (o wayOut, ok bool) {
	arch := p.Arch
	v := &wayValues{space: p.Space, arch: arch, base: uint64(f.SP), regs: f.Regs}
	o = newWayOut(arch)
	o.values = v
	o.setFP(wayNumber{uint64(f.FP), f.FP != 0})
	v.regs.Forget(arch.SP)
	v.regs.Forget(arch.FP)
	return o, f.SP != 0 && arch.FP >= 0
}

// clone returns a copy of v for a second way; nil has none.
func (v *wayValues) clone() *wayValues {
	if v == nil {
		return nil
	}
	c := *v
	c.stored = slices.Clip(c.stored)
	return &c
}

// number returns what the register in a slot holds.
func (o *wayOut) number(slot int) wayNumber {
	switch slot {
	case o.arch.SP:
		return numbered(o.values.base + uint64(o.sp.off))
	case o.arch.FP:
		return wayNumber{o.values.base + uint64(o.fp.off), o.fpKnown}
	}
	n, ok := o.values.regs.Get(slot)
	return wayNumber{n, ok}
}

// setFP sets the frame pointer.
func (o *wayOut) setFP(n wayNumber) {
	o.fp, o.fpKnown = stackPlace{off: int64(n.n - o.values.base)}, n.known
}

// write does what an instruction writes to registers. Ok says whether the stack is
// known without it.
func (o *wayOut) write(writes []wayWrite, ok bool) bool {
	for _, w := range writes {
		switch w.slot {
		case o.arch.SP:
			ok = true
			if !w.value.known {
				o.values.lost, o.values.stored = true, nil
				break
			}
			o.sp = stackPlace{off: int64(w.value.n - o.values.base)}
		case o.arch.FP:
			o.setFP(w.value)
			ok = true
		default:
			o.values.set(w.slot, w.value)
			ok = ok || w.slot == o.arch.LR
		}
	}
	return ok
}

// set sets the register in a slot that is neither the stack nor the frame pointer.
func (v *wayValues) set(slot int, n wayNumber) {
	if n.known {
		v.regs.Set(slot, n.n)
	} else {
		v.regs.Forget(slot)
	}
}

// forget loses all registers that are not places, and the flags.
func (v *wayValues) forget() { v.regs, v.flags = core.Regs{}, wayFlags{} }

// put stores size bytes at an address, if that is known; one that is not is taken not
// to be where the way comes by.
func (v *wayValues) put(at wayNumber, size int, value wayNumber) {
	if at.known {
		v.stored = append(v.stored, wayWord{at.n, size, value})
	}
}

// get loads size bytes from an address.
func (v *wayValues) get(at wayNumber, size int) wayNumber {
	if !at.known {
		return wayNumber{}
	}
	for _, s := range slices.Backward(v.stored) {
		switch {
		case s.at == at.n && size <= s.size:
			return wayNumber{truncated(s.value.n, size), s.value.known}
		case s.at < at.n+uint64(size) && at.n < s.at+uint64(s.size):
			return wayNumber{}
		}
	}
	if v.lost {
		return wayNumber{}
	}
	b, err := v.space.Slice(core.Addr(at.n), size)
	if err != nil || len(b) < size {
		return wayNumber{}
	}
	var n uint64
	for i := range size { // all architectures that have apply are little-endian
		n |= uint64(b[i]) << (8 * i)
	}
	return numbered(n)
}

// truncated returns the low bytes of n.
func truncated(n uint64, size int) uint64 { return n & (^uint64(0) >> (64 - 8*size)) }

// extended returns the low bytes of n with their sign.
func extended(n uint64, size int) uint64 {
	shift := 64 - 8*size
	return uint64(int64(n<<shift) >> shift)
}

// wayFlags are the condition flags. Carry is set by a subtraction that borrows.
type wayFlags struct{ known, zero, negative, carry, overflow bool }

// difference returns the flags of a subtraction.
func difference(a, b wayNumber, size int) wayFlags {
	x, y := truncated(a.n, size), truncated(b.n, size)
	r := truncated(x-y, size)
	sign := uint(8*size - 1)
	return wayFlags{a.known && b.known, r == 0, r>>sign != 0, x < y, ((x^y)&(x^r))>>sign&1 != 0}
}

// logical returns the flags of a result that has neither carry nor overflow.
func logical(n wayNumber, size int) wayFlags {
	r := truncated(n.n, size)
	return wayFlags{known: n.known, zero: r == 0, negative: r>>(8*size-1) != 0}
}
