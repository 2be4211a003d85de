package isa

import (
	"slices"

	"coredbg/core"
)

// MaxWay bounds the instructions along which the way out of a function is
// followed.
const MaxWay = 512

// A Place is an address on the stack in terms of the registers at the instruction
// where the way out begins: bytes above the stack pointer, or above the frame
// pointer.
type Place struct {
	FromFP bool  // relative to the frame pointer, else to the stack pointer
	Off    int64 // bytes
}

// Plus returns the place n bytes above p.
func (p Place) Plus(n int64) Place { return Place{p.FromFP, p.Off + n} }

// A Way is what the instructions from one place to the return of its function
// do to the stack. Whatever the function did before, this is how the processor
// gets to the caller.
type Way struct {
	Arch *core.Arch // of the function
	SP   Place      // where the stack pointer is by now
	FP   Place      // where the frame pointer is, if FPKnown
	// FPKnown is set as long as the frame pointer holds its value from the start of the way, or a value
	// made from the stack pointer since.
	FPKnown bool
	Regs    [core.MaxRegs]Held // what registers hold, by slot
	Stored  []Stored           // what was put on the stack on the way
	// Values are the numbers in registers. It is nil if the way is not for a particular frame, but for
	// any at the instruction.
	Values *Values
}

// A Held is what a register holds: what it held where the way begins, or
// what the stack has at a place, or something else.
type Held struct {
	Kind Origin // where that is from
	at   Place  // if it was loaded
}

// An Origin says where what a register holds is from.
type Origin uint8

// The places that what a register holds can be from.
const (
	Own    Origin = iota // it is what the register held where the way begins
	Loaded               // the stack
	Other                // not known
)

// A Stored is the value of the register in a slot that was put at a place.
type Stored struct {
	Slot  int // of the register
	At    Place
	Value Held // what it held
}

// NewWay returns a way that begins: nothing has been done yet.
func NewWay(arch *core.Arch) Way {
	return Way{Arch: arch, FP: Place{FromFP: true}, FPKnown: true}
}

// Clone returns a copy for a second way from the same place.
func (o *Way) Clone() Way {
	c := *o
	c.Stored = slices.Clip(c.Stored)
	c.Values = o.Values.clone()
	return c
}

// Kept reports whether the caller has a use for the register: it survives calls,
// or leads to the caller.
func (o *Way) Kept(slot int) bool {
	return slot == o.Arch.LR || slot >= 0 && o.Arch.CalleeSaved>>uint(slot)&1 != 0
}

// Store notes that a register was put at a place.
func (o *Way) Store(slot int, at Place) {
	if v := o.Values; v != nil {
		v.Put(Numbered(v.base+uint64(at.Off)), o.Arch.RegSize(), o.Number(slot))
	}
	if o.Kept(slot) {
		o.Stored = append(o.Stored, Stored{slot, at, o.Regs[slot]})
	}
}

// Load notes that a register was loaded from a place.
func (o *Way) Load(slot int, at Place) {
	if v := o.Values; v != nil {
		o.Write([]Write{{slot, v.Get(Numbered(v.base+uint64(at.Off)), o.Arch.RegSize())}}, true)
		return
	}
	if !o.Kept(slot) {
		return
	}
	if slot == o.Arch.FP {
		o.FPKnown = false
	}
	v := Held{Loaded, at}
	if !at.FromFP && at.Off < 0 {
		v.Kind = Other // below the stack as it was
	}
	for _, s := range o.Stored {
		switch {
		case s.At == at && (s.Slot == slot || s.Value.Kind == Loaded):
			v = s.Value
		case s.At == at, s.Slot == slot && s.At.FromFP != at.FromFP: // perhaps the same place
			v.Kind = Other
		}
	}
	o.Regs[slot] = v
	if slot == o.Arch.FP && v.Kind == Own {
		o.FP, o.FPKnown = Place{FromFP: true}, true
	}
}

// Shape is the frame that a return leaves at o, which takes pop bytes off the
// stack: the return address first. It reports false if that is not known.
func (o *Way) Shape(pop int64) (s Shape, ok bool) {
	s = Shape{FromFP: o.SP.FromFP, CFAOff: o.SP.Off + pop, Sure: true}
	if o.Arch.LR < 0 {
		s.Saved[o.Arch.PC] = int32(pop)
	}
	if !s.FromFP && o.SP.Off < 0 {
		return s, false
	}
	for slot, v := range o.Regs {
		if v.Kind == Own {
			continue
		}
		below := s.CFAOff - v.at.Off
		switch {
		case v.Kind == Loaded && v.at.FromFP == s.FromFP && below > 0 && below < 1<<30:
			s.Saved[slot] = int32(below)
		case slot == o.Arch.LR || slot == o.Arch.FP:
			return s, false
		default:
			s.Lost |= 1 << uint(slot)
		}
	}
	return s, true
}

// A Point is an instruction with the effects of the way to it.
type Point struct {
	At  core.Addr // the instruction
	Way Way
}
