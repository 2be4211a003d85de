package heap

import (
	"context"
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/art/object"
	graph "coredbg/runtimes/heap"
)

// A Reference is a place in an object that leads to another.
type Reference struct {
	Holder object.Object
	// Slot is where the reference lies, Name which place of the holder that
	// is: "table", "[3]", "static INSTANCE".
	Slot core.Addr
	Name string
}

// References calls visit for each place of an object that holds a reference,
// null ones left out, until it returns false. Class is the reference that every
// object has to its class; it is not among them.
func (w *Walker) References(o object.Object, visit func(slot, to core.Addr) bool) error {
	r := refWalk{a: w}
	return r.references(o, visit)
}

// A refWalk reads the references of objects in place.
type refWalk struct {
	a *Walker
}

func (w *refWalk) references(o object.Object, visit func(slot, to core.Addr) bool) error {
	a := w.a
	at := func(slot core.Addr) bool {
		to, ok := a.Ref(slot)
		return !ok || to == 0 || visit(slot, to)
	}
	for _, off := range a.ReferenceOffsets(o.Class) {
		if !at(o.Addr + core.Addr(off)) {
			return nil
		}
	}
	switch {
	case o.Class.Flags&object.FlagClass != 0:
		for _, off := range a.StaticReferences(a.ClassAt(o.Addr)) {
			if !at(o.Addr + core.Addr(off)) {
				return nil
			}
		}
	case o.Class.IsArray() && o.Class.ElementSize == 4 && a.elementType(o.Class) == object.NotPrimitive:
		n, ok := a.ArrayLength(o.Addr)
		if !ok {
			return fmt.Errorf("art: array at %v: its length cannot be read", o.Addr)
		}
		begin := o.Addr + object.ArrayData(4)
		for i := uint64(0); i < n; i += 1024 {
			b, err := a.Space.Slice(begin+core.Addr(4*i), int(4*min(1024, n-i)))
			for k := 0; k+4 <= len(b); k += 4 {
				if to := core.Addr(a.Order.Uint32(b[k:])); to != 0 && !visit(begin+core.Addr(4*i)+core.Addr(k), to) {
					return nil
				}
			}
			if err != nil {
				return fmt.Errorf("art: array at %v: %w", o.Addr, err)
			}
		}
	}
	return nil
}

// elementType returns the type of an array class's elements.
func (w *Walker) elementType(c *object.Class) object.Primitive {
	if !w.IsClass(c.Component) {
		return object.NotPrimitive
	}
	return w.ClassAt(c.Component).Primitive
}

// ReferencesTo calls visit for every reference in the heap to one of the
// objects given, which must be sorted, until it returns false.
func (h *Heap) ReferencesTo(ctx context.Context, targets []core.Addr,
	visit func(r Reference, to core.Addr) bool) (*Walked, error) {
	w := refWalk{a: h.w}
	return h.Walk(ctx, func(o object.Object, _ uint64) bool {
		more := true
		_ = w.references(o, func(slot, to core.Addr) bool {
			if _, ok := slices.BinarySearch(targets, to); ok {
				more = visit(Reference{o, slot, h.w.SlotName(o, slot)}, to)
			}
			return more
		})
		return more
	})
}

// SlotName names a place in an object: "next", "static head", "[3]".
func (w *Walker) SlotName(o object.Object, slot core.Addr) string {
	switch r := w.slot(o, slot); r.Kind {
	case graph.Element:
		return "[" + r.Name + "]"
	case graph.StaticField:
		return "static " + r.Name
	default:
		return r.Name
	}
}

// slot says which field or element of an object a slot is. A field that is not known is named by its offset.
func (w *Walker) slot(o object.Object, slot core.Addr) graph.Reference {
	off := uint64(slot - o.Addr)
	unknown := graph.Reference{Kind: graph.Field, Name: fmt.Sprintf("+%#x", off)}
	if o.Class.IsArray() {
		data := uint64(object.ArrayData(o.Class.ElementSize))
		if off < data || o.Class.ElementSize == 0 {
			return unknown
		}
		return graph.ElementAt((off - data) / o.Class.ElementSize)
	}
	for _, c := range append([]*object.Class{o.Class}, w.Supers(o.Class)...) {
		for _, f := range w.Fields(c) {
			if !f.Static() && uint64(f.Offset) == off {
				return graph.Reference{Kind: graph.Field, Name: f.Label()}
			}
		}
	}
	if o.Class.Flags&object.FlagClass == 0 {
		return unknown
	}
	class := w.ClassAt(o.Addr)
	for _, f := range w.Fields(class) {
		if f.Static() && uint64(f.Offset) == off {
			return graph.Reference{Kind: graph.StaticField, Name: f.Label(), Class: class.Name}
		}
	}
	return unknown
}
