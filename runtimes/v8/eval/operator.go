package eval

import (
	"math"
	"slices"

	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/library"
	"coredbg/runtimes/v8/syntax"
)

// operate is the value of an expression with an operator.
func operate(m *ecma.Machine, f ecma.Frame, n *syntax.Node) ecma.Value {
	switch n.Kind {
	case syntax.Unary:
		return unaryOf(m, f, n)
	case syntax.Binary:
		if n.Text == "in" && n.A.Kind == syntax.Identifier && n.A.Text[0] == '#' {
			return hasPrivate(m, f, n.A.Text, eval(m, f, n.B))
		}
		a := eval(m, f, n.A)
		return binaryOf(m, n.Text, a, eval(m, f, n.B))
	case syntax.Logical:
		if a := eval(m, f, n.A); decides(n.Text, a) {
			return a
		}
		return eval(m, f, n.B)
	case syntax.Conditional:
		if ecma.Truthy(eval(m, f, n.A)) {
			return eval(m, f, n.B)
		}
		return eval(m, f, n.C)
	case syntax.Await:
		return awaitOrYield(m, f, n)
	case syntax.Assign:
		return assignTo(m, f, n)
	case syntax.Update:
		old, one := numeric(m, eval(m, f, n.A)), ecma.Value(1.0)
		if _, big := old.(ecma.BigInt); big {
			one = ecma.BigInt("1")
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
func numeric(m *ecma.Machine, v ecma.Value) ecma.Value {
	if v = m.ToPrimitive(v, "number"); m.TypeOf(v) == "bigint" {
		return v
	}
	return m.Number(v)
}

// awaitOrYield is a place where a function waits.
func awaitOrYield(m *ecma.Machine, f ecma.Frame, n *syntax.Node) ecma.Value {
	co := f.Self.Coroutine
	var v ecma.Value
	if n.A != nil {
		v = eval(m, f, n.A)
	}
	switch {
	case n.Text == "await" && co == nil:
		return library.AwaitedValue(m, v)
	case n.Text == "await":
		return co.Wait(ecma.Awaiting{Value: v})
	case co == nil:
		m.Fail("yield is not in a generator")
	case n.Text == "yield*":
		ecma.EachValue(m, v, func(x ecma.Value) bool {
			co.Wait(x)
			return true
		})
		return nil
	}
	return co.Wait(v)
}

func unaryOf(m *ecma.Machine, f ecma.Frame, n *syntax.Node) ecma.Value {
	if n.Text == "typeof" && n.A.Kind == syntax.Identifier && n.A.Text != "arguments" {
		v, _ := lookup(m, f.Scope, n.A.Text)
		return m.TypeOf(v)
	}
	if n.Text == "delete" {
		return removeMember(m, f, n.A)
	}
	v := eval(m, f, n.A)
	switch n.Text {
	case "!":
		return !ecma.Truthy(v)
	case "-":
		if b, ok := numeric(m, v).(ecma.BigInt); ok {
			return library.BigArithmetic(m, "-", "0", b)
		}
		return -m.Number(v)
	case "+":
		if _, big := v.(ecma.BigInt); big {
			m.Throw("Cannot convert a BigInt value to a number")
		}
		return m.Number(v)
	case "~":
		if b, ok := numeric(m, v).(ecma.BigInt); ok {
			return library.BigArithmetic(m, "-", library.BigArithmetic(m, "-", "0", b).(ecma.BigInt), "1")
		}
		return float64(^ecma.Int32Of(m.Number(v)))
	case "typeof":
		return m.TypeOf(v)
	}
	return nil // void
}

func removeMember(m *ecma.Machine, f ecma.Frame, n *syntax.Node) ecma.Value {
	if n.Kind == syntax.Member || n.Kind == syntax.Index {
		m.Delete(eval(m, f, n.A), memberKey(m, f, n))
	}
	return true
}

func binaryOf(m *ecma.Machine, op string, a, b ecma.Value) ecma.Value {
	switch op {
	case "===":
		return ecma.StrictEqual(a, b)
	case "!==":
		return !ecma.StrictEqual(a, b)
	case "==":
		return looseEqual(m, a, b)
	case "!=":
		return !looseEqual(m, a, b)
	case "instanceof":
		return isInstance(m, a, b)
	case "in":
		return m.Has(b, m.Key(a))
	case "+":
		a, b = m.ToPrimitive(a, "default"), m.ToPrimitive(b, "default")
		_, s1 := a.(string)
		_, s2 := b.(string)
		if s1 || s2 {
			return m.Bounded(m.Text(a) + m.Text(b))
		}
	case "<", ">", "<=", ">=":
		return compareValues(m, op, a, b)
	}
	a, b = numeric(m, a), numeric(m, b)
	x, big1 := a.(ecma.BigInt)
	y, big2 := b.(ecma.BigInt)
	switch {
	case big1 && big2:
		return library.BigArithmetic(m, op, x, y)
	case big1 || big2:
		m.Throw("Cannot mix BigInt and other types, use explicit conversions")
	}
	return arithmetic(m, op, m.Number(a), m.Number(b))
}

func looseEqual(m *ecma.Machine, a, b ecma.Value) bool {
	switch {
	case ecma.IsNullish(a) || ecma.IsNullish(b):
		return ecma.IsNullish(a) && ecma.IsNullish(b)
	case m.TypeOf(a) == m.TypeOf(b) || m.IsObject(a) && m.IsObject(b):
		return ecma.StrictEqual(a, b)
	case m.IsObject(a):
		return looseEqual(m, m.ToPrimitive(a, "default"), b)
	case m.IsObject(b):
		return looseEqual(m, a, m.ToPrimitive(b, "default"))
	case m.TypeOf(a) == "symbol" || m.TypeOf(b) == "symbol":
		return false
	case m.TypeOf(a) == "bigint" || m.TypeOf(b) == "bigint":
		sign, ok := library.BigCompare(m, a, b)
		return ok && sign == 0
	}
	return m.Number(a) == m.Number(b)
}

func compareValues(m *ecma.Machine, op string, a, b ecma.Value) ecma.Value {
	a, b = m.ToPrimitive(a, "number"), m.ToPrimitive(b, "number")
	s, ok1 := a.(string)
	t, ok2 := b.(string)
	var x, y float64
	switch {
	case ok1 && ok2:
		x = float64(slices.Compare(ecma.Units(s), ecma.Units(t)))
	case m.TypeOf(a) == "bigint" || m.TypeOf(b) == "bigint":
		sign, ok := library.BigCompare(m, a, b)
		if x = float64(sign); !ok {
			x = math.NaN()
		}
	default:
		x, y = m.Number(a), m.Number(b)
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

func arithmetic(m *ecma.Machine, op string, x, y float64) ecma.Value {
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
		return float64(ecma.Int32Of(x) & ecma.Int32Of(y))
	case "|":
		return float64(ecma.Int32Of(x) | ecma.Int32Of(y))
	case "^":
		return float64(ecma.Int32Of(x) ^ ecma.Int32Of(y))
	case "<<":
		return float64(ecma.Int32Of(x) << (uint32(ecma.Int32Of(y)) & 31))
	case ">>":
		return float64(ecma.Int32Of(x) >> (uint32(ecma.Int32Of(y)) & 31))
	case ">>>":
		return float64(uint32(ecma.Int32Of(x)) >> (uint32(ecma.Int32Of(y)) & 31))
	}
	m.Fail("the operator %s is not known", op)
	return nil
}

// instanceOf is the operator instanceof. The method Symbol.hasInstance of a class runs.
func isInstance(m *ecma.Machine, o, class ecma.Value) bool {
	if !m.IsObject(class) {
		m.Throw("Right-hand side of 'instanceof' is not an object")
	}
	if k, ok := m.WellKnown("hasInstance"); ok {
		if f := m.Get(class, k); !ecma.IsNullish(f) && m.Intrinsic(f) == "" {
			if x, ok := f.(*ecma.Object); !ok || x.Function == nil || x.Function.Code == nil {
				return ecma.Truthy(m.Call(f, class, []ecma.Value{o}))
			}
		}
	}
	if m.TypeOf(class) != "function" {
		m.Throw("Right-hand side of 'instanceof' is not callable")
	}
	return m.Inherits(o, m.Get(class, ecma.Key{Name: "prototype"}))
}
