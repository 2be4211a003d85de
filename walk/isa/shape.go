package isa

import "coredbg/core"

// A Shape is what a function's instructions say about its frame at one of
// them.
type Shape struct {
	FromFP bool  // the CFA is relative to the frame pointer, else to the stack pointer
	Base   int   // the slot of another register that serves as frame pointer; else 0
	CFAOff int64 // bytes
	// SPOff is the CFA minus the stack pointer if the CFA is relative to the frame pointer and the
	// instructions show both; else 0.
	SPOff int64
	// Saved[i] is how far below the CFA the register in slot i was saved; 0 if it was not. The return
	// address is in the slot of the program counter if the call pushes it, else in the slot of the link
	// register.
	Saved [core.MaxRegs]int32
	Lost  uint64 // bit i: where the register in slot i was saved is not known
	// Sure is set if the instructions lead from the function's start to the
	// place; else the frame is the one that most of the function has.
	Sure  bool
	Entry bool // the function is a thread's first: it has no caller
	// Ahead is set if the shape is what the rest of the function takes down, over
	// calls, not what it has built up.
	Ahead bool
}

// Register returns the slot of the register that the CFA is relative to.
func (s *Shape) Register(arch *core.Arch) int {
	switch {
	case !s.FromFP:
		return arch.SP
	case s.Base != 0:
		return s.Base
	}
	return arch.FP
}

// The limits of the code that is read to understand a function's frame.
const (
	MaxCode  = 256 << 10 // bytes, up to the instruction in question
	MaxInsns = 1 << 16
)
