package eval

import (
	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// privateName resolves a private name to its symbol, or to the method that it names. Where no class is around, one
// of the classes of the object o has it, as in the console of a browser.
func privateName(m *ecma.Machine, s *ecma.Scope, name string, o ecma.Value) ecma.Value {
	if v := s.Variable(name); v != nil {
		return *v
	}
	_, slot, ok := s.Outer().Slot(name, true)
	if !ok {
		slot, ok = privateOf(m, o, name)
	}
	if !ok {
		if x, made := o.(*ecma.Object); made {
			if v, found := privateOfMade(m, x, name); found {
				return v
			}
		}
		m.ThrowAs("SyntaxError", "Private field '%s' must be declared in an enclosing class", name)
	}
	if !slot.Raw && m.Reader.Is(slot.Word, m.Reader.Types.AccessorPair) {
		get, _ := m.Reader.Field(slot.Word, m.Reader.Layout.AccessorPair.Getter)
		return &ecma.Object{Props: map[ecma.Key]*ecma.Prop{{}: {Accessor: true, Get: ecma.HalfOf(m, get)}}}
	}
	return m.Of(slot)
}

// privateMember is o.#name.
func privateMember(m *ecma.Machine, s *ecma.Scope, o ecma.Value, name string) ecma.Value {
	if ecma.IsNullish(o) {
		m.Throw("Cannot read properties of %s (reading '%s')", m.Text(o), name)
	}
	v := privateName(m, s, name, o)
	if pair, ok := v.(*ecma.Object); ok && pair.Function == nil {
		p := pair.Props[ecma.Key{}]
		if p == nil || ecma.IsNullish(p.Get) {
			m.Throw("'%s' was defined without a getter", name)
		}
		return m.Call(p.Get, o, nil)
	}
	if m.TypeOf(v) == "function" {
		return v
	}
	p, ok := m.Own(o, m.Key(v))
	if !ok {
		m.Throw("Cannot read private member %s from an object whose class did not declare it", name)
	}
	return p.Value
}

// privateOf finds the slot of a private name in the scopes of the classes of an object, or its symbol in the object.
func privateOf(m *ecma.Machine, o ecma.Value, name string) (object.Slot, bool) {
	if h, ok := o.(ecma.Heap); ok && m.IsObject(h) {
		for k, p := range ecma.TableOf(m, layout.Tagged(h)) {
			if p.Private && m.Reader.SymbolDescription(k.Symbol) == name {
				return object.Slot{Word: k.Symbol}, true
			}
		}
	}
	for n := 0; m.IsObject(o) && n < object.MaxPrototypes; o, n = m.Prototype(o), n+1 {
		p, ok := m.Own(o, ecma.Key{Name: "constructor"})
		class, is := p.Value.(ecma.Heap)
		if !ok || p.Accessor || !is || !m.Reader.IsFunction(layout.Tagged(class)) {
			continue
		}
		if _, slot, ok := closedOver(m, layout.Tagged(class)).Slot(name, true); ok {
			return slot, true
		}
	}
	return object.Slot{}, false
}

// privateOfMade finds a private name of an object that was made: a field, or a method of its class.
func privateOfMade(m *ecma.Machine, o *ecma.Object, name string) (ecma.Value, bool) {
	for _, k := range o.Keys {
		if k.Own != nil && k.Own.Description == name && o.Props[k].Hidden {
			return k.Own, true
		}
		if k.Symbol != 0 && m.Reader.SymbolDescription(k.Symbol) == name {
			return ecma.Heap(k.Symbol), true
		}
	}
	for p, n := ecma.Value(o), 0; m.IsObject(p) && n < object.MaxPrototypes; p, n = m.Prototype(p), n+1 {
		if c, ok := m.Own(p, ecma.Key{Name: "constructor"}); ok {
			if fn, ok := c.Value.(*ecma.Object); ok && fn.Function != nil && fn.Function.Body != nil {
				if v := fn.Function.Body.Env.Variable(name); v != nil {
					return *v, true
				}
			}
		}
	}
	return nil, false
}

// setPrivate is the assignment to o.#name.
func setPrivate(m *ecma.Machine, f ecma.Frame, o ecma.Value, name string, v ecma.Value) {
	x := privateName(m, f.Scope, name, o)
	if pair, ok := x.(*ecma.Object); ok && pair.Function == nil {
		p := pair.Props[ecma.Key{}]
		if p == nil || ecma.IsNullish(p.Set) {
			m.Throw("'%s' was defined without a setter", name)
		}
		m.Call(p.Set, o, []ecma.Value{v})
		return
	}
	if m.TypeOf(x) == "function" {
		m.Throw("Private method '%s' is not writable", name)
	}
	m.DefineOwn(o, m.Key(x), &ecma.Prop{Value: v, Hidden: true})
}

func hasPrivate(m *ecma.Machine, f ecma.Frame, name string, o ecma.Value) ecma.Value {
	v := privateName(m, f.Scope, name, o)
	if m.TypeOf(v) != "symbol" {
		return m.IsObject(o) // a method: its brand is not looked for
	}
	_, ok := m.Own(o, m.Key(v))
	return ok
}
