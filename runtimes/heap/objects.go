package heap

import (
	"math"

	"coredbg/core"
)

// Objects are the objects of a heap by number: where they are, their types and sizes.
type Objects struct {
	index *index
	typ   typeNumbers
	size  []uint16         // bytes; elsewhere: see other
	other map[ID]otherSize // of objects that are large, or own bytes outside the heap
	types []Type
}

// elsewhere is the size of objects whose size is not in two bytes. They are few.
const elsewhere = math.MaxUint16

// An otherSize is the bytes of an object in and outside the heap.
type otherSize struct{ heap, outside uint64 }

// Addr returns where an object begins.
func (o *Objects) Addr(id ID) core.Addr { return o.index.addr(id) }

// Each calls visit for all objects, in order of address, until it returns false.
func (o *Objects) Each(visit func(id ID, at core.Addr) bool) { o.index.each(0, ID(o.Len()), visit) }

// Enclosing returns the object that contains a; it returns false if no object does.
func (o *Objects) Enclosing(a core.Addr) (ID, bool) {
	id, ok := o.index.enclosing(a)
	if !ok || uint64(a-o.Addr(id)) >= max(o.Size(id), 1) {
		return None, false
	}
	return id, true
}

// External returns the bytes outside the heap that an object owns.
func (o *Objects) External(id ID) uint64 {
	if o.size[id] != elsewhere {
		return 0
	}
	return o.other[id].outside
}

// ID returns the number of the object that begins at a.
func (o *Objects) ID(a core.Addr) (ID, bool) { return o.index.id(a) }

// Len returns how many objects there are.
func (o *Objects) Len() int { return len(o.size) }

// Locator returns one for the objects of the graph.
func (o *Objects) Locator() *Locator { return &Locator{index: o.index} }

// Size returns the bytes of an object in the heap.
func (o *Objects) Size(id ID) uint64 {
	if n := o.size[id]; n != elsewhere {
		return uint64(n)
	}
	return o.other[id].heap
}

// Type returns the type of an object.
func (o *Objects) Type(id ID) *Type { return &o.types[o.typ.of(id)] }

// TypeNumber returns the number that the Source gave the type of an object.
func (o *Objects) TypeNumber(id ID) int32 { return o.typ.of(id) }

// own returns all bytes of an object, those outside the heap too.
func (o *Objects) own(id ID) uint64 {
	if n := o.size[id]; n != elsewhere {
		return uint64(n)
	}
	x := o.other[id]
	return x.heap + x.outside
}
