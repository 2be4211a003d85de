package step

import (
	"coredbg/core"
	"coredbg/walk/frame"
)

// A walk says that it has reached the root only where the start of the thread is
// proven: call frame information without a return address (_start, clone,
// start_thread), the program's entry point and the instructions that end a thread
// (isa.Shape.Entry), a null return address where one must be, the null frame pointer
// that ends a chain, if the ABI keeps a register for that. A null in a register
// proves nothing where the code that has it cannot be read: a function may use the
// frame pointer for whatever it likes, and a library that is missing has not said.
// On 32-bit Windows it proves something: threads begin with a null there, and the
// libraries of the system, which call what a thread runs, keep frame records.

// Ends reports whether f is the outermost frame, because the chain of frame
// pointers that has led to it ends there.
func (w *Walk) Ends(f *frame.Frame) bool {
	return w.nullEnds(f) && w.Readable(f)
}

// EndsUnseen is Ends for a frame whose code is not needed to tell.
func (w *Walk) EndsUnseen(f *frame.Frame) bool { return w.NullBegins() && w.nullEnds(f) }

// NullBegins reports whether each thread begins with a null frame pointer, and the code that runs
// first keeps records.
func (w *Walk) NullBegins() bool {
	p := w.Text.Process
	return p.OS == "windows" && p.Arch == core.I386
}

// nullEnds reports whether the chain of frame pointers that has led to f ends with a null.
func (w *Walk) nullEnds(f *frame.Frame) bool {
	fp, ok := f.Regs.Get(w.Text.Process.Arch.FP)
	return ok && fp == 0 && f.Trust == frame.FramePointer && !w.Links.FreeFP
}

// EndsIn reports whether f is the outermost frame, because its frame record, which
// was read as caller, has no return address. It must be known to be one: the chain
// led to f and the record ends it, or f's instructions have made it.
func (w *Walk) EndsIn(f, caller *frame.Frame) bool {
	if caller.PC != 0 {
		return false
	}
	if !w.Readable(f) {
		return w.NullBegins() && f.Trust == frame.FramePointer && caller.FP == 0
	}
	shape := w.Here.Shape()
	return f.Trust == frame.FramePointer && caller.FP == 0 || shape != nil && shape.Sure && shape.FromFP
}

// Readable reports whether the instruction that f is at can be read.
func (w *Walk) Readable(f *frame.Frame) bool {
	w.Code.U8(f.LookupPC())
	return w.Code.Reset() == nil
}

// Null returns the meaning of a null return address of a caller of f that was found beyond doubt: the
// root, or, in a core that was cut, a missing part of the stack. If the limit on a core's size cuts it,
// zeros stand for the rest. An address found by a chain of records that need not be real is not beyond
// doubt.
func (w *Walk) Null(f, caller *frame.Frame) error {
	if w.Links.FreeFP && f.Trust < frame.CFI {
		return &frame.StopError{Kind: frame.StopNoProgress, At: f.PC, Err: frame.ErrLost}
	}
	word := core.Addr(w.Text.Process.Arch.RegSize())
	if at := caller.SP - word; w.Text.Process.Truncated && w.blank(at) {
		return &frame.StopError{Kind: frame.StopUnreadable, At: at, Err: &core.FaultError{Addr: at, Gap: core.Truncated,
			Detail: "zeros stand for the stack"}}
	}
	return frame.ErrRoot
}

// blank reports whether the page around a has only zeros.
func (w *Walk) blank(a core.Addr) bool {
	const page = 4096
	b, err := w.Text.Process.Space.Slice(a&^(page-1), page)
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return err == nil
}
