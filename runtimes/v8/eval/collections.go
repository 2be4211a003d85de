package eval

import (
	"slices"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

func isCollection(m *Machine, v Value) bool {
	switch x := v.(type) {
	case *Object:
		return x.Collection != nil && !x.Collection.Weak
	case Heap:
		return m.IsObject(x) && (m.kind(x) == object.KindMap || m.kind(x) == object.KindSet)
	}
	return false
}

// changedCollection returns a collection that may be written: a made one, or the one that replaces one of the
// heap.
func changedCollection(m *Machine, v Value) *Collection {
	if o, ok := v.(*Object); ok && o.Collection != nil {
		return o.Collection
	}
	c := collectionOf(m, v)
	if h, ok := v.(Heap); ok && m.changed[layout.Tagged(h)] == nil {
		if m.changed == nil {
			m.changed = map[layout.Tagged]*Object{}
		}
		m.changed[layout.Tagged(h)] = &Object{Proto: m.prototype(h), Collection: c}
	}
	return c
}

// Changed returns what is to be seen instead of an array, a collection or a plain object of the heap that was
// written; nil if it was not.
func (m *Machine) Changed(t layout.Tagged) *Object {
	if o := m.arrays[t]; o != nil {
		return o
	}
	if o := m.changed[t]; o != nil || m.above[t] == nil || m.kind(Heap(t)) != object.KindObject {
		return o
	}
	o := &Object{Proto: m.prototype(Heap(t))} // with the properties that were written
	for _, k := range m.keys(Heap(t)) {
		if p, ok := m.own(Heap(t), k); ok {
			o.define(k, &p)
		}
	}
	return o
}

// SetEntry sets an entry of a Map.
func (m *Machine) SetEntry(v, key, value Value) { changedCollection(m, v).set(m, key, value) }

func init() {
	for _, class := range []string{"WeakMap", "WeakSet"} {
		intrinsics[class+".prototype.has"] = func(m *Machine, this Value, args []Value) Value {
			_, ok := weakValue(m, this, arg(args, 0))
			return ok
		}
	}
	intrinsics["WeakMap.prototype.get"] = func(m *Machine, this Value, args []Value) Value {
		v, _ := weakValue(m, this, arg(args, 0))
		return v
	}
	for _, class := range []string{"Map", "Set"} {
		prototype := class + ".prototype."
		pairs := class == "Map"
		for name, code := range map[string]builtin{
			"has": func(m *Machine, this Value, args []Value) Value {
				return collectionOf(m, this).find(m, arg(args, 0)) >= 0
			},
			"get": func(m *Machine, this Value, args []Value) Value {
				c := collectionOf(m, this)
				if i := c.find(m, arg(args, 0)); i >= 0 {
					return c.Entries[i].Value
				}
				return nil
			},
			"set": func(m *Machine, this Value, args []Value) Value {
				changedCollection(m, this).set(m, arg(args, 0), arg(args, 1))
				return this
			},
			"add": func(m *Machine, this Value, args []Value) Value {
				changedCollection(m, this).set(m, arg(args, 0), arg(args, 0))
				return this
			},
			"delete": func(m *Machine, this Value, args []Value) Value {
				c := changedCollection(m, this)
				i := c.find(m, arg(args, 0))
				if i >= 0 {
					c.Entries = slices.Delete(c.Entries, i, i+1)
				}
				return i >= 0
			},
			"clear": func(m *Machine, this Value, _ []Value) Value {
				changedCollection(m, this).Entries = nil
				return nil
			},
			"forEach": func(m *Machine, this Value, args []Value) Value {
				for _, e := range collectionOf(m, this).Entries {
					value := e.Value
					if !pairs {
						value = e.Key
					}
					m.call(arg(args, 0), arg(args, 1), []Value{value, e.Key, this})
				}
				return nil
			},
			"keys": func(m *Machine, this Value, _ []Value) Value { return collectionIterator(m, this, true, false) },
			"values": func(m *Machine, this Value, _ []Value) Value {
				return collectionIterator(m, this,
					!pairs, pairs)
			},
			"entries": func(m *Machine, this Value, _ []Value) Value {
				return collectionIterator(m, this, true, true)
			},
		} {
			intrinsics[prototype+name] = code
		}
		intrinsics["get "+prototype+"size"] = func(m *Machine, this Value, _ []Value) Value {
			return float64(len(collectionOf(m, this).Entries))
		}
	}
}

// weakValue finds the value of a key in a WeakMap of the heap, or whether a WeakSet has it.
func weakValue(m *Machine, v, key Value) (Value, bool) {
	h, ok1 := v.(Heap)
	k, ok2 := key.(Heap)
	if !ok1 || m.kind(h) != object.KindWeakMap && m.kind(h) != object.KindWeakSet {
		m.Throw("Method called on incompatible receiver %s", shownValue(m, v))
	}
	table, ok3 := m.reader.Field(layout.Tagged(h), m.reader.Layout.JSCollection.Table)
	if !ok2 || !ok3 {
		return nil, false
	}
	list, more, err := m.reader.WeakEntries(table, maxItems)
	if err != nil || more > 0 {
		m.Fail("a WeakMap is too large, or cannot be read: %v", err)
	}
	m.spend(len(list))
	for _, e := range list {
		if e.Key == layout.Tagged(k) {
			if m.kind(h) == object.KindWeakSet {
				return nil, true
			}
			return m.word(e.Value), true
		}
	}
	return nil, false
}

func collectionIterator(m *Machine, this Value, keys, values bool) Value {
	var list []Value
	c := collectionOf(m, this)
	for _, e := range c.Entries {
		if !c.IsMap {
			e.Value = e.Key
		}
		switch {
		case keys && values:
			list = append(list, array(e.Key, e.Value))
		case keys:
			list = append(list, e.Key)
		default:
			list = append(list, e.Value)
		}
	}
	tag := "Set Iterator"
	if c.IsMap {
		tag = "Map Iterator"
	}
	return iteratorOver(m, tag, list)
}
