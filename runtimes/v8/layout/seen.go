package layout

// The tables here describe structures that are recognized by their contents alone: nothing in an image says
// which variant a core has, so a reader tries them all and takes the one that fits. Numbers are offsets in
// bytes.

// A Page has the offsets of fields in the header of a page of the heap: from the chunk's start, or from the
// start of its metadata.
type Page struct {
	// Metadata is the offset of a pointer to the object that the other
	// numbers but Flags are about; 0 if they are about the chunk itself.
	Metadata            int
	Flags, Size         int
	Heap                int
	AreaStart, AreaEnd  int
	OwnerFirst, OwnerTo int    // the Space is among the words between
	Chunk               uint64 // bytes of a page of many objects; 0 for ChunkSize
}

// Bytes returns the bytes of a page of many objects.
func (p *Page) Bytes() uint64 {
	if p.Chunk != 0 {
		return p.Chunk
	}
	return ChunkSize
}

// Pages are the headers of the known versions, newest first. The one that fits most chunks of a core is taken,
// whatever its version.
//
// Sources: heap/spaces.h @ 7.4 and 7.8, heap/basic-memory-chunk.h @ 8.4 and 9.4, heap/memory-chunk-header.h @
// 12.4, heap/memory-chunk-metadata.h @ 13.6.
var Pages = []Page{
	{Metadata: 8, Flags: 0, Size: 48, Heap: 64, AreaStart: 72, AreaEnd: 56, OwnerFirst: 24, OwnerTo: 128},
	{Flags: 0, Size: 16, Heap: 24, AreaStart: 32, AreaEnd: 40, OwnerFirst: 48, OwnerTo: 160},
	// 12.3.219 of workerd 1.20240403 has it
	{Flags: 0, Size: 8, Heap: 16, AreaStart: 24, AreaEnd: 32, OwnerFirst: 40, OwnerTo: 160},
	{Flags: 8, Size: 0, Heap: 16, AreaStart: 24, AreaEnd: 32, OwnerFirst: 40, OwnerTo: 160},
	{Flags: 8, Size: 0, Heap: 24, AreaStart: 32, AreaEnd: 40, OwnerFirst: 48, OwnerTo: 160},
	{Flags: 8, Size: 0, Heap: 24, AreaStart: 40, AreaEnd: 48, OwnerFirst: 56, OwnerTo: 160},
	{Flags: 8, Size: 0, Heap: 48, AreaStart: 72, AreaEnd: 80, OwnerFirst: 64, OwnerTo: 160, Chunk: 512 << 10},
}

// Bits of MemoryChunk::Flag that have not changed since V8 7.8;
// heap/memory-chunk.h, heap/memory-chunk-layout.h.
const (
	PageExecutable = 1 << 0
	PageFrom       = 1 << 3
	PageTo         = 1 << 4
)

// A WasmCode is where the object of that name has its fields.
type WasmCode struct {
	Native, Start int
	Size          int // of 4 bytes
	// Meta is the pointer to the tables, which follow one another: protected instructions, relocations,
	// positions, from V8 11 on expanded calls. The 4-byte fields are their sizes; the size of expanded calls
	// follows the size of positions, if there is room for it.
	Meta, Protected, Reloc, Positions int
	Index                             int
	// Separate is set while the position table had a pointer of its own, at
	// Meta.
	Separate bool
}

// WasmCodes are the known layouts, from wasm/wasm-code-manager.h, the newest first. The one that fits a core is
// used.
var WasmCodes = []WasmCode{
	{Native: 0, Start: 8, Meta: 24, Size: 32, Reloc: 36, Positions: 40, Protected: 52, Index: 56}, // 13.6
	{Native: 0, Start: 8, Meta: 16, Size: 24, Reloc: 28, Positions: 32, Protected: 44, Index: 48}, // 12
	{Native: 0, Start: 8, Meta: 16, Size: 24, Reloc: 28, Positions: 32, Protected: 40, Index: 44},
	{Native: 0, Start: 8, Meta: 16, Size: 24, Reloc: 28, Positions: 32, Protected: 36, Index: 40},
	{Native: 0, Start: 8, Meta: 24, Size: 32, Reloc: 36, Positions: 40, Protected: 48, Index: 52},
	{Native: 0, Start: 8, Meta: 24, Size: 32, Reloc: 36, Positions: 40, Protected: 44, Index: 48}, // 9
	{Native: 16, Start: 0, Size: 8, Meta: 24, Reloc: 32, Positions: 36, Protected: 40, Index: 44}, // 8.4
	{Native: 48, Start: 0, Size: 8, Meta: 32, Positions: 40, Index: 56, Separate: true},           // 7.8
}
