package blink

import (
	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// A way is how the address of its C++ object is found from a wrapper.
type way struct {
	off int // of the wrapper, where it has the address or a handle of it
	// The place of the table of handles: the distance of its address in the isolate from the address of
	// the table of trusted pointers. There are several candidates for the latter if isolates are not
	// known.
	table bool
	place int
	from  int
	shift uint // of handles
}

// Bounds of the search.
const (
	mostFields = 5 // words of a wrapper, after every object's words
	mostPlaces = 32
)

// object returns the C++ object of a wrapper, 0 if w leads to none.
func (r *Reader) object(wrapper layout.Tagged, w way) core.Addr {
	if !w.table {
		a, _ := r.Word(wrapper.Addr().Add(int64(w.off)))
		return core.Addr(a)
	}
	handle, ok := r.U32Field(wrapper, w.off)
	places := r.Sandbox.TrustedAt(wrapper)
	if !ok || handle == 0 || w.place >= len(places) {
		return 0
	}
	base, ok := r.Word(places[w.place].Add(int64(w.from)))
	if !ok || base == 0 || base&(layout.PageSize-1) != 0 {
		return 0
	}
	entry, _ := r.Word(core.Addr(base) + core.Addr(handle>>w.shift)*8)
	return core.Addr(entry >> layout.CppHeapShift)
}

// ways returns the ways that lead from all wrappers of one class to objects of one class, as far as
// that can be told: their tables of virtual functions are the same.
func (r *Reader) ways(wrappers []layout.Tagged) (list []way) {
	first := r.Layout.JSObject.InternalFields
	step := r.SlotSize()
	try := func(w way) {
		if r.sameClass(wrappers, w) {
			list = append(list, w)
		}
	}
	for off := first; off < first+8*mostFields; off += step {
		try(way{off: off})
	}
	if r.Sandbox == nil || r.Sandbox.TrustedAt == nil || len(wrappers) == 0 {
		return list
	}
	for place := range min(len(r.Sandbox.TrustedAt(wrappers[0])), mostPlaces) {
		for from := -layout.NearTables; from < layout.NearTables; from += 8 {
			for shift := uint(layout.LeastIndexShift); shift <= layout.MostIndexShift; shift++ {
				try(way{off: first, table: true, place: place, from: from, shift: shift})
			}
		}
	}
	return list
}

// sameClass reports whether w leads from each wrapper to an object, and all have the same virtual functions.
func (r *Reader) sameClass(wrappers []layout.Tagged, w way) bool {
	var table uint64
	for _, x := range wrappers {
		o := r.object(x, w)
		if !r.isObject(o) {
			return false
		}
		t, _ := r.Word(o)
		if table != 0 && t != table {
			return false
		}
		table = t
	}
	return table != 0
}
