package function

import (
	"errors"

	"coredbg/core"
	"coredbg/walk/cfi"
	"coredbg/walk/frame"
	"coredbg/walk/leave"
	"coredbg/walk/step"
)

// CFI steps by call frame information.
type CFI struct {
	Walk *step.Walk // the walk that it makes steps of
}

// Step applies the row of f's program counter. It declines if there is none,
// or if it needs a register that is not known any more.
func (u CFI) Step(f *frame.Frame) (frame.Frame, error) {
	w := u.Walk
	row := w.Here.Row
	if row == nil {
		return frame.Frame{}, frame.ErrDecline
	}
	in := &f.Regs
	sp, ok := u.spFromRecord(f, row)
	if !ok {
		sp, ok = u.spFromCall(f, row)
	}
	if ok {
		known := f.Regs
		known.Set(w.Text.Process.Arch.SP, sp)
		in = &known
	}
	if fp := w.Text.Process.Arch.FP; int(row.CFAReg) == fp && row.CFAExpr == nil && !in.Has(fp) {
		if v, ok := w.FPBySP(f); ok {
			known := *in
			known.Set(fp, uint64(v))
			in = &known
		}
	}
	regs, cfa, err := row.Apply(in, &w.Stack)
	if err != nil {
		var unknown *cfi.UnknownError
		switch {
		case errors.Is(err, cfi.ErrOutermost):
			return u.handler(f)
		case errors.As(err, &unknown):
			return frame.Frame{}, frame.ErrDecline
		}
		if fault := core.Fault(err); fault != nil {
			return frame.Frame{}, &frame.StopError{Kind: frame.StopUnreadable, At: fault.Addr, Err: fault}
		}
		return frame.Frame{}, frame.ErrDecline
	}
	caller := u.made(row, regs, cfa)
	if w.Here.Module.Compact() {
		caller.Trust = frame.Compact
	}
	if f.Exact() && caller.PC == f.PC && caller.SP == f.SP {
		// The link register was used to come here, as swapcontext of glibc for aarch64 is
		// resumed: the instructions say which register has the return address.
		return u.left(f)
	}
	return caller, nil
}

// made returns the caller that a row has given these registers.
func (u CFI) made(row *cfi.Row, regs core.Regs, cfa core.Addr) frame.Frame {
	arch := u.Walk.Text.Process.Arch
	pc := u.Walk.Text.Strip(core.Addr(regs.Val[arch.PC]), row.RASigned)
	regs.Val[arch.PC] = uint64(pc)
	caller := frame.Frame{PC: pc, Regs: regs, Trust: frame.CFI, SP: cfa}
	if row.Signal {
		caller.Point = frame.Interrupted
	}
	if sp, ok := regs.Get(arch.SP); ok {
		caller.SP = core.Addr(sp)
	}
	if fp, ok := regs.Get(arch.FP); ok {
		caller.FP = core.Addr(fp)
	}
	return caller
}

// handler steps out of a function that says that nothing has called it, as Go's sigtramp does on aarch64: it is
// the root, but where it returns to the trampoline of a signal handler.
func (u CFI) handler(f *frame.Frame) (frame.Frame, error) {
	caller, err := Prologue(u).Step(f)
	if err != nil || u.Walk.Text.At(caller.PC, false).Trampoline == nil {
		return frame.Frame{}, frame.ErrRoot
	}
	return caller, nil
}

// left steps out of f along its instructions, with the values of its registers.
func (u CFI) left(f *frame.Frame) (frame.Frame, error) {
	w := u.Walk
	caller, ok := leave.Caller(w.Text.Process, f, 0)
	if !ok {
		return frame.Frame{}, frame.ErrDecline
	}
	if ok, _ = w.Text.ReturnAddress(caller.PC); !ok || caller.PC == f.PC {
		return frame.Frame{}, frame.ErrDecline
	}
	caller.Trust = frame.Prologue
	return caller, nil
}

// spFromRecord returns the stack pointer of a frame whose stack pointer is unknown, as it is after a
// frame pointer step if the ABI does not put records at the end of frames. The frame pointer points to
// the record, and the row gives the record's place in the frame.
func (u CFI) spFromRecord(f *frame.Frame, row *cfi.Row) (sp uint64, ok bool) {
	w := u.Walk
	arch := w.Text.Process.Arch
	if f.Regs.Has(arch.SP) || !w.Links.Record || int(row.CFAReg) != arch.SP || row.CFAExpr != nil {
		return 0, false
	}
	fp, known := f.Regs.Get(arch.FP)
	rule := row.Rule(arch.FP)
	if !known || rule.Kind != cfi.Offset || !w.InStack(f.SP, core.Addr(fp)) {
		return 0, false
	}
	return fp - uint64(rule.Off) - uint64(row.CFAOff), true
}
