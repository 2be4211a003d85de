package layout

import "coredbg/core"

// A tagged field of an object takes a word, or with pointer compression four bytes: the low half of a
// reference, whose other half is the base of the object's cage (common/ptr-compr-inl.h), or a Smi of 31 bits.
// Slots on stacks, in handles and in other memory of the embedder are whole words in all builds. A Tagged is
// always whole, wherever it was read from: see there.

// Slots returns the bytes that n tagged fields take.
func (mem *Memory) Slots(n int) int { return n * mem.Layout.Variant.TaggedSize }

// SlotSize returns the bytes of a tagged field.
func (mem *Memory) SlotSize() int { return mem.Layout.Variant.TaggedSize }

// Compressed reports whether tagged fields are shorter than words.
func (mem *Memory) Compressed() bool { return mem.Layout.Variant.TaggedSize == 4 }

// TaggedAt reads the tagged field at a.
func (mem *Memory) TaggedAt(a core.Addr) (Tagged, bool) {
	if !mem.Compressed() {
		w, ok := mem.Word(a)
		return Tagged(w), ok
	}
	w, ok := mem.U32(a)
	return Decompress(w, mem.cage(a)), ok
}

// Tagged returns the tagged field at the start of data, whose address is a. Data must hold all of it.
func (mem *Memory) Tagged(data []byte, a core.Addr) Tagged {
	if !mem.Compressed() {
		return Tagged(mem.Order.Uint64(data))
	}
	return Decompress(mem.Order.Uint32(data), mem.cage(a))
}

// Full returns the tagged value in a whole word from a stack, a register or a handle. With compressed pointers
// the upper half of such a word may be anything if the value is a Smi. A reference is whole, or compressed if
// optimized code spilled it. Its cage is then the main one; if there are several, it leads nowhere.
func (mem *Memory) Full(w uint64) Tagged {
	switch {
	case !mem.Compressed():
		return Tagged(w)
	case w&1 == 0, w>>32 == 0:
		return Decompress(uint32(w), mem.cage(mem.Main))
	}
	return Tagged(w)
}

// cage returns where the cage begins that tagged fields at a refer to.
func (mem *Memory) cage(a core.Addr) core.Addr {
	if mem.Cage != nil {
		return mem.Cage(a)
	}
	return a &^ (CageSize - 1)
}

// InCage reports whether a is in a cage, so that tagged fields there refer to objects in the same cage.
func (mem *Memory) InCage(a core.Addr) bool {
	base := a &^ (CageSize - 1)
	return mem.Cage == nil || base != 0 && mem.Cage(a) == base
}

// Field reads the tagged word at off bytes from the start of the object o.
// It fails if o is not a reference, off is unknown, or memory is missing.
func (mem *Memory) Field(o Tagged, off int) (Tagged, bool) {
	if !o.IsHeap() || off == Unknown {
		return 0, false
	}
	return mem.TaggedAt(o.Addr().Add(int64(off)))
}

// SmiField reads a Smi.
func (mem *Memory) SmiField(o Tagged, off int) (int, bool) {
	t, ok := mem.Field(o, off)
	return int(t.Smi()), ok && t.IsSmi()
}

// ArrayLength reads the length of a FixedArray, or of one of its kin.
func (mem *Memory) ArrayLength(o Tagged) (int, bool) {
	l := &mem.Layout.FixedArray
	if l.RawLength == 1 {
		n, ok := mem.U32Field(o, l.Length)
		return int(int32(n)), ok
	}
	return mem.SmiField(o, l.Length)
}

// U32Field reads an untagged 32-bit field.
func (mem *Memory) U32Field(o Tagged, off int) (uint32, bool) {
	if !o.IsHeap() || off == Unknown {
		return 0, false
	}
	return mem.U32(o.Addr().Add(int64(off)))
}

// Fault says why the word at off in o cannot be read.
func (mem *Memory) Fault(o Tagged, off int) error {
	var b [8]byte
	_, err := mem.Space.ReadAt(b[:], o.Addr().Add(int64(off)))
	return err
}
