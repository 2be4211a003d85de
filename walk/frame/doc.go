// Package frame is the vocabulary of walks: what a frame is, how it was found, what its
// program counter is, what steps out of frames, and why a walk ended. Package walk has
// the same names for who walks.
//
// Files:
//
//	frame.go     Frame, Trust, Point
//	unwinder.go  Unwinder, which a runtime has for its frames, and Stepper, which a walk asks
//	stop.go      Stop, StopError
//
// LIMITATIONS: a frame has the registers that core.Regs has slots for, which are those of
// integers.
package frame
