// Package isa says what instructions tell about frames, in terms that are the same for
// all processors: where control goes on (Control), which frame a function has at an
// instruction (Shape), and what the instructions from there to its return do to the stack
// (Way), with the numbers that registers hold, if these are known (Values). A Set is what
// one processor knows of them; packages below have those.
//
// The order of what is followed: the function's start leads to a Shape by
// Set.Prologue, an interrupted instruction to one by a Way that Set.Step goes along until
// Set.Control says that it returns. Nothing here reads a process but the numbers of a Way.
//
// Files:
//
//	control.go  Control, its kinds
//	shape.go    Shape; the limits of what is read of a function
//	way.go      Way: places on the stack, what registers hold in terms of them
//	values.go   Values: the numbers in registers and on the stack, flags
//	set.go      Set
//
// LIMITATIONS: what is stored where it is not known is taken not to be where the way comes by.
package isa
