package isa

// A Control is where control goes after an instruction. It is the one description for all code that
// follows instructions: the places a function reaches, whether one place leads to another, and how a
// function gets to its return.
type Control struct {
	Kind Kind // how it goes on
	Size int  // bytes
	// Target is where a direct jump goes, relative to the instruction.
	Target int64
	// Takes is where the address leads that an instruction makes relative to itself and that
	// a later one may jump by, from the instruction on; 0 if it makes none.
	Takes int64
	// Pop is how many bytes a return takes off the stack.
	Pop int64
	// Tail is set with Indirect if the jump is one to a function, which returns for
	// this one: by a pointer at a fixed place, or as linkage tables have it.
	Tail bool
}

// A Kind says how control goes on.
type Kind uint8

// Kinds of Control.
const (
	Unknown  Kind = iota // the instruction is not understood, or cut short
	Passes               // to the next instruction
	Branches             // to the next one, or to the target
	Jumps                // to the target
	Calls                // to a function, and on if that returns
	Returns              // to the caller
	Indirect             // where a register or a pointer leads
	Stops                // nowhere
)

// LongestInsn is the length in bytes of the longest instruction.
const LongestInsn = 15

// CallBytes is the length in bytes of the longest call instruction that Set.Call knows.
const CallBytes = 8
