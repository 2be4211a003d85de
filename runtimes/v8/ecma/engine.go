package ecma

import (
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// NewEngine returns an engine for the heap that r reads. The library has V8's own functions, and the interpreter runs
// functions in JavaScript.
func NewEngine(r *object.Reader, l *Library, code Interpreter) *Engine {
	return &Engine{Reader: r, Library: l, code: code}
}

// Call runs call, which calls functions of the heap. It runs at most *steps steps and subtracts the number it
// ran. The error is the exception that the function threw, or the reason that it could not run to its end.
func (e *Engine) Call(host Host, steps *int, call func(m *Machine) Value) (result Value, err error) {
	return e.run(host, steps, limits{Most: min(*steps, MaxSteps), Longest: MaxText}, call)
}

// Typed is Call with wider limits, for a user who waits for the result.
func (e *Engine) Typed(host Host, steps *int, call func(m *Machine) Value) (result Value, err error) {
	return e.run(host, steps, limits{Most: *steps, Longest: 16 * MaxText}, call)
}

func (e *Engine) run(host Host, steps *int, l limits, call func(m *Machine) Value) (result Value, err error) {
	m := &Machine{Engine: e, host: host, limits: l,
		tables: map[layout.Tagged]map[Key]*object.Property{}, order: map[layout.Tagged][]Key{},
		answers: map[layout.Tagged]*answered{},
		Stored:  map[ContextSlot]Value{}, Above: map[layout.Tagged]*Object{}}
	defer func() { *steps -= m.Steps }()
	defer func() {
		if m.Lasting != nil {
			m.Lasting(m.Ends)
			return
		}
		for _, end := range m.Ends {
			end()
		}
	}()
	defer func() {
		switch x := recover().(type) {
		case nil:
		case *Stop:
			err = x.Err
		case *Thrown:
			err = &Uncaught{reasonOf(m, x)}
		default:
			panic(x)
		}
	}()
	return call(m), nil
}

// NewObject returns an empty object, whose prototype is Object.prototype of the realm of fn.
func (m *Machine) NewObject(fn layout.Tagged) *Object {
	return &Object{Proto: ObjectPrototype(m, fn)}
}
