package dex

import (
	"encoding/binary"
	"errors"
	"fmt"

	"coredbg/core"
)

// A File is a dex file in some memory. It is safe for concurrent use if the
// memory is.
type File struct {
	Header
	// Begin is the address of the header.
	Begin core.Addr
	// Data is what offsets of the data section are relative to: Begin, but
	// for compact dex (the shared data section) and for the later files of a
	// container (the container's first header).
	Data core.Addr
	// DataLimit is the size in bytes of the data at Data, by the header: no offset may exceed it.
	DataLimit uint32

	mem core.Memory
	ids core.Addr // what the offsets of the tables of ids are relative to
}

// A Header is a dex file's header_item. Offsets and sizes are in bytes, but
// for the sizes of tables, which are in rows.
type Header struct {
	Compact   bool // compact dex
	Version   int  // 35 to 41; 1 of compact dex
	Checksum  uint32
	Signature [20]byte
	FileSize, HeaderSize,
	LinkSize, LinkOff, MapOff uint32

	StringIDs, TypeIDs, ProtoIDs, FieldIDs, MethodIDs, ClassDefs Table

	DataSize, DataOff uint32

	// ContainerSize and HeaderOff exist in version 041: the size of all files that share data, and the header's
	// offset in the container.
	ContainerSize, HeaderOff uint32

	// CompactHeader is what compact dex adds.
	CompactHeader
}

// A Table is the place of a table in a file: rows, and offset in bytes.
type Table struct{ Size, Off uint32 }

// CompactHeader is what the header of compact dex adds to the standard one
// (CompactDexFile::Header).
type CompactHeader struct {
	FeatureFlags uint32 // bit 0: default methods
	// DebugInfoOffsetsPos is where the table of debug info offsets is in the
	// data section, DebugInfoTableOff where its index is within it, and
	// DebugInfoBase the least offset of all.
	DebugInfoOffsetsPos, DebugInfoTableOff, DebugInfoBase uint32
	// OwnedDataBegin and OwnedDataEnd bound what no other file shares.
	OwnedDataBegin, OwnedDataEnd uint32
}

// Sizes of headers in bytes.
const (
	headerSize        = 0x70
	headerSize41      = 0x78
	compactHeaderSize = 0x88
)

// NoIndex is the index that stands for none in a 32-bit field.
const NoIndex = 0xffffffff

// ErrNotDex is returned for memory that does not begin as a dex file does.
var ErrNotDex = errors.New("not a dex file")

