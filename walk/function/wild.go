package function

import (
	"coredbg/core"
	"coredbg/walk/frame"
	"coredbg/walk/step"
)

// Wild steps out of a call to where there is no code: through a null or
// wild pointer. Nothing has run there yet, so the call's return address is
// still where the call put it, and every register is the caller's. That is so as well where something may be
// executed that is not code, such as zeros or an image's header, if a return address is there.
type Wild struct {
	Walk *step.Walk // the walk that it makes steps of
}

// Step returns the frame that made the call. If what should be its return
// address is none, the pointer was not called but returned to, and the caller
// is lost.
func (u Wild) Step(f *frame.Frame) (frame.Frame, error) {
	w := u.Walk
	if !f.Exact() || w.Here.Exec && w.Text.Process.NotCode(f.PC) == "" {
		return frame.Frame{}, frame.ErrDecline
	}
	arch := w.Text.Process.Arch
	caller := frame.Frame{Regs: f.Regs, Trust: frame.Prologue, SP: f.SP, FP: f.FP}
	if arch.LR >= 0 {
		lr, ok := f.Regs.Get(arch.LR)
		if !ok {
			return frame.Frame{}, frame.ErrDecline
		}
		caller.PC = w.Text.Strip(core.Addr(lr+arch.ReturnBias), false)
		caller.Regs.Forget(arch.LR)
	} else {
		caller.PC = w.Stack.Pointer(f.SP)
		if err := w.Stack.Reset(); err != nil {
			// The caller of missing code is on a stack that is missing.
			return frame.Frame{}, err
		}
		caller.SP += core.Addr(arch.RegSize())
	}
	if ok, _ := w.Text.ReturnAddress(caller.PC); !ok && w.Here.Exec {
		return frame.Frame{}, frame.ErrDecline // it may have gone on from elsewhere
	} else if !ok {
		return frame.Frame{}, &frame.StopError{Kind: frame.StopNotExecutable, At: f.PC}
	}
	caller.Regs.Set(arch.PC, uint64(caller.PC))
	caller.Regs.Set(arch.SP, uint64(caller.SP))
	return caller, nil
}
