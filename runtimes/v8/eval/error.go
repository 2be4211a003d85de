package eval

import (
	"fmt"

	"coredbg/runtimes/v8/callsite"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A thrown is an exception of the program. One of the machine's own has its class and message alone, until it is
// caught.
type thrown struct {
	value          Value
	set            bool // value is what was thrown
	class, message string
}

// An Uncaught says what an expression threw.
type Uncaught struct{ Reason string }

// Error says so as a console does.
func (e *Uncaught) Error() string { return "eval: Uncaught " + e.Reason }

// Throw throws a TypeError.
func (m *limits) Throw(format string, args ...any) { m.throwAs("TypeError", format, args...) }

// throwAs throws an error of a class.
func (m *limits) throwAs(class, format string, args ...any) {
	panic(&thrown{class: class, message: fmt.Sprintf(format, args...)})
}

// caughtValue is the value of an exception.
func caughtValue(m *Machine, t *thrown) Value {
	if !t.set {
		t.value, t.set = newError(m, t.class, t.message), true
	}
	return t.value
}

// reasonOf is a console's text for an exception.
func reasonOf(m *Machine, t *thrown) (text string) {
	if !t.set {
		return t.class + ": " + t.message
	}
	text = "an object"
	defer func() {
		if x := recover(); x != nil { // it cannot be shown
			if _, ok := x.(*cancelled); ok {
				panic(x)
			}
		}
	}()
	switch x := t.value.(type) {
	case *Object, Heap:
		if !m.IsObject(x) {
			return shownValue(m, x)
		}
		if isError(m, x) {
			return m.text(m.call(m.Native("", errorText), x, nil))
		}
		return m.host.Inspect(m, x, nil)
	}
	return shownValue(m, t.value)
}

func isError(m *Machine, v Value) bool {
	switch x := v.(type) {
	case *Object:
		return x.Error
	case Heap:
		return m.IsObject(x) && m.kind(x) == object.KindError
	}
	return false
}

// shownValue is a value as messages of errors name it.
func shownValue(m *Machine, v Value) string {
	switch x := v.(type) {
	case string:
		return `"` + x + `"`
	case *Symbol:
		return "Symbol(" + x.Description + ")"
	case BigInt:
		return string(x)
	case *Object, Heap:
		if m.typeOf(x) == "symbol" {
			return "Symbol(" + m.text(descriptionOf(m, x)) + ")"
		}
		if !m.IsObject(x) {
			return m.text(x)
		}
		if m.typeOf(x) == "function" {
			return "function " + m.Name(x)
		}
		if h, ok := x.(Heap); ok {
			if class := m.reader.Class(layout.Tagged(h)); class != "" {
				return "#<" + class + ">"
			}
		}
		return "#<Object>"
	}
	return m.text(v)
}

// nameOr is the name of a function, or another text for one without.
func nameOr(m *Machine, fn Value, other string) string {
	if name := m.Name(fn); name != "" {
		return name
	}
	return other
}

// unwritten is the stack of an error before a program asks for it: V8 writes it then, with the name that the error has.
type unwritten struct{}

// writeStack writes the stack of an error.
func writeStack(m *Machine, o *Object, p *Prop) {
	p.Value = "Error\n    at <anonymous>"
	_, _ = m.tried(func() Value {
		p.Value = m.text(errorText(m, o, nil)) + "\n    at <anonymous>"
		return nil
	})
}

// newError makes an error of one of V8's own classes.
func newError(m *Machine, class, message string) *Object {
	o := &Object{Proto: prototypeNamed(m, class), Error: true}
	o.define(Key{Name: "stack"}, &Prop{Value: unwritten{}, Hidden: true})
	if message != "" {
		o.define(Key{Name: "message"}, &Prop{Value: message, Hidden: true})
	}
	return o
}

// errorText is Error.prototype.toString.
func errorText(m *Machine, this Value, _ []Value) Value {
	part := func(name, otherwise string) string {
		if v := m.get(this, Key{Name: name}); v != nil {
			return m.text(v)
		}
		return otherwise
	}
	name, message := part("name", "Error"), part("message", "")
	switch {
	case message == "":
		return name
	case name == "":
		return message
	}
	return name + ": " + message
}

// errorClasses are V8's own classes of errors.
var errorClasses = []string{"Error", "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError",
	"URIError"}

func init() {
	for _, class := range errorClasses {
		make := func(m *Machine, _ Value, args []Value) Value { return errorOf(m, class, arg(args, 0), arg(args, 1)) }
		constructors[class] = func(m *Machine, args []Value) Value { return make(m, nil, args) }
		register(map[string]builtin{class: make})
	}
	constructors["AggregateError"] = func(m *Machine, args []Value) Value {
		o := errorOf(m, "AggregateError", arg(args, 1), arg(args, 2))
		o.define(Key{Name: "errors"}, &Prop{Value: array(m.iterate(arg(args, 0))...), Hidden: true})
		return o
	}
	register(map[string]builtin{
		"AggregateError": func(m *Machine, _ Value, args []Value) Value {
			return constructors["AggregateError"](m, args)
		},
		"Error.prototype.toString": errorText,
		"Error.isError":            func(m *Machine, _ Value, args []Value) Value { return isError(m, arg(args, 0)) },
		"Error.captureStackTrace": func(m *Machine, _ Value, args []Value) Value {
			o := arg(args, 0)
			m.defineOwn(o, Key{Name: "stack"}, &Prop{Hidden: true, Value: m.text(errorText(m, o, nil)) +
				"\n    at <anonymous>"})
			return nil
		},
	})
}

// errorOf makes an error as its class does.
func errorOf(m *Machine, class string, message, options Value) *Object {
	text := ""
	if message != nil {
		text = m.text(message)
	}
	o := newError(m, class, text)
	if message != nil && text == "" {
		o.define(Key{Name: "message"}, &Prop{Value: "", Hidden: true})
	}
	if m.IsObject(options) && m.has(options, Key{Name: "cause"}) {
		o.define(Key{Name: "cause"}, &Prop{Value: m.get(options, Key{Name: "cause"}), Hidden: true})
	}
	return o
}

func descriptionOf(m *Machine, v Value) Value {
	if o, ok := v.(*Object); ok && o.Boxed != nil {
		v = o.Boxed
	}
	if s, ok := v.(*Symbol); ok {
		if !s.named {
			return nil
		}
		return s.Description
	}
	h, ok := v.(Heap)
	if !ok || m.typeOf(h) != "symbol" {
		m.Throw("it is not a symbol")
	}
	return m.reader.SymbolDescription(layout.Tagged(h))
}

// keyText is a key as messages of errors show it.
func keyText(m *Machine, k Key) string {
	switch {
	case k.Symbol != 0:
		return "Symbol(" + m.reader.SymbolDescription(k.Symbol) + ")"
	case k.Own != nil:
		return "Symbol(" + k.Own.Description + ")"
	}
	return k.Name
}

// A cancelled is the panic that ends a function that waits, at the end of the machine's call.
type cancelled struct{}

// errorStack returns the stack of an error whose property "stack" has a getter of V8's own: a function, or the template
// that it is made of when it is first asked for.
func errorStack(m *Machine, getter, this Value, k Key) (Value, bool) {
	h, ok := this.(Heap)
	g, native := getter.(Heap)
	if k != (Key{Name: "stack"}) || !ok || !native {
		return nil, false
	}
	if !m.reader.Is(layout.Tagged(g), m.reader.Types.FunctionTemplateInfo) {
		shared, ok := m.reader.ClosureShared(layout.Tagged(g))
		if info, known := m.reader.SharedInfo(shared); !ok || !known || info.Script != 0 {
			return nil, false
		}
	}
	sites := callsite.New(m.reader)
	if t := sites.StackValue(layout.Tagged(h)); t != 0 {
		return m.word(t), true
	}
	s, err := sites.ErrorStack(layout.Tagged(h))
	if err != nil {
		m.Fail("%v", err)
	}
	return s, s != ""
}