// Magic reports whether b begins as a dex file does: "dex\n" or "cdex", three
// digits and a NUL.
func Magic(b []byte) bool {
	if len(b) < 8 || b[7] != 0 || string(b[:4]) != "dex\n" && string(b[:4]) != "cdex" {
		return false
	}
	for _, c := range b[4:7] {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// Parse returns the dex file that b begins with; its addresses are offsets in
// b. A container's later files are reached with Open at their offset.
func Parse(b []byte) (*File, error) { return Open(Image(b), 0) }

// Image returns bytes as a memory that begins at address 0.
func Image(b []byte) core.Memory {
	return core.NewSpace([]core.Segment{{
		End: core.Addr(len(b)), Kind: core.SegCore, Prot: core.Read, Src: core.Bytes(b),
	}}, nil)
}

// Open returns the dex file whose header is at begin. Nothing but the header
// is read.
func Open(mem core.Memory, begin core.Addr) (*File, error) {
	f := &File{Begin: begin, Data: begin, ids: begin, mem: mem}
	if err := f.readHeader(); err != nil {
		if core.Fault(err) != nil { // which has the address
			return nil, fmt.Errorf("dex: header: %w", err)
		}
		return nil, fmt.Errorf("dex: header at %v: %w", begin, err)
	}
	switch {
	case f.Compact:
		f.Data, f.DataLimit = begin+core.Addr(f.DataOff), f.DataSize
	case f.HeaderSize >= headerSize41:
		f.Data, f.DataLimit = begin-core.Addr(f.HeaderOff), f.ContainerSize
		f.ids = f.Data
	default:
		f.DataLimit = f.FileSize
	}
	return f, nil
}

func (f *File) readHeader() error {
	var b [compactHeaderSize]byte
	if _, err := f.mem.ReadAt(b[:headerSize], f.Begin); err != nil {
		return err
	}
	if !Magic(b[:]) {
		return ErrNotDex
	}
	f.Compact = b[0] == 'c'
	f.Version = int(b[4]-'0')*100 + int(b[5]-'0')*10 + int(b[6]-'0')
	word := func(at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }
	if tag := word(40); tag != 0x12345678 {
		return fmt.Errorf("endian_tag is %#x, not 0x12345678", tag)
	}
	f.Checksum = word(8)
	copy(f.Signature[:], b[12:32])
	f.FileSize, f.HeaderSize = word(32), word(36)
	f.LinkSize, f.LinkOff, f.MapOff = word(44), word(48), word(52)
	for i, t := range []*Table{&f.StringIDs, &f.TypeIDs, &f.ProtoIDs, &f.FieldIDs, &f.MethodIDs, &f.ClassDefs} {
		*t = Table{Size: word(56 + 8*i), Off: word(60 + 8*i)}
	}
	f.DataSize, f.DataOff = word(104), word(108)
	return f.readRest(b[:])
}

// readRest checks the version and reads what it adds to the header.
func (f *File) readRest(b []byte) error {
	want, size := uint32(headerSize), f.HeaderSize
	switch {
	case f.Compact && f.Version != 1:
		return fmt.Errorf("compact dex version %03d is not known", f.Version)
	case f.Compact:
		want = compactHeaderSize
	case f.Version < 35:
		return fmt.Errorf("version %03d is not known", f.Version)
	case f.Version >= 41:
		want = headerSize41
	}
	if size < want {
		return fmt.Errorf("header_size is %#x, less than version %03d has", size, f.Version)
	}
	if _, err := f.mem.ReadAt(b[:want], f.Begin); err != nil {
		return err
	}
	word := func(at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }
	switch want {
	case headerSize41:
		f.ContainerSize, f.HeaderOff = word(112), word(116)
	case compactHeaderSize:
		f.CompactHeader = CompactHeader{
			FeatureFlags: word(112), DebugInfoOffsetsPos: word(116), DebugInfoTableOff: word(120),
			DebugInfoBase: word(124), OwnedDataBegin: word(128), OwnedDataEnd: word(132),
		}
	}
	return nil
}

// VersionString returns "035", or "cdex 001".
func (f *File) VersionString() string {
	if f.Compact {
		return fmt.Sprintf("cdex %03d", f.Version)
	}
	return fmt.Sprintf("%03d", f.Version)
}

// row returns the address of row i of a table of rows of size bytes.
func (f *File) row(name string, t Table, i uint32, size uint32) (core.Addr, error) {
	if i >= t.Size {
		return 0, fmt.Errorf("dex: %s[%d]: the file has %d", name, i, t.Size)
	}
	off := uint64(t.Off) + uint64(i)*uint64(size)
	limit := uint64(f.FileSize)
	if f.ids != f.Begin {
		limit = uint64(f.ContainerSize)
	}
	if off+uint64(size) > limit {
		return 0, fmt.Errorf("dex: %s[%d]: offset %#x is outside the file, which has %#x bytes", name, i, off, limit)
	}
	return f.ids + core.Addr(off), nil
}

// data returns the address of an offset in the data section.
func (f *File) data(name string, off uint32) (core.Addr, error) {
	if off >= f.DataLimit {
		return 0, fmt.Errorf("dex: %s: offset %#x is outside the data, which has %#x bytes", name, off, f.DataLimit)
	}
	return f.Data + core.Addr(off), nil
}

// cursor returns a cursor over the file's memory.
func (f *File) cursor() *core.Cursor { return core.NewCursor(f.mem, binary.LittleEndian, 4) }

// Contains reports whether a is in the file or in the data that it uses.
func (f *File) Contains(a core.Addr) bool {
	return a-f.Begin < core.Addr(f.FileSize) || a-f.Data < core.Addr(f.DataLimit)
}
