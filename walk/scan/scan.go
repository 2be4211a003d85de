package scan

import (
	"slices"

	"coredbg/core"
	"coredbg/walk/frame"
	"coredbg/walk/function"
	"coredbg/walk/site"
	"coredbg/walk/step"
)

// An Unwinder looks for a return address on the stack: the last resort.
type Unwinder struct {
	Walk *step.Walk // the walk that it makes steps of
	// Guess lets Step take a word that leads into code of a module which cannot be read.
	Guess bool
}

// maxProofs is how many return addresses of one scan are checked against the code that they
// called.
const maxProofs = 64

// Step returns the frame of a word above f's stack pointer that is the address after a call
// instruction: the word that f's function has put there, if that can be proven, else the first whose
// call has led to f's function. If that is not certain, because the call is indirect, the frames beyond
// must corroborate it.
func (u Unwinder) Step(f *frame.Frame) (frame.Frame, error) {
	w := u.Walk
	if !w.Here.Exec || w.Text.Set.Call == nil || f.SP == 0 || f.Trampoline {
		return frame.Frame{}, frame.ErrDecline
	}
	if w.EndsUnseen(f) {
		return frame.Frame{}, frame.ErrRoot
	}
	if caller, ok := u.Prove(f, ^core.Addr(0)); ok {
		return caller, nil
	}
	hidden, probes := false, 0
	var passed []frame.Frame // which may be callers, but the frames beyond do not bear them out
	for s := w.Words(f.SP, ^core.Addr(0)); s.Next(); {
		ok, sure := w.Text.ReturnAddress(s.Code)
		// Code that cannot be read may be the caller's: what comes after it
		// would be further out.
		hidden = hidden || ok && !sure
		if !ok || !sure {
			continue
		}
		switch w.Text.CalledBy(f, s.Code) {
		case site.Confirmed:
			return u.found(f, s.At, s.Code), nil
		case site.Possible:
			if probes++; hidden || probes > maxProofs {
				continue
			}
			caller := u.found(f, s.At, s.Code)
			if !w.Prober.Corroborated(&caller) {
				passed = append(passed, caller)
				continue
			}
			caller.Gap = slices.ContainsFunc(passed, func(p frame.Frame) bool {
				_, ok := w.Prober.Joins(&p, true, &caller)
				return ok
			})
			return caller, nil
		}
	}
	if caller, ok := u.Across(f, ^core.Addr(0), nil); ok {
		return caller, nil
	}
	if w.Ends(f) {
		return frame.Frame{}, frame.ErrRoot
	}
	if hidden && u.Guess {
		return u.guessed(f)
	}
	return frame.Frame{}, frame.ErrDecline
}

// maxGuess is how many words a guess looks at: Breakpad's bound for its own.
const maxGuess = 160

// guessed returns the frame of the first word that leads into code of a module that cannot be
// read. The records of a runtime are better than that.
func (u Unwinder) guessed(f *frame.Frame) (frame.Frame, error) {
	w := u.Walk
	for s := w.Words(f.SP, f.SP+maxGuess*core.Addr(w.Text.Process.Arch.RegSize())); s.Next(); {
		if ok, sure := w.Text.ReturnAddress(s.Code); ok && !sure && w.Text.Process.Module(s.Code) != nil {
			return u.found(f, s.At, s.Code), nil
		}
	}
	return frame.Frame{}, frame.ErrDecline
}

// Prove looks for a return address up to end that is after the call of a
// function whose instructions, followed up to f's program counter, keep their
// return address just there.
func (u Unwinder) Prove(f *frame.Frame, end core.Addr) (frame.Frame, bool) {
	proofs := 0
	for s := u.Walk.Words(f.SP, end); s.Next(); {
		callee, ok, _ := u.Walk.Text.Called(s.Code)
		if !ok || callee == 0 {
			continue
		}
		if caller, ok := u.proven(f, s.At, s.Code, callee); ok {
			return caller, true
		}
		if proofs++; proofs == maxProofs {
			break
		}
	}
	return frame.Frame{}, false
}

// proven returns the caller of f if the return address pc, found at at, is
// where the function at callee keeps its own.
func (u Unwinder) proven(f *frame.Frame, at, pc, callee core.Addr) (frame.Frame, bool) {
	w := u.Walk
	if w.Text.Set.Prologue == nil || callee > f.LookupPC() || f.PC-callee >= site.MaxProofCode {
		return frame.Frame{}, false
	}
	shape := w.Text.ProofShape(site.CallSite{Callee: callee, PC: f.PC})
	if shape == nil {
		return frame.Frame{}, false
	}
	caller, err := function.Prologue{Walk: u.Walk}.Apply(f, shape)
	if err != nil || caller.PC != pc {
		return frame.Frame{}, false
	}
	arch := w.Text.Process.Arch
	slot := arch.PC
	if arch.LR >= 0 {
		slot = arch.LR
	}
	return caller, caller.SP-core.Addr(shape.Saved[slot]) == at
}

// found makes the frame of the return address pc in the word at at. If the
// word before it leads to another frame record further out, it is the caller's
// frame pointer.
func (u Unwinder) found(f *frame.Frame, at, pc core.Addr) frame.Frame {
	w := u.Walk
	arch := w.Text.Process.Arch
	word := core.Addr(arch.RegSize())
	caller := frame.Frame{PC: pc, SP: at + word, Trust: frame.Scanned}
	caller.Regs.Set(arch.PC, uint64(pc))
	if arch.LR < 0 {
		caller.Regs.Set(arch.SP, uint64(caller.SP))
	}
	if !w.Links.Record {
		return caller
	}
	if fp, ok := w.FPBySP(&caller); ok {
		caller.FP = fp
		caller.Regs.Set(arch.FP, uint64(fp))
		return caller
	}
	fp := core.Addr(w.Stack.Register(at - word))
	if w.Stack.Reset() != nil || fp <= at || fp%w.Links.Align != 0 || !w.InStack(f.SP, fp) {
		return caller
	}
	next, err := w.Record(fp)
	if err != nil {
		return caller
	}
	if ok, sure := w.Text.ReturnAddress(next.PC); ok && sure {
		caller.FP = fp
		caller.Regs.Set(arch.FP, uint64(fp))
	}
	return caller
}
