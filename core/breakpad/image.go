package breakpad

import (
	"errors"
	"fmt"
	"sync"

	"coredbg/core"
)

// An Image is a symbol file as an image: its symbols, lines and call frame information, at
// link-time addresses. It has no bytes of the image. It is safe for concurrent use.
type Image struct {
	path  string
	arch  *core.Arch
	base  uint64 // link-time address of where the image begins
	size  uint64 // bytes of the image; 0 if unknown
	t     *table
	frame func() []byte
}

// archs are the names of processors in MODULE lines.
var archs = map[string]*core.Arch{"x86_64": core.AMD64, "x86_64h": core.AMD64, "x86": core.I386, "arm64": core.ARM64,
	"arm64e": core.ARM64,
	"arm":    core.ARM, "riscv64": core.RISCV64}

// NewImage reads a symbol file; path is for messages. Base is the link-time address that its
// addresses count from, and size how many bytes the image takes, 0 if that is not known.
func NewImage(src core.Source, path string, base, size uint64) (*Image, error) {
	if src.Size() > maxSize {
		return nil, fmt.Errorf("%s: a symbol file of %d bytes: at most %d are read", path, src.Size(), maxSize)
	}
	b, err := core.SourceSlice(src, 0, int(src.Size()))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	t, err := parse(b)
	if format := (*core.FormatError)(nil); errors.As(err, &format) {
		format.File = path
	}
	if err != nil {
		return nil, err
	}
	f := &Image{path: path, arch: archs[t.arch], base: base, size: size, t: t}
	f.frame = sync.OnceValue(func() []byte { return t.debugFrame(f.arch, base) })
	if f.size == 0 && len(t.funcs) > 0 {
		last := &t.funcs[len(t.funcs)-1]
		f.size = last.addr + last.size
	}
	return f, nil
}

// Path returns the path of the symbol file.
func (f *Image) Path() string { return f.path }

// DebugID returns the debug id of the image, as symbol stores spell it.
func (f *Image) DebugID() string { return f.t.id }

// Section returns .debug_frame, which is written from STACK records.
func (f *Image) Section(name string) (core.Section, error) {
	if name == ".debug_frame" && f.arch != nil {
		if d := f.frame(); len(d) > 0 {
			return core.Section{Name: name, Data: d}, nil
		}
	}
	return core.Section{}, core.ErrNoSection
}

// Segments returns the whole image as one that may be executed.
func (f *Image) Segments() []core.ImageSegment {
	return []core.ImageSegment{{Addr: f.base, MemSize: f.size, Prot: core.Read | core.Exec}}
}

// SectionExtents returns the extents of functions, which guessed sizes of symbols do not
// cross.
func (f *Image) SectionExtents() [][2]uint64 {
	return [][2]uint64{{f.base, f.base + f.size}}
}

// Symbols calls yield for each function and public symbol.
func (f *Image) Symbols(dynamic bool, yield func(core.ImageSymbol) bool) error {
	if dynamic {
		return nil
	}
	for i := range f.t.funcs {
		x := &f.t.funcs[i]
		if !yield(core.ImageSymbol{Name: x.name, Value: f.base + x.addr, Size: x.size, Kind: core.SymFunc, Global: true,
			Defined: true, Section: 1}) {
			return nil
		}
	}
	for i := range f.t.publics {
		x := &f.t.publics[i]
		if !yield(core.ImageSymbol{Name: x.name, Value: f.base + x.addr, Kind: core.SymFunc, Global: true,
			Defined: true, Section: 1}) {
			return nil
		}
	}
	return nil
}
