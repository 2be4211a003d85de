package heap

import (
	"coredbg/core"
	graph "coredbg/runtimes/heap"
)

// A reader answers queries about objects, except about their references.
var (
	_ graph.ArrayReader = (*reader)(nil)
	_ graph.FieldReader = (*reader)(nil)
)

// IsArray reports whether a class is a class of arrays.
func (r *reader) IsArray(typ int32, _ *graph.Type) bool {
	k := r.kinds.Of(typ)
	return k != nil && k.class.IsArray()
}

// Array counts the elements of an array, and, in an array of references, the elements that are not null.
func (r *reader) Array(at core.Addr, typ int32, _ core.Addr) graph.Array {
	a := graph.Array{Length: -1, Capacity: -1, Used: -1}
	k := r.kinds.Of(typ)
	x, err := r.s.h.w.Array(at)
	if err != nil || k == nil {
		return a
	}
	if a.Length = int64(x.Length); !k.array {
		return a
	}
	a.Used = 0
	r.elements(k.class, at, uint64(x.At(x.Length)-at), func(_, _ core.Addr) { a.Used++ })
	return a
}
