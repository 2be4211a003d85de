package object

import (
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/java"
)

// An Array is an array of Java.
type Array struct {
	Object
	Length uint64
	// Element is the type of its elements; NotPrimitive for references.
	Element java.Primitive
}

// LengthIn returns the length of an array whose memory begins with b; ok is false if b is too short, or the
// length cannot be.
func (r *Reader) LengthIn(b []byte) (n uint64, ok bool) {
	at := int(r.lengthAt())
	if len(b) < at+4 {
		return 0, false
	}
	n = uint64(r.Process.Arch.Order.Uint32(b[at:]))
	return n, n <= maxLength
}

// lengthAt returns where an array has its length: after the class (share/oops/arrayOop.hpp).
func (r *Reader) lengthAt() core.Addr {
	switch {
	case r.h.compactHeaders:
		return 8
	case r.h.narrowKlass:
		return 12
	}
	return 16
}

// Array returns the array at an address.
func (r *Reader) Array(at core.Addr) (Array, error) {
	o, err := r.Object(at)
	if err != nil {
		return Array{}, err
	}
	if !o.Class.array {
		return Array{}, fmt.Errorf("hotspot: %v is not an array but a %s", at, o.Class.Name)
	}
	c := r.Process.Cursor()
	n := uint64(c.U32(at + r.lengthAt()))
	if err := c.Err(); err != nil {
		return Array{}, fmt.Errorf("hotspot: array: %w", err)
	}
	if n > maxLength {
		return Array{}, fmt.Errorf("hotspot: array at %v: its length of %d cannot be", at, n)
	}
	return Array{Object: o, Length: n, Element: o.Class.Primitive}, nil
}

// At returns the address of element i, which need not be below the length.
func (a *Array) At(i uint64) core.Addr {
	return a.Addr.Add(a.Class.header) + core.Addr(i*a.Class.ElementSize)
}

// ArrayRefs returns at most max references of an array of objects. With an error come the references before
// the one that cannot be read.
func (r *Reader) ArrayRefs(at core.Addr, max int) ([]core.Addr, error) {
	a, err := r.Array(at)
	if err != nil {
		return nil, err
	}
	if a.Element != java.NotPrimitive {
		return nil, fmt.Errorf("hotspot: %v is a %s, not an array of objects", at, a.Class.Name)
	}
	out, ok := java.References(min(a.Length, uint64(max)), func(i uint64) (core.Addr, bool) { return r.Ref(a.At(i)) })
	if !ok {
		return out, fmt.Errorf("hotspot: array at %v: element %d cannot be read", at, len(out))
	}
	return out, nil
}
