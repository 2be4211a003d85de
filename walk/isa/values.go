package isa

import (
	"slices"

	"coredbg/core"
	"coredbg/walk/frame"
)

// Values are the numbers in the registers and on the stack, where the way out of a
// function is followed with the registers of an interrupted frame. With them the way
// has all its places relative to the stack pointer, and the stack pointer may move by
// what a register holds.
type Values struct {
	space *core.Space
	arch  *core.Arch
	PC    core.Addr // of the instruction
	base  uint64    // the stack pointer where the way begins
	// Regs are the registers but the stack and frame pointers, which are places.
	Regs   core.Regs
	Stored []Word // what was stored on the way, the last one last
	Flags  Flags  // as the last instruction that set them has left them
	// lost is set if the stack pointer moved by an unknown number: from then on only new stores to the
	// stack are known.
	lost bool
}

// A Word is what was stored on the way.
type Word struct {
	At    uint64 // the address
	Size  int    // bytes
	Value Number
}

// A Number is a number that may be unknown.
type Number struct {
	N     uint64
	Known bool // else N means nothing
}

// Numbered returns n, which is known.
func Numbered(n uint64) Number { return Number{n, true} }

// A Write is what an instruction puts into the register in a slot.
type Write struct {
	Slot  int    // of the register, in core.Arch.RegNames
	Value Number // what it holds then
}

// NewWayAt returns the way out of f with its registers; ok is false if the stack
// pointer is not known.
func NewWayAt(p *core.Process, f *frame.Frame) (o Way, ok bool) {
	arch := p.Arch
	v := &Values{space: p.Space, arch: arch, base: uint64(f.SP), Regs: f.Regs}
	o = NewWay(arch)
	o.Values = v
	o.setFP(Number{uint64(f.FP), f.FP != 0})
	v.Regs.Forget(arch.SP)
	v.Regs.Forget(arch.FP)
	return o, f.SP != 0 && arch.FP >= 0
}

// clone returns a copy of v for a second way; nil if v is nil.
func (v *Values) clone() *Values {
	if v == nil {
		return nil
	}
	c := *v
	c.Stored = slices.Clip(c.Stored)
	return &c
}

// Number returns what the register in a slot holds.
func (o *Way) Number(slot int) Number {
	switch slot {
	case o.Arch.SP:
		return Numbered(o.Values.base + uint64(o.SP.Off))
	case o.Arch.FP:
		return Number{o.Values.base + uint64(o.FP.Off), o.FPKnown}
	}
	n, ok := o.Values.Regs.Get(slot)
	return Number{n, ok}
}

// setFP sets the frame pointer.
func (o *Way) setFP(n Number) {
	o.FP, o.FPKnown = Place{Off: int64(n.N - o.Values.base)}, n.Known
}

// Write does what an instruction writes to registers. Ok says whether the stack is
// known without it.
func (o *Way) Write(writes []Write, ok bool) bool {
	for _, w := range writes {
		switch w.Slot {
		case o.Arch.SP:
			ok = true
			if !w.Value.Known {
				o.Values.lost, o.Values.Stored = true, nil
				break
			}
			o.SP = Place{Off: int64(w.Value.N - o.Values.base)}
		case o.Arch.FP:
			o.setFP(w.Value)
			ok = true
		default:
			o.Values.set(w.Slot, w.Value)
			ok = ok || w.Slot == o.Arch.LR
		}
	}
	return ok
}

// set sets the register in a slot that is neither the stack nor the frame pointer.
func (v *Values) set(slot int, n Number) {
	if n.Known {
		v.Regs.Set(slot, n.N)
	} else {
		v.Regs.Forget(slot)
	}
}

// Forget loses all registers that are not places, and the flags.
func (v *Values) Forget() { v.Regs, v.Flags = core.Regs{}, Flags{} }

// Put stores size bytes at an address, if that is known; one that is not is taken not
// to be where the way comes by.
func (v *Values) Put(at Number, size int, value Number) {
	if at.Known {
		v.Stored = append(v.Stored, Word{at.N, size, value})
	}
}

// Get loads size bytes from an address.
func (v *Values) Get(at Number, size int) Number {
	if !at.Known {
		return Number{}
	}
	for _, s := range slices.Backward(v.Stored) {
		switch {
		case s.At == at.N && size == s.Size,
			s.At == at.N && size < s.Size && v.arch.Order.Uint16([]byte{1, 0}) == 1: // little-endian
			return Number{Truncated(s.Value.N, size), s.Value.Known}
		case s.At < at.N+uint64(size) && at.N < s.At+uint64(s.Size):
			return Number{}
		}
	}
	if v.lost {
		return Number{}
	}
	b, err := v.space.Slice(core.Addr(at.N), size)
	if err != nil || len(b) < size {
		return Number{}
	}
	var n uint64
	for i := range size {
		at := i
		if v.arch.Order.Uint16([]byte{0, 1}) == 1 { // big-endian
			at = size - 1 - i
		}
		n |= uint64(b[at]) << (8 * i)
	}
	return Numbered(n)
}

// Truncated returns the low size bytes of n.
func Truncated(n uint64, size int) uint64 { return n & (^uint64(0) >> (64 - 8*size)) }

// Extended returns the low size bytes of n with their sign.
func Extended(n uint64, size int) uint64 {
	shift := 64 - 8*size
	return uint64(int64(n<<shift) >> shift)
}

// Flags are the condition flags, valid if Known. Carry is set by a subtraction that borrows.
type Flags struct{ Known, Zero, Negative, Carry, Overflow bool }

// Difference returns the flags of a subtraction of size bytes.
func Difference(a, b Number, size int) Flags {
	x, y := Truncated(a.N, size), Truncated(b.N, size)
	r := Truncated(x-y, size)
	sign := uint(8*size - 1)
	return Flags{a.Known && b.Known, r == 0, r>>sign != 0, x < y, ((x^y)&(x^r))>>sign&1 != 0}
}

// Logical returns the flags of a result of size bytes that has neither carry nor overflow.
func Logical(n Number, size int) Flags {
	r := Truncated(n.N, size)
	return Flags{Known: n.Known, Zero: r == 0, Negative: r>>(8*size-1) != 0}
}
