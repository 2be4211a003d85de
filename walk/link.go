package walk

import "coredbg/core"

// linkUnwinder steps out of an interrupted function of which it is not known how
// far it has got, where calls leave the return address in a register. That
// register holds the function's own return address, or, once it has called
// something, a place in itself.
type linkUnwinder struct{ w *walker }

// Step returns the frame that the link register leads to. It declines if that is
// a place in the function itself.
func (u linkUnwinder) Step(f *Frame) (Frame, error) {
	w := u.w
	arch := w.t.p.Arch
	if arch.LR < 0 || !f.Exact() || f.Trampoline {
		return Frame{}, ErrDecline
	}
	shape := w.here.shape()
	lr, known := f.Regs.Get(arch.LR)
	if !known || shape != nil && (shape.sure || shape.entry) || w.here.way() != nil {
		return Frame{}, ErrDecline
	}
	pc := w.strip(core.Addr(lr), false)
	callee, ok, _ := w.called(pc)
	if !ok || pc == f.PC {
		return Frame{}, ErrDecline
	}
	own, sure := w.returnsTo(f.PC, pc)
	if own {
		return Frame{}, ErrDecline
	}
	if caller, ok := w.recorded(f, pc); ok {
		return caller, nil
	}
	if callee != 0 {
		if caller, ok := u.proven(f, pc, callee); ok {
			return caller, nil
		}
	}
	if shape != nil {
		if caller, err := (prologueUnwinder(u)).step(f, shape); err == nil && caller.PC == pc {
			return caller, nil
		}
	}
	if !sure && callee != 0 && w.t.abi.prologue != nil && w.t.abi.control == nil {
		// The call may be one that f itself has made: nothing shows that what it
		// calls leads to f.
		return Frame{}, ErrDecline
	}
	return u.found(f, pc, sure), nil
}

// proven returns the caller of f if the instructions of the function at callee,
// which returns to pc, lead to where f was interrupted.
func (u linkUnwinder) proven(f *Frame, pc, callee core.Addr) (Frame, bool) {
	t := u.w.t
	if t.abi.prologue == nil || callee > f.PC || f.PC-callee >= maxProofCode {
		return Frame{}, false
	}
	shape := t.proofShape(callSite{callee, f.PC})
	if shape == nil {
		return Frame{}, false
	}
	caller, err := prologueUnwinder(u).step(f, shape)
	return caller, err == nil && caller.PC == pc
}

// recorded returns the frame that f's record leads to if f has made one: it holds
// the same return address pc.
func (w *walker) recorded(f *Frame, pc core.Addr) (Frame, bool) {
	at, ok := f.Regs.Get(w.t.p.Arch.FP)
	fp := core.Addr(at)
	if !ok || !w.t.abi.record || fp < f.SP || fp%w.t.abi.align != 0 || !w.inStack(f.SP, fp) {
		return Frame{}, false
	}
	caller, err := w.record(fp)
	return caller, err == nil && caller.PC == pc
}

// found makes the frame of the return address pc. How much of its own frame f has
// made is not known, and so of the caller's registers only the frame pointer is.
func (u linkUnwinder) found(f *Frame, pc core.Addr, sure bool) Frame {
	arch := u.w.t.p.Arch
	caller := Frame{PC: pc, SP: f.SP, Trust: Scanned}
	if sure {
		caller.Trust = Prologue
	}
	caller.Regs.Set(arch.PC, uint64(pc))
	if fp, ok := f.Regs.Get(arch.FP); ok && u.w.t.abi.record {
		caller.FP = core.Addr(fp)
		caller.Regs.Set(arch.FP, fp)
	}
	return caller
}

// returnsTo reports whether ra, a return address, lies in the function that was
// interrupted at pc. Sure is false if neither its instructions nor what is known
// of where functions begin shows it; own is then false too.
func (w *walker) returnsTo(pc, ra core.Addr) (own, sure bool) {
	if w.t.abi.setsLink != nil {
		if own, sure = w.t.flows(ra, pc); own || sure {
			return own, sure
		}
	}
	here, ok := w.t.funcStart(pc)
	if !ok {
		return false, false
	}
	there, ok := w.t.funcStart(ra - 1)
	return ok && here == there, ok
}
