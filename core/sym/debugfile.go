package sym

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sort"
	"sync"

	"coredbg/core"
	"coredbg/core/breakpad"
	"coredbg/core/elf"
	"coredbg/core/file"
	"coredbg/core/find"
	"coredbg/core/macho"
	"coredbg/core/sym/pcln"
)

// sources closes the debug files that were opened.
type sources struct {
	mu   sync.Mutex
	list []core.Source
}

func (s *sources) add(src core.Source) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, src)
}

// Close closes them; it is called by the process.
func (s *sources) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, src := range s.list {
		errs = append(errs, src.Close())
	}
	s.list = nil
	return errors.Join(errs...)
}

// files are a module's image, its separate debug file and its .gnu_debugdata.
type files struct {
	image  core.Image
	debug  core.Image // the separate debug file, or nil
	tables []symbols
	err    error // why there is no image, or no debug file that there should be

	find        find.Finder
	opened      *sources
	allowRemote bool // servers may be asked

	golang func() (*pcln.Table, error) // the function table of a program of Go; nil if there is no process
}

// program returns the image's function table if it is a program of Go, else nil.
func (f *files) program() (*pcln.Table, error) {
	switch {
	case f.golang != nil:
		return f.golang()
	case f.image == nil:
		return nil, nil
	}
	return pcln.Open(pcln.Program{Image: f.image})
}

// symbols is a symbol table of an image.
type symbols struct {
	image   core.Image
	dynamic bool
}

// expected returns about how many symbols the table has, for memory's sake.
func (s symbols) expected() int {
	name := ".symtab"
	if s.dynamic {
		name = ".dynsym"
	}
	t, err := s.image.Section(name)
	if err != nil {
		return 0
	}
	return len(t.Data) / 24 // sizeof(Elf64_Sym)
}

// expected returns about how many symbols all tables have.
func (f *files) expected() (n int) {
	for _, t := range f.tables {
		n += t.expected()
	}
	return n
}

// openFiles opens the files of m; allowRemote lets servers be asked for them.
func openFiles(m *core.Module, from find.Finder, order binary.ByteOrder, opened *sources, allowRemote bool) *files {
	facts := m.Facts()
	f := &files{image: facts.Image, find: from, opened: opened, allowRemote: allowRemote}
	if f.image == nil {
		f.err = facts.Err
		if f.err == nil {
			f.err = errors.New("neither a file nor headers in memory")
		}
		return f
	}
	f.tables = []symbols{{f.image, false}, {f.image, true}}
	if _, ok := f.image.(*breakpad.Image); ok {
		f.tables = f.tables[:1]
		return f
	}
	// An image with both needs no second file.
	if has(f.image, ".symtab") && has(f.image, ".debug_info") {
		return f
	}
	f.debug, f.err = openDebug(m, facts, from, order, opened, allowRemote)
	if f.debug != nil {
		f.tables = append(f.tables, symbols{f.debug, false})
	}
	if mini, err := openDebugData(f.image); mini != nil {
		f.tables = append(f.tables, symbols{mini, false})
	} else if f.err == nil {
		f.err = err
	}
	return f
}

func has(i core.Image, section string) bool {
	s, err := i.Section(section)
	return err == nil && len(s.Data) > 0
}

// openDebug opens the module's separate debug file, nil if there is none.
func openDebug(m *core.Module, facts core.ModuleFacts, from find.Finder, order binary.ByteOrder, opened *sources,
	allowRemote bool) (core.Image, error) {
	link, crc := debugLink(facts.Image, order)
	if from == nil || len(facts.BuildID) == 0 && link == "" && m.DebugID == "" {
		return nil, nil
	}
	got := from.Find(context.Background(), find.Want{Kind: find.Debug, ID: facts.BuildID, Link: link, CRC: crc,
		Near: cmp.Or(facts.Image.Path(), m.Path), DebugID: m.DebugID, DebugName: m.DebugName, AllowRemote: allowRemote})
	if got.Source == nil {
		return nil, errors.Join(got.Refused...)
	}
	opened.add(got.Source)
	img, err := newDebugImage(got.Source, got.From, facts)
	if err != nil {
		return nil, fmt.Errorf("debug file %s: %w", got.From, err)
	}
	return img, nil
}

