package ecma

import (
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/syntax"
)

// Iterate is what an iterable value yields.
func (m *Machine) Iterate(v Value) (list []Value) {
	EachValue(m, v, func(x Value) bool {
		if list = append(list, x); len(list) > MaxItems {
			m.Fail("an iterator does not end")
		}
		return true
	})
	return list
}

// TakeFor is what an iterable value yields for the elements of a pattern.
func TakeFor(m *Machine, v Value, pattern []*syntax.Node) (list []Value) {
	n := len(pattern)
	if n > 0 && pattern[n-1].Kind == syntax.Spread {
		return m.Iterate(v)
	}
	if n == 0 {
		return nil
	}
	EachValue(m, v, func(x Value) bool {
		list = append(list, x)
		return len(list) < n
	})
	return list
}

// EachValue calls yield for each value of an iterable one, until it returns false.
func EachValue(m *Machine, v Value, yield func(x Value) bool) {
	list, known := listedValues(m, v)
	if !known {
		iterateBy(m, v, yield)
		return
	}
	for _, x := range list {
		m.Step()
		if !yield(x) {
			return
		}
	}
}

// listedValues is what a value yields whose iterator is V8's own.
func listedValues(m *Machine, v Value) ([]Value, bool) {
	switch x := v.(type) {
	case string:
		var list []Value
		for i := 0; i < len(x); {
			_, size := object.DecodeRune(x[i:])
			list = append(list, x[i:i+size])
			i += size
			m.Step()
		}
		return list, true
	case *Object:
		switch k, _ := m.WellKnown("iterator"); {
		case x.Props[k] != nil && !x.Iterator:
		case x.Array || x.Typed != "":
			m.Spend(len(x.List) / 8)
			return x.List, true
		case x.Collection != nil:
			return x.Collection.yields(m), true
		}
	case Heap:
		if _, _, proxy := ProxyParts(m, x); proxy || !m.IsObject(x) {
			break
		}
		return yieldsOf(m, x)
	}
	return nil, false
}

// yieldsOf is what an array, a Map, a Set or an iterator of the heap yields.
func yieldsOf(m *Machine, h Heap) ([]Value, bool) {
	switch m.Kind(h) {
	case object.KindArray, object.KindTypedArray, object.KindArguments:
		return ElementsOf(m, h), true
	case object.KindMap, object.KindSet:
		return CollectionOf(m, h).yields(m), true
	}
	return nil, false
}

// iterateBy asks an object for an iterator, and that for values. It closes the iterator once yield returns false.
func iterateBy(m *Machine, v Value, yield func(x Value) bool) {
	k, _ := m.WellKnown("iterator")
	if IsNullish(v) || m.TypeOf(m.Get(v, k)) != "function" {
		m.Throw("%s is not iterable", ShownValue(m, v))
	}
	DrainIterator(m, m.Call(m.Get(v, k), v, nil), yield)
}

// DrainIterator takes the values of an iterator.
func DrainIterator(m *Machine, it Value, yield func(x Value) bool) {
	next := m.Get(it, Key{Name: "next"})
	for {
		m.Step()
		r := m.Call(next, it, nil)
		if Truthy(m.Get(r, Key{Name: "done"})) {
			return
		}
		if !yield(m.Get(r, Key{Name: "value"})) {
			if end := m.Get(it, Key{Name: "return"}); !IsNullish(end) {
				m.Call(end, it, nil)
			}
			return
		}
	}
}

// Changed returns what is to be seen instead of an array, a collection or a plain object of the heap that was
// written; nil if it was not.
func (m *Machine) Changed(t layout.Tagged) *Object {
	if o := m.Arrays[t]; o != nil {
		return o
	}
	if o := m.changed[t]; o != nil || m.Above[t] == nil || m.Kind(Heap(t)) != object.KindObject {
		return o
	}
	o := &Object{Proto: m.Prototype(Heap(t))} // with the properties that were written
	for _, k := range m.OwnKeys(Heap(t)) {
		if p, ok := m.Own(Heap(t), k); ok {
			o.Define(k, &p)
		}
	}
	return o
}
