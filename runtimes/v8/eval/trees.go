package eval

import (
	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/library"
	"coredbg/runtimes/v8/object"
)

// New returns an engine for the heap that r reads.
func New(r *object.Reader) *ecma.Engine {
	return ecma.NewEngine(r, library.New(map[string]ecma.Builtin{"eval": evaluateText, "Function": newFunction},
		map[string]ecma.Constructor{"Function": func(m *ecma.Machine, args []ecma.Value) ecma.Value {
			return newFunction(m, nil, args)
		}}, requiredModule, printed), trees{})
}

// trees is the interpreter: it walks the trees that package syntax makes.
type trees struct{}

// Call implements the interpreter.
func (trees) Call(m *ecma.Machine, fn, this ecma.Value, args []ecma.Value) ecma.Value {
	if f, made := fn.(*ecma.Object); made {
		return callMade(m, f, this, args)
	}
	return callScript(m, layout.Tagged(fn.(ecma.Heap)), this, args)
}

// Construct implements the interpreter.
func (trees) Construct(m *ecma.Machine, fn ecma.Value, args []ecma.Value, target ecma.Value) ecma.Value {
	if f, made := fn.(*ecma.Object); made {
		return constructMade(m, f, args, target)
	}
	return constructScript(m, layout.Tagged(fn.(ecma.Heap)), args, target)
}
