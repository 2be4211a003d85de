package object

import (
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/java"
)

// ArrayData returns where the elements of an array begin: after the length, at
// their own alignment (runtime/mirror/array.h, DataOffset).
func ArrayData(elementSize uint64) core.Addr {
	if elementSize == 8 {
		return 16
	}
	return 12
}

// ArrayLength returns the number of an array's elements.
func (rd *ClassReader) ArrayLength(at core.Addr) (uint64, bool) {
	n, ok := rd.U32(at + HeaderSize)
	return uint64(n), ok && n < 1<<31
}

// An Array is a Java array.
type Array struct {
	Object
	Length uint64
	// Element is the type of its elements; NotPrimitive for references.
	Element Primitive
}

// Array returns the array at an address.
func (rd *Reader) Array(at core.Addr) (Array, error) {
	o, err := rd.Object(at)
	if err != nil {
		return Array{}, err
	}
	if !o.Class.IsArray() {
		return Array{}, fmt.Errorf("art: %v is not an array but a %s", at, o.Class.Name)
	}
	n, ok := rd.ArrayLength(at)
	if !ok {
		return Array{}, fmt.Errorf("art: array at %v: its length of %d cannot be", at, n)
	}
	r := Array{Object: o, Length: n}
	if rd.IsClass(o.Class.Component) {
		r.Element = rd.ClassAt(o.Class.Component).Primitive
	}
	return r, nil
}

// At returns the address of element i, which need not be below the length.
func (r *Array) At(i uint64) core.Addr {
	return r.Addr + ArrayData(r.Class.ElementSize) + core.Addr(i*r.Class.ElementSize)
}

// ArrayRefs returns at most max references of an array of objects.
func (rd *Reader) ArrayRefs(at core.Addr, max int) ([]core.Addr, error) {
	r, err := rd.Array(at)
	if err != nil {
		return nil, err
	}
	if r.Element != NotPrimitive {
		return nil, fmt.Errorf("art: %v is a %s, not an array of objects", at, r.Class.Name)
	}
	out, ok := java.References(min(r.Length, uint64(max)), func(i uint64) (core.Addr, bool) { return rd.Ref(r.At(i)) })
	if !ok {
		return out, fmt.Errorf("art: array at %v: element %d cannot be read", at, len(out))
	}
	return out, nil
}
