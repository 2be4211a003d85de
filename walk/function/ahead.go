package function

import (
	"coredbg/walk/frame"
	"coredbg/walk/site"
	"coredbg/walk/step"
)

// Ahead steps by following the rest of the function to its return: the return address is where the
// processor will find it. The start of the function need not be known.
type Ahead struct {
	Walk *step.Walk // the walk that it makes steps of
}

// Step declines where the instructions from the function's start on are enough, or
// those ahead do not show it, or lead to a call of another function.
func (u Ahead) Step(f *frame.Frame) (frame.Frame, error) {
	w := u.Walk
	s := w.Here.Shape()
	if f.Trampoline || s != nil && (s.Sure || s.Entry) || w.Here.Way() != nil {
		return frame.Frame{}, frame.ErrDecline
	}
	ahead := w.Here.Ahead()
	if ahead == nil {
		return frame.Frame{}, frame.ErrDecline
	}
	caller, err := Prologue(u).Apply(f, ahead)
	if err != nil {
		return frame.Frame{}, err
	}
	if called, _ := w.Text.ReturnAddress(caller.PC); called && w.Text.CalledBy(f, caller.PC) == site.Refuted {
		return frame.Frame{}, frame.ErrDecline
	}
	return caller, nil
}
