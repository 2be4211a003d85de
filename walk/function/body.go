package function

import (
	"errors"

	"coredbg/walk/frame"
	"coredbg/walk/step"
)

// Body steps out of an interrupted function whose table holds in its body
// only: its instructions show whether it has built its frame yet, or has taken it
// down. A return proves that against any table.
type Body struct {
	Walk *step.Walk // the walk that it makes steps of
}

// Step declines where the instructions do not show it.
func (u Body) Step(f *frame.Frame) (frame.Frame, error) {
	w := u.Walk
	switch {
	case !f.Exact() && f.Point != frame.NoCall || f.Trampoline:
		return frame.Frame{}, frame.ErrDecline
	case w.Here.BodyOnly:
	case w.Here.Row != nil && f.Exact():
		return u.returns(f)
	default:
		return frame.Frame{}, frame.ErrDecline
	}
	if s := w.Here.Shape(); s != nil && s.Entry || w.Here.Way() == nil && (s == nil || !s.Sure) {
		return frame.Frame{}, frame.ErrDecline
	}
	return Prologue(u).Step(f)
}

// returns steps out of a function that was about to return: to where the processor
// goes, if that is another place than the one that the table has and a call is
// before it.
func (u Body) returns(f *frame.Frame) (frame.Frame, error) {
	shape, ok := u.Walk.Text.Returns(f.PC)
	if !ok {
		return frame.Frame{}, frame.ErrDecline
	}
	byTable, err := CFI(u).Step(f)
	if errors.Is(err, frame.ErrRoot) {
		return frame.Frame{}, err
	}
	caller, stepErr := Prologue(u).Apply(f, &shape)
	if stepErr != nil || err == nil && byTable.PC == caller.PC {
		return byTable, err
	}
	return caller, nil
}
