package eval

import (
	"strings"

	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/syntax"
)

// absent is what an optional chain without a beginning ends in.
type absent struct{}

// eval is the value of an expression.
func eval(m *ecma.Machine, f ecma.Frame, n *syntax.Node) ecma.Value {
	m.Step()
	if n == nil {
		m.Fail("an expression is missing")
	}
	switch n.Kind {
	case syntax.Number:
		return n.Number
	case syntax.String:
		return n.Text
	case syntax.Literal:
		if n.Text == "null" {
			return ecma.Null{}
		}
		return n.Text == "true"
	case syntax.BigInt:
		return bigLiteralValue(m, n)
	case syntax.Identifier:
		return nameValue(m, f, n)
	case syntax.This:
		return thisOf(m, f)
	case syntax.Meta:
		return metaValue(m, f, n)
	case syntax.Template:
		return templateText(m, f, n)
	case syntax.Array:
		return &ecma.Object{Array: true, List: listOf(m, f, n.List)}
	case syntax.Object:
		return newObjectOf(m, f, n)
	case syntax.Function:
		return functionOf(f, n)
	case syntax.Class:
		return newClass(m, f, n)
	case syntax.Tagged:
		return taggedCall(m, f, n)
	case syntax.Member, syntax.Index, syntax.Call:
		v, _ := evalLink(m, f, n)
		if _, ok := v.(absent); ok {
			return nil
		}
		return v
	case syntax.Chain:
		return eval(m, f, n.A)
	case syntax.New:
		return newValue(m, f, n)
	case syntax.Sequence:
		var v ecma.Value
		for _, x := range n.List {
			v = eval(m, f, x)
		}
		return v
	case syntax.Regexp:
		return m.Library.Constructors["RegExp"](m, []ecma.Value{n.Text, n.Flags})
	}
	return operate(m, f, n)
}

// askedAt is the value of an expression that the embedder answers; ok is false for others.
func askedAt(m *ecma.Machine, f ecma.Frame, n *syntax.Node) (v, this ecma.Value, ok bool) {
	if m.Asks == nil {
		return nil, nil, false
	}
	return m.Asks(m, f, n)
}

// bigLiteralValue is the BigInt that a literal is.
func bigLiteralValue(m *ecma.Machine, n *syntax.Node) ecma.Value {
	digits, ok := ecma.BigLiteral(n.Text)
	if !ok {
		m.ThrowAs("RangeError", "Maximum BigInt size exceeded")
	}
	return ecma.BigInt(digits)
}

// nameValue is the value of a name, which the embedder may answer.
func nameValue(m *ecma.Machine, f ecma.Frame, n *syntax.Node) ecma.Value {
	if v, _, ok := askedAt(m, f, n); ok {
		return v
	}
	return identifierValue(m, f, n.Text)
}

// newValue is the object that an expression with new makes.
func newValue(m *ecma.Machine, f ecma.Frame, n *syntax.Node) ecma.Value {
	if v, _, ok := askedAt(m, f, n); ok {
		return v
	}
	return ecma.ConstructNew(m, eval(m, f, n.A), listOf(m, f, n.List))
}

// metaValue is new.target or import.meta.
func metaValue(m *ecma.Machine, f ecma.Frame, n *syntax.Node) ecma.Value {
	if v, _, ok := askedAt(m, f, n); ok {
		return v
	}
	if n.Text == "import.meta" {
		m.Fail("import.meta is not known")
	}
	return f.Self.Target
}

// functionOf is the value of a function expression. By its name, if it has one, it knows itself.
func functionOf(f ecma.Frame, n *syntax.Node) *ecma.Object {
	o := &ecma.Object{Function: &ecma.Function{Name: n.Text, Node: n, Env: f.Scope, Self: f.Self}}
	if n.Arrow {
		return o
	}
	if o.Function.Self = nil; n.Text != "" {
		f = f.Inner()
		f.Declare(n.Text, o)
		o.Function.Env = f.Scope
	}
	return o
}

