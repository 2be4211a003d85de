package function

import (
	"coredbg/core"
	"coredbg/walk/frame"
	"coredbg/walk/isa"
	"coredbg/walk/step"
)

// Prologue steps by following the function's instructions from its start, or, if it was interrupted, on
// its way out.
type Prologue struct {
	Walk *step.Walk // the walk that it makes steps of
}

// Step declines if neither is known, or if they lead to a word that is not a return address.
func (u Prologue) Step(f *frame.Frame) (frame.Frame, error) {
	if f.Trampoline {
		return frame.Frame{}, frame.ErrDecline
	}
	s := u.Walk.Here.Shape()
	if s != nil && s.Entry || u.Walk.Text.CalledFromEntry(f) {
		return frame.Frame{}, frame.ErrRoot
	}
	if way := u.Walk.Here.Way(); way != nil {
		if caller, err := u.Apply(f, way); err == nil {
			// The function's own frame may show the same, by the frame pointer.
			if s != nil && s.Sure {
				if same, err := u.Apply(f, s); err == nil && same.PC == caller.PC && same.SP == caller.SP {
					return same, nil
				}
			}
			if by, ok := u.Walk.Recorded(f, caller.PC); ok && by.SP == caller.SP {
				caller.Trust = frame.FramePointer
			}
			return caller, nil
		}
	}
	if s == nil {
		return frame.Frame{}, frame.ErrDecline
	}
	return u.Apply(f, s)
}

// Apply applies a shape.
func (u Prologue) Apply(f *frame.Frame, s *isa.Shape) (frame.Frame, error) {
	w := u.Walk
	arch := w.Text.Process.Arch
	var cfa core.Addr
	byFP := false
	if v, ok := f.Regs.Get(s.Register(arch)); ok {
		cfa = core.Addr(v) + core.Addr(s.CFAOff)
		byFP = s.FromFP
	} else if sp, ok := f.Regs.Get(arch.SP); ok && s.SPOff != 0 && s.Sure {
		cfa = core.Addr(sp) + core.Addr(s.SPOff)
	} else {
		return frame.Frame{}, frame.ErrDecline
	}
	if !w.InStack(f.SP, cfa-1) {
		return frame.Frame{}, frame.ErrDecline
	}
	caller := frame.Frame{SP: cfa, Trust: frame.Prologue, Regs: f.Regs}
	if byFP && w.Links.Record {
		caller.Trust = frame.FramePointer
	}
	caller.Regs.Known &= arch.CalleeSaved &^ s.Lost
	for slot, n := range s.Saved {
		if n == 0 {
			continue
		}
		v := w.Stack.Register(cfa - core.Addr(n))
		if w.Stack.Reset() == nil {
			caller.Regs.Set(slot, v)
		} else {
			caller.Regs.Forget(slot)
		}
	}
	return u.finish(f, caller, s)
}

// finish fills in the caller's program counter and checks it.
func (u Prologue) finish(f *frame.Frame, caller frame.Frame, s *isa.Shape) (frame.Frame, error) {
	w := u.Walk
	arch := w.Text.Process.Arch
	ra := arch.PC
	if arch.LR >= 0 {
		ra = arch.LR
		if s.Saved[ra] == 0 && f.Exact() {
			if lr, ok := f.Regs.Get(ra); ok {
				caller.Regs.Set(ra, lr)
			}
		}
	}
	pc, ok := caller.Regs.Get(ra)
	if !ok {
		return frame.Frame{}, frame.ErrDecline
	}
	caller.PC = w.Text.Strip(core.Addr(pc), false)
	if fp, known := caller.Regs.Get(arch.FP); caller.PC == 0 && s.Sure && !s.Ahead && known && fp == 0 {
		return frame.Frame{}, w.Null(f, &caller)
	}
	if ok, _ := w.Text.ReturnAddress(caller.PC); !ok && !u.uncalled(f, &caller, s) {
		return frame.Frame{}, frame.ErrDecline
	}
	if arch.LR >= 0 {
		caller.Regs.Forget(arch.LR)
	}
	caller.Regs.Set(arch.PC, uint64(caller.PC))
	caller.Regs.Set(arch.SP, uint64(caller.SP))
	if fp, ok := caller.Regs.Get(arch.FP); ok {
		caller.FP = core.Addr(fp)
	}
	return caller, nil
}

// uncalled reports whether a return address that no call precedes is valid all the same, because the
// shape is sure of its place. An interrupted function may return in order to jump, and a shape that
// lies ahead may belong to another function: in both cases the caller's frame records must corroborate
// it.
func (u Prologue) uncalled(f, caller *frame.Frame, s *isa.Shape) bool {
	w := u.Walk
	if !s.Sure || !w.Text.Executable(caller.PC) {
		return false
	}
	if !f.Exact() && !s.Ahead || w.Text.At(caller.PC, false).Trampoline != nil {
		return true
	}
	fp, ok := caller.Regs.Get(w.Text.Process.Arch.FP)
	at := core.Addr(fp)
	return ok && w.Links.Record && at >= caller.SP && at%w.Links.Align == 0 && w.InStack(caller.SP, at) &&
		w.Chained(caller, at)
}
