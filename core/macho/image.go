package macho

import (
	"bytes"
	"encoding/binary"
	"strings"

	"coredbg/core"
)

// A File is a Mach-O image: a file, one part of a universal file, or an image
// as the core's memory has it. It is safe for concurrent use.
type File struct {
	header
	path string

	src  core.Source // of a file; nil for an image in memory
	base int64       // offset in src of the header in bytes

	mem   *core.Space // of an image in memory
	slide core.Addr   // what to add to link-time addresses in mem

	segs     []segment
	uuid     []byte
	id       string // LC_ID_DYLIB, LC_ID_DYLINKER
	symtab   [4]uint32
	starts   [2]uint32 // LC_FUNCTION_STARTS
	startsIn bool
}

// NewFile returns the image in src. Of a universal file it is the part for
// cputype, and among several, the one with the given UUID. The error is a
// *core.FormatError, or wraps core.ErrUnknownFormat if src is no Mach-O file.
func NewFile(src core.Source, path string, cputype uint32, uuid []byte) (*File, error) {
	head, _ := core.SourceSlice(src, 0, 8)
	if len(head) < 8 {
		return nil, &core.FormatError{File: path, Off: 0, Msg: "too short for a Mach-O file"}
	}
	if h, ok := parseHeader(slice(src, 0, headerSize)); ok {
		f := &File{header: h, path: path, src: src}
		f.read(slice(src, headerSize, uint64(h.sizeofcmds)))
		return f, nil
	}
	var found *File
	for _, part := range fatParts(src) {
		h, ok := parseHeader(slice(src, part, headerSize))
		if !ok || h.cputype != cputype {
			continue
		}
		f := &File{header: h, path: path, src: src, base: int64(part)}
		f.read(slice(src, part+headerSize, uint64(h.sizeofcmds)))
		if len(uuid) == 0 || bytes.Equal(f.uuid, uuid) {
			return f, nil
		}
		if found == nil {
			found = f
		}
	}
	if found != nil {
		return found, nil
	}
	return nil, &core.FormatError{File: path, Off: 0, Msg: "not a Mach-O file for the core's processor, it begins with", Val: head[:4]}
}

// maxFat bounds the parts of a universal file: a Java class begins with the same
// word, followed by its version, which is 45 at least.
const maxFat = 44

// fatParts returns the offsets of a universal file's parts (mach-o/fat.h).
func fatParts(src core.Source) (out []uint64) {
	b := slice(src, 0, 8)
	if len(b) < 8 {
		return nil
	}
	be := binary.BigEndian
	n, size := be.Uint32(b[4:]), 20
	switch be.Uint32(b) {
	case magicFat:
	case magicF64:
		size = 32
	default:
		return nil
	}
	if n > maxFat {
		return nil
	}
	for b = slice(src, 8, uint64(n)*uint64(size)); len(b) >= size; b = b[size:] {
		if size == 20 {
			out = append(out, uint64(be.Uint32(b[8:])))
		} else {
			out = append(out, be.Uint64(b[8:]))
		}
	}
	return out
}

// maxHeader bounds the load commands of an image in memory.
const maxHeader = 1 << 20

// NewMemoryFile returns the image whose header lies at base in mem, or nil if
// none does.
func NewMemoryFile(mem *core.Space, base core.Addr) *File {
	b, err := mem.Slice(base, headerSize)
	if err != nil {
		return nil
	}
	h, ok := parseHeader(b)
	if !ok || h.filetype == mhCore {
		return nil
	}
	cmds, _ := mem.Slice(base+headerSize, int(min(h.sizeofcmds, maxHeader)))
	f := &File{header: h, mem: mem}
	f.read(cmds)
	text, ok := f.segment("__TEXT")
	if !ok {
		return nil
	}
	f.slide = base - core.Addr(text.vmaddr)
	return f
}

