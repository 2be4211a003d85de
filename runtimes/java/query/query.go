// Package query reads fields of Java objects as values that package heap compares.
//
// The chain: a path of names leads from an object over the fields of its class, or the elements of an array,
// to a value. A string is its text, a boxed number its value.
//
// Files:
//
//	query.go  all of it
//
// LIMITATIONS. The size of a collection is no field; the fields of its class are.
package query

import (
	"fmt"
	"math"
	"strconv"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/java"
)

// A Reader reads fields. It is for one goroutine.
type Reader struct {
	java.Reader
	fields map[key]*java.Field
}

// A key is a name that was looked for in a class.
type key struct {
	class *java.Class
	name  string
}

// NewReader returns a Reader of a heap.
func NewReader(h java.Heap) *Reader {
	return &Reader{Reader: java.Reader{Heap: h}, fields: map[key]*java.Field{}}
}

// Field follows instance fields, including superclasses' fields, and the elements of arrays. Arrays and
// strings have a length, and boxed numbers stand for their value. See heap.FieldReader.
func (r *Reader) Field(at core.Addr, path []string) (graph.Value, error) {
	slot := java.Slot{Type: "Ljava/lang/Object;"}
	for i, name := range path {
		if i > 0 {
			if !slot.Reference() {
				return graph.Value{}, graph.ErrNoField
			}
			ref, ok := r.Ref(slot.Addr)
			if !ok {
				return graph.Value{}, unread(slot.Addr)
			}
			if ref == 0 {
				return graph.Value{}, graph.ErrNoField
			}
			at = ref
		}
		o, err := r.Object(at)
		if err != nil {
			return graph.Value{}, err
		}
		if n, ok := r.length(o); ok && name == "length" {
			if i < len(path)-1 {
				return graph.Value{}, graph.ErrNoField
			}
			return graph.IntValue(int64(n)), nil
		}
		if slot, err = r.slot(o, name); err != nil {
			return graph.Value{}, err
		}
	}
	if len(path) == 0 {
		return r.object(at)
	}
	if !slot.Reference() {
		return r.primitive(slot.Addr, java.PrimitiveOf(slot.Type))
	}
	ref, ok := r.Ref(slot.Addr)
	switch {
	case !ok:
		return graph.Value{}, unread(slot.Addr)
	case ref == 0:
		return graph.Value{Kind: graph.Null}, nil
	}
	return r.object(ref)
}

func unread(at core.Addr) error { return fmt.Errorf("java: %v cannot be read", at) }

// length returns the length of an array or a string.
func (r *Reader) length(o java.Object) (uint64, bool) {
	switch o.Class.Shape {
	case java.Arrays:
		return r.ArrayLength(o.Addr)
	case java.Strings:
		s, err := r.Text(o.Addr, 0)
		return uint64(s.Length), err == nil
	}
	return 0, false
}

// slot returns where an object has a field or an element.
func (r *Reader) slot(o java.Object, name string) (java.Slot, error) {
	if o.Class.Shape == java.Arrays {
		i, err := strconv.ParseUint(name, 10, 31)
		a, bad := r.Array(o.Addr)
		switch {
		case err != nil:
			return java.Slot{}, graph.ErrNoField
		case bad != nil:
			return java.Slot{}, bad
		case i >= a.Length:
			return java.Slot{}, graph.ErrNoField
		}
		return a.Slot(i), nil
	}
	f, known := r.fields[key{o.Class, name}]
	if !known {
		f, _ = o.Class.Member(name)
		r.fields[key{o.Class, name}] = f
	}
	if f == nil || f.Type == "" {
		return java.Slot{}, graph.ErrNoField
	}
	return java.Slot{Addr: o.Addr + core.Addr(f.Offset), Type: f.Type}, nil
}

// primitive reads a value that is not a reference. A char is a text.
func (r *Reader) primitive(at core.Addr, p java.Primitive) (graph.Value, error) {
	bits, ok := r.PrimitiveAt(at, p)
	if !ok {
		return graph.Value{}, unread(at)
	}
	switch p {
	case java.Boolean:
		return graph.Value{Kind: graph.Bool, Bool: bits&0xff != 0}, nil
	case java.Char:
		return graph.Value{Kind: graph.Text, Text: string(rune(bits))}, nil
	case java.Float:
		return graph.Value{Kind: graph.Number, Num: float64(math.Float32frombits(uint32(bits)))}, nil
	case java.Double:
		return graph.Value{Kind: graph.Number, Num: math.Float64frombits(bits)}, nil
	}
	return graph.IntValue(int64(bits)), nil
}

// boxed are the classes whose field "value" is what they stand for.
var boxed = map[string]bool{
	"java.lang.Integer": true, "java.lang.Long": true, "java.lang.Short": true, "java.lang.Byte": true,
	"java.lang.Character": true,
	"java.lang.Boolean":   true, "java.lang.Float": true, "java.lang.Double": true,
}

// object says what an object is as a value.
func (r *Reader) object(at core.Addr) (graph.Value, error) {
	o, err := r.Object(at)
	switch {
	case err != nil:
		return graph.Value{}, err
	case o.Class.Shape == java.Strings:
		s, err := r.Text(at, graph.MaxText)
		return graph.Value{Kind: graph.Text, Text: s.Value, Cut: s.Cut()}, err
	case boxed[o.Class.Name]:
		if f, err := r.slot(o, "value"); err == nil && !f.Reference() {
			return r.primitive(f.Addr, java.PrimitiveOf(f.Type))
		}
	}
	return graph.Value{Kind: graph.Object, At: at}, nil
}

// Fields answers queries for the fields of objects, for one goroutine. It implements heap.FieldReader.
type Fields struct {
	Heap java.Heap
	r    *Reader // nil until it is needed
}

// IsInstance reports true: an object of a class was made as an instance of it.
func (f *Fields) IsInstance(core.Addr, int32) bool { return true }

// Field reads a field as a Reader does.
func (f *Fields) Field(at core.Addr, path []string) (graph.Value, error) {
	if f.r == nil {
		f.r = NewReader(f.Heap)
	}
	return f.r.Field(at, path)
}
