package ecma

import (
	"slices"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/syntax"
)

// Get returns a property of a value: its own, or one of its prototypes.
func (m *Machine) Get(v Value, k Key) Value { return m.GetFrom(v, k, v) }

// GetFrom returns a property of a value; receiver is what its getter is called for.
func (m *Machine) GetFrom(v Value, k Key, receiver Value) Value {
	if IsNullish(v) {
		m.Throw("Cannot read properties of %s (reading '%s')", m.Text(v), keyText(m, k))
	}
	if s, ok := v.(string); ok {
		if x, ok := textMember(m, s, k); ok {
			return x
		}
	}
	for o, n := m.Holder(v), 0; m.IsObject(o); o, n = m.Prototype(o), n+1 {
		m.Step()
		if n > object.MaxPrototypes {
			break
		}
		if target, handler, ok := ProxyParts(m, o); ok {
			return proxyGet(m, target, handler, k, receiver)
		}
		p, ok := m.Own(o, k)
		if !ok {
			continue
		}
		if u, ok := p.Value.(Unknown); ok && !p.Accessor {
			panic(&Stop{u.Err, true})
		}
		if !p.Accessor {
			return p.Value
		}
		if IsNullish(p.Get) {
			return nil
		}
		if x, ok := errorStack(m, p.Get, receiver, k); ok {
			return x
		}
		return m.getterCall(p.Get, receiver, k.Name)
	}
	return nil
}

// Behind is the object that has the properties of another one: the global object behind globalThis.
func (m *Machine) Behind(h Heap) layout.Tagged {
	t := layout.Tagged(h)
	if m.Reader.Is(t, m.Reader.Types.JSGlobalProxy) {
		if g, ok := m.Reader.GlobalOf(t); ok {
			return g
		}
	}
	return t
}

// Holder returns the object where the search for a property of v begins.
func (m *Machine) Holder(v Value) Value {
	class := ""
	switch x := v.(type) {
	case string:
		class = "String"
	case float64:
		class = "Number"
	case bool:
		class = "Boolean"
	case BigInt:
		class = "BigInt"
	case *Symbol:
		class = "Symbol"
	case Heap:
		switch m.TypeOf(x) {
		case "symbol":
			class = "Symbol"
		case "bigint":
			class = "BigInt"
		default:
			if t := m.Behind(x); t != layout.Tagged(x) {
				return Heap(t)
			}
			return v
		}
	default:
		return v
	}
	return PrototypeNamed(m, class)
}

// Prototype returns the prototype of an object, or Null.
func (m *Machine) Prototype(o Value) Value {
	if target, handler, ok := ProxyParts(m, o); ok {
		if trap := trapOf(m, handler, "getPrototypeOf"); trap != nil {
			return m.Call(trap, handler, []Value{target})
		}
		return m.Prototype(target)
	}
	switch x := o.(type) {
	case *Object:
		class := "Object"
		switch {
		case x.Proto != nil:
			return x.Proto
		case x.Typed != "":
			class = x.Typed
		case x.Array:
			class = "Array"
		case x.Collection != nil && x.Collection.IsMap:
			class = "Map"
		case x.Collection != nil:
			class = "Set"
		case x.Function != nil:
			class = "Function"
		}
		return PrototypeNamed(m, class)
	case Heap:
		if p := m.Reader.PrototypeOf(layout.Tagged(x)); p != 0 {
			return Readable(m, Heap(p))
		}
	}
	return Null{}
}

// Own returns an own property of an object.
func (m *Machine) Own(o Value, k Key) (Prop, bool) {
	if target, handler, ok := ProxyParts(m, o); ok {
		return proxyOwn(m, target, handler, k)
	}
	switch x := o.(type) {
	case *Object:
		return ownMade(m, x, k)
	case Heap:
		t := m.Behind(x)
		if a := m.Arrays[t]; a != nil && !k.IsSymbol() {
			if _, is := index(k.Name); is || k.Name == "length" {
				return ownMade(m, a, k)
			}
		}
		if a := m.Above[t]; a != nil {
			if p := a.Props[k]; p != nil {
				return *p, !p.gone
			}
		}
		return ownHeap(m, t, k)
	}
	return Prop{}, false
}

func ownMade(m *Machine, x *Object, k Key) (Prop, bool) {
	if !k.IsSymbol() {
		i, isIndex := index(k.Name)
		switch {
		case (x.Array || x.Typed != "") && isIndex:
			if i < len(x.List) {
				return Prop{Value: x.List[i]}, true
			}
			return Prop{}, false
		case x.Array && k.Name == "length":
			return Prop{Value: float64(len(x.List)), Hidden: true}, true
		case x.Props[k] != nil:
		case x.Function != nil:
			if p, ok := ownFunction(m, x, k.Name); ok {
				return p, true
			}
		case x.RegExp != nil && k.Name == "lastIndex":
			return Prop{Value: 0.0, Hidden: true}, true
		case x.Boxed != nil:
			if s, ok := x.Boxed.(string); ok {
				if v, ok := textMember(m, s, k); ok && v != nil {
					return Prop{Value: v, Hidden: !isIndex}, true
				}
			}
		}
	}
	if p := x.Props[k]; p != nil {
		if _, not := p.Value.(unwritten); not {
			writeStack(m, x, p)
		}
		return *p, true
	}
	return Prop{}, false
}

// ownFunction is a property that functions have.
func ownFunction(m *Machine, x *Object, name string) (Prop, bool) {
	f := x.Function
	switch {
	case name == "name":
		return Prop{Value: f.Name, Hidden: true}, true
	case name == "length" && f.Node != nil:
		params := f.Node.List
		if f.Body != nil {
			if params = nil; f.Body.Constructor != nil {
				params = f.Body.Constructor.List
			}
		}
		n := slices.IndexFunc(params, func(p *syntax.Node) bool {
			return p.Kind == syntax.Assign || p.Kind == syntax.Spread
		})
		if n < 0 {
			n = len(params)
		}
		return Prop{Value: float64(n), Hidden: true}, true
	case name == "length":
		return Prop{Value: 0.0, Hidden: true}, true
	case name == "prototype" && f.Node != nil && !f.Node.Arrow && !f.Method && (f.Node.Generator || !f.Node.Async):
		proto := &Object{}
		if f.Node.Generator {
			proto.Proto = PrototypeNamed(m, "Iterator")
		} else {
			proto.Define(Key{Name: "constructor"}, &Prop{Value: x, Hidden: true})
		}
		x.Define(Key{Name: "prototype"}, &Prop{Value: proto, Hidden: true})
		return *x.Props[Key{Name: "prototype"}], true
	}
	return Prop{}, false
}

// Has is the operator in.
func (m *Machine) Has(o Value, k Key) bool {
	if !m.IsObject(o) {
		m.Throw("Cannot use 'in' operator to search for '%s' in %s", keyText(m, k), m.Text(o))
	}
	if target, handler, ok := ProxyParts(m, o); ok {
		return proxyHas(m, target, handler, k)
	}
	for n := 0; m.IsObject(o) && n < object.MaxPrototypes; o, n = m.Prototype(o), n+1 {
		if _, ok := m.Own(o, k); ok {
			return true
		}
	}
	return false
}

// Inherits reports whether proto is among the prototypes of o.
func (m *Machine) Inherits(o, proto Value) bool {
	if !m.IsObject(o) {
		return false
	}
	for n := 0; n < object.MaxPrototypes; n++ {
		if o = m.Prototype(o); !m.IsObject(o) {
			return false
		}
		if o == proto {
			return true
		}
	}
	return false
}
