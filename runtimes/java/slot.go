package java

import (
	"fmt"
	"strconv"
	"strings"

	"coredbg/core"
)

// A Slot is a place that holds a Java value: a field or an element.
type Slot struct {
	Addr core.Addr
	Type string // descriptor; an element's is Object's if it is a reference
}

// Reference reports whether the slot holds a reference.
func (s Slot) Reference() bool { return PrimitiveOf(s.Type) == NotPrimitive }

// problem makes the error of a value that is not what was asked for.
func problem(format string, args ...any) error { return fmt.Errorf("java: "+format, args...) }

// Member follows a path from an object: names of fields, and indices of arrays in brackets, as in
// "threads[0].name"; names of static fields if the object is a class.
func (r Reader) Member(at core.Addr, path string) (Slot, error) {
	var s Slot
	for n := 0; path != ""; n++ {
		if n > 0 {
			if !s.Reference() {
				return s, problem("a value of type %s has no members", s.Type)
			}
			next, ok := r.Ref(s.Addr)
			if !ok {
				return s, problem("%v cannot be read", s.Addr)
			}
			at = next
		}
		o, err := r.Object(at)
		if err != nil {
			return s, err
		}
		var step string
		if path[0] == '[' {
			step, path, _ = strings.Cut(path[1:], "]")
			s, err = r.element(o, step)
		} else {
			end := strings.IndexAny(path, ".[")
			if end < 0 {
				end = len(path)
			}
			step, path = path[:end], path[end:]
			s, err = r.named(o, step)
		}
		if err != nil {
			return s, err
		}
		path = strings.TrimPrefix(path, ".")
	}
	return s, nil
}

// element returns the slot of an array's element.
func (r Reader) element(o Object, index string) (Slot, error) {
	k, err := strconv.ParseUint(strings.TrimSpace(index), 0, 32)
	if err != nil {
		return Slot{}, problem("%q is not an index", index)
	}
	a, err := r.Array(o.Addr)
	if err != nil {
		return Slot{}, err
	}
	if k >= a.Length {
		return Slot{}, problem("the array at %v has %d elements, none at %d", o.Addr, a.Length, k)
	}
	return a.Slot(k), nil
}

// Slot returns where element i is, which need not be below the length.
func (r *Array) Slot(i uint64) Slot {
	if r.Element == NotPrimitive {
		return Slot{r.At(i), "Ljava/lang/Object;"}
	}
	return Slot{r.At(i), r.Element.Descriptor()}
}

// named returns the slot of a field.
func (r Reader) named(o Object, name string) (Slot, error) {
	who := o.Class.Name
	if o.Class.Shape == Classes {
		if c, err := r.Mirrored(o); err == nil {
			who = c.Name
			if s, ok := r.static(c, name); ok {
				return s, nil
			}
		}
	}
	if f, ok := o.Class.Member(name); ok {
		return Slot{o.Addr + core.Addr(f.Offset), f.Type}, nil
	}
	if s, ok := r.static(o.Class, name); ok {
		return s, nil
	}
	return Slot{}, problem("%s has no field %q", who, name)
}

// static returns the slot of a static field of a class.
func (r Reader) static(c *Class, name string) (Slot, bool) {
	f, ok := c.Static(name)
	if !ok || c.Statics == 0 {
		return Slot{}, false
	}
	return Slot{c.Statics + core.Addr(f.Offset), f.Type}, true
}
