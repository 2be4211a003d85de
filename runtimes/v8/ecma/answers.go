package ecma

import (
	"errors"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// An answered is what functions of the embedder answer for the properties of an object, as Node's do for process.env.
type answered struct {
	names  []string // in order
	values map[string]string
	err    error // why the answers are not known
}

// errIntercepted says why a property of an object is not known.
var errIntercepted = errors.New("eval: not in the core: a function of the embedder answers for its properties")

// intercepted returns what the embedder answers for an object; nil for one that has its properties itself. A global
// object has: the embedder only adds to it.
func (m *Machine) intercepted(t layout.Tagged) *answered {
	s, err := m.Reader.Shape(t)
	if err != nil || s.Flags&object.MapNamedInterceptor == 0 || m.Reader.TypeNamed(t, "JS_GLOBAL_OBJECT") {
		return nil
	}
	if a := m.answers[t]; a != nil {
		return a
	}
	a := &answered{values: map[string]string{}}
	names, values, err, ok := m.host.Answers(t)
	if a.err = err; !ok {
		a.err = errIntercepted
	}
	m.Spend(len(names))
	for i, name := range names {
		a.values[name] = values[i]
	}
	a.names = names
	m.answers[t] = a
	return a
}

// answer returns the property that the embedder answers for. An answer that is not known is an Unknown.
func (a *answered) answer(k Key) (Prop, bool) {
	switch x, ok := a.values[k.Name]; {
	case k.IsSymbol():
		return Prop{}, false
	case a.err != nil:
		return Prop{Value: Unknown{a.err}}, true
	default:
		return Prop{Value: x}, ok
	}
}
