package where

import (
	"coredbg/stack"
)

// Frame says in a few words where a frame is.
func Frame(f *stack.Frame) string {
	s := f.Name
	switch {
	case s == "" && f.Made:
		s = stack.MadeCode
	case s == "" && f.Module != "":
		s = f.Symbolic()
	case s == "":
		s = "<anonymous>"
	}
	if p := f.Position(); p != "" {
		if f.Unmapped {
			p += ", generated"
		}
		s += " (" + p + ")"
	}
	return s
}
