package ecma

import (
	"coredbg/runtimes/v8/callsite"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// ownHeap returns an own property of an object of the heap.
func ownHeap(m *Machine, t layout.Tagged, k Key) (Prop, bool) {
	a := m.intercepted(t)
	if a != nil && a.err == nil {
		if p, ok := a.answer(k); ok {
			return p, true
		}
	}
	if !k.IsSymbol() {
		if i, ok := index(k.Name); ok {
			s, ok := m.Reader.ElementAt(t, uint64(i))
			if !ok {
				return Prop{}, false
			}
			return Prop{Value: m.Of(s)}, true
		}
	}
	p := TableOf(m, t)[k]
	if k.Own != nil {
		p = nil
	}
	switch {
	case p == nil && a != nil:
		return a.answer(k)
	case p == nil:
		return Prop{}, false
	}
	out := Prop{Hidden: !p.Enumerable}
	switch {
	case p.Accessor:
		out.Accessor = true
		out.Get, out.Set = HalfOf(m, p.Getter), HalfOf(m, p.Setter)
	case p.Native:
		out.Value = nativeProperty(m, t, p)
	default:
		if !p.Value.Raw && p.Value.Word.IsHeap() && m.Reader.IsHole(p.Value.Word) {
			return Prop{}, false
		}
		out.Value = m.Of(p.Value)
	}
	return out, true
}

// HalfOf is a getter or setter; undefined if there is none.
func HalfOf(m *Machine, t layout.Tagged) Value {
	if !t.IsHeap() || m.Reader.OddballKind(t) != "" {
		return nil
	}
	return Heap(t)
}

// nativeProperty is a property that V8 computes.
func nativeProperty(m *Machine, t layout.Tagged, p *object.Property) Value {
	if m.Reader.IsFunction(t) {
		switch p.Name {
		case "name":
			return m.Reader.FunctionNameOf(t)
		case "length":
			if n, ok := m.Reader.FunctionLength(t, 0); ok {
				return float64(n)
			}
		}
	}
	if p.Name == "stack" {
		if s, err := callsite.New(m.Reader).ErrorStack(t); err == nil && s != "" {
			return s
		}
	}
	s, err := m.Reader.Own(object.Slot{Word: t}, p.Name)
	switch {
	case err == nil:
	case m.Reader.IsFunction(t) && p.Name == "prototype": // V8 makes it when it is first asked for
		if proto, ok := m.Reader.FunctionPrototype(t); ok {
			return Heap(proto)
		}
		made := &Object{}
		made.Define(Key{Name: "constructor"}, &Prop{Value: Heap(t), Hidden: true})
		m.DefineOwn(Heap(t), Key{Name: "prototype"}, &Prop{Value: made, Hidden: true})
		return made
	default:
		m.Fail("%s is computed by V8", p.Name)
	}
	return m.Of(s)
}

// TableOf returns the own named properties of an object of the heap.
func TableOf(m *Machine, t layout.Tagged) map[Key]*object.Property {
	if x, ok := m.tables[t]; ok {
		return x
	}
	list, _, err := m.Reader.Properties(t, MaxItems)
	if err != nil {
		m.Fail("%v", err)
	}
	m.Spend(len(list))
	x := make(map[Key]*object.Property, len(list))
	for i := range list {
		p := &list[i]
		k := Key{Name: p.Name}
		if p.Symbol || p.Private {
			k = Key{Symbol: p.Word}
		}
		x[k] = p
		if !p.Private {
			m.order[t] = append(m.order[t], k)
		}
	}
	m.tables[t] = x
	return x
}