// read takes the load commands.
func (f *File) read(b []byte) {
	cmds, _ := commands(b, f.ncmds)
	for _, c := range cmds {
		d := c.data
		switch c.cmd {
		case lcSegment64:
			if s, ok := parseSegment(d); ok {
				f.segs = append(f.segs, s)
			}
		case lcUUID:
			if len(d) >= 24 {
				f.uuid = d[8:24:24]
			}
		case lcIDDylib, lcIDDylinker:
			if len(d) >= 12 {
				if at := le.Uint32(d[8:]); uint64(at) < uint64(len(d)) {
					f.id = fixed(d[at:])
				}
			}
		case lcSymtab:
			for i := 0; i < 4 && len(d) >= 24; i++ {
				f.symtab[i] = le.Uint32(d[8+4*i:])
			}
		case lcFunctionStarts:
			if len(d) >= 16 {
				f.starts, f.startsIn = [2]uint32{le.Uint32(d[8:]), le.Uint32(d[12:])}, true
			}
		}
	}
}

func (f *File) segment(name string) (segment, bool) {
	for _, s := range f.segs {
		if s.name == name {
			return s, true
		}
	}
	return segment{}, false
}

// slice returns up to n bytes of src at off; fewer if it ends before.
func slice(src core.Source, off, n uint64) []byte {
	size := uint64(src.Size())
	if off >= size {
		return nil
	}
	b, _ := core.SourceSlice(src, int64(off), int(min(n, size-off)))
	return b
}

// at returns up to n bytes at a link-time address.
func (f *File) at(link, n uint64) []byte {
	for i := range f.segs {
		s := &f.segs[i]
		if link < s.vmaddr || link-s.vmaddr >= s.vmsize {
			continue
		}
		d := link - s.vmaddr
		if f.src == nil {
			b, _ := f.mem.Slice(core.Addr(link)+f.slide, int(min(n, s.vmsize-d, maxLent)))
			return b
		}
		if d >= s.filesize {
			return nil
		}
		return slice(f.src, uint64(f.base)+s.fileoff+d, min(n, s.filesize-d))
	}
	return nil
}

// maxLent bounds what is read of an image in memory at once.
const maxLent = 1 << 30

// fileBytes returns up to n bytes at an offset of the image's file; in memory
// they lie in the segment that was made of them.
func (f *File) fileBytes(off, n uint64) []byte {
	if f.src != nil {
		return slice(f.src, uint64(f.base)+off, n)
	}
	for i := range f.segs {
		if s := &f.segs[i]; off >= s.fileoff && off-s.fileoff < s.filesize {
			return f.at(s.vmaddr+off-s.fileoff, n)
		}
	}
	return nil
}

// Path implements core.Image.
func (f *File) Path() string { return f.path }

// UUID returns what the linker identified the image by (LC_UUID); nil if it did
// not.
func (f *File) UUID() []byte { return f.uuid }

// Section implements core.Image. ELF's spelling of a name is accepted beside
// Mach-O's own: ".eh_frame" is "__eh_frame", and as section names have room for 16
// bytes, ".debug_str_offsets" is "__debug_str_offs". A section without bytes in
// the file has no data.
func (f *File) Section(name string) (core.Section, error) {
	want := name
	if rest, ok := strings.CutPrefix(want, "."); ok {
		want = "__" + rest
	}
	want = want[:min(len(want), 16)]
	for i := range f.segs {
		for _, s := range f.segs[i].sections {
			if s.name != want {
				continue
			}
			out := core.Section{Name: name, Addr: s.addr, Exec: s.flags&attrInstructions != 0}
			switch typ := s.flags & 0xff; {
			case typ == 1 || typ == 0xc || typ == 0x12: // S_ZEROFILL, S_GB_ZEROFILL, S_THREAD_LOCAL_ZEROFILL
			case f.src != nil && s.offset != 0:
				out.Data = f.fileBytes(uint64(s.offset), s.size)
			default:
				out.Data = f.at(s.addr, s.size)
			}
			return out, nil
		}
	}
	return core.Section{}, core.ErrNoSection
}

// attrInstructions is S_ATTR_PURE_INSTRUCTIONS and S_ATTR_SOME_INSTRUCTIONS.
const attrInstructions = 0x80000400

// Segments implements core.Image. __PAGEZERO, which is no memory, is left out.
func (f *File) Segments() []core.ImageSegment {
	out := make([]core.ImageSegment, 0, len(f.segs))
	for _, s := range f.segs {
		if s.name != "__PAGEZERO" {
			out = append(out, core.ImageSegment{Addr: s.vmaddr, Off: s.fileoff, FileSize: s.filesize, MemSize: s.vmsize, Prot: s.prot})
		}
	}
	return out
}
