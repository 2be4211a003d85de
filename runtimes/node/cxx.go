package node

import (
	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// Objects of C++ that no constant describes are known by their vtables, and what is in
// them by its shape.

// baseOf returns the BaseObject of an object of JavaScript: one of the object's internal
// fields points to it, and its persistent_handle_ to a slot with the object (src/base_object.h).
func (nr *Reader) baseOf(o layout.Tagged) (core.Addr, bool) {
	for base := range nr.objects.InternalPointers(o) {
		if held(nr, base) == o {
			return base, true
		}
	}
	return 0, false
}

// held returns the word in the slot that the persistent_handle_ of a BaseObject points to, 0 if there is none.
func held(nr *Reader, base core.Addr) layout.Tagged {
	if base == 0 || base&7 != 0 {
		return 0
	}
	slot, ok := nr.Word(base + core.Addr(nr.uv.BaseObject.PersistentHandle))
	if !ok || slot == 0 || slot&7 != 0 {
		return 0
	}
	w, _ := nr.Word(core.Addr(slot))
	return layout.Tagged(w)
}

// vtable is the mangled name of the vtable of a class in namespace node, with its length.
func vtable(class string) string { return "_ZTVN4node" + class + "E" }

// isA reports whether an object of the class whose vtable has that name begins at a.
func (nr *Reader) isA(a core.Addr, name string) bool {
	const top = 16 // where a pointer to a vtable points: after the offset to the top and the type
	w, ok := nr.Word(a)
	if !ok || a&7 != 0 || w&7 != 0 || w == 0 {
		return false
	}
	s, off, ok := nr.Symbols.Lookup(core.Addr(w))
	return ok && off == top && s.Name == name
}

// member returns the object of a class that a pointer in the first words of the object at a leads
// to, such as a shared_ptr.
func (nr *Reader) member(a core.Addr, name string) (core.Addr, bool) {
	const first, last = 8, 1024 // bytes; a HandleWrap has a uv_handle_t
	for off := core.Addr(first); off < last; off += 8 {
		w, ok := nr.Word(a + off)
		if !ok {
			return 0, false
		}
		if nr.isA(core.Addr(w), name) {
			return core.Addr(w), true
		}
	}
	return 0, false
}

// pointers returns what a std::list of libstdc++ with its head at a holds, as pointers: nodes are
// linked to a ring. Not every head counts them.
func (nr *Reader) pointers(a core.Addr) (list []core.Addr, ok bool) {
	const maxList = 1 << 16
	before := a
	for len(list) < maxList {
		at, ok := nr.Word(before)
		node := core.Addr(at)
		if !ok || node&7 != 0 {
			return nil, false
		}
		if back, ok := nr.Word(node + 8); !ok || core.Addr(back) != before {
			return nil, false
		}
		if node == a {
			return list, true
		}
		p, ok := nr.Word(node + 16)
		if !ok {
			return nil, false
		}
		list, before = append(list, core.Addr(p)), node
	}
	return nil, false
}
