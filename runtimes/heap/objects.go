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
func (g *Objects) Addr(id ID) core.Addr { return g.index.addr(id) }

// Each calls visit for all objects, in order of address, until it returns false.
func (g *Objects) Each(visit func(id ID, at core.Addr) bool) { g.index.each(0, ID(g.Len()), visit) }

// Enclosing returns the object that contains a; it returns false if no object does.
func (g *Objects) Enclosing(a core.Addr) (ID, bool) {
	id, ok := g.index.enclosing(a)
	if !ok || uint64(a-g.Addr(id)) >= max(g.Size(id), 1) {
		return None, false
	}
	return id, true
}

// External returns the bytes outside the heap that an object owns.
func (g *Objects) External(id ID) uint64 {
	if g.size[id] != elsewhere {
		return 0
	}
	return g.other[id].outside
}

// ID returns the number of the object that begins at a.
func (g *Objects) ID(a core.Addr) (ID, bool) { return g.index.id(a) }

// Len returns how many objects there are.
func (g *Objects) Len() int { return len(g.size) }

// Locator returns one for the objects of the graph.
func (g *Objects) Locator() *Locator { return &Locator{index: g.index} }

// Size returns the bytes of an object in the heap.
func (g *Objects) Size(id ID) uint64 {
	if n := g.size[id]; n != elsewhere {
		return uint64(n)
	}
	return g.other[id].heap
}

// Type returns the type of an object.
func (g *Objects) Type(id ID) *Type { return &g.types[g.typ.of(id)] }

// TypeNumber returns the number that the Source gave the type of an object.
func (g *Objects) TypeNumber(id ID) int32 { return g.typ.of(id) }

// own returns all bytes of an object, those outside the heap too.
func (g *Objects) own(id ID) uint64 {
	if n := g.size[id]; n != elsewhere {
		return uint64(n)
	}
	o := g.other[id]
	return o.heap + o.outside
}
