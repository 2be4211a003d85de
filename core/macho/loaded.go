package macho

import (
	"cmp"
	"slices"

	"coredbg/core"
	"coredbg/core/macho/format"
)

// Queries of a process that has loaded an image.

// Header returns the header of the image.
func (f *File) Header() format.Header { return f.head }

// InSharedCache reports whether the image was made for dyld's shared cache.
func (f *File) InSharedCache() bool { return f.head.Flags&format.MHDylibInCache != 0 }

// ID returns the path that the image gives itself (LC_ID_DYLIB, LC_ID_DYLINKER); "" if it gives no
// path.
func (f *File) ID() string { return f.id }

// Libraries returns the libraries that the image loads, in the order of their ordinals.
func (f *File) Libraries() []Library { return f.dylibs }

// Slide returns the number to add to link-time addresses of an image in memory to get its addresses
// there.
func (f *File) Slide() core.Addr { return f.slide }

// HasText reports whether the image has a __TEXT segment, whose start is Base.
func (f *File) HasText() bool {
	_, ok := f.segment("__TEXT")
	return ok
}

// Layout returns the segments in the image's order, with __PAGEZERO. The slice must not be changed.
func (f *File) Layout() []format.Segment { return f.segs }

// Cached returns the memory of the shared cache that the image is in, at link-time addresses; nil if
// the image was not made of the cache's files.
func (f *File) Cached() *core.Space {
	if !f.cached {
		return nil
	}
	return f.mem
}

// NewCachedFile returns the image whose header is at an address of the files of a shared cache; nil if
// there is no header. Path is the cache's path; locals gives the local symbols.
func NewCachedFile(mem *core.Space, at core.Addr, path string, locals func() Locals) *File {
	f := NewMemoryFile(mem, at)
	if f != nil {
		f.path, f.cached, f.locals = path, true, locals
	}
	return f
}

// Export returns the entry of the exports trie for a name, as the linker spells it.
func (f *File) Export(name []byte) (Export, bool) { return f.exports().find(name) }

// Damage says which load commands could not be read; nil if all could.
func (f *File) Damage() error { return f.damage }

// Whole reports whether all that the file of an image in memory has is in the core.
func (f *File) Whole() bool {
	if f.mem == nil || f.cached {
		return false
	}
	for i := range f.segs {
		s := &f.segs[i]
		start := core.Addr(s.VMAddr) + f.slide
		for a, end := start, start+core.Addr(min(s.FileSize, s.VMSize)); a < end; {
			seg, ok := f.mem.Find(a)
			if !ok || seg.Kind == core.SegGap {
				return false
			}
			a = seg.End
		}
	}
	return len(f.segs) > 0
}

// Parts returns the places of an image's segments, and its extent: __TEXT and the segments that follow
// it closely. The segments of an image in the shared cache are far from each other, with other images'
// between them.
func (f *File) Parts(bias, load core.Addr) (parts []core.ModulePart, start, end core.Addr) {
	start, end = load, load+1
	for i := range f.segs {
		s := &f.segs[i]
		p := core.ModulePart{Start: core.Addr(s.VMAddr) + bias, End: core.Addr(s.VMAddr+s.VMSize) + bias,
			Off: s.FileOff}
		if p.End <= p.Start || s.Name == "__PAGEZERO" || f.foreign(s) {
			continue
		}
		parts = append(parts, p)
		if f.head.Flags&format.MHDylibInCache == 0 || p.Start == load {
			start, end = min(start, p.Start), max(end, p.End)
		}
	}
	slices.SortFunc(parts, func(a, b core.ModulePart) int { return cmp.Compare(a.Start, b.Start) })
	return parts, start, end
}

// Gaps are where an image's segments lie, to be found there if the core has nothing.
func (f *File) Gaps(bias core.Addr) (out []core.Segment) {
	for _, s := range f.segs {
		if s.Name == "__PAGEZERO" || s.VMSize == 0 || f.foreign(&s) {
			continue
		}
		start := core.Addr(s.VMAddr) + bias
		prot := s.Prot
		if s.ReadOnly {
			prot &^= core.Write
		}
		out = append(out, core.Segment{Start: start, End: start + core.Addr(s.VMSize), Prot: prot, Gap: core.NotDumped})
	}
	return out
}

// foreign reports whether a segment is not the image's alone: __LINKEDIT of all
// images of the shared cache is one.
func (f *File) foreign(s *format.Segment) bool {
	return f.head.Flags&format.MHDylibInCache != 0 && s.Name == "__LINKEDIT"
}
