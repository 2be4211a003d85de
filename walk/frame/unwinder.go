package frame

import (
	"errors"

	"coredbg/core"
)

// ErrDecline is returned by an Unwinder that has no opinion about a frame.
var ErrDecline = errors.New("walk: not mine")

// ErrRoot is returned by an Unwinder that knows the frame to be the outermost.
var ErrRoot = errors.New("walk: outermost frame")

// An Unwinder steps out of a runtime's frames, and knows where on the stack its
// records have more of them. It belongs to one walk, so it may keep state.
type Unwinder interface {
	// Step returns the caller of f, and what it knows of f itself, which
	// becomes f's Record; that may come with an error. The error is ErrDecline
	// if f is none of the runtime's, ErrRoot if f has no caller, or says why
	// the caller cannot be found.
	Step(f *Frame) (caller Frame, record any, err error)
	// Next returns the innermost frame that the runtime's own records have at
	// a stack address or further out; ok is false if they have none. A PC of
	// 0 says that the record does not say where in its code the frame is.
	// From an address that is not on the stack of the records, such as one of
	// a signal handler's, it returns the first of them.
	Next(from core.Addr) (f Frame, ok bool)
}

// An Amender is an Unwinder that knows of callers, however they were found, what neither code nor stacks show: that its
// runtime has made a call which the code does not make, or a return address without one.
type Amender interface {
	// Amend corrects the caller of f.
	Amend(f, caller *Frame)
}

// A Bounder knows where stacks end that lie side by side in one mapping: a runtime that has made them, or its Unwinder.
type Bounder interface {
	// Stack returns the stack that a stack pointer is on, which is at the end of an empty one; ok is false if it
	// knows of none.
	Stack(sp core.Addr) (low, high core.Addr, ok bool)
}

// A Stepper steps out of frames of one kind.
type Stepper interface {
	// Step returns the caller of f, ErrDecline if f is not of its kind, ErrRoot if
	// f has no caller, or why the caller cannot be found.
	Step(f *Frame) (Frame, error)
}
