package v8

import (
	"coredbg/core"
)

// An area is a stretch of addresses.
type area struct{ start, end core.Addr }

// bytes fills p with the bytes at a and reports whether all of them were there.
func (v *V8) bytes(p []byte, a core.Addr) bool {
	w, err := v.space.Window(a)
	if err == nil && len(w) >= len(p) {
		copy(p, w)
		return true
	}
	_, err = v.space.ReadAt(p, a)
	return err == nil
}

func (v *V8) word(a core.Addr) (uint64, bool) {
	var b [8]byte
	ok := v.bytes(b[:], a)
	return v.order.Uint64(b[:]), ok
}

func (v *V8) u32(a core.Addr) (uint32, bool) {
	var b [4]byte
	ok := v.bytes(b[:], a)
	return v.order.Uint32(b[:]), ok
}

func (v *V8) u16(a core.Addr) (uint16, bool) {
	var b [2]byte
	ok := v.bytes(b[:], a)
	return v.order.Uint16(b[:]), ok
}

// field reads the tagged word at off bytes from the start of the object o.
// It fails if o is no reference, off is unknown, or memory is missing.
func (v *V8) field(o Tagged, off int) (Tagged, bool) {
	if !o.IsHeap() || off == Unknown {
		return 0, false
	}
	w, ok := v.word(o.Addr().Add(int64(off)))
	return Tagged(w), ok
}

// smiField reads a Smi.
func (v *V8) smiField(o Tagged, off int) (int, bool) {
	t, ok := v.field(o, off)
	return int(t.Smi()), ok && t.IsSmi()
}

// u32Field reads an untagged 32-bit field.
func (v *V8) u32Field(o Tagged, off int) (uint32, bool) {
	if !o.IsHeap() || off == Unknown {
		return 0, false
	}
	return v.u32(o.Addr().Add(int64(off)))
}

// fault says why the word at off in o cannot be read.
func (v *V8) fault(o Tagged, off int) error {
	var b [8]byte
	_, err := v.space.ReadAt(b[:], o.Addr().Add(int64(off)))
	return err
}

// chunkSize is the alignment of V8's pages: MemoryChunk::kAlignment,
// heap/memory-chunk.h.
const chunkSize = 256 << 10

const pageSize = 4096

// typeNumber returns the instance type of the given name, or -1.
func (v *V8) typeNumber(name string) int {
	n, ok := v.types.numbers[name]
	if !ok {
		return -1
	}
	return n
}

// known versions: the oldest and the newest that the table was checked with.
var oldestKnown, newestKnown = v8(7, 4), v8(14, 6)

// uncertain reports whether the table of versions cannot be relied on: where
// its versions were checked, probing would find the same numbers.
func (v *V8) uncertain() bool {
	ver := v.image.version
	return ver.Before(oldestKnown.Major, oldestKnown.Minor) || ver.AtLeast(newestKnown.Major, newestKnown.Minor+1)
}
