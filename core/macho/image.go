package macho

import (
	"sync"

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
	// cached is set if mem is the files of a shared cache. Locals, if it is set,
	// gives the symbols that the builder of the cache took out.
	cached bool
	locals func() localSymbols

	damage   error // what of the load commands could not be read
	segs     []segment
	uuid     []byte
	id       string   // LC_ID_DYLIB, LC_ID_DYLINKER
	dylibs   []needed // in the order that library ordinals count
	symtab   [4]uint32
	indirect part // the indirect symbol table: its size counts words
	exportsAt, fixupsAt, startsAt,
	rebaseAt, bindAt, weakBindAt, lazyBindAt part

	sections func() []extent
	starts   func() []uint64
	mu       sync.Mutex
	unpacked map[string][]byte // of compressed sections
	fixed    map[int]*fixedSegment
	fixer    func() fixer
}

// A part is a piece of __LINKEDIT, as a load command gives it: its offset in the
// file and its size in bytes.
type part struct{ off, size uint32 }

// A needed is a library that an image wants to be loaded.
type needed struct {
	path     string
	reexport bool // its symbols count as this image's
}

// init sets up what is found on first use.
func (f *File) init() *File {
	f.sections = sync.OnceValue(f.findExtents)
	f.starts = sync.OnceValue(f.readStarts)
	f.fixer = sync.OnceValue(f.newFixer)
	return f
}

// maxHeader bounds the load commands of an image in memory.
const maxHeader = 1 << 18

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
	f := (&File{header: h, mem: mem}).init()
	f.read(cmds)
	text, ok := f.segment("__TEXT")
	if !ok {
		return nil
	}
	f.slide = base - core.Addr(text.vmaddr)
	return f
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

// linkEdit returns a piece of __LINKEDIT.
func (f *File) linkEdit(p part) []byte { return f.fileBytes(uint64(p.off), uint64(p.size)) }

// fileBytes returns up to n bytes at an offset of the image's file; in memory
// they lie in the segment that was made of them. That is asked first which is
// made to be found this way: the others of an image in the shared cache may be from
// other files, with offsets of their own.
func (f *File) fileBytes(off, n uint64) []byte {
	if f.src != nil {
		return slice(f.src, uint64(f.base)+off, n)
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
			if (s.name == "__LINKEDIT") == edit && off >= s.fileoff && off-s.fileoff < s.filesize {
				return s.vmaddr + off - s.fileoff, true
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
		if s.name != "__PAGEZERO" {
			out = append(out, core.ImageSegment{Addr: s.vmaddr, Off: s.fileoff, FileSize: s.filesize, MemSize: s.vmsize, Prot: s.prot})
		}
	}
	return out
}
