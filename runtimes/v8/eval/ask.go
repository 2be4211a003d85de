package eval

import "coredbg/runtimes/v8/syntax"

// An Answer is the embedder's or the system's answer to an expression such as process.memoryUsage(): a value, or the
// reason why there is no value. Note says when the value held, or where it comes from.
type Answer struct {
	Value Value
	Note  string
	Err   error
}

// A Question answers an expression; args are the arguments of a call.
type Question func(m *Machine, args []Value) Answer

// A Field is a property of a record.
type Field struct {
	Name  string
	Value Value
}

// Record returns an object with properties.
func Record(fields ...Field) *Object {
	o := &Object{}
	for _, f := range fields {
		o.Set(Key{Name: f.Name}, f.Value)
	}
	return o
}

// List returns an array.
func List(list ...Value) *Object { return array(list...) }

// NewDate returns a Date of a time in milliseconds since 1970.
func NewDate(m *Machine, at float64) Value { return constructors["Date"](m, []Value{at}) }

// IsArray reports whether a value is an array.
func IsArray(m *Machine, v Value) bool { return isArray(m, v) }

// Entries are the entries of a Map or Set, in order.
func Entries(m *Machine, v Value) []Entry { return collectionOf(m, v).Entries }

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

// askAt has a machine ask a place's questions.
func askAt(m *Machine, at *Place) {
	if at.Question == nil {
		return
	}
	q := &questions{at, map[*syntax.Node]Question{}}
	m.asks = func(f frame, n *syntax.Node) (v, this Value, ok bool) {
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
func askedOf(m *Machine, f frame, n *syntax.Node, at *Place, q Question) (v, this Value) {
	if root := rootOf(n); root != "" && means(m, f, root) {
		v, ok := computed(m, func() Value {
			switch n.Kind {
			case syntax.New:
				return constructNew(m, m.eval(f, n.A), m.list(f, n.List))
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
	var args []Value
	if n.Kind == syntax.Call {
		args = m.list(f, n.List)
	}
	a := q(m, args)
	if a.Err != nil {
		panic(&stop{a.Err, true})
	}
	if a.Note != "" && at.Note != nil {
		at.Note(a.Note)
	}
	return a.Value, nil
}

// means reports whether a name has a value, or a getter that may give one.
func means(m *Machine, f frame, name string) (ok bool) {
	_, ended := computed(m, func() Value {
		_, ok = m.lookup(f.scope, name)
		return nil
	})
	return ok && ended
}

// computed runs code, and reports whether it came to its end.
func computed(m *Machine, code func() Value) (v Value, ok bool) {
	calls := m.calls
	defer func() {
		switch x := recover().(type) {
		case nil:
		case *stop, *thrown:
			v, ok, m.calls = nil, false, calls
		default:
			panic(x)
		}
	}()
	return code(), true
}
