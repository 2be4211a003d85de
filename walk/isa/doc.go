// Package isa describes the effects of instructions on frames in terms that are the same for all
// processors: where control goes on (Control), the frame of a function at an instruction (Shape), and
// the effects of the instructions from there to its return on the stack (Way), with the numbers that
// registers hold, if these are known (Values). A Set describes one processor; the packages below have
// the Sets.
//
// Code is followed in this order: Set.Prologue leads from the function's start to a Shape; from an
// interrupted instruction, Set.Step goes along a Way until Set.Control says that it returns, and the
// Way gives a Shape. This package reads the process only for the numbers of a Way.
//
// Files:
//
//	control.go  Control, its kinds
//	shape.go    Shape; the limits of the code that is read
//	way.go      Way: places on the stack, the contents of registers in terms of them
//	values.go   Values: the numbers in registers and on the stack, flags
//	set.go      Set
//
// LIMITATIONS: a store to an unknown place is taken not to overwrite the words that the way uses.
package isa
