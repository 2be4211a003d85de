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
	// Step returns the caller of f, and the runtime's record of f itself, which becomes f's Record; the
	// record may come with an error. The error is ErrDecline if f does not belong to the runtime,
	// ErrRoot if f has no caller, or says why the caller cannot be found.
	Step(f *Frame) (caller Frame, record any, err error)
	// Next returns the innermost frame that the runtime's own records have at a stack address or
	// further out. It returns false if there is no such frame. A PC of 0 means that the record does not
	// give a place in the code. If from is not on the stack of the records, as in a signal handler,
	// Next returns the first record.
	Next(from core.Addr) (f Frame, ok bool)
}

// An Amender is an Unwinder that knows facts about callers, however they were found, that neither code
// nor stacks show: its runtime has made a call that is not in the code, or a return address without a
// call.
type Amender interface {
	// Amend corrects the caller of f.
	Amend(f, caller *Frame)
}

// A Bounder knows where stacks end that lie side by side in one mapping: a runtime that has made them, or its Unwinder.
type Bounder interface {
	// Stack returns the stack that contains sp; at the end of an empty stack, sp equals high. It
	// returns false if it knows no such stack.
	Stack(sp core.Addr) (low, high core.Addr, ok bool)
}

// A Recorder is an Unwinder that has the frames of some tasks in its own records alone: such a task left its stack, and
// no register leads to its frames.
type Recorder interface {
	// Records returns the frames of such a task, innermost first; nil if the thread of the walk is another one.
	Records() []Frame
}

// A Stepper steps out of frames of one kind.
type Stepper interface {
	// Step returns the caller of f. The error is ErrDecline if this Stepper does not handle f, ErrRoot
	// if f has no caller, or says why the caller cannot be found.
	Step(f *Frame) (Frame, error)
}
