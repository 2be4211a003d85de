package ecma

import (
	"coredbg/runtimes/v8/callsite"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// An Uncaught says what an expression threw.
type Uncaught struct{ Reason string }

// Error says so as a console does.
func (e *Uncaught) Error() string { return "eval: Uncaught " + e.Reason }

// CaughtValue is the value of an exception.
func CaughtValue(m *Machine, t *Thrown) Value {
	if !t.Set {
		t.Value, t.Set = NewError(m, t.class, t.message), true
	}
	return t.Value
}

// reasonOf is a console's text for an exception.
func reasonOf(m *Machine, t *Thrown) (text string) {
	if !t.Set {
		return t.class + ": " + t.message
	}
	text = "an object"
	defer func() {
		if x := recover(); x != nil { // it cannot be shown
			if _, ok := x.(*Cancelled); ok {
				panic(x)
			}
		}
	}()
	switch x := t.Value.(type) {
	case *Object, Heap:
		if !m.IsObject(x) {
			return ShownValue(m, x)
		}
		if IsError(m, x) {
			return m.Text(m.Call(m.Native("", ErrorText), x, nil))
		}
		return m.host.Inspect(m, x, nil)
	}
	return ShownValue(m, t.Value)
}

// IsError reports whether a value is an error.
func IsError(m *Machine, v Value) bool {
	switch x := v.(type) {
	case *Object:
		return x.Error
	case Heap:
		return m.IsObject(x) && m.Kind(x) == object.KindError
	}
	return false
}

// ShownValue is a value as messages of errors name it.
func ShownValue(m *Machine, v Value) string {
	switch x := v.(type) {
	case string:
		return `"` + x + `"`
	case *Symbol:
		return "Symbol(" + x.Description + ")"
	case BigInt:
		return string(x)
	case *Object, Heap:
		if m.TypeOf(x) == "symbol" {
			return "Symbol(" + m.Text(DescriptionOf(m, x)) + ")"
		}
		if !m.IsObject(x) {
			return m.Text(x)
		}
		if m.TypeOf(x) == "function" {
			return "function " + m.Name(x)
		}
		if h, ok := x.(Heap); ok {
			if class := m.Reader.Class(layout.Tagged(h)); class != "" {
				return "#<" + class + ">"
			}
		}
		return "#<Object>"
	}
	return m.Text(v)
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
	frames := m.FramesText()
	p.Value = "Error" + frames
	_, _ = m.Tried(func() Value {
		p.Value = m.Text(ErrorText(m, o, nil)) + frames
		return nil
	})
}

// FramesText are the frames of an error that is made: what was typed, and the frames below it.
func (m *Machine) FramesText() string {
	const most = 10 // Error.stackTraceLimit, where a program does not set it
	text := "\n    at <anonymous>"
	if m.Stack == nil {
		return text
	}
	for i, line := range m.Stack() {
		if i == 0 {
			text += ":1:1"
		}
		if i >= most-1 {
			break
		}
		text += "\n    at " + line
	}
	return text
}

// NewError makes an error of one of V8's own classes.
func NewError(m *Machine, class, message string) *Object {
	o := &Object{Proto: PrototypeNamed(m, class), Error: true}
	o.Define(Key{Name: "stack"}, &Prop{Value: unwritten{}, Hidden: true})
	if message != "" {
		o.Define(Key{Name: "message"}, &Prop{Value: message, Hidden: true})
	}
	return o
}

// ErrorText is Error.prototype.toString.
func ErrorText(m *Machine, this Value, _ []Value) Value {
	part := func(name, otherwise string) string {
		if v := m.Get(this, Key{Name: name}); v != nil {
			return m.Text(v)
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

// DescriptionOf is the description of a symbol; undefined if there is no description.
func DescriptionOf(m *Machine, v Value) Value {
	if o, ok := v.(*Object); ok && o.Boxed != nil {
		v = o.Boxed
	}
	if s, ok := v.(*Symbol); ok {
		if !s.Named {
			return nil
		}
		return s.Description
	}
	h, ok := v.(Heap)
	if !ok || m.TypeOf(h) != "symbol" {
		m.Throw("it is not a symbol")
	}
	return m.Reader.SymbolDescription(layout.Tagged(h))
}

// keyText is a key as messages of errors show it.
func keyText(m *Machine, k Key) string {
	switch {
	case k.Symbol != 0:
		return "Symbol(" + m.Reader.SymbolDescription(k.Symbol) + ")"
	case k.Own != nil:
		return "Symbol(" + k.Own.Description + ")"
	}
	return k.Name
}

// errorStack returns the stack of an error whose property "stack" has a getter of V8's own: a function, or the template
// that it is made of when it is first asked for.
func errorStack(m *Machine, getter, this Value, k Key) (Value, bool) {
	h, ok := this.(Heap)
	g, native := getter.(Heap)
	if k != (Key{Name: "stack"}) || !ok || !native {
		return nil, false
	}
	if !m.Reader.Is(layout.Tagged(g), m.Reader.Types.FunctionTemplateInfo) {
		shared, ok := m.Reader.ClosureShared(layout.Tagged(g))
		if info, known := m.Reader.SharedInfo(shared); !ok || !known || info.Script != 0 {
			return nil, false
		}
	}
	sites := callsite.New(m.Reader)
	if t := sites.StackValue(layout.Tagged(h)); t != 0 {
		return m.Word(t), true
	}
	s, err := sites.ErrorStack(layout.Tagged(h))
	if err != nil {
		m.Fail("%v", err)
	}
	return s, s != ""
}
