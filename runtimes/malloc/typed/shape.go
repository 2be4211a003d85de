package typed

import "coredbg/core/dwarf"

// A shape is the pointers that a block of a type has.
type shape struct {
	name   string
	size   uint64 // of one element
	many   bool   // elements follow each other to the end of the block
	fields []field
	back   uint64 // how far into the block pointers to it lead
	label  bool   // the name is one for blocks of a container, not a type's
	number int32
}

// A field is a pointer in a shape.
type field struct {
	off   uint64
	name  string      // its path; "" for one that a container has for itself
	elem  *dwarf.Type // what it points to, unless to has that
	to    *shape
	until uint64 // one more than the offset of the pointer to the end of the part in use; 0 if there is no such pointer
}

// count returns how many elements a block of a size has. Allocators round sizes up by two words: if more is
// left over, it is no array, unless sizes are rounded to classes.
func (s *shape) count(size, word uint64, rounded bool) uint64 {
	size -= s.back
	n := size / s.size
	if !rounded && (size < 2*s.size+2*word || size-n*s.size >= 4*word) {
		return 1
	}
	return n
}

// at returns the field that an offset of a block is in, and the number of the element.
func (s *shape) at(off uint64) (f *field, index uint64) {
	if s.size == 0 || off >= s.size && !s.many {
		return nil, 0
	}
	index, off = off/s.size, off%s.size
	for i := range s.fields {
		if s.fields[i].off == off {
			return &s.fields[i], index
		}
	}
	return nil, index
}
