package isa

import "coredbg/core"

// A Set is the knowledge about an architecture's instructions that walking needs. It is data, so that
// code that follows instructions needs no architecture's name. Unknown parts are nil.
type Set struct {
	// Mode are the low bits of a code address that say how to decode it.
	Mode core.Addr
	// Call reports whether an instruction that ends after code is a call, and
	// of a direct one how far from there it goes. Code is up to CallBytes bytes
	// before a return address.
	Call func(code []byte) (to int64, direct, ok bool)
	// CallSlot returns what an indirect call before pc, which ends code, calls
	// if it is by a pointer that cannot have changed, else 0.
	CallSlot func(p *core.Process, pc core.Addr, code []byte) core.Addr
	// Exits are instructions that end the thread with the status that a
	// function has returned, as C libraries have them in clone.
	Exits [][]byte
	// Prologue analyses a function up to the instruction at pc, following at most budget instructions.
	Prologue func(code []byte, pc, budget int) (Shape, bool)
	// Entered recognises the first instructions of a function by the
	// bytes before and after an address.
	Entered func(arch *core.Arch, before, after []byte) (Shape, bool)
	// Returns reports whether an instruction is a return, with the frame that is
	// left there.
	Returns func(arch *core.Arch, code []byte) (Shape, bool)
	// Control says where control goes after the instruction that code begins with.
	Control func(arch *core.Arch, code []byte) Control
	// Apply does to the way out of a function what an instruction does to the
	// stack, and reports whether the stack is known after it.
	Apply func(o *Way, code []byte) bool
	// Decide reports whether a conditional jump is taken, by the numbers and flags of
	// a way that has them; sure is false if they do not show it.
	Decide func(o *Way, code []byte) (taken, sure bool)
	// SetsLink reports whether an instruction changes the link register.
	SetsLink func(code []byte) bool
	// Slot returns where the pointer lies that the instruction at an offset of the
	// code at an address jumps by, if it is a stub's; else 0.
	Slot func(p *core.Process, a core.Addr, code []byte, at int) core.Addr
	// Begins reports whether code is what compilers put between functions or at
	// their start.
	Begins func(code []byte) bool
}

// Step applies the instruction in code to o. Left reports whether control leaves the function there: to
// its caller, or to a function that returns for it. The kind is Unknown if the stack after the
// instruction is not known.
func (a *Set) Step(o *Way, code []byte) (c Control, left bool) {
	c = a.Control(o.Arch, code)
	switch c.Kind {
	case Returns:
		return c, true
	case Indirect:
		return c, c.Tail
	case Passes, Branches, Jumps:
		if !a.Apply(o, code) {
			c.Kind = Unknown
		}
	}
	return c, false
}
