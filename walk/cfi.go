package walk

import (
	"errors"

	"coredbg/core"
	"coredbg/walk/cfi"
)

// cfiUnwinder steps by call frame information.
type cfiUnwinder struct{ w *walker }

// Step applies the row of f's program counter. It declines if there is none,
// or if it needs a register that is not known any more.
func (u cfiUnwinder) Step(f *Frame) (Frame, error) {
	w := u.w
	row := w.here.row
	if row == nil {
		return Frame{}, ErrDecline
	}
	in := &f.Regs
	if sp, ok := w.spFromRecord(f, row); ok {
		known := f.Regs
		known.Set(w.t.p.Arch.SP, sp)
		in = &known
	}
	regs, cfa, err := row.Apply(in, &w.stack)
	if err != nil {
		var unknown *cfi.UnknownError
		switch {
		case errors.Is(err, cfi.ErrOutermost):
			return Frame{}, ErrRoot
		case errors.As(err, &unknown):
			return Frame{}, ErrDecline
		}
		if fault := core.Fault(err); fault != nil {
			return Frame{}, &StopError{Kind: StopUnreadable, At: fault.Addr, Err: fault}
		}
		return Frame{}, ErrDecline
	}
	arch := w.t.p.Arch
	pc := w.strip(core.Addr(regs.Val[arch.PC]), row.RASigned)
	regs.Val[arch.PC] = uint64(pc)
	caller := Frame{PC: pc, Regs: regs, Trust: CFI, SP: cfa}
	if row.Signal {
		caller.Point = Interrupted
	}
	if w.here.image.machO != nil {
		caller.Trust = Compact
	}
	if sp, ok := regs.Get(arch.SP); ok {
		caller.SP = core.Addr(sp)
	}
	if fp, ok := regs.Get(arch.FP); ok {
		caller.FP = core.Addr(fp)
	}
	if f.Exact() && caller.PC == f.PC && caller.SP == f.SP {
		// The link register was used to come here, as swapcontext of glibc for aarch64 is
		// resumed: the instructions say which register has the return address.
		return w.left(f)
	}
	return caller, nil
}

// left steps out of f along its instructions, with the values of its registers.
func (w *walker) left(f *Frame) (Frame, error) {
	caller, ok := Leave(w.t.p, f, 0)
	if !ok {
		return Frame{}, ErrDecline
	}
	if ok, _ = w.returnAddress(caller.PC); !ok || caller.PC == f.PC {
		return Frame{}, ErrDecline
	}
	caller.Trust = Prologue
	return caller, nil
}

// spFromRecord returns the stack pointer of a frame in which it is unknown, as
// it is after a frame pointer step where the ABI does not put records at the
// end of frames. The frame pointer points to the record, and the row says where
// in the frame that is.
func (w *walker) spFromRecord(f *Frame, row *cfi.Row) (sp uint64, ok bool) {
	arch := w.t.p.Arch
	if f.Regs.Has(arch.SP) || !w.t.abi.record || int(row.CFAReg) != arch.SP || row.CFAExpr != nil {
		return 0, false
	}
	fp, known := f.Regs.Get(arch.FP)
	rule := row.Rule(arch.FP)
	if !known || rule.Kind != cfi.Offset || !w.inStack(f.SP, core.Addr(fp)) {
		return 0, false
	}
	return fp - uint64(rule.Off) - uint64(row.CFAOff), true
}
