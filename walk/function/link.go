package function

import (
	"coredbg/core"
	"coredbg/walk/frame"
	"coredbg/walk/site"
	"coredbg/walk/step"
)

// Link steps out of an interrupted function at an unknown point of its execution, on architectures
// whose calls leave the return address in a register. That register holds the function's own return
// address, or, after a call, a place in the function itself.
type Link struct {
	Walk *step.Walk // the walk that it makes steps of
}

// near is how many bytes before an interrupted instruction, in code that cannot be read, the
// link register leads to a place of the same function: it has just called something, as
// glibc's pthread_kill has before its system call.
const near = 64

// Step returns the frame that the link register leads to. It declines if that is
// a place in the function itself.
func (u Link) Step(f *frame.Frame) (frame.Frame, error) {
	w := u.Walk
	arch := w.Text.Process.Arch
	if arch.LR < 0 || !f.Exact() || f.Trampoline {
		return frame.Frame{}, frame.ErrDecline
	}
	shape := w.Here.Shape()
	lr, known := f.Regs.Get(arch.LR)
	if !known || shape != nil && (shape.Sure || shape.Entry) || w.Here.Way() != nil {
		return frame.Frame{}, frame.ErrDecline
	}
	pc := w.Text.Strip(core.Addr(lr), false)
	callee, ok, _ := w.Text.Called(pc)
	if !ok || pc == f.PC {
		return frame.Frame{}, frame.ErrDecline
	}
	own, sure := u.returnsTo(f.PC, pc)
	if own || !sure && pc < f.PC && f.PC-pc < near && !w.Readable(f) {
		return frame.Frame{}, frame.ErrDecline
	}
	if caller, ok := u.caller(f, pc, callee); ok {
		return caller, nil
	}
	if !sure && callee != 0 && w.Text.Set.Prologue != nil && w.Text.Set.Control == nil {
		// The call may be one that f itself has made: nothing shows that what it
		// calls leads to f.
		return frame.Frame{}, frame.ErrDecline
	}
	return u.found(f, pc, sure), nil
}

// caller returns the caller at pc if a record, the callee, or the function's prologue shows its frame.
func (u Link) caller(f *frame.Frame, pc, callee core.Addr) (frame.Frame, bool) {
	if caller, ok := u.Walk.Recorded(f, pc); ok {
		return caller, true
	}
	if callee != 0 {
		if caller, ok := u.proven(f, pc, callee); ok {
			return caller, true
		}
	}
	if shape := u.Walk.Here.Shape(); shape != nil {
		caller, err := (Prologue(u)).Apply(f, shape)
		return caller, err == nil && caller.PC == pc
	}
	return frame.Frame{}, false
}

// proven returns the caller of f if the instructions of the function at callee,
// which returns to pc, lead to where f was interrupted.
func (u Link) proven(f *frame.Frame, pc, callee core.Addr) (frame.Frame, bool) {
	t := u.Walk.Text
	if t.Set.Prologue == nil || callee > f.PC || f.PC-callee >= site.MaxProofCode {
		return frame.Frame{}, false
	}
	shape := t.ProofShape(site.CallSite{Callee: callee, PC: f.PC})
	if shape == nil {
		return frame.Frame{}, false
	}
	caller, err := Prologue(u).Apply(f, shape)
	return caller, err == nil && caller.PC == pc
}

// found makes the frame of the return address pc. How much of its own frame f has
// made is not known, and so of the caller's registers only the frame pointer is.
func (u Link) found(f *frame.Frame, pc core.Addr, sure bool) frame.Frame {
	arch := u.Walk.Text.Process.Arch
	caller := frame.Frame{PC: pc, SP: f.SP, Trust: frame.Scanned}
	if sure {
		caller.Trust = frame.Prologue
	}
	caller.Regs.Set(arch.PC, uint64(pc))
	if fp, ok := f.Regs.Get(arch.FP); ok && u.Walk.Links.Record {
		caller.FP = core.Addr(fp)
		caller.Regs.Set(arch.FP, fp)
	}
	return caller
}

// returnsTo reports whether ra, a return address, is in the function that was interrupted at pc. Sure
// is false if neither its instructions nor the known starts of functions show it; own is then false
// too.
func (u Link) returnsTo(pc, ra core.Addr) (own, sure bool) {
	w := u.Walk
	if w.Text.Set.SetsLink != nil {
		if own, sure = w.Text.Flows(ra, pc); own || sure {
			return own, sure
		}
	}
	here, ok := w.Text.FuncStart(pc)
	if !ok {
		return false, false
	}
	there, ok := w.Text.FuncStart(ra - 1)
	return ok && here == there, ok
}
