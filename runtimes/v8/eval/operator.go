package eval

import (
	"math"
	"slices"

	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/syntax"
)

// bigOperator is an operator on two BigInts. bigOrder compares a BigInt with a number or a text. It is not ok if one of
// them is not a number.
var (
	bigOperator func(m *Machine, op string, x, y BigInt) Value
	bigOrder    func(m *Machine, a, b Value) (sign int, ok bool)
)

// awaitTyped is the operator await, as it is typed.
var awaitTyped func(m *Machine, v Value) Value

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
		return awaitOrYield(m, f, n)
	case syntax.Assign:
		return assignTo(m, f, n)
	case syntax.Update:
		old, one := numeric(m, m.eval(f, n.A)), Value(1.0)
		if _, big := old.(BigInt); big {
			one = BigInt("1")
		}
		v := binaryOf(m, n.Text[:1], old, one)
		writeTo(m, f, n.A, v)
		if n.Prefix {
			return v
		}
		return old
	}
	m.Fail("a kind of expression is not known")
	return nil
}

// numeric is ToNumeric: a number or a BigInt.
func numeric(m *Machine, v Value) Value {
	if v = m.toPrimitive(v, "number"); m.typeOf(v) == "bigint" {
		return v
	}
	return m.number(v)
}

// awaitOrYield is a place where a function waits.
func awaitOrYield(m *Machine, f frame, n *syntax.Node) Value {
	co := f.self.coroutine
	var v Value
	if n.A != nil {
		v = m.eval(f, n.A)
	}
	switch {
	case n.Text == "await" && co == nil:
		return awaitTyped(m, v)
	case n.Text == "await":
		return co.wait(awaiting{v})
	case co == nil:
		m.Fail("yield is not in a generator")
	case n.Text == "yield*":
		eachValue(m, v, func(x Value) bool {
			co.wait(x)
			return true
		})
		return nil
	}
	return co.wait(v)
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
		if b, ok := numeric(m, v).(BigInt); ok {
			return bigOperator(m, "-", "0", b)
		}
		return -m.number(v)
	case "+":
		if _, big := v.(BigInt); big {
			m.Throw("Cannot convert a BigInt value to a number")
		}
		return m.number(v)
	case "~":
		if b, ok := numeric(m, v).(BigInt); ok {
			return bigOperator(m, "-", bigOperator(m, "-", "0", b).(BigInt), "1")
		}
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
	v := privateName(m, f.scope, name, o)
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
		a, b = m.toPrimitive(a, "default"), m.toPrimitive(b, "default")
		_, s1 := a.(string)
		_, s2 := b.(string)
		if s1 || s2 {
			return m.bounded(m.text(a) + m.text(b))
		}
	case "<", ">", "<=", ">=":
		return compareValues(m, op, a, b)
	}
	a, b = numeric(m, a), numeric(m, b)
	x, big1 := a.(BigInt)
	y, big2 := b.(BigInt)
	switch {
	case big1 && big2:
		return bigOperator(m, op, x, y)
	case big1 || big2:
		m.Throw("Cannot mix BigInt and other types, use explicit conversions")
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
		return looseEqual(m, m.toPrimitive(a, "default"), b)
	case m.IsObject(b):
		return looseEqual(m, a, m.toPrimitive(b, "default"))
	case m.typeOf(a) == "symbol" || m.typeOf(b) == "symbol":
		return false
	case m.typeOf(a) == "bigint" || m.typeOf(b) == "bigint":
		sign, ok := bigOrder(m, a, b)
		return ok && sign == 0
	}
	return m.number(a) == m.number(b)
}

func compareValues(m *Machine, op string, a, b Value) Value {
	a, b = m.toPrimitive(a, "number"), m.toPrimitive(b, "number")
	s, ok1 := a.(string)
	t, ok2 := b.(string)
	var x, y float64
	switch {
	case ok1 && ok2:
		x = float64(slices.Compare(units(s), units(t)))
	case m.typeOf(a) == "bigint" || m.typeOf(b) == "bigint":
		sign, ok := bigOrder(m, a, b)
		if x = float64(sign); !ok {
			x = math.NaN()
		}
	default:
		x, y = m.number(a), m.number(b)
	}
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
		m.Throw("Cannot use 'in' operator to search for '%s' in %s", keyText(m, k), m.text(o))
	}
	if target, handler, ok := proxyParts(m, o); ok {
		return proxyHas(m, target, handler, k)
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
	if !m.IsObject(class) {
		m.Throw("Right-hand side of 'instanceof' is not an object")
	}
	if k, ok := m.wellKnown("hasInstance"); ok {
		if f := m.get(class, k); !isNullish(f) && m.intrinsic(f) == "" {
			if x, ok := f.(*Object); !ok || x.Function == nil || x.Function.code == nil {
				return truthy(m.call(f, class, []Value{o}))
			}
		}
	}
	if m.typeOf(class) != "function" {
		m.Throw("Right-hand side of 'instanceof' is not callable")
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
