package ecma

import (
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// entriesRead is how many entries of a Map or Set of the heap are read at once; they cost a step.
const entriesRead = 64

// A table is the hash table of a Map or Set of the heap that the call has not written to.
type table struct {
	at    layout.Tagged
	isMap bool
}

// tableOf returns the table of a collection, or the entries of one that was made or written to.
func tableOf(m *Machine, v Value) (table, *Collection) {
	if o, ok := v.(*Object); ok && o.Collection != nil {
		return table{}, o.Collection
	}
	h, ok := v.(Heap)
	if !ok {
		m.Throw("Method called on incompatible receiver %s", ShownValue(m, v))
	}
	if o := m.changed[layout.Tagged(h)]; o != nil {
		return table{}, o.Collection
	}
	kind := m.Kind(h)
	if kind != object.KindMap && kind != object.KindSet {
		m.Throw("Method called on incompatible receiver %s", ShownValue(m, v))
	}
	at, ok := m.Reader.Field(layout.Tagged(h), m.Reader.Layout.JSCollection.Table)
	if !ok {
		m.Fail("the table of a Map or Set cannot be read")
	}
	return table{at, kind == object.KindMap}, nil
}

// entries reads at most max entries of a table, and says how many more there are.
func (x table) entries(m *Machine, from, max int) ([]object.Entry, int) {
	list, more, err := m.Reader.OrderedEntries(x.at, x.isMap, from, max)
	if err != nil {
		m.Fail("a Map or Set cannot be read: %v", err)
	}
	m.Spend(len(list) + more/entriesRead)
	return list, more
}

// CollectionOf is what a Map or Set holds.
func CollectionOf(m *Machine, v Value) *Collection {
	x, c := tableOf(m, v)
	if c != nil {
		return c
	}
	list, more := x.entries(m, 0, MaxItems)
	if more > 0 {
		m.Fail("%d entries are more than a run goes through", len(list)+more)
	}
	c = &Collection{IsMap: x.isMap}
	for _, e := range list {
		c.Entries = append(c.Entries, x.entry(m, e))
	}
	return c
}

func (x table) entry(m *Machine, e object.Entry) Entry {
	out := Entry{Key: m.Word(e.Key)}
	if x.isMap {
		out.Value = m.Word(e.Value)
	}
	return out
}

// Size is how many entries a Map or Set has.
func Size(m *Machine, v Value) int {
	x, c := tableOf(m, v)
	if c != nil {
		return len(c.Entries)
	}
	_, more := x.entries(m, 0, 0)
	return more
}

// EntryOf finds the entry of a key in a Map or Set.
func EntryOf(m *Machine, v, key Value) (Entry, bool) {
	x, c := tableOf(m, v)
	if c != nil {
		if i := c.Find(m, key); i >= 0 {
			return c.Entries[i], true
		}
		return Entry{}, false
	}
	found, ok := Entry{}, false
	n := 0
	err := m.Reader.EachEntry(x.at, x.isMap, func(e object.Entry) bool {
		if n++; n%entriesRead == 0 {
			m.Step()
		}
		if ok = SameZero(m.Word(e.Key), key); ok {
			found = x.entry(m, e)
		}
		return !ok
	})
	if err != nil {
		m.Fail("a Map or Set cannot be read: %v", err)
	}
	return found, ok
}

// SetEntry sets an entry of a Map.
func (m *Machine) SetEntry(v, key, value Value) { ChangedCollection(m, v).Set(m, key, value) }

// ChangedCollection returns a collection that may be written: a made one, or the one that replaces one of the
// heap.
func ChangedCollection(m *Machine, v Value) *Collection {
	if o, ok := v.(*Object); ok && o.Collection != nil {
		return o.Collection
	}
	c := CollectionOf(m, v)
	if h, ok := v.(Heap); ok && m.changed[layout.Tagged(h)] == nil {
		if m.changed == nil {
			m.changed = map[layout.Tagged]*Object{}
		}
		m.changed[layout.Tagged(h)] = &Object{Proto: m.Prototype(h), Collection: c}
	}
	return c
}
