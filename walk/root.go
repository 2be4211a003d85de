package walk

import (
	"errors"

	"coredbg/core"
)

// A walk says that it has reached the root only where the start of the thread is
// proven: call frame information without a return address (_start, clone,
// start_thread), the program's entry point and the instructions that end a thread
// (see shape), a null return address where one must be, the null frame pointer
// that ends a chain, if the ABI keeps a register for that. A null in a register
// proves nothing where the code that has it cannot be read: a function may use the
// frame pointer for whatever it likes, and a library that is missing has not said.

// calledFromEntry reports whether f returns to the function at the program's entry
// point, which nothing has called.
func (t *Target) calledFromEntry(f *Frame) bool {
	v, ok := t.p.AuxValue(atEntry)
	entry := core.Addr(v) &^ t.abi.mode
	if !ok || f.Exact() || f.PC <= entry || f.PC-entry >= entryReach {
		return false
	}
	start, known := t.funcStart(f.PC - 1)
	return known && start&^t.abi.mode == entry
}

// entryOf returns the program's entry point if a is in the function there: near it,
// and where its code can be followed, reached by that.
func (t *Target) entryOf(a core.Addr) (core.Addr, bool) {
	v, ok := t.p.AuxValue(atEntry)
	entry := core.Addr(v) &^ t.abi.mode
	if !ok || a < entry || a-entry >= entryReach {
		return 0, false
	}
	r := t.reachedFrom(entry)
	return entry, r == nil || r.has(a-entry)
}

// ends reports whether f is the outermost frame, because the chain of frame
// pointers that has led to it ends there.
func (w *walker) ends(f *Frame) bool {
	fp, ok := f.Regs.Get(w.t.p.Arch.FP)
	return ok && fp == 0 && f.Trust == FramePointer && !w.t.abi.freeFP && w.readable(f)
}

// endsIn reports whether f is the outermost frame, because its frame record, which
// was read as caller, has no return address. It must be known to be one: the chain
// led to f and the record ends it, or f's instructions have made it.
func (w *walker) endsIn(f, caller *Frame) bool {
	if caller.PC != 0 || !w.readable(f) {
		return false
	}
	shape := w.here.shape()
	return f.Trust == FramePointer && caller.FP == 0 || shape != nil && shape.sure && shape.fromFP
}

// begins reports whether f is the first function of a coroutine: found beyond
// doubt, it is at its first instruction, with no call before it. Nothing returns
// there; somebody has put the address on the stack by hand.
func (w *walker) begins(f *Frame) bool {
	const nop = 4 // Go's goexit begins with one, so that it seems to have made a call
	if _, called, sure := w.called(f.PC); called || !sure || f.Exact() || f.Trust < CFI {
		return false
	}
	if start, known := w.t.funcStart(f.PC); known {
		return f.PC-start <= nop
	}
	start, known := w.t.describedStart(f.PC)
	return known && f.PC-start <= nop
}

// describedStart returns where the function part that a lies in begins, as its
// frame description has it.
func (t *Target) describedStart(a core.Addr) (core.Addr, bool) {
	m := t.p.Module(a)
	if m == nil {
		return 0, false
	}
	link, ok := m.LinkAddr(a)
	table := t.image(m).table
	if !ok || table == nil {
		return 0, false
	}
	begin, _, err := table.Range(link & uint64(t.p.Arch.AddrMask()))
	return a - core.Addr(link-begin), err == nil
}

// readable reports whether the instruction that f is at can be read.
func (w *walker) readable(f *Frame) bool {
	w.code.U8(f.LookupPC())
	return w.code.Reset() == nil
}

// null is what a null return address of a caller of f that was found beyond doubt
// means: the root, or, in a core that was cut, a stack that is not there. Where
// the limit on a core's size cuts it, zeros stand for the rest. What a chain has led to
// that may have been none is not beyond doubt.
func (w *walker) null(f, caller *Frame) error {
	if w.t.abi.freeFP && f.Trust < CFI {
		return &StopError{Kind: StopNoProgress, At: f.PC, Err: errLost}
	}
	word := core.Addr(w.t.p.Arch.PtrSize)
	if at := caller.SP - word; w.t.p.Truncated && w.blank(at) {
		return &StopError{Kind: StopUnreadable, At: at, Err: &core.FaultError{Addr: at, Gap: core.Truncated, Detail: "zeros stand for the stack"}}
	}
	return ErrRoot
}

// blank reports whether the page around a has nothing but zeros.
func (w *walker) blank(a core.Addr) bool {
	const page = 4096
	b, err := w.t.p.Space.Slice(a&^(page-1), page)
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return err == nil
}

// lost explains why nothing found the caller of f.
func (w *walker) lost(f *Frame) error {
	if !w.here.exec {
		return &StopError{Kind: StopNotExecutable, At: f.PC}
	}
	if w.begins(f) {
		return ErrRoot
	}
	if w.here.image != nil && w.here.image.err != nil {
		return &StopError{Kind: StopUnreadable, At: f.PC, Err: w.here.image.err}
	}
	if gap := (*core.GapError)(nil); errors.As(w.here.err, &gap) {
		return &StopError{Kind: StopUnreadable, At: f.PC, Err: w.here.err}
	}
	for _, at := range []core.Addr{f.SP, f.LookupPC()} {
		w.stack.U8(at)
		if fault := core.Fault(w.stack.Reset()); fault != nil {
			return &StopError{Kind: StopUnreadable, At: at, Err: fault}
		}
	}
	return &StopError{Kind: StopNoProgress, At: f.PC, Err: errLost}
}
