package sym

import (
	"context"
	"errors"
	"fmt"

	"coredbg/core"
	"coredbg/core/dwarf"
	"coredbg/core/find"
	"coredbg/core/macho"
	"coredbg/core/sym/lines"
)

// objectFiles gives lines of an image whose DWARF stayed in the object files.
type objectFiles struct {
	m      *macho.DebugMap
	from   find.Finder
	opened *sources
	near   string // the image's file
	open   map[int]*objectFile
}

// An objectFile is an object file that was opened, or why it was not.
type objectFile struct {
	o     *macho.Object
	lines *lines.Table
	err   error
}

// newObjectFiles returns nil for an image without a debug map.
func newObjectFiles(f *files, img core.Image) *objectFiles {
	of, ok := img.(*macho.File)
	if !ok || f.find == nil {
		return nil
	}
	m := of.DebugMap()
	if m == nil {
		return nil
	}
	return &objectFiles{m: m, from: f.find, opened: f.opened, near: img.Path(), open: make(map[int]*objectFile)}
}

// find returns the places of a link-time address of the image.
func (s *objectFiles) find(link uint64) ([]lines.Line, error) {
	p, ok := s.m.Find(link)
	if !ok {
		return nil, nil
	}
	f := s.object(p.Object)
	if f.err != nil {
		return nil, f.err
	}
	at, err := f.o.Place(s.m, p, link)
	if err != nil {
		return nil, err
	}
	out := f.lines.Find(at)
	if n := len(out); n > 0 && out[n-1].Func == "" {
		// The size in a debug map reaches to the next function: what fills
		// the place between belongs to none.
		if start := f.lines.Find(at - (link - p.Addr)); len(start) > 0 && start[len(start)-1].Func != "" {
			out = nil
		}
	}
	return out, f.lines.Err()
}

// folders returns the folders that the code at a link-time address of the image was compiled in.
func (s *objectFiles) folders(link uint64) []string {
	p, ok := s.m.Find(link)
	if !ok {
		return nil
	}
	f := s.object(p.Object)
	if f.err != nil {
		return nil
	}
	at, err := f.o.Place(s.m, p, link)
	if err != nil {
		return nil
	}
	return f.lines.Folders(at)
}

// object opens an object file once.
func (s *objectFiles) object(i int) *objectFile {
	if f, ok := s.open[i]; ok {
		return f
	}
	f := &objectFile{}
	s.open[i] = f
	o := s.m.Objects()[i]
	got := s.from.Find(context.Background(), find.Want{Kind: find.Object, Path: o.Path, Near: s.near})
	if got.Source == nil {
		f.err = errors.Join(append(got.Refused,
			fmt.Errorf("the debug map names an object file that is not there: %q", o.Path))...)
		return f
	}
	s.opened.add(got.Source)
	if f.o, f.err = macho.NewObject(got.Source, got.From, o, got.Modified); f.err == nil {
		d, err := dwarf.Open(f.o, dwarf.OrderOf(f.o), nil)
		if d != nil {
			d.Object = true
		}
		f.lines = lines.Open(f.o, d, err)
	}
	return f
}
