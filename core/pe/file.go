// Package pe reads images of Windows (Portable Executable), and finds them.
//
// The object chain: the DOS header leads to the PE header; the optional header has the
// directories; sections say where addresses relative to the image (RVAs) are in the file. Of
// the directories three are read: exports for names, exceptions (.pdata) for functions and
// how they are unwound (.xdata), and debug for the id of the PDB. An image is read from its
// file or from memory, where RVAs are offsets.
//
// Unwind information of x64 is given as a section .debug_frame, which says the same: so what
// unwinds by DWARF unwinds by it.
//
// Sources: "PE Format" and "x64 exception handling" of Microsoft's documentation; winnt.h of
// the Windows SDK 10.0.22621.
//
// Map: file.go is the image, exports.go its names, unwind.go .pdata and .xdata, disk.go finds files.
//
// LIMITATIONS: unwind information of x64 only; epilogues are recognised by their instructions,
// as everywhere, so codes of version 2 for them are passed over. PDBs are not read: names
// beyond exports come from symbol files of Breakpad.
package pe

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"sync"

	"coredbg/core"
)

var le = binary.LittleEndian

// Machines (PE Format, "Machine Types").
const (
	machineI386  = 0x14c
	machineAMD64 = 0x8664
	machineARM64 = 0xaa64
)

// Directories of the optional header.
const (
	dirExport    = 0
	dirException = 3
	dirDebug     = 6
)

// maxSections bounds the sections of an image: the loader takes 96.
const maxSections = 1 << 12

// A File is an image. Its link-time addresses are RVAs. It is safe for concurrent use.
type File struct {
	path     string
	src      core.Source // of a file; nil for one in memory
	mem      core.Memory
	at       core.Addr // in memory
	machine  uint16
	stamp    uint32
	size     uint32 // SizeOfImage
	header   uint32 // SizeOfHeaders
	dirs     [16][2]uint32
	sections []section
	frame    func() []byte
}

// A section is an IMAGE_SECTION_HEADER.
type section struct {
	name                   string
	rva, size, off, inFile uint32
	flags                  uint32
}

const (
	flagExec  = 0x20000000
	flagRead  = 0x40000000
	flagWrite = 0x80000000
)

func (s *section) prot() (p core.Prot) {
	if s.flags&flagRead != 0 {
		p |= core.Read
	}
	if s.flags&flagWrite != 0 {
		p |= core.Write
	}
	if s.flags&flagExec != 0 {
		p |= core.Exec
	}
	return p
}

// NewFile reads the headers of an image in a file; path is for messages.
func NewFile(src core.Source, path string) (*File, error) {
	f := &File{path: path, src: src}
	if err := f.read(); err != nil {
		err.File = path
		return nil, err
	}
	return f, nil
}

// NewMemoryFile returns the image at an address, or nil if there is none.
func NewMemoryFile(mem core.Memory, at core.Addr) *File {
	f := &File{mem: mem, at: at}
	if f.read() != nil {
		return nil
	}
	return f
}

// head returns n bytes of the headers, which are in the file as in memory.
func (f *File) head(off, n uint32) []byte {
	if f.src == nil {
		b := make([]byte, n)
		got, _ := f.mem.ReadAt(b, f.at+core.Addr(off))
		return b[:got]
	}
	if int64(off) >= f.src.Size() {
		return nil
	}
	b, _ := core.SourceSlice(f.src, int64(off), int(min(int64(n), f.src.Size()-int64(off))))
	return b
}

func (f *File) read() *core.FormatError {
	dos := f.head(0, 64)
	if len(dos) < 64 || string(dos[:2]) != "MZ" {
		return &core.FormatError{Off: 0, Msg: "not an image of Windows: no DOS header"}
	}
	at := le.Uint32(dos[60:])
	h := f.head(at, 24)
	if at > 1<<24 || len(h) < 24 || string(h[:4]) != "PE\x00\x00" {
		return &core.FormatError{Off: int64(at), Msg: "not an image of Windows: no PE header"}
	}
	f.machine, f.stamp = le.Uint16(h[4:]), le.Uint32(h[8:])
	optSize := uint32(le.Uint16(h[20:]))
	opt := f.head(at+24, optSize)
	dirs := 112
	if len(opt) >= 2 && le.Uint16(opt) == 0x10b {
		dirs = 96
	}
	if len(opt) < dirs {
		return &core.FormatError{Off: int64(at) + 24, Msg: "an image of Windows whose optional header is too short"}
	}
	f.size, f.header = le.Uint32(opt[56:]), le.Uint32(opt[60:])
	n := min(le.Uint32(opt[dirs-4:]), uint32(len(f.dirs)))
	for i := range int(n) {
		if d := dirs + 8*i; d+8 <= len(opt) {
			f.dirs[i] = [2]uint32{le.Uint32(opt[d:]), le.Uint32(opt[d+4:])}
		}
	}
	count := min(uint32(le.Uint16(h[6:])), maxSections)
	table := f.head(at+24+optSize, 40*count)
	for ; len(table) >= 40; table = table[40:] {
		name := table[:8]
		if i := bytes.IndexByte(name, 0); i >= 0 {
			name = name[:i]
		}
		f.sections = append(f.sections, section{string(name), le.Uint32(table[12:]), max(le.Uint32(table[8:]),
			le.Uint32(table[16:])), le.Uint32(table[20:]), le.Uint32(table[16:]), le.Uint32(table[36:])})
	}
	f.frame = sync.OnceValue(f.debugFrame)
	return nil
}

