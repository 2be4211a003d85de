package heap

import (
	"errors"

	"coredbg/core"
)

// ErrElsewhere says that a string has its characters in another object, or outside the
// heap.
var ErrElsewhere = errors.New("heap: the string has its characters elsewhere")

// Interfaces for queries of objects beyond their references. A Reader may implement them; the caller
// uses a type assertion. Without an implementation a query finds nothing.

// A StringReader is a Reader that reads strings.
type StringReader interface {
	// IsString reports whether objects of a type are strings that have characters of
	// their own. Those that are made of others (ropes, slices) are not.
	IsString(typ int32) bool
	// ReadString reads UTF-16 units of a string, starting at index from, and returns the number of
	// units of the whole string. It fills units as far as the string goes, unless err says why not, as
	// ErrElsewhere.
	ReadString(at core.Addr, from uint64, units []uint16) (length uint64, err error)
}

// An ArrayReader is a Reader that knows arrays and buffers.
type ArrayReader interface {
	// IsArray reports whether objects of a type, which Type describes as t, are arrays,
	// the stores of arrays, or buffers.
	IsArray(typ int32, t *Type) bool
	// Array says more of one; holder is the object that dominates it, 0 if there is none.
	Array(at core.Addr, typ int32, holder core.Addr) Array
}

// An Array describes an array or a buffer.
type Array struct {
	// Owner is the object that a program knows, where that is another one than its store.
	Owner core.Addr
	// Length is the number of elements as a program sees it, or of bytes of a buffer; Capacity the
	// elements that there is room for; Used the elements that are neither holes nor null. They are -1
	// if not known or not meaningful.
	Length, Capacity, Used int64
}

// Holes returns how many of the elements are holes or null; -1 if that is not known.
func (a *Array) Holes() int64 {
	if a.Length < 0 || a.Used < 0 {
		return -1
	}
	return max(a.Length-a.Used, 0)
}

// A ShapeReader is a Reader whose types are not what a program sees as the shape of its
// objects.
type ShapeReader interface {
	// Shape returns a text that is the same for objects of the same shape. If own is set, other objects
	// of the type may have another one.
	Shape(at core.Addr, typ int32) (key string, own bool)
}

// A FieldReader is a Reader that reads fields of objects.
type FieldReader interface {
	// IsInstance reports whether the program made an object, in contrast to an object of the same class
	// that the engine keeps for itself: a prototype, a template to copy from.
	IsInstance(at core.Addr, typ int32) bool
	// Field follows a path of names and indices from an object, and returns what is
	// there; the object itself if the path is empty. The error is ErrNoField where an
	// object has no such field, or it says what could not be read.
	Field(at core.Addr, path []string) (Value, error)
}
