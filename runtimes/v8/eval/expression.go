package eval

import (
	"strings"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/syntax"
)

// A frame is what is run: a scope of a call.
type frame struct {
	*scope
	self *activation
}

func (f frame) inner() frame { return frame{f.scope.inner(), f.self} }

// absent is what an optional chain without a beginning ends in.
type absent struct{}

// eval is the value of an expression.
func (m *Machine) eval(f frame, n *syntax.Node) Value {
	m.step()
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
			return Null{}
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
		return &Object{Array: true, List: m.list(f, n.List)}
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
		return m.eval(f, n.A)
	case syntax.New:
		return newValue(m, f, n)
	case syntax.Sequence:
		var v Value
		for _, x := range n.List {
			v = m.eval(f, x)
		}
		return v
	case syntax.Regexp:
		return constructors["RegExp"](m, []Value{n.Text, n.Flags})
	}
	return operate(m, f, n)
}

// askedAt is the value of an expression that the embedder answers; ok is false for others.
func askedAt(m *Machine, f frame, n *syntax.Node) (v, this Value, ok bool) {
	if m.asks == nil {
		return nil, nil, false
	}
	return m.asks(f, n)
}

// bigLiteralValue is the BigInt that a literal is.
func bigLiteralValue(m *Machine, n *syntax.Node) Value {
	digits, ok := bigLiteral(n.Text)
	if !ok {
		m.throwAs("RangeError", "Maximum BigInt size exceeded")
	}
	return BigInt(digits)
}

// nameValue is the value of a name, which the embedder may answer.
func nameValue(m *Machine, f frame, n *syntax.Node) Value {
	if v, _, ok := askedAt(m, f, n); ok {
		return v
	}
	return identifierValue(m, f, n.Text)
}

// newValue is the object that an expression with new makes.
func newValue(m *Machine, f frame, n *syntax.Node) Value {
	if v, _, ok := askedAt(m, f, n); ok {
		return v
	}
	return constructNew(m, m.eval(f, n.A), m.list(f, n.List))
}

// metaValue is new.target or import.meta.
func metaValue(m *Machine, f frame, n *syntax.Node) Value {
	if v, _, ok := askedAt(m, f, n); ok {
		return v
	}
	if n.Text == "import.meta" {
		m.Fail("import.meta is not known")
	}
	return f.self.target
}

// functionOf is the value of a function expression. By its name, if it has one, it knows itself.
func functionOf(f frame, n *syntax.Node) *Object {
	o := &Object{Function: &Function{Name: n.Text, node: n, env: f.scope, self: f.self}}
	if n.Arrow {
		return o
	}
	if o.Function.self = nil; n.Text != "" {
		f = f.inner()
		f.declare(n.Text, o)
		o.Function.env = f.scope
	}
	return o
}

// taggedCall calls the tag of a template.
func taggedCall(m *Machine, f frame, n *syntax.Node) Value {
	fn, this := evalLink(m, f, n.A)
	cooked, raw := array(), array()
	args := []Value{cooked}
	for _, x := range n.B.List {
		if x.Kind == syntax.String {
			cooked.List, raw.List = append(cooked.List, x.Text), append(raw.List, x.Flags)
			continue
		}
		args = append(args, m.eval(f, x))
	}
	cooked.define(Key{Name: "raw"}, &Prop{Value: raw, Hidden: true})
	return m.call(fn, this, args)
}

func identifierValue(m *Machine, f frame, name string) Value {
	if name == "arguments" && f.variable(name) == nil {
		if f.self.bare {
			m.throwAs("ReferenceError", "arguments is not defined")
		}
		return &Object{Array: true, List: f.self.args, arguments: true, Proto: objectPrototype(m, f.outer().fn)}
	}
	v, ok := m.lookup(f.scope, name)
	if !ok {
		m.throwAs("ReferenceError", "%s is not defined", name)
	}
	return v
}

func templateText(m *Machine, f frame, n *syntax.Node) Value {
	var b strings.Builder
	for _, x := range n.List {
		if x.Kind == syntax.String {
			b.WriteString(x.Text)
			continue
		}
		b.WriteString(m.text(m.eval(f, x)))
		m.bounded(b.String())
	}
	return b.String()
}

// list evaluates elements or arguments.
func (m *Machine) list(f frame, nodes []*syntax.Node) []Value {
	list := make([]Value, 0, len(nodes))
	for _, x := range nodes {
		switch x.Kind {
		case syntax.Hole:
			list = append(list, nil)
		case syntax.Spread:
			list = append(list, m.iterate(m.eval(f, x.A))...)
		default:
			list = append(list, m.eval(f, x))
		}
		if len(list) > maxItems {
			m.Fail("an array is too long")
		}
	}
	return list
}

