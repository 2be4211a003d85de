package heap

import (
	"fmt"
	"math"
	"strconv"

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
	k := r.numbered(typ)
	return k != nil && k.class.Flags&object.FlagString != 0
}

// ReadString reads characters, compressed to a byte each or not.
func (r *graphReader) ReadString(at core.Addr, from uint64, units []uint16) (uint64, error) {
	return r.s.h.w.StringUnits(at, from, units)
}

// IsArray reports whether a class is a class of arrays.
func (r *graphReader) IsArray(typ int32, _ *graph.Type) bool {
	k := r.numbered(typ)
	return k != nil && k.class.IsArray()
}

// Array counts the elements of an array, and, in an array of references, the elements that are not null.
func (r *graphReader) Array(at core.Addr, typ int32, _ core.Addr) graph.Array {
	a := graph.Array{Length: -1, Capacity: -1, Used: -1}
	n, ok := r.s.h.w.ArrayLength(at)
	k := r.numbered(typ)
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

// IsInstance reports true: an object of a class was made as an instance of it.
func (r *graphReader) IsInstance(core.Addr, int32) bool { return true }

// Field follows instance fields, including super classes' fields, and the elements of arrays. Arrays and
// strings have a length, and boxed numbers stand for their value.
func (r *graphReader) Field(at core.Addr, path []string) (graph.Value, error) {
	slot := object.Slot{Type: "Ljava/lang/Object;"}
	for i, name := range path {
		if i > 0 {
			if !slot.Reference() {
				return graph.Value{}, graph.ErrNoField
			}
			ref, ok := r.s.h.w.Ref(slot.Addr)
			if !ok {
				return graph.Value{}, fmt.Errorf("art: %v cannot be read", slot.Addr)
			}
			if ref == 0 {
				return graph.Value{}, graph.ErrNoField
			}
			at = ref
		}
		o, err := r.s.h.w.Object(at)
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
		return r.primitive(slot.Addr, object.PrimitiveOf(slot.Type))
	}
	ref, ok := r.s.h.w.Ref(slot.Addr)
	switch {
	case !ok:
		return graph.Value{}, fmt.Errorf("art: %v cannot be read", slot.Addr)
	case ref == 0:
		return graph.Value{Kind: graph.Null}, nil
	}
	return r.object(ref)
}

// length returns the length of an array or a string.
func (r *graphReader) length(o object.Object) (uint64, bool) {
	switch {
	case o.Class.IsArray():
		return r.s.h.w.ArrayLength(o.Addr)
	case o.Class.Flags&object.FlagString != 0:
		n, err := r.s.h.w.StringUnits(o.Addr, 0, nil)
		return n, err == nil
	}
	return 0, false
}

// slot returns where an object has a field or an element.
func (r *graphReader) slot(o object.Object, name string) (object.Slot, error) {
	w := r.s.h.w
	if o.Class.IsArray() {
		i, err := strconv.ParseUint(name, 10, 31)
		a, bad := w.Array(o.Addr)
		switch {
		case err != nil:
			return object.Slot{}, graph.ErrNoField
		case bad != nil:
			return object.Slot{}, bad
		case i >= a.Length:
			return object.Slot{}, graph.ErrNoField
		}
		return a.Slot(i), nil
	}
	key := fieldKey{o.Class.Addr, name}
	f, ok := r.fields[key]
	if !ok {
		f, _ = w.InstanceField(o.Class, name)
		if r.fields == nil {
			r.fields = map[fieldKey]object.Field{}
		}
		r.fields[key] = f
	}
	if f.Type == "" {
		return object.Slot{}, graph.ErrNoField
	}
	return object.Slot{Addr: o.Addr + core.Addr(f.Offset), Type: f.Type}, nil
}

// A fieldKey is a name that was looked for in a class.
type fieldKey struct {
	class core.Addr
	name  string
}

// primitive reads a value that is not a reference. A char is a text.
func (r *graphReader) primitive(at core.Addr, p object.Primitive) (graph.Value, error) {
	bits, ok := r.s.h.w.PrimitiveAt(at, p)
	if !ok {
		return graph.Value{}, fmt.Errorf("art: %v cannot be read", at)
	}
	switch p {
	case object.Boolean:
		return graph.Value{Kind: graph.Bool, Bool: bits&0xff != 0}, nil
	case object.Char:
		return graph.Value{Kind: graph.Text, Text: string(rune(bits))}, nil
	case object.Float:
		return graph.Value{Kind: graph.Number, Num: float64(math.Float32frombits(uint32(bits)))}, nil
	case object.Double:
		return graph.Value{Kind: graph.Number, Num: math.Float64frombits(bits)}, nil
	}
	return graph.IntValue(int64(bits)), nil
}

// boxed are the classes whose field "value" is what they stand for.
var boxed = map[string]bool{
	"java.lang.Integer": true, "java.lang.Long": true, "java.lang.Short": true, "java.lang.Byte": true, "java.lang.Character": true,
	"java.lang.Boolean": true, "java.lang.Float": true, "java.lang.Double": true,
}

// object says what an object is as a value.
func (r *graphReader) object(at core.Addr) (graph.Value, error) {
	w := r.s.h.w
	o, err := w.Object(at)
	switch {
	case err != nil:
		return graph.Value{}, err
	case o.Class.Flags&object.FlagString != 0:
		s, err := w.String(at, graph.MaxText)
		return graph.Value{Kind: graph.Text, Text: s.Value, Cut: s.Cut()}, err
	case boxed[o.Class.Name]:
		if f, err := r.slot(o, "value"); err == nil && !f.Reference() {
			return r.primitive(f.Addr, object.PrimitiveOf(f.Type))
		}
	}
	return graph.Value{Kind: graph.Object, At: at}, nil
}