// newDebugImage opens a debug file in the format of its image. That of a Mach-O
// image serves only where the image was linked to the same addresses: the builder
// of the shared cache gives its images others.
func newDebugImage(src core.Source, from string, facts core.ModuleFacts) (core.Image, error) {
	if breakpad.Is(src) {
		base, end := extentOf(facts.Image)
		return breakpad.NewImage(src, from, base, end-base)
	}
	of, ok := facts.Image.(*macho.File)
	if !ok {
		return elf.NewFile(src, from)
	}
	f, err := macho.NewFile(src, from, 0, facts.BuildID)
	if err != nil {
		return nil, err
	}
	if f.Base() != of.Base() {
		return nil, errors.New("its image has other addresses")
	}
	return f, nil
}

// extentOf returns the link-time addresses that an image begins and ends at.
func extentOf(i core.Image) (start, end uint64) {
	of, machO := i.(*macho.File)
	for n, s := range i.Segments() {
		if a := s.Addr &^ 0xfff; n == 0 || a < start {
			start = a
		}
		end = max(end, s.Addr+s.MemSize)
	}
	if machO {
		start = uint64(of.Base())
	}
	return start, max(start, end)
}

// debugLink returns what a .gnu_debuglink section says: a file name, then
// after padding to 4 bytes the file's CRC (GDB manual, "Debugging Information
// in Separate Files").
func debugLink(i core.Image, order binary.ByteOrder) (name string, crc uint32) {
	s, err := i.Section(".gnu_debuglink")
	if err != nil {
		return "", 0
	}
	end := bytes.IndexByte(s.Data, 0)
	if at := (end + 4) &^ 3; end > 0 && at+4 <= len(s.Data) {
		return string(s.Data[:end]), order.Uint32(s.Data[at:])
	}
	return "", 0
}

// maxDebugData is the most that .gnu_debugdata may unpack to, in bytes. A whole browser takes 20 MiB.
const maxDebugData = 256 << 20

// openDebugData opens the image that .gnu_debugdata holds, compressed by xz:
// the symbols of functions that are not in .dynsym (GDB manual,
// "MiniDebugInfo").
func openDebugData(i core.Image) (core.Image, error) {
	s, err := i.Section(".gnu_debugdata")
	if err != nil || len(s.Data) == 0 {
		return nil, nil
	}
	data, err := file.Decompress(s.Data, min(maxDebugData, file.Plausible(len(s.Data))))
	if err != nil {
		return nil, fmt.Errorf(".gnu_debugdata: %w", err)
	}
	img, err := elf.NewFile(core.Bytes(data), i.Path()+" (.gnu_debugdata)")
	if err != nil {
		return nil, fmt.Errorf(".gnu_debugdata: %w", err)
	}
	return img, nil
}

// ends returns the extents that a symbol's guessed size may not cross: sections, or segments if there
// are no section headers.
func (f *files) ends() []extent {
	if f.image == nil {
		return nil
	}
	var out []extent
	if s, ok := f.image.(interface{ SectionExtents() [][2]uint64 }); ok {
		for _, e := range s.SectionExtents() {
			out = append(out, extent{e[0], e[1]})
		}
	}
	if len(out) == 0 {
		for _, s := range f.image.Segments() {
			if end := s.Addr + max(s.MemSize, s.FileSize); end > s.Addr {
				out = append(out, extent{s.Addr, end})
			}
		}
	}
	slices.SortFunc(out, func(a, b extent) int { return cmp.Compare(a.start, b.start) })
	return out
}

// lineImage returns the image that has the line information, or nil.
func (f *files) lineImage() core.Image {
	if f.image != nil && !has(f.image, ".debug_info") && f.debug != nil {
		return f.debug
	}
	return f.image
}

// extent is a range of link-time addresses; end is exclusive.
type extent struct{ start, end uint64 }

// endOf returns the end of the extent that holds a, or a if there is no such extent.
func endOf(ends []extent, a uint64) uint64 {
	i := sort.Search(len(ends), func(i int) bool { return ends[i].start > a }) - 1
	if i < 0 || a >= ends[i].end {
		return a
	}
	return ends[i].end
}
