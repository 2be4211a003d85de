package eval

import (
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// iterate is what an iterable value yields.
func (m *Machine) iterate(v Value) []Value {
	switch x := v.(type) {
	case string:
		var list []Value
		for i := 0; i < len(x); {
			_, size := object.DecodeRune(x[i:])
			list = append(list, x[i:i+size])
			i += size
			m.step()
		}
		return list
	case *Object:
		switch {
		case x.Array || x.iterator:
			m.spend(len(x.List) / 8)
			return x.List
		case x.Collection != nil:
			return x.Collection.yields(m)
		}
	case Heap:
		if list, ok := yieldsOf(m, x); ok {
			return list
		}
	}
	return byProtocol(m, v)
}

// yields is what a Collection yields: keys, or pairs of a Map.
func (c *Collection) yields(m *Machine) []Value {
	list := make([]Value, 0, len(c.Entries))
	for _, e := range c.Entries {
		m.step()
		if c.IsMap {
			list = append(list, array(e.Key, e.Value))
		} else {
			list = append(list, e.Key)
		}
	}
	return list
}

// yieldsOf is what an array, a Map, a Set or an iterator of the heap yields.
func yieldsOf(m *Machine, h Heap) ([]Value, bool) {
	switch m.kind(h) {
	case object.KindArray, object.KindTypedArray, object.KindArguments:
		return elementsOf(m, h), true
	case object.KindMap, object.KindSet:
		return collectionOf(m, h).yields(m), true
	}
	return nil, false
}

// elementsOf returns the elements of an array-like value.
func elementsOf(m *Machine, v Value) []Value {
	if o, ok := v.(*Object); ok && o.Array {
		m.spend(len(o.List) / 8)
		return o.List
	}
	n := m.integer(m.get(v, Key{Name: "length"}))
	if n < 0 || n > maxItems {
		m.Fail("an array is too long")
	}
	list := make([]Value, n)
	if h, ok := v.(Heap); ok && m.above[layout.Tagged(h)] == nil {
		err := m.reader.Elements(layout.Tagged(h), func(i uint64, s object.Slot) bool {
			m.step()
			if i < uint64(n) {
				list[i] = m.Of(s)
			}
			return i < uint64(n)
		})
		if err != nil {
			m.Fail("%v", err)
		}
		return list
	}
	for i := range list {
		list[i] = m.get(v, m.key(float64(i)))
	}
	return list
}

// byProtocol asks an object for an iterator, and that for values.
func byProtocol(m *Machine, v Value) []Value {
	k, ok := m.wellKnown("iterator")
	if !ok || isNullish(v) {
		m.Throw("it is not iterable")
	}
	it := m.call(m.get(v, k), v, nil)
	if o, ok := it.(*Object); ok && o.iterator {
		return o.List
	}
	next := m.get(it, Key{Name: "next"})
	var list []Value
	for {
		m.step()
		r := m.call(next, it, nil)
		if truthy(m.get(r, Key{Name: "done"})) {
			return list
		}
		if list = append(list, m.get(r, Key{Name: "value"})); len(list) > maxItems {
			m.Fail("an iterator does not end")
		}
	}
}

// iteratorOver is an iterator that yields a list.
func iteratorOver(m *Machine, list []Value) *Object {
	o := &Object{Proto: Null{}, List: list, iterator: true}
	i := 0
	o.define(Key{Name: "next"}, &Prop{Hidden: true, Value: m.Native("next", func(*Machine, Value, []Value) Value {
		r := &Object{}
		r.Set(Key{Name: "value"}, arg(list, i))
		r.Set(Key{Name: "done"}, i >= len(list))
		i++
		return r
	})})
	if k, ok := m.wellKnown("iterator"); ok {
		o.define(k, &Prop{Hidden: true, Value: m.Native("[Symbol.iterator]",
			func(*Machine, Value, []Value) Value { return o })})
	}
	return o
}

// kind returns the kind of an object of the heap.
func (m *Machine) kind(h Heap) object.Kind {
	s, err := m.reader.Shape(layout.Tagged(h))
	if err != nil {
		m.Fail("%v", err)
	}
	return m.reader.KindOf(layout.Tagged(h), s)
}
