package eval

import (
	"errors"

	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/syntax"
)

// A Place is where an expression is evaluated that the program does not have, as in the console of a debugger.
type Place struct {
	// Look returns the variable that a name means there. With object.ErrNoGlobal and object.ErrAccessor the
	// global object is asked; another error says why the variable is not known.
	Look func(name string) (object.Slot, error)
	// This and Arguments are the frame's. A nil function means that there is no frame.
	This      func() (object.Slot, error)
	Arguments func() ([]object.Slot, error)
	// Question returns what answers an expression that no function of the heap computes, by its path, such as
	// "process.memoryUsage()" or "new Date()"; nil if nothing does. A nil function answers nothing.
	Question func(path string) Question
	// Note is called with a note on an answer.
	Note func(text string)
}

// Evaluate evaluates an expression at a place.
func (m *Machine) Evaluate(at Place, n *syntax.Node) Value {
	env, self := &scope{heap: &outer{}}, &activation{}
	askAt(m, &at)
	names, _ := syntax.FreeNames(n)
	for _, name := range names {
		switch x, err := at.Look(name); {
		case err == nil:
			env.declare(name, m.Of(x))
		case name == "arguments" || name == "undefined":
		case !errors.Is(err, object.ErrNoGlobal) && !errors.Is(err, object.ErrAccessor):
			env.declare(name, Unknown{err})
		}
	}
	if at.This != nil {
		if x, err := at.This(); err == nil {
			self.this = m.Of(x)
		}
	}
	if at.Arguments != nil {
		list, err := at.Arguments()
		if err != nil {
			env.declare("arguments", Unknown{err})
		}
		for _, x := range list {
			self.args = append(self.args, m.Of(x))
		}
	}
	return m.eval(frame{env.inner(), self}, n)
}
