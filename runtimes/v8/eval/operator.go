package eval

import (
	"math"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/syntax"
)

// operate is the value of an expression with an operator.
func operate(m *Machine, f frame, n *syntax.Node) Value {
	switch n.Kind {
	case syntax.Unary:
		return unaryOf(m, f, n)
	case syntax.Binary:
		if n.Text == "in" && n.A.Kind == syntax.Identifier && n.A.Text[0] == '#' {
			return hasPrivate(m, f, n.A.Text, m.eval(f, n.B))
		}
		a := m.eval(f, n.A)
		return binaryOf(m, n.Text, a, m.eval(f, n.B))
	case syntax.Logical:
		if a := m.eval(f, n.A); decides(n.Text, a) {
			return a
		}
		return m.eval(f, n.B)
	case syntax.Conditional:
		if truthy(m.eval(f, n.A)) {
			return m.eval(f, n.B)
		}
		return m.eval(f, n.C)
	case syntax.Await:
		if n.Text == "await" {
			return m.awaited(m.eval(f, n.A))
		}
	case syntax.Assign:
		return assignTo(m, f, n)
	case syntax.Update:
		old := m.number(m.eval(f, n.A))
		v := old + 1
		if n.Text == "--" {
			v = old - 1
		}
		writeTo(m, f, n.A, v)
		if n.Prefix {
			return v
		}
		return old
	}
	m.Fail("a kind of expression is not known")
	return nil
}

func unaryOf(m *Machine, f frame, n *syntax.Node) Value {
	if n.Text == "typeof" && n.A.Kind == syntax.Identifier && n.A.Text != "arguments" {
		v, _ := m.lookup(f.scope, n.A.Text)
		return m.typeOf(v)
	}
	if n.Text == "delete" {
		return removeMember(m, f, n.A)
	}
	v := m.eval(f, n.A)
	switch n.Text {
	case "!":
		return !truthy(v)
	case "-":
		return -m.number(v)
	case "+":
		return m.number(v)
	case "~":
		return float64(^int32Of(m.number(v)))
	case "typeof":
		return m.typeOf(v)
	}
	return nil // void
}

func removeMember(m *Machine, f frame, n *syntax.Node) Value {
	if n.Kind == syntax.Member || n.Kind == syntax.Index {
		m.delete(m.eval(f, n.A), memberKey(m, f, n))
	}
	return true
}

func hasPrivate(m *Machine, f frame, name string, o Value) Value {
	v := privateName(m, f.scope, name)
	if m.typeOf(v) != "symbol" {
		return m.IsObject(o) // a method: its brand is not looked for
	}
	_, ok := m.own(o, m.key(v))
	return ok
}

func binaryOf(m *Machine, op string, a, b Value) Value {
	switch op {
	case "===":
		return strictEqual(a, b)
	case "!==":
		return !strictEqual(a, b)
	case "==":
		return looseEqual(m, a, b)
	case "!=":
		return !looseEqual(m, a, b)
	case "instanceof":
		return m.instanceOf(a, b)
	case "in":
		return m.has(b, m.key(a))
	case "+":
		a, b = m.primitive(a, "valueOf", "toString"), m.primitive(b, "valueOf", "toString")
		_, s1 := a.(string)
		_, s2 := b.(string)
		if s1 || s2 {
			return m.bounded(m.text(a) + m.text(b))
		}
	case "<", ">", "<=", ">=":
		return compareValues(m, op, a, b)
	}
	return arithmetic(m, op, m.number(a), m.number(b))
}

func strictEqual(a, b Value) bool {
	if x, ok := a.(float64); ok {
		y, ok := b.(float64)
		return ok && x == y
	}
	return a == b
}

func looseEqual(m *Machine, a, b Value) bool {
	switch {
	case isNullish(a) || isNullish(b):
		return isNullish(a) && isNullish(b)
	case m.typeOf(a) == m.typeOf(b) || m.IsObject(a) && m.IsObject(b):
		return strictEqual(a, b)
	case m.IsObject(a):
		return looseEqual(m, m.primitive(a, "valueOf", "toString"), b)
	case m.IsObject(b):
		return looseEqual(m, a, m.primitive(b, "valueOf", "toString"))
	}
	return m.number(a) == m.number(b)
}

