package object

import (
	"fmt"
	"strconv"
	"strings"

	"coredbg/core"
)

// A Slot is a place that holds a Java value: a field or an element.
type Slot struct {
	Addr core.Addr
	Type string // descriptor; of an element the least that is known
}

// Reference reports whether the slot holds a reference.
func (s Slot) Reference() bool { return PrimitiveOf(s.Type) == NotPrimitive }

// Member follows a path from an object: names of fields, and indices of arrays
// in brackets, as in "threads[0].name"; names of static fields if the object is
// a class.
func (rd *Reader) Member(at core.Addr, path string) (Slot, error) {
	var s Slot
	for n := 0; path != ""; n++ {
		if n > 0 {
			if !s.Reference() {
				return s, fmt.Errorf("art: a value of type %s has no members", s.Type)
			}
			r, ok := rd.Ref(s.Addr)
			if !ok {
				return s, fmt.Errorf("art: %v cannot be read", s.Addr)
			}
			at = r
		}
		o, err := rd.Object(at)
		if err != nil {
			return s, err
		}
		var step string
		if path[0] == '[' {
			step, path, _ = strings.Cut(path[1:], "]")
			s, err = rd.element(o, step)
		} else {
			end := strings.IndexAny(path, ".[")
			if end < 0 {
				end = len(path)
			}
			step, path = path[:end], path[end:]
			s, err = rd.named(o, step)
		}
		if err != nil {
			return s, err
		}
		path = strings.TrimPrefix(path, ".")
	}
	return s, nil
}

// element returns the slot of an array's element.
func (rd *Reader) element(o Object, index string) (Slot, error) {
	k, err := strconv.ParseUint(strings.TrimSpace(index), 0, 32)
	if err != nil {
		return Slot{}, fmt.Errorf("art: %q is not an index", index)
	}
	r, err := rd.Array(o.Addr)
	if err != nil {
		return Slot{}, err
	}
	if k >= r.Length {
		return Slot{}, fmt.Errorf("art: the array at %v has %d elements, none at %d", o.Addr, r.Length, k)
	}
	return r.Slot(k), nil
}

// Slot returns where element i is, which need not be below the length.
func (r *Array) Slot(i uint64) Slot { return Slot{r.At(i), primitiveDescriptor(r.Element)} }

// primitiveDescriptor returns a type's descriptor; that of Object for
// references.
func primitiveDescriptor(p Primitive) string {
	const letters = " ZBCSIJFDV"
	if p == NotPrimitive || int(p) >= len(letters) {
		return "Ljava/lang/Object;"
	}
	return letters[p : p+1]
}

// named returns the slot of a field.
func (rd *Reader) named(o Object, name string) (Slot, error) {
	who := o.Class.Name
	if o.Class.Flags&FlagClass != 0 {
		c := rd.ClassAt(o.Addr)
		who = c.Name
		if f, ok := rd.FindField(c, name); ok && f.Static() {
			return Slot{f.Class + core.Addr(f.Offset), f.Type}, nil
		}
	}
	f, ok := rd.FindField(o.Class, name)
	if !ok {
		return Slot{}, fmt.Errorf("art: %s has no field %q", who, name)
	}
	if f.Static() {
		return Slot{f.Class + core.Addr(f.Offset), f.Type}, nil
	}
	return Slot{o.Addr + core.Addr(f.Offset), f.Type}, nil
}
