package eval

import (
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/syntax"
)

// iterate is what an iterable value yields.
func (m *Machine) iterate(v Value) (list []Value) {
	eachValue(m, v, func(x Value) bool {
		if list = append(list, x); len(list) > maxItems {
			m.Fail("an iterator does not end")
		}
		return true
	})
	return list
}

// takeFor is what an iterable value yields for the elements of a pattern.
func takeFor(m *Machine, v Value, pattern []*syntax.Node) (list []Value) {
	n := len(pattern)
	if n > 0 && pattern[n-1].Kind == syntax.Spread {
		return m.iterate(v)
	}
	if n == 0 {
		return nil
	}
	eachValue(m, v, func(x Value) bool {
		list = append(list, x)
		return len(list) < n
	})
	return list
}

// eachValue calls yield for each value of an iterable one, until it returns false.
func eachValue(m *Machine, v Value, yield func(x Value) bool) {
	list, known := listedValues(m, v)
	if !known {
		iterateBy(m, v, yield)
		return
	}
	for _, x := range list {
		m.step()
		if !yield(x) {
			return
		}
	}
}

// eachLoop is each, for a loop; with async, it waits for each value, and the iterator may be async.
func eachLoop(m *Machine, f frame, v Value, async bool, yield func(x Value) bool) {
	wait := func(x Value) Value {
		if co := f.self.coroutine; co != nil {
			return co.wait(awaiting{x})
		}
		return awaitTyped(m, x)
	}
	if !async {
		eachValue(m, v, yield)
		return
	}
	k, _ := m.wellKnown("asyncIterator")
	open := m.get(v, k)
	if isNullish(open) {
		eachValue(m, v, func(x Value) bool { return yield(wait(x)) })
		return
	}
	it := m.call(open, v, nil)
	next := m.get(it, Key{Name: "next"})
	for {
		r := wait(m.call(next, it, nil))
		if truthy(m.get(r, Key{Name: "done"})) || !yield(m.get(r, Key{Name: "value"})) {
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
			m.step()
		}
		return list, true
	case *Object:
		switch k, _ := m.wellKnown("iterator"); {
		case x.Props[k] != nil && !x.iterator:
		case x.Array || x.Typed != "":
			m.spend(len(x.List) / 8)
			return x.List, true
		case x.Collection != nil:
			return x.Collection.yields(m), true
		}
	case Heap:
		if _, _, proxy := proxyParts(m, x); proxy || !m.IsObject(x) {
			break
		}
		return yieldsOf(m, x)
	}
	return nil, false
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
	if o, ok := v.(*Object); ok && (o.Array || o.Typed != "") {
		m.spend(len(o.List) / 8)
		return o.List
	}
	if h, ok := v.(Heap); ok && m.arrays[layout.Tagged(h)] != nil {
		return m.arrays[layout.Tagged(h)].List
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

// iterateBy asks an object for an iterator, and that for values. It closes the iterator once yield returns false.
func iterateBy(m *Machine, v Value, yield func(x Value) bool) {
	k, _ := m.wellKnown("iterator")
	if isNullish(v) || m.typeOf(m.get(v, k)) != "function" {
		m.Throw("%s is not iterable", shownValue(m, v))
	}
	drainIterator(m, m.call(m.get(v, k), v, nil), yield)
}

// drainIterator takes the values of an iterator.
func drainIterator(m *Machine, it Value, yield func(x Value) bool) {
	next := m.get(it, Key{Name: "next"})
	for {
		m.step()
		r := m.call(next, it, nil)
		if truthy(m.get(r, Key{Name: "done"})) {
			return
		}
		if !yield(m.get(r, Key{Name: "value"})) {
			if end := m.get(it, Key{Name: "return"}); !isNullish(end) {
				m.call(end, it, nil)
			}
			return
		}
	}
}

// kind returns the kind of an object of the heap.
func (m *Machine) kind(h Heap) object.Kind {
	s, err := m.reader.Shape(layout.Tagged(h))
	if err != nil {
		m.Fail("%v", err)
	}
	return m.reader.KindOf(layout.Tagged(h), s)
}

// collectionOf is what a Map or Set holds.
func collectionOf(m *Machine, v Value) *Collection {
	if o, ok := v.(*Object); ok && o.Collection != nil {
		return o.Collection
	}
	h, ok := v.(Heap)
	if !ok {
		m.Throw("Method called on incompatible receiver %s", shownValue(m, v))
	}
	if o := m.changed[layout.Tagged(h)]; o != nil {
		return o.Collection
	}
	kind := m.kind(h)
	if kind != object.KindMap && kind != object.KindSet {
		m.Throw("Method called on incompatible receiver %s", shownValue(m, v))
	}
	t := layout.Tagged(h)
	table, ok := m.reader.Field(t, m.reader.Layout.JSCollection.Table)
	if !ok {
		m.Fail("a Map or Set cannot be read")
	}
	list, more, err := m.reader.OrderedEntries(table, kind == object.KindMap, 0, maxItems)
	if err != nil || more > 0 {
		m.Fail("a Map or Set is too large, or cannot be read: %v", err)
	}
	c := &Collection{IsMap: kind == object.KindMap}
	for _, e := range list {
		m.step()
		x := Entry{Key: m.word(e.Key)}
		if c.IsMap {
			x.Value = m.word(e.Value)
		}
		c.Entries = append(c.Entries, x)
	}
	return c
}

// A Collection holds the entries of a Map or Set, in insertion order.
type Collection struct {
	IsMap   bool
	Weak    bool // of a WeakMap or WeakSet
	Entries []Entry
}

// An Entry is one of a Collection.
type Entry struct{ Key, Value Value }

// find returns the index of a key, -1 if it is not there.
func (c *Collection) find(m *Machine, key Value) int {
	for i, e := range c.Entries {
		m.step()
		if sameZero(e.Key, key) {
			return i
		}
	}
	return -1
}

// set adds or replaces an entry.
func (c *Collection) set(m *Machine, key, value Value) {
	if i := c.find(m, key); i >= 0 {
		c.Entries[i].Value = value
		return
	}
	c.Entries = append(c.Entries, Entry{key, value})
}

// sameZero compares as ===, but NaN equals itself.
func sameZero(a, b Value) bool {
	if x, ok := a.(float64); ok {
		y, ok := b.(float64)
		return ok && (x == y || x != x && y != y)
	}
	return a == b
}