func compareValues(m *Machine, op string, a, b Value) Value {
	a, b = m.primitive(a, "valueOf", "toString"), m.primitive(b, "valueOf", "toString")
	s, ok1 := a.(string)
	t, ok2 := b.(string)
	if ok1 && ok2 {
		switch op {
		case "<":
			return s < t
		case ">":
			return s > t
		case "<=":
			return s <= t
		}
		return s >= t
	}
	x, y := m.number(a), m.number(b)
	switch op {
	case "<":
		return x < y
	case ">":
		return x > y
	case "<=":
		return x <= y
	}
	return x >= y
}

func arithmetic(m *Machine, op string, x, y float64) Value {
	switch op {
	case "+":
		return x + y
	case "-":
		return x - y
	case "*":
		return x * y
	case "/":
		return x / y
	case "%":
		return math.Mod(x, y)
	case "**":
		return math.Pow(x, y)
	case "&":
		return float64(int32Of(x) & int32Of(y))
	case "|":
		return float64(int32Of(x) | int32Of(y))
	case "^":
		return float64(int32Of(x) ^ int32Of(y))
	case "<<":
		return float64(int32Of(x) << (uint32(int32Of(y)) & 31))
	case ">>":
		return float64(int32Of(x) >> (uint32(int32Of(y)) & 31))
	case ">>>":
		return float64(uint32(int32Of(x)) >> (uint32(int32Of(y)) & 31))
	}
	m.Fail("the operator %s is not known", op)
	return nil
}

// int32Of is ToInt32.
func int32Of(f float64) int32 {
	if f != f || math.IsInf(f, 0) {
		return 0
	}
	return int32(uint32(int64(math.Mod(math.Trunc(f), 1<<32))))
}

// has is the operator in.
func (m *Machine) has(o Value, k Key) bool {
	if !m.IsObject(o) {
		m.Throw("in needs an object")
	}
	for n := 0; m.IsObject(o) && n < object.MaxPrototypes; o, n = m.prototype(o), n+1 {
		if _, ok := m.own(o, k); ok {
			return true
		}
	}
	return false
}

// instanceOf is the operator instanceof. The method Symbol.hasInstance of a class runs.
func (m *Machine) instanceOf(o, class Value) bool {
	if m.typeOf(class) != "function" {
		m.Throw("instanceof needs a function")
	}
	if k, ok := m.wellKnown("hasInstance"); ok {
		if f, ok := m.get(class, k).(Heap); ok && m.intrinsic(f) == "" {
			return truthy(m.call(f, class, []Value{o}))
		}
	}
	return m.inherits(o, m.get(class, Key{Name: "prototype"}))
}

// Inherits reports whether proto is among the prototypes of o.
func (m *Machine) Inherits(o, proto Value) bool { return m.inherits(o, proto) }

// inherits reports whether proto is among the prototypes of o.
func (m *Machine) inherits(o, proto Value) bool {
	if !m.IsObject(o) {
		return false
	}
	for n := 0; n < object.MaxPrototypes; n++ {
		if o = m.prototype(o); !m.IsObject(o) {
			return false
		}
		if o == proto {
			return true
		}
	}
	return false
}

// awaited is the operator await, as it is typed: what a promise has been fulfilled with. Another promise shows
// that it is pending, or why it was rejected.
func (m *Machine) awaited(v Value) Value {
	if !m.isPromise(v) {
		return v
	}
	switch x := v.(type) {
	case *Object:
		if x.Promise.State == "fulfilled" {
			return x.Promise.Value
		}
	case Heap:
		state, result, err := m.reader.Promise(layout.Tagged(x))
		if err != nil {
			m.Fail("%v", err)
		}
		if state == object.PromiseFulfilled {
			return m.word(result)
		}
	}
	return v
}
