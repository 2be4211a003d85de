package chain

import (
	"coredbg/core"
	"coredbg/walk/frame"
	"coredbg/walk/scan"
	"coredbg/walk/site"
	"coredbg/walk/step"
)

// FP steps by the frame-pointer chain: the frame pointer points to the
// caller's, with the return address after it.
type FP struct {
	Walk *step.Walk // the walk that it makes steps of
}

// Step reads the frame record of f. It declines if the frame pointer cannot be
// one.
func (u FP) Step(f *frame.Frame) (frame.Frame, error) {
	w := u.Walk
	if !w.Links.Record {
		return frame.Frame{}, frame.ErrDecline
	}
	fp, ok := f.Regs.Get(w.Text.Process.Arch.FP)
	if !ok {
		return frame.Frame{}, frame.ErrDecline
	}
	at := core.Addr(fp)
	if at == 0 || at%w.Links.Align != 0 || !w.InStack(f.SP, at) {
		return frame.Frame{}, frame.ErrDecline
	}
	if at < f.SP {
		// Inside a chain the pointer leads back: the chain is broken. Before
		// one it is a register like any other.
		if f.Trust == frame.FramePointer {
			return frame.Frame{}, &frame.StopError{Kind: frame.StopNoProgress, At: f.PC}
		}
		return frame.Frame{}, frame.ErrDecline
	}
	// A function that keeps no frame record is below the one that does. If
	// where it starts is not known, its caller may show it.
	if w.Here.Shape() == nil {
		if caller, ok := (scan.Unwinder{Walk: w}).Prove(f, at); ok {
			return caller, nil
		}
		if caller, ok := u.unseenLeaf(f, at); ok {
			return caller, nil
		}
	}
	caller, err := w.Record(at)
	if err != nil {
		return frame.Frame{}, frame.ErrDecline
	}
	if nearer, ok := u.nearer(f, at, &caller); ok {
		return nearer, nil
	}
	if caller.PC == 0 {
		if w.EndsIn(f, &caller) {
			return frame.Frame{}, w.Null(f, &caller)
		}
		return frame.Frame{}, frame.ErrDecline
	}
	if ok, _ := w.Text.ReturnAddress(caller.PC); !ok && !w.Chained(f, at) {
		if f.Trust == frame.FramePointer && !w.Text.At(caller.PC, false).Exec {
			return frame.Frame{}, &frame.StopError{Kind: frame.StopNotExecutable, At: caller.PC}
		}
		return frame.Frame{}, frame.ErrDecline
	}
	return caller, nil
}

// nearer returns a frame between f and its record, whose caller is the record's, if f's
// code cannot be read: it need not keep records, and the record at fp may belong to a function
// further out. If there is none the caller says whether there might be.
func (u FP) nearer(f *frame.Frame, fp core.Addr, caller *frame.Frame) (frame.Frame, bool) {
	w := u.Walk
	if w.Here.Shape() != nil || w.Readable(f) {
		return frame.Frame{}, false
	}
	if nearer, ok := (scan.Unwinder{Walk: w}).Across(f, fp, caller); ok {
		return nearer, true
	}
	if w.NullBegins() {
		return frame.Frame{}, false
	}
	s := w.FarWords(f.SP, fp)
	for !caller.Gap && s.Next() {
		caller.Gap, _ = w.Text.ReturnAddress(s.Code)
	}
	caller.Gap = caller.Gap || s.Cut()
	return frame.Frame{}, false
}

// unseenLeaf returns the caller of an interrupted function whose code is not in
// the core: most often the innermost one is a leaf without a frame record, whose
// return address is then on top of the stack, and the record at fp is its
// caller's. Nothing proves it, so the frame counts as scanned; taking the
// record instead would lose the caller for certain if it is true.
func (u FP) unseenLeaf(f *frame.Frame, fp core.Addr) (frame.Frame, bool) {
	w := u.Walk
	arch := w.Text.Process.Arch
	if !f.Exact() || arch.LR >= 0 || f.SP == fp {
		return frame.Frame{}, false
	}
	w.Code.U8(f.PC)
	if w.Code.Reset() == nil {
		return frame.Frame{}, false
	}
	pc := core.Addr(w.Stack.Register(f.SP))
	if w.Stack.Reset() != nil {
		return frame.Frame{}, false
	}
	if w.Text.CalledBy(f, pc) == site.Refuted {
		return frame.Frame{}, false
	}
	caller := frame.Frame{PC: pc, SP: f.SP + core.Addr(arch.RegSize()), FP: fp, Trust: frame.Scanned}
	caller.Regs.Set(arch.PC, uint64(pc))
	caller.Regs.Set(arch.SP, uint64(caller.SP))
	caller.Regs.Set(arch.FP, uint64(fp))
	return caller, true
}
