package heap

import (
	"coredbg/core"
	"coredbg/runtimes/art/object"
	graph "coredbg/runtimes/heap"
)

// A graphReader answers queries about objects, except about their references. Objects of the same shape are the
// objects of one class.
var (
	_ graph.StringReader = (*graphReader)(nil)
	_ graph.ArrayReader  = (*graphReader)(nil)
	_ graph.FieldReader  = (*graphReader)(nil)
)

// IsString reports whether a class is java.lang.String.
func (r *graphReader) IsString(typ int32) bool {
	k := r.kinds.Of(typ)
	return k != nil && k.class.Flags&object.FlagString != 0
}

// ReadString reads characters, compressed to a byte each or not.
func (r *graphReader) ReadString(at core.Addr, from uint64, units []uint16) (uint64, error) {
	return r.s.h.w.StringUnits(at, from, units)
}

// IsArray reports whether a class is a class of arrays.
func (r *graphReader) IsArray(typ int32, _ *graph.Type) bool {
	k := r.kinds.Of(typ)
	return k != nil && k.class.IsArray()
}

// Array counts the elements of an array, and, in an array of references, the elements that are not null.
func (r *graphReader) Array(at core.Addr, typ int32, _ core.Addr) graph.Array {
	a := graph.Array{Length: -1, Capacity: -1, Used: -1}
	n, ok := r.s.h.w.ArrayLength(at)
	k := r.kinds.Of(typ)
	if !ok || k == nil {
		return a
	}
	if a.Length = int64(n); !k.array {
		return a
	}
	a.Used = 0
	r.elements(at, uint64(object.ArrayData(4))+4*n, func(_, _ core.Addr) { a.Used++ })
	return a
}