func newObjectOf(m *Machine, f frame, n *syntax.Node) Value {
	o := &Object{Proto: objectPrototype(m, f.outer().fn)}
	for _, p := range n.List {
		if p.Kind == syntax.Spread {
			if v := m.eval(f, p.A); !isNullish(v) {
				m.Each(v, func(k Key, x Value) { o.Set(k, x) })
			}
			continue
		}
		k := propertyKey(m, f, p)
		v := m.attempt(func() Value { return m.eval(f, p.B) })
		if fn, ok := v.(*Object); ok && fn.Function != nil && (p.Prefix || p.B.Kind == syntax.Function ||
			p.B.Kind == syntax.Class) {
			if p.Prefix {
				*fn.Function = Function{node: p.B, env: f.scope, home: o, method: true}
			}
			if nameFunction(v, k); p.Text == "get" || p.Text == "set" {
				fn.Function.Name = p.Text + " " + fn.Function.Name
			}
		}
		switch {
		case p.Text == "get" || p.Text == "set":
			o.accessor(k, p.Text, v)
		case k.Name == "__proto__" && !p.Computed && !p.Prefix && p.B.Kind != syntax.Identifier:
			if _, null := v.(Null); null || m.IsObject(v) {
				o.Proto = v
			}
		default:
			o.Set(k, v)
		}
	}
	return o
}

func (o *Object) accessor(k Key, half string, fn Value) {
	p := o.Props[k]
	if p == nil || !p.Accessor {
		p = &Prop{Accessor: true}
		o.define(k, p)
	}
	if half == "get" {
		p.Get = fn
	} else {
		p.Set = fn
	}
}

func propertyKey(m *Machine, f frame, p *syntax.Node) Key {
	if !p.Computed {
		return Key{Name: p.A.Text}
	}
	return m.key(m.eval(f, p.A))
}

// evalLink evaluates a member or call, with the object that is this if the result is called.
func evalLink(m *Machine, f frame, n *syntax.Node) (v, this Value) {
	m.step()
	if v, this, ok := askedAt(m, f, n); ok {
		return v, this
	}
	return linkValue(m, f, n)
}

// linkValue is evalLink without the embedder.
func linkValue(m *Machine, f frame, n *syntax.Node) (v, this Value) {
	switch n.Kind {
	case syntax.Member, syntax.Index:
		if n.A.Kind == syntax.Super {
			return m.getFrom(superOf(m, f), memberKey(m, f, n), thisOf(m, f)), thisOf(m, f)
		}
		o, _ := evalLink(m, f, n.A)
		if _, ok := o.(absent); ok || n.Optional && isNullish(o) {
			return absent{}, nil
		}
		if n.Kind == syntax.Member && n.Text[0] == '#' {
			return privateMember(m, f.scope, o, n.Text), o
		}
		return m.get(o, memberKey(m, f, n)), o
	case syntax.Call:
		if n.A.Kind == syntax.Super {
			return callSuper(m, f, m.list(f, n.List)), nil
		}
		fn, receiver := evalLink(m, f, n.A)
		if _, ok := fn.(absent); ok || n.Optional && isNullish(fn) {
			return absent{}, nil
		}
		if m.typeOf(fn) != "function" {
			notFunction(m, n.A, fn)
		}
		return m.call(fn, receiver, m.list(f, n.List)), nil
	case syntax.Chain:
		v, this = evalLink(m, f, n.A)
		if _, ok := v.(absent); ok {
			return nil, nil
		}
		return v, this
	}
	return m.eval(f, n), nil
}

// notFunction throws what calling a value throws that is no function.
func notFunction(m *Machine, n *syntax.Node, fn Value) {
	if h, ok := fn.(Heap); ok && (m.intrinsic(h) != "" || incomplete(m, layout.Tagged(h))) {
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

func memberKey(m *Machine, f frame, n *syntax.Node) Key {
	if n.Kind == syntax.Member {
		return Key{Name: n.Text}
	}
	return m.key(m.eval(f, n.B))
}

// superOf returns the object whose members super.x names: the prototype of the object that holds the method.
func superOf(m *Machine, f frame) Value {
	if f.self.home != nil {
		return m.prototype(f.self.home)
	}
	if f.self.callee == 0 {
		m.Fail("super is not known here")
	}
	for o, n := m.holder(f.self.this), 0; m.IsObject(o) && n < object.MaxPrototypes; o, n = m.prototype(o), n+1 {
		h, ok := o.(Heap)
		if !ok {
			continue
		}
		for _, p := range tableOf(m, layout.Tagged(h)) {
			if p.Value.Word == f.self.callee && !p.Value.Raw ||
				p.Accessor && (p.Getter == f.self.callee || p.Setter == f.self.callee) {
				return m.prototype(o)
			}
		}
	}
	m.Fail("super is not known here")
	return nil
}