// bytes returns up to n bytes at an RVA: fewer if the section, the file or memory ends before.
func (f *File) bytes(rva, n uint32) []byte {
	if n > f.size {
		n = f.size
	}
	if f.src == nil {
		b, _ := core.ReadBytes(f.mem, f.at+core.Addr(rva), uint64(n))
		return b
	}
	for i := range f.sections {
		s := &f.sections[i]
		if d := rva - s.rva; rva >= s.rva && d < s.inFile {
			off := int64(s.off) + int64(d)
			if off >= f.src.Size() {
				return nil
			}
			b, _ := core.SourceSlice(f.src, off, int(min(int64(min(n, s.inFile-d)), f.src.Size()-off)))
			return b
		}
	}
	return nil
}

// Path returns the path of the file; "" for memory.
func (f *File) Path() string { return f.path }

// Segments returns the headers and the sections.
func (f *File) Segments() []core.ImageSegment {
	out := []core.ImageSegment{{FileSize: uint64(f.header), MemSize: uint64(f.header), Prot: core.Read}}
	for i := range f.sections {
		s := &f.sections[i]
		out = append(out, core.ImageSegment{Addr: uint64(s.rva), Off: uint64(s.off), FileSize: uint64(s.inFile),
			MemSize: uint64(s.size), Prot: s.prot()})
	}
	return out
}

// Section returns a section by its name, and .debug_frame, which is made of the unwind
// information.
func (f *File) Section(name string) (core.Section, error) {
	if name == ".debug_frame" {
		if d := f.frame(); len(d) > 0 {
			return core.Section{Name: name, Data: d}, nil
		}
		return core.Section{}, core.ErrNoSection
	}
	for i := range f.sections {
		if s := &f.sections[i]; s.name == name {
			return core.Section{Name: name, Addr: uint64(s.rva), Data: f.bytes(s.rva, s.size),
				Exec: s.flags&flagExec != 0}, nil
		}
	}
	return core.Section{}, core.ErrNoSection
}

// SectionExtents returns the extents of the sections.
func (f *File) SectionExtents() (out [][2]uint64) {
	for i := range f.sections {
		out = append(out, [2]uint64{uint64(f.sections[i].rva), uint64(f.sections[i].rva) + uint64(f.sections[i].size)})
	}
	return out
}

// DebugID returns what symbol stores know the image by: the GUID and the age of its
// PDB; "" if it names none.
func (f *File) DebugID() string {
	dir := f.dirs[dirDebug]
	const entry, codeView = 28, 2
	for b := f.bytes(dir[0], min(dir[1], 64*entry)); len(b) >= entry; b = b[entry:] {
		if le.Uint32(b[12:]) != codeView {
			continue
		}
		if d := f.bytes(le.Uint32(b[20:]), 24); len(d) == 24 && string(d[:4]) == "RSDS" {
			return fmt.Sprintf("%08X%04X%04X%X%X", le.Uint32(d[4:]), le.Uint16(d[8:]), le.Uint16(d[10:]), d[12:20],
				le.Uint32(d[20:]))
		}
	}
	return ""
}

// Fill fills a gap at an address of the image, which is loaded at bias: code, which nothing
// but its base may change.
func (f *File) Fill(gap core.Segment, bias, a core.Addr) core.Segment {
	rva := uint64(a - bias)
	for i := range f.sections {
		s := &f.sections[i]
		if rva < uint64(s.rva) || rva-uint64(s.rva) >= uint64(s.size) {
			continue
		}
		start := bias + core.Addr(s.rva)
		gap.Start, gap.End = max(gap.Start, start), min(gap.End, start+core.Addr(s.size))
		if gap.ProtUnknown {
			gap.Prot, gap.ProtUnknown = s.prot(), false
		}
		if d := rva - uint64(s.rva); f.src == nil || s.flags&flagExec == 0 || s.flags&flagWrite != 0 ||
			d >= uint64(s.inFile) {
			return gap
		}
		gap.End = min(gap.End, start+core.Addr(s.inFile))
		gap.Kind, gap.Gap, gap.Detail = core.SegFile, 0, ""
		gap.Src, gap.Off = f.src, int64(s.off)+int64(gap.Start-start)
		return gap
	}
	if gap.ProtUnknown {
		gap.Prot, gap.ProtUnknown = core.Read, false // the headers
	}
	return gap
}

// AreaAt returns the area at a link-time address: a section by its name or the headers, and whether that holds
// instructions.
func (f *File) AreaAt(link uint64) (what string, code, ok bool) {
	for i := range f.sections {
		if s := &f.sections[i]; link >= uint64(s.rva) && link-uint64(s.rva) < uint64(s.size) {
			return s.name, s.flags&flagExec != 0, true
		}
	}
	return "the PE header", false, link < uint64(f.header)
}
