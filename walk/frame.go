package walk

import (
	"coredbg/core"
	"coredbg/walk/frame"
	"coredbg/walk/leave"
	"coredbg/walk/signal"
)

// The parts of frames: names of package frame for callers of this package.
type (
	// A Frame is one activation on a thread's stack.
	Frame = frame.Frame
	// Trust says how a frame was found, the least reliable first.
	Trust = frame.Trust
	// A Point says what the PC of a frame is.
	Point = frame.Point
	// An Unwinder steps out of a runtime's frames.
	Unwinder = frame.Unwinder
	// A Bounder knows where stacks end that lie side by side in one mapping.
	Bounder = frame.Bounder
	// Stop is the kind of reason why a walk ended.
	Stop = frame.Stop
	// A StopError says why a walk ended.
	StopError = frame.StopError
	// A Context is what a ucontext_t holds.
	Context = signal.Context
)

// How a frame was found.
const (
	Scanned      = frame.Scanned
	Prologue     = frame.Prologue
	FramePointer = frame.FramePointer
	CFI          = frame.CFI
	Compact      = frame.Compact
	Runtime      = frame.Runtime
	Registers    = frame.Registers
)

// The kinds of program counters.
const (
	AfterCall   = frame.AfterCall
	Interrupted = frame.Interrupted
	Trapped     = frame.Trapped
	NoCall      = frame.NoCall
	Virtual     = frame.Virtual
)

// The reasons why a walk ended.
const (
	StopRoot          = frame.StopRoot
	StopUnreadable    = frame.StopUnreadable
	StopNoProgress    = frame.StopNoProgress
	StopNotExecutable = frame.StopNotExecutable
	StopLimit         = frame.StopLimit
)

// Errors of an Unwinder that finds no caller: it does not know the frame, or the frame is the
// outermost.
var (
	ErrDecline = frame.ErrDecline
	ErrRoot    = frame.ErrRoot
)

// Leave returns the caller of an interrupted frame, if its function's instructions show how the
// processor gets there: f must be Exact and have its registers. Start is the function's first
// instruction, 0 if that is not known. See leave.Caller for the registers of the caller.
func Leave(p *core.Process, f *Frame, start core.Addr) (caller Frame, ok bool) {
	return leave.Caller(p, f, start)
}
