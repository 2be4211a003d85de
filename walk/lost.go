package walk

import (
	"errors"

	"coredbg/core"
	"coredbg/walk/frame"
)

// begins reports whether f is the first function of a coroutine: found beyond doubt, it is at its first
// instruction, with no call before it. No function returns there; the address was put on the stack by
// hand.
func (w *walker) begins(f *Frame) bool {
	const nop = 4 // Go's goexit begins with one, so that it seems to have made a call
	if _, called, sure := w.Text.Called(f.PC); called || !sure || f.Exact() || f.Trust < CFI {
		return false
	}
	if start, known := w.Text.FuncStart(f.PC); known {
		return f.PC-start <= nop
	}
	start, known := w.Text.DescribedStart(f.PC)
	return known && f.PC-start <= nop
}

// lost explains why nothing found the caller of f.
func (w *walker) lost(f *Frame) error {
	if !w.Here.Exec {
		return &StopError{Kind: StopNotExecutable, At: f.PC}
	}
	if w.begins(f) {
		return ErrRoot
	}
	if w.Here.Module != nil && w.Here.Module.Err != nil {
		return &StopError{Kind: StopUnreadable, At: f.PC, Err: w.Here.Module.Err}
	}
	if gap := (*core.GapError)(nil); errors.As(w.Here.Err, &gap) {
		return &StopError{Kind: StopUnreadable, At: f.PC, Err: w.Here.Err}
	}
	for _, at := range []core.Addr{f.SP, f.LookupPC()} {
		w.Stack.U8(at)
		if fault := core.Fault(w.Stack.Reset()); fault != nil {
			return &StopError{Kind: StopUnreadable, At: at, Err: fault}
		}
	}
	return &StopError{Kind: StopNoProgress, At: f.PC, Err: frame.ErrLost}
}
