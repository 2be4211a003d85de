package v8

import (
	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"encoding/binary"
)

// memory is the memory of a process with V8 in it, and the numbers to read it by.
// Every other reader has one.
type memory struct {
	process *core.Process
	symbols *sym.Table
	space   *core.Space
	order   binary.ByteOrder

	image  *image
	layout *Layout
	types  *types
	frames frameTypes
}

// newMemory returns the memory of a process whose V8 is in img, to be read by l.
func newMemory(t runtimes.Target, img *image, l *Layout) *memory {
	return &memory{
		process: t.Process, symbols: t.Symbols, space: t.Process.Space, order: t.Process.Arch.Order,
		image: img, layout: l,
		types:  newTypes(img.constants),
		frames: newFrameTypes(img.constants),
	}
}

// An area is a stretch of addresses.
type area struct{ start, end core.Addr }

// bytes fills p with the bytes at a and reports whether all of them were there.
func (mem *memory) bytes(p []byte, a core.Addr) bool {
	w, err := mem.space.Window(a)
	if err == nil && len(w) >= len(p) {
		copy(p, w)
		return true
	}
	_, err = mem.space.ReadAt(p, a)
	return err == nil
}

func (mem *memory) word(a core.Addr) (uint64, bool) {
	var b [8]byte
	ok := mem.bytes(b[:], a)
	return mem.order.Uint64(b[:]), ok
}

func (mem *memory) u32(a core.Addr) (uint32, bool) {
	var b [4]byte
	ok := mem.bytes(b[:], a)
	return mem.order.Uint32(b[:]), ok
}

func (mem *memory) u16(a core.Addr) (uint16, bool) {
	var b [2]byte
	ok := mem.bytes(b[:], a)
	return mem.order.Uint16(b[:]), ok
}

// field reads the tagged word at off bytes from the start of the object o.
// It fails if o is no reference, off is unknown, or memory is missing.
func (mem *memory) field(o Tagged, off int) (Tagged, bool) {
	if !o.IsHeap() || off == Unknown {
		return 0, false
	}
	w, ok := mem.word(o.Addr().Add(int64(off)))
	return Tagged(w), ok
}

// smiField reads a Smi.
func (mem *memory) smiField(o Tagged, off int) (int, bool) {
	t, ok := mem.field(o, off)
	return int(t.Smi()), ok && t.IsSmi()
}

// u32Field reads an untagged 32-bit field.
func (mem *memory) u32Field(o Tagged, off int) (uint32, bool) {
	if !o.IsHeap() || off == Unknown {
		return 0, false
	}
	return mem.u32(o.Addr().Add(int64(off)))
}

// fault says why the word at off in o cannot be read.
func (mem *memory) fault(o Tagged, off int) error {
	var b [8]byte
	_, err := mem.space.ReadAt(b[:], o.Addr().Add(int64(off)))
	return err
}

// chunkSize is the alignment of V8's pages: MemoryChunk::kAlignment,
// heap/memory-chunk.h.
const chunkSize = 256 << 10

const pageSize = 4096

// typeNumber returns the instance type of the given name, or -1.
func (mem *memory) typeNumber(name string) int {
	n, ok := mem.types.numbers[name]
	if !ok {
		return -1
	}
	return n
}

// known versions: the oldest and the newest that the table was checked with.
var oldestKnown, newestKnown = v8(7, 4), v8(14, 6)

// uncertain reports whether the table of versions cannot be relied on: where
// its versions were checked, probing would find the same numbers.
func (mem *memory) uncertain() bool {
	ver := mem.image.version
	return ver.Before(oldestKnown.Major, oldestKnown.Minor) || ver.AtLeast(newestKnown.Major, newestKnown.Minor+1)
}
