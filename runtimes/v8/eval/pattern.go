package eval

import (
	"slices"
	"strings"

	"coredbg/runtimes/v8/syntax"
)

// assignTo is an assignment of any kind.
func assignTo(m *Machine, f frame, n *syntax.Node) Value {
	op := strings.TrimSuffix(n.Text, "=")
	switch op {
	case "":
		v := m.eval(f, n.B)
		if n.A.Kind == syntax.Identifier {
			nameFunction(v, Key{Name: n.A.Text})
		}
		writeTo(m, f, n.A, v)
		return v
	case "&&", "||", "??":
		old := m.eval(f, n.A)
		if decides(op, old) {
			return old
		}
		v := m.eval(f, n.B)
		writeTo(m, f, n.A, v)
		return v
	}
	old := m.eval(f, n.A)
	v := binaryOf(m, op, old, m.eval(f, n.B))
	writeTo(m, f, n.A, v)
	return v
}

// decides reports whether the left side of a logical operator is its value.
func decides(op string, a Value) bool {
	switch op {
	case "&&":
		return !truthy(a)
	case "||":
		return truthy(a)
	}
	return !isNullish(a)
}

// writeTo assigns to a target.
func writeTo(m *Machine, f frame, target *syntax.Node, v Value) {
	bindTo(m, f, target, v, func(n *syntax.Node, v Value) {
		switch n.Kind {
		case syntax.Identifier:
			m.store(f.scope, n.Text, v)
		case syntax.Member, syntax.Index:
			o := m.eval(f, n.A)
			if n.Kind == syntax.Member && n.Text[0] == '#' {
				setPrivate(m, f, o, n.Text, v)
				return
			}
			m.set(o, memberKey(m, f, n), v)
		default:
			m.Fail("a target is not known")
		}
	})
}

// setPrivate is the assignment to o.#name.
func setPrivate(m *Machine, f frame, o Value, name string, v Value) {
	x := privateName(m, f.scope, name, o)
	if pair, ok := x.(*Object); ok && pair.Function == nil {
		p := pair.Props[Key{}]
		if p == nil || isNullish(p.Set) {
			m.Throw("'%s' was defined without a setter", name)
		}
		m.call(p.Set, o, []Value{v})
		return
	}
	if m.typeOf(x) == "function" {
		m.Throw("Private method '%s' is not writable", name)
	}
	m.defineOwn(o, m.key(x), &Prop{Value: v, Hidden: true})
}

// declareAs makes the variables of a binding.
func declareAs(m *Machine, f frame, target *syntax.Node, v Value) {
	bindTo(m, f, target, v, func(n *syntax.Node, v Value) {
		if fn, ok := v.(*Object); ok && fn.Function != nil && fn.Function.Name == "" {
			fn.Function.Name = n.Text
		}
		f.declare(n.Text, v)
	})
}

// bindTo takes a value apart as a pattern says.
func bindTo(m *Machine, f frame, target *syntax.Node, v Value, leaf func(n *syntax.Node, v Value)) {
	m.step()
	switch target.Kind {
	case syntax.Assign:
		if v == nil {
			v = m.eval(f, target.B)
		}
		bindTo(m, f, target.A, v, leaf)
	case syntax.Array:
		list := takeFor(m, v, target.List)
		for i, x := range target.List {
			switch {
			case x.Kind == syntax.Hole:
			case x.Kind == syntax.Spread:
				bindTo(m, f, x.A, &Object{Array: true, List: slices.Clone(list[min(i, len(list)):])}, leaf)
			default:
				bindTo(m, f, x, arg(list, i), leaf)
			}
		}
	case syntax.Object:
		bindObject(m, f, target, v, leaf)
	default:
		leaf(target, v)
	}
}

func bindObject(m *Machine, f frame, target *syntax.Node, v Value, leaf func(n *syntax.Node, v Value)) {
	if isNullish(v) {
		m.Throw("Cannot destructure '%s' as it is %s.", m.text(v), m.text(v))
	}
	var taken []Key
	for _, p := range target.List {
		if p.Kind == syntax.Spread {
			rest := &Object{}
			m.Each(v, func(k Key, x Value) {
				if !slices.Contains(taken, k) {
					rest.Set(k, x)
				}
			})
			bindTo(m, f, p.A, rest, leaf)
			continue
		}
		k := propertyKey(m, f, p)
		taken = append(taken, k)
		bindTo(m, f, p.B, m.get(v, k), leaf)
	}
}
