package eval

import (
	"slices"
	"strings"

	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/syntax"
)

// assignTo is an assignment of any kind.
func assignTo(m *ecma.Machine, f ecma.Frame, n *syntax.Node) ecma.Value {
	op := strings.TrimSuffix(n.Text, "=")
	switch op {
	case "":
		v := eval(m, f, n.B)
		if n.A.Kind == syntax.Identifier {
			nameFunction(v, ecma.Key{Name: n.A.Text})
		}
		writeTo(m, f, n.A, v)
		return v
	case "&&", "||", "??":
		old := eval(m, f, n.A)
		if decides(op, old) {
			return old
		}
		v := eval(m, f, n.B)
		writeTo(m, f, n.A, v)
		return v
	}
	old := eval(m, f, n.A)
	v := binaryOf(m, op, old, eval(m, f, n.B))
	writeTo(m, f, n.A, v)
	return v
}

// decides reports whether the left side of a logical operator is its value.
func decides(op string, a ecma.Value) bool {
	switch op {
	case "&&":
		return !ecma.Truthy(a)
	case "||":
		return ecma.Truthy(a)
	}
	return !ecma.IsNullish(a)
}

// writeTo assigns to a target.
func writeTo(m *ecma.Machine, f ecma.Frame, target *syntax.Node, v ecma.Value) {
	bindTo(m, f, target, v, func(n *syntax.Node, v ecma.Value) {
		switch n.Kind {
		case syntax.Identifier:
			store(m, f.Scope, n.Text, v)
		case syntax.Member, syntax.Index:
			o := eval(m, f, n.A)
			if n.Kind == syntax.Member && n.Text[0] == '#' {
				setPrivate(m, f, o, n.Text, v)
				return
			}
			m.Set(o, memberKey(m, f, n), v)
		default:
			m.Fail("a target is not known")
		}
	})
}

// declareAs makes the variables of a binding.
func declareAs(m *ecma.Machine, f ecma.Frame, target *syntax.Node, v ecma.Value, kind string) {
	bindTo(m, f, target, v, func(n *syntax.Node, v ecma.Value) {
		if fn, ok := v.(*ecma.Object); ok && fn.Function != nil && fn.Function.Name == "" {
			fn.Function.Name = n.Text
		}
		if kind == "const" {
			f.DeclareConstant(n.Text, v)
		} else {
			f.Declare(n.Text, v)
		}
	})
}

// bindTo takes a value apart as a pattern says.
func bindTo(m *ecma.Machine, f ecma.Frame, target *syntax.Node, v ecma.Value, leaf func(n *syntax.Node, v ecma.Value)) {
	m.Step()
	switch target.Kind {
	case syntax.Assign:
		if v == nil {
			v = eval(m, f, target.B)
		}
		bindTo(m, f, target.A, v, leaf)
	case syntax.Array:
		list := ecma.TakeFor(m, v, target.List)
		for i, x := range target.List {
			switch {
			case x.Kind == syntax.Hole:
			case x.Kind == syntax.Spread:
				bindTo(m, f, x.A, &ecma.Object{Array: true, List: slices.Clone(list[min(i, len(list)):])}, leaf)
			default:
				bindTo(m, f, x, ecma.Arg(list, i), leaf)
			}
		}
	case syntax.Object:
		bindObject(m, f, target, v, leaf)
	default:
		leaf(target, v)
	}
}

func bindObject(m *ecma.Machine, f ecma.Frame, target *syntax.Node, v ecma.Value,
	leaf func(n *syntax.Node, v ecma.Value)) {
	if ecma.IsNullish(v) {
		m.Throw("Cannot destructure '%s' as it is %s.", m.Text(v), m.Text(v))
	}
	var taken []ecma.Key
	for _, p := range target.List {
		if p.Kind == syntax.Spread {
			rest := &ecma.Object{}
			m.Each(v, func(k ecma.Key, x ecma.Value) {
				if !slices.Contains(taken, k) {
					rest.Set(k, x)
				}
			})
			bindTo(m, f, p.A, rest, leaf)
			continue
		}
		k := propertyKey(m, f, p)
		taken = append(taken, k)
		bindTo(m, f, p.B, m.Get(v, k), leaf)
	}
}
