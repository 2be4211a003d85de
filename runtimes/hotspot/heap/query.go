package heap

import (
	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/java/query"
)

// A reader answers queries about objects, except about their references.
var (
	_ graph.ArrayReader = (*reader)(nil)
	_ graph.FieldReader = (*reader)(nil)
)

// IsArray reports whether a class is a class of arrays.
func (r *reader) IsArray(typ int32, _ *graph.Type) bool {
	k := r.numbered(typ)
	return k != nil && k.class.IsArray()
}

// Array counts the elements of an array, and, in an array of references, the elements that are not null.
func (r *reader) Array(at core.Addr, typ int32, _ core.Addr) graph.Array {
	a := graph.Array{Length: -1, Capacity: -1, Used: -1}
	k := r.numbered(typ)
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

// IsInstance reports true: an object of a class was made as an instance of it.
func (r *reader) IsInstance(core.Addr, int32) bool { return true }

// Field reads fields as package query does.
func (r *reader) Field(at core.Addr, path []string) (graph.Value, error) {
	if r.query == nil {
		r.query = query.NewReader(r.s.h.w.JavaHeap())
	}
	return r.query.Field(at, path)
}
