package object

import (
	"coredbg/core"
	"coredbg/runtimes/java"
)

// A Slot is a place that holds a Java value: a field or an element.
type Slot = java.Slot

// Member follows a path from an object; see java.Reader.Member.
func (rd *Reader) Member(at core.Addr, path string) (Slot, error) {
	return java.Reader{Heap: rd.JavaHeap()}.Member(at, path)
}

// Slot returns where element i is, which need not be below the length.
func (r *Array) Slot(i uint64) Slot {
	if r.Element == NotPrimitive {
		return Slot{Addr: r.At(i), Type: "Ljava/lang/Object;"}
	}
	return Slot{Addr: r.At(i), Type: r.Element.Descriptor()}
}