// taggedCall calls the tag of a template.
func taggedCall(m *ecma.Machine, f ecma.Frame, n *syntax.Node) ecma.Value {
	fn, this := evalLink(m, f, n.A)
	cooked, raw := ecma.Array(), ecma.Array()
	args := []ecma.Value{cooked}
	for _, x := range n.B.List {
		if x.Kind == syntax.String {
			cooked.List, raw.List = append(cooked.List, x.Text), append(raw.List, x.Flags)
			continue
		}
		args = append(args, eval(m, f, x))
	}
	cooked.Define(ecma.Key{Name: "raw"}, &ecma.Prop{Value: raw, Hidden: true})
	return m.Call(fn, this, args)
}

func identifierValue(m *ecma.Machine, f ecma.Frame, name string) ecma.Value {
	if name == "arguments" && f.Variable(name) == nil {
		if f.Self.Bare {
			m.ThrowAs("ReferenceError", "arguments is not defined")
		}
		return &ecma.Object{Array: true, List: f.Self.Args, OfCall: true, Proto: ecma.ObjectPrototype(m, f.Outer().Fn)}
	}
	v, ok := lookup(m, f.Scope, name)
	if !ok {
		m.ThrowAs("ReferenceError", "%s is not defined", name)
	}
	return v
}

func templateText(m *ecma.Machine, f ecma.Frame, n *syntax.Node) ecma.Value {
	var b strings.Builder
	for _, x := range n.List {
		if x.Kind == syntax.String {
			b.WriteString(x.Text)
			continue
		}
		b.WriteString(m.Text(eval(m, f, x)))
		m.Bounded(b.String())
	}
	return b.String()
}

// list evaluates elements or arguments.
func listOf(m *ecma.Machine, f ecma.Frame, nodes []*syntax.Node) []ecma.Value {
	list := make([]ecma.Value, 0, len(nodes))
	for _, x := range nodes {
		switch x.Kind {
		case syntax.Hole:
			list = append(list, nil)
		case syntax.Spread:
			list = append(list, m.Iterate(eval(m, f, x.A))...)
		default:
			list = append(list, eval(m, f, x))
		}
		if len(list) > ecma.MaxItems {
			m.Fail("an array is too long")
		}
	}
	return list
}

func newObjectOf(m *ecma.Machine, f ecma.Frame, n *syntax.Node) ecma.Value {
	o := &ecma.Object{Proto: ecma.ObjectPrototype(m, f.Outer().Fn)}
	for _, p := range n.List {
		if p.Kind == syntax.Spread {
			if v := eval(m, f, p.A); !ecma.IsNullish(v) {
				m.Each(v, func(k ecma.Key, x ecma.Value) { o.Set(k, x) })
			}
			continue
		}
		k := propertyKey(m, f, p)
		v := m.Attempt(func() ecma.Value { return eval(m, f, p.B) })
		if fn, ok := v.(*ecma.Object); ok && fn.Function != nil && (p.Prefix || p.B.Kind == syntax.Function ||
			p.B.Kind == syntax.Class) {
			if p.Prefix {
				*fn.Function = ecma.Function{Node: p.B, Env: f.Scope, Home: o, Method: true}
			}
			if nameFunction(v, k); p.Text == "get" || p.Text == "set" {
				fn.Function.Name = p.Text + " " + fn.Function.Name
			}
		}
		switch {
		case p.Text == "get" || p.Text == "set":
			o.Accessor(k, p.Text, v)
		case k.Name == "__proto__" && !p.Computed && !p.Prefix && p.B.Kind != syntax.Identifier:
			if _, null := v.(ecma.Null); null || m.IsObject(v) {
				o.Proto = v
			}
		default:
			o.Set(k, v)
		}
	}
	return o
}

func propertyKey(m *ecma.Machine, f ecma.Frame, p *syntax.Node) ecma.Key {
	if !p.Computed {
		return ecma.Key{Name: p.A.Text}
	}
	return m.Key(eval(m, f, p.A))
}

