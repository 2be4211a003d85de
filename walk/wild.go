package walk

import "coredbg/core"

// wildUnwinder steps out of a call to where there is no code: through a null or
// wild pointer. Nothing has run there yet, so the call's return address is
// still where the call put it, and every register is the caller's.
type wildUnwinder struct{ w *walker }

// Step returns the frame that made the call. If what should be its return
// address is none, the pointer was not called but returned to, and the caller
// is lost.
func (u wildUnwinder) Step(f *Frame) (Frame, error) {
	w := u.w
	if !f.Exact() || w.here.exec {
		return Frame{}, ErrDecline
	}
	arch := w.t.p.Arch
	caller := Frame{Regs: f.Regs, Trust: Prologue, SP: f.SP, FP: f.FP}
	if arch.LR >= 0 {
		lr, ok := f.Regs.Get(arch.LR)
		if !ok {
			return Frame{}, ErrDecline
		}
		caller.PC = w.strip(core.Addr(lr+arch.ReturnBias), false)
		caller.Regs.Forget(arch.LR)
	} else {
		caller.PC = w.stack.Pointer(f.SP)
		if err := w.stack.Reset(); err != nil {
			// The caller of what is not there is on a stack that is not there.
			return Frame{}, err
		}
		caller.SP += core.Addr(arch.PtrSize)
	}
	if ok, _ := w.returnAddress(caller.PC); !ok {
		return Frame{}, &StopError{Kind: StopNotExecutable, At: f.PC}
	}
	caller.Regs.Set(arch.PC, uint64(caller.PC))
	caller.Regs.Set(arch.SP, uint64(caller.SP))
	return caller, nil
}
