// Package frame is the vocabulary of walks: frames, how they were found, their program counters,
// unwinders, and the reasons why a walk ended. Package walk has the same names for its callers.
//
// Files:
//
//	frame.go     Frame, Trust, Point
//	unwinder.go  Unwinder, which a runtime has for its frames, and Stepper, which a walk asks
//	stop.go      Stop, StopError
//
// LIMITATIONS: a frame has the registers that core.Regs has slots for, which are the integer ones.
package frame