// evalLink evaluates a member or call, with the object that is this if the result is called.
func evalLink(m *ecma.Machine, f ecma.Frame, n *syntax.Node) (v, this ecma.Value) {
	m.Step()
	if v, this, ok := askedAt(m, f, n); ok {
		return v, this
	}
	return linkValue(m, f, n)
}

// linkValue is evalLink without the embedder.
func linkValue(m *ecma.Machine, f ecma.Frame, n *syntax.Node) (v, this ecma.Value) {
	switch n.Kind {
	case syntax.Member, syntax.Index:
		if n.A.Kind == syntax.Super {
			return m.GetFrom(superOf(m, f), memberKey(m, f, n), thisOf(m, f)), thisOf(m, f)
		}
		o, _ := evalLink(m, f, n.A)
		if _, ok := o.(absent); ok || n.Optional && ecma.IsNullish(o) {
			return absent{}, nil
		}
		if n.Kind == syntax.Member && n.Text[0] == '#' {
			return privateMember(m, f.Scope, o, n.Text), o
		}
		return m.Get(o, memberKey(m, f, n)), o
	case syntax.Call:
		if n.A.Kind == syntax.Super {
			return callSuper(m, f, listOf(m, f, n.List)), nil
		}
		fn, receiver := evalLink(m, f, n.A)
		if _, ok := fn.(absent); ok || n.Optional && ecma.IsNullish(fn) {
			return absent{}, nil
		}
		if m.TypeOf(fn) != "function" {
			notFunction(m, n.A, fn)
		}
		return m.Call(fn, receiver, listOf(m, f, n.List)), nil
	case syntax.Chain:
		v, this = evalLink(m, f, n.A)
		if _, ok := v.(absent); ok {
			return nil, nil
		}
		return v, this
	}
	return eval(m, f, n), nil
}

// notFunction throws what calling a value throws that is no function.
func notFunction(m *ecma.Machine, n *syntax.Node, fn ecma.Value) {
	if h, ok := fn.(ecma.Heap); ok && (m.Intrinsic(h) != "" || ecma.Incomplete(m, layout.Tagged(h))) {
		return // it may be one
	}
	m.Throw("%s is not a function", calledName(n))
}

// calledName is the text of an expression as messages of errors show it.
func calledName(n *syntax.Node) string {
	switch n.Kind {
	case syntax.Identifier, syntax.Literal:
		return n.Text
	case syntax.This:
		return "this"
	case syntax.Super:
		return "(intermediate value)"
	case syntax.Member:
		return calledName(n.A) + "." + n.Text
	case syntax.Index:
		return calledName(n.A) + "[...]"
	case syntax.Call:
		return calledName(n.A) + "(...)"
	case syntax.Chain:
		return calledName(n.A)
	}
	return "(intermediate value)"
}

func memberKey(m *ecma.Machine, f ecma.Frame, n *syntax.Node) ecma.Key {
	if n.Kind == syntax.Member {
		return ecma.Key{Name: n.Text}
	}
	return m.Key(eval(m, f, n.B))
}

// superOf returns the object whose members super.x names: the prototype of the object that holds the method.
func superOf(m *ecma.Machine, f ecma.Frame) ecma.Value {
	if f.Self.Home != nil {
		return m.Prototype(f.Self.Home)
	}
	if f.Self.Callee == 0 {
		m.Fail("super is not known here")
	}
	for o, n := m.Holder(f.Self.This), 0; m.IsObject(o) && n < object.MaxPrototypes; o, n = m.Prototype(o), n+1 {
		h, ok := o.(ecma.Heap)
		if !ok {
			continue
		}
		for _, p := range ecma.TableOf(m, layout.Tagged(h)) {
			if p.Value.Word == f.Self.Callee && !p.Value.Raw ||
				p.Accessor && (p.Getter == f.Self.Callee || p.Setter == f.Self.Callee) {
				return m.Prototype(o)
			}
		}
	}
	m.Fail("super is not known here")
	return nil
}
