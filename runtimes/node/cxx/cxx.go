// Package cxx reads objects of C++ that no constant describes. They are known by their vtables, and what is in
// them by its shape. How large one is, its allocator says (block.go).
package cxx

import (
	"strings"
	"unicode/utf8"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// A Reader reads objects of C++ in the memory of a process.
type Reader struct{ *layout.Memory }

// New returns a reader of objects of C++.
func New(m *layout.Memory) *Reader { return &Reader{m} }

// VTable is the mangled name of the vtable of a class in namespace node, with its length.
func VTable(class string) string { return "_ZTVN4node" + class + "E" }

// IsA reports whether an object of the class whose vtable has that name begins at a.
func (r *Reader) IsA(a core.Addr, name string) bool {
	const top = 16 // where a pointer to a vtable points: after the offset to the top and the type
	w, ok := r.Word(a)
	if !ok || a&7 != 0 || w&7 != 0 || w == 0 {
		return false
	}
	s, off, ok := r.Symbols.Lookup(core.Addr(w))
	return ok && off == top && s.Name == name
}

// Member returns the object of a class that a pointer in the first words of the object at a leads
// to, such as a shared_ptr.
func (r *Reader) Member(a core.Addr, name string) (core.Addr, bool) {
	const first, last = 8, 1024 // bytes; a HandleWrap has a uv_handle_t
	for off := core.Addr(first); off < last; off += 8 {
		w, ok := r.Word(a + off)
		if !ok {
			return 0, false
		}
		if r.IsA(core.Addr(w), name) {
			return core.Addr(w), true
		}
	}
	return 0, false
}

// Pointers returns what a std::list of libstdc++ with its head at a holds, as pointers: nodes are
// linked to a ring. Not every head counts them.
func (r *Reader) Pointers(a core.Addr) (list []core.Addr, ok bool) {
	const maxList = 1 << 16
	before := a
	for len(list) < maxList {
		at, ok := r.Word(before)
		node := core.Addr(at)
		if !ok || node&7 != 0 {
			return nil, false
		}
		if back, ok := r.Word(node + 8); !ok || core.Addr(back) != before {
			return nil, false
		}
		if node == a {
			return list, true
		}
		p, ok := r.Word(node + 16)
		if !ok {
			return nil, false
		}
		list, before = append(list, core.Addr(p)), node
	}
	return nil, false
}

// maxString bounds a string, in bytes.
const maxString = 4096

// StdString reads a std::string of libstdc++: a pointer to its bytes, which lie in it if they are
// 15 or fewer, and its length. Bytes that a name cannot have make it none.
func (r *Reader) StdString(a core.Addr) (string, bool) {
	const local = 15
	at, ok1 := r.Word(a)
	n, ok2 := r.Word(a + 8)
	if !ok1 || !ok2 || n > maxString || (core.Addr(at) == a+16) != (n <= local) {
		return "", false
	}
	if n > local {
		if capacity, ok := r.Word(a + 16); !ok || capacity < n || capacity > 1<<32 {
			return "", false
		}
	}
	b, err := core.ReadBytes(r.Process.Space, core.Addr(at), n+1)
	if err != nil || b[n] != 0 || strings.IndexByte(string(b[:n]), 0) >= 0 || !utf8.Valid(b[:n]) {
		return "", false
	}
	return string(b[:n]), true
}
