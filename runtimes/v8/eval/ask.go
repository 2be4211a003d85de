package eval

import (
	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/library"
	"coredbg/runtimes/v8/syntax"
)

// An Answer is the embedder's or the system's answer to an expression such as process.memoryUsage(): a value, or the
// reason why there is no value. Note says when the value held, or where it comes from.
type Answer struct {
	Value ecma.Value
	Note  string
	Err   error
}

// A Question answers an expression; args are the arguments of a call.
type Question func(m *ecma.Machine, args []ecma.Value) Answer

// A Field is a property of a record.
type Field struct {
	Name  string
	Value ecma.Value
}

// Record returns an object with properties.
func Record(fields ...Field) *ecma.Object {
	o := &ecma.Object{}
	for _, f := range fields {
		o.Set(ecma.Key{Name: f.Name}, f.Value)
	}
	return o
}

// List returns an array.
func List(list ...ecma.Value) *ecma.Object { return ecma.Array(list...) }

// NewDate returns a Date of a time in milliseconds since 1970.
func NewDate(m *ecma.Machine, at float64) ecma.Value {
	return m.Library.Constructors["Date"](m, []ecma.Value{at})
}

// IsArray reports whether a value is an array.
func IsArray(m *ecma.Machine, v ecma.Value) bool { return library.IsArray(m, v) }

// Entries are the entries of a Map or Set, in order.
func Entries(m *ecma.Machine, v ecma.Value) []ecma.Entry { return ecma.CollectionOf(m, v).Entries }

// An AbsentError says that a core does not have what is asked for, and why.
type AbsentError struct{ What, Why string }

// Error gives the reason.
func (e *AbsentError) Error() string { return "eval: not in the core: " + e.What + ": " + e.Why }

// questions are the questions of a place by the nodes of trees.
type questions struct {
	place *Place
	nodes map[*syntax.Node]Question
}

// of returns the question of an expression that no function of the heap computes; nil if there is no question.
func (q *questions) of(n *syntax.Node) Question {
	x, ok := q.nodes[n]
	if !ok {
		if path := pathOf(n, 0); path != "" {
			x = q.place.Question(path)
		}
		q.nodes[n] = x
	}
	return x
}

// asking asks a place's questions; it is nil for a place without questions.
func asking(at *Place) func(m *ecma.Machine, f ecma.Frame, n *syntax.Node) (v, this ecma.Value, ok bool) {
	if at.Question == nil {
		return nil
	}
	q := &questions{at, map[*syntax.Node]Question{}}
	return func(m *ecma.Machine, f ecma.Frame, n *syntax.Node) (v, this ecma.Value, ok bool) {
		x := q.of(n)
		if x == nil {
			return nil, nil, false
		}
		v, this = askedOf(m, f, n, at, x)
		return v, this, true
	}
}

// askedOf is the value of an expression that has a question. Functions of the heap come first: they may be the
// program's own.
func askedOf(m *ecma.Machine, f ecma.Frame, n *syntax.Node, at *Place, q Question) (v, this ecma.Value) {
	if root := rootOf(n); root != "" && means(m, f, root) {
		v, ok := computed(m, func() ecma.Value {
			switch n.Kind {
			case syntax.New:
				return ecma.ConstructNew(m, eval(m, f, n.A), listOf(m, f, n.List))
			case syntax.Identifier:
				return identifierValue(m, f, n.Text)
			}
			v, t := linkValue(m, f, n)
			this = t
			return v
		})
		if _, is := v.(absent); ok && v != nil && !is {
			return v, this
		}
	}
	var args []ecma.Value
	if n.Kind == syntax.Call {
		args = listOf(m, f, n.List)
	}
	a := q(m, args)
	if a.Err != nil {
		panic(&ecma.Stop{Err: a.Err, Native: true})
	}
	if a.Note != "" && at.Note != nil {
		at.Note(a.Note)
	}
	return a.Value, nil
}

// means reports whether a name has a value, or a getter that may give one.
func means(m *ecma.Machine, f ecma.Frame, name string) (ok bool) {
	_, ended := computed(m, func() ecma.Value {
		_, ok = lookup(m, f.Scope, name)
		return nil
	})
	return ok && ended
}

// computed runs code, and reports whether it came to its end.
func computed(m *ecma.Machine, code func() ecma.Value) (v ecma.Value, ok bool) {
	calls := m.Calls
	defer func() {
		switch x := recover().(type) {
		case nil:
		case *ecma.Stop, *ecma.Thrown:
			v, ok, m.Calls = nil, false, calls
		default:
			panic(x)
		}
	}()
	return code(), true
}
