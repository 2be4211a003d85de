package macho

import (
	"encoding/binary"
	"sync"

	"coredbg/core"
	"coredbg/core/macho/fixup"
	"coredbg/core/macho/format"
)

// A File is a Mach-O image: a file, one part of a universal file, or an image
// as the core's memory has it. It is safe for concurrent use.
type File struct {
	head format.Header
	path string

	src  core.Source // of a file; nil for an image in memory
	base int64       // offset in src of the header in bytes

	mem   *core.Space // of an image in memory
	slide core.Addr   // what to add to link-time addresses in mem
	// cached is set if mem is the files of a shared cache. Locals, if it is set,
	// gives the symbols that the builder of the cache took out.
	cached bool
	locals func() Locals

	damage   error // why some load commands could not be read
	segs     []format.Segment
	uuid     []byte
	id       string    // LC_ID_DYLIB, LC_ID_DYLINKER
	dylibs   []Library // in the order that library ordinals count
	symtab   [4]uint32
	indirect part // the indirect symbol table: its size counts words
	exportsAt, fixupsAt, startsAt,
	rebaseAt, bindAt, weakBindAt, lazyBindAt part

	sections func() []extent
	starts   func() []uint64
	mu       sync.Mutex
	unpacked map[string][]byte // of compressed sections
	fixed    map[int]*fixedSegment
	fixer    func() fixup.Fixer
}

// A part is a piece of __LINKEDIT, as a load command gives it: its offset in the
// file and its size in bytes.
type part struct{ off, size uint32 }

// A Library is one that an image wants to be loaded.
type Library struct {
	Path     string
	Reexport bool // its symbols count as this image's
}

// init sets up what is found on first use.
func (f *File) init() *File {
	f.sections = sync.OnceValue(f.findExtents)
	f.starts = sync.OnceValue(f.readStarts)
	f.fixer = sync.OnceValue(f.newFixer)
	return f
}

// MaxHeader bounds the load commands of an image in memory.
const MaxHeader = 1 << 18

// NewMemoryFile returns the image whose header is at base in mem; nil if there is no header.
func NewMemoryFile(mem *core.Space, base core.Addr) *File {
	b, err := mem.Slice(base, format.HeaderSize)
	if err != nil {
		return nil
	}
	h, ok := format.ParseHeader(b)
	if !ok || h.FileType == format.MHCore {
		return nil
	}
	cmds, _ := mem.Slice(base+format.HeaderSize, int(min(h.SizeOfCmds, MaxHeader)))
	f := (&File{head: h, mem: mem}).init()
	f.read(cmds)
	text, ok := f.segment("__TEXT")
	if !ok {
		return nil
	}
	f.slide = base - core.Addr(text.VMAddr)
	return f
}

// segment returns the first segment of a name.
func (f *File) segment(name string) (format.Segment, bool) {
	for _, s := range f.segs {
		if s.Name == name {
			return s, true
		}
	}
	return format.Segment{}, false
}

// at returns up to n bytes at a link-time address.
func (f *File) at(link, n uint64) []byte {
	for i := range f.segs {
		s := &f.segs[i]
		if link < s.VMAddr || link-s.VMAddr >= s.VMSize {
			continue
		}
		d := link - s.VMAddr
		if f.src == nil {
			b, _ := f.mem.Slice(core.Addr(link)+f.slide, int(min(n, s.VMSize-d, maxLent)))
			return b
		}
		if d >= s.FileSize {
			return nil
		}
		return format.Slice(f.src, uint64(f.base)+s.FileOff+d, min(n, s.FileSize-d))
	}
	return nil
}

// maxLent bounds the bytes read at once from an image in memory.
const maxLent = 1 << 30

// linkEdit returns a piece of __LINKEDIT.
func (f *File) linkEdit(p part) []byte { return f.fileBytes(uint64(p.off), uint64(p.size)) }

// fileBytes returns up to n bytes at an offset of the image's file. In memory they are in the segment
// that maps that offset. __LINKEDIT comes first: the other segments of an image in the shared cache may
// come from other files, with offsets of their own.
func (f *File) fileBytes(off, n uint64) []byte {
	if f.src != nil {
		return format.Slice(f.src, uint64(f.base)+off, n)
	}
	if link, ok := f.linkAddr(off); ok {
		return f.at(link, n)
	}
	return nil
}

// linkAddr returns the link-time address of the byte at an offset of the file.
func (f *File) linkAddr(off uint64) (uint64, bool) {
	for _, edit := range []bool{true, false} {
		for i := range f.segs {
			s := &f.segs[i]
			if (s.Name == "__LINKEDIT") == edit && off >= s.FileOff && off-s.FileOff < s.FileSize {
				return s.VMAddr + off - s.FileOff, true
			}
		}
	}
	return 0, false
}

// Path implements core.Image.
func (f *File) Path() string { return f.path }

// UUID returns what the linker identified the image by (LC_UUID); nil if it did
// not.
func (f *File) UUID() []byte { return f.uuid }

// Segments implements core.Image. __PAGEZERO, which is not memory, is left out.
func (f *File) Segments() []core.ImageSegment {
	out := make([]core.ImageSegment, 0, len(f.segs))
	for _, s := range f.segs {
		if s.Name != "__PAGEZERO" {
			out = append(out, core.ImageSegment{Addr: s.VMAddr, Off: s.FileOff, FileSize: s.FileSize,
				MemSize: s.VMSize, Prot: s.Prot})
		}
	}
	return out
}

// Base returns the link-time address of the image's header. Two images with one UUID have the same,
// unless one was laid out anew for the shared cache.
func (f *File) Base() uint64 {
	text, _ := f.segment("__TEXT")
	return text.VMAddr
}

// le reads the words of images.
var le = binary.LittleEndian
