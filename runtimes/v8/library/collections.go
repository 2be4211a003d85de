package library

import (
	"slices"

	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

func isCollection(m *ecma.Machine, v ecma.Value) bool {
	switch x := v.(type) {
	case *ecma.Object:
		return x.Collection != nil && !x.Collection.Weak
	case ecma.Heap:
		return m.IsObject(x) && (m.Kind(x) == object.KindMap || m.Kind(x) == object.KindSet)
	}
	return false
}

func init() {
	for _, class := range []string{"WeakMap", "WeakSet"} {
		intrinsics[class+".prototype.has"] = func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			_, ok := weakValue(m, this, ecma.Arg(args, 0))
			return ok
		}
	}
	intrinsics["WeakMap.prototype.get"] = func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
		v, _ := weakValue(m, this, ecma.Arg(args, 0))
		return v
	}
	for _, class := range []string{"Map", "Set"} {
		prototype := class + ".prototype."
		pairs := class == "Map"
		for name, code := range map[string]ecma.Builtin{
			"has": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
				_, ok := ecma.EntryOf(m, this, ecma.Arg(args, 0))
				return ok
			},
			"get": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
				e, _ := ecma.EntryOf(m, this, ecma.Arg(args, 0))
				return e.Value
			},
			"set": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
				ecma.ChangedCollection(m, this).Set(m, ecma.Arg(args, 0), ecma.Arg(args, 1))
				return this
			},
			"add": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
				ecma.ChangedCollection(m, this).Set(m, ecma.Arg(args, 0), ecma.Arg(args, 0))
				return this
			},
			"delete": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
				c := ecma.ChangedCollection(m, this)
				i := c.Find(m, ecma.Arg(args, 0))
				if i >= 0 {
					c.Entries = slices.Delete(c.Entries, i, i+1)
				}
				return i >= 0
			},
			"clear": func(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
				ecma.ChangedCollection(m, this).Entries = nil
				return nil
			},
			"forEach": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
				for _, e := range ecma.CollectionOf(m, this).Entries {
					value := e.Value
					if !pairs {
						value = e.Key
					}
					m.Call(ecma.Arg(args, 0), ecma.Arg(args, 1), []ecma.Value{value, e.Key, this})
				}
				return nil
			},
			"keys": func(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
				return collectionIterator(m, this, true, false)
			},
			"values": func(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
				return collectionIterator(m, this,
					!pairs, pairs)
			},
			"entries": func(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
				return collectionIterator(m, this, true, true)
			},
		} {
			intrinsics[prototype+name] = code
		}
		intrinsics["get "+prototype+"size"] = func(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
			return float64(ecma.Size(m, this))
		}
	}
}

// weakValue finds the value of a key in a WeakMap of the heap, or whether a WeakSet has it.
func weakValue(m *ecma.Machine, v, key ecma.Value) (ecma.Value, bool) {
	h, ok1 := v.(ecma.Heap)
	k, ok2 := key.(ecma.Heap)
	if !ok1 || m.Kind(h) != object.KindWeakMap && m.Kind(h) != object.KindWeakSet {
		m.Throw("Method called on incompatible receiver %s", ecma.ShownValue(m, v))
	}
	table, ok3 := m.Reader.Field(layout.Tagged(h), m.Reader.Layout.JSCollection.Table)
	if !ok2 || !ok3 {
		return nil, false
	}
	list, more, err := m.Reader.WeakEntries(table, ecma.MaxItems)
	if err != nil || more > 0 {
		m.Fail("a WeakMap is too large, or cannot be read: %v", err)
	}
	m.Spend(len(list))
	for _, e := range list {
		if e.Key == layout.Tagged(k) {
			if m.Kind(h) == object.KindWeakSet {
				return nil, true
			}
			return m.Word(e.Value), true
		}
	}
	return nil, false
}

func collectionIterator(m *ecma.Machine, this ecma.Value, keys, values bool) ecma.Value {
	var list []ecma.Value
	c := ecma.CollectionOf(m, this)
	for _, e := range c.Entries {
		if !c.IsMap {
			e.Value = e.Key
		}
		switch {
		case keys && values:
			list = append(list, ecma.Array(e.Key, e.Value))
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
