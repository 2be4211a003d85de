package sym

import (
	"errors"
	"fmt"

	"coredbg/core"
	"coredbg/core/macho"
)

// ObjectFiles finds the object files of a debug map; macho.Disk does. A DebugFiles
// may be one.
type ObjectFiles interface {
	// Object returns an object file, or the archive that it is in, and when
	// it was changed last in seconds since 1970; nil if there is none. Near
	// is the file of the image that was linked from it.
	Object(path, near string) (src core.Source, from string, modified uint64, refused []error)
}

// objectFiles gives lines of an image whose DWARF stayed in the object files.
type objectFiles struct {
	m      *macho.DebugMap
	from   ObjectFiles
	opened *sources
	near   string // the image's file
	open   map[int]*objectFile
}

// An objectFile is an object file that was opened, or why it was not.
type objectFile struct {
	o     *macho.Object
	lines *lineTable
	err   error
}

// newObjectFiles returns nil for an image without a debug map.
func newObjectFiles(f *files, img core.Image) *objectFiles {
	of, ok := img.(*macho.File)
	find, can := f.find.(ObjectFiles)
	if !ok || !can {
		return nil
	}
	m := of.DebugMap()
	if m == nil {
		return nil
	}
	return &objectFiles{m: m, from: find, opened: f.opened, near: img.Path(), open: make(map[int]*objectFile)}
}

// find returns the places of a link-time address of the image.
func (s *objectFiles) find(link uint64) ([]Line, error) {
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
	lines := f.lines.find(at)
	if n := len(lines); n > 0 && lines[n-1].Func == "" {
		// The size in a debug map reaches to the next function: what fills
		// the place between belongs to none.
		if start := f.lines.find(at - (link - p.Addr)); len(start) > 0 && start[len(start)-1].Func != "" {
			lines = nil
		}
	}
	return lines, f.lines.err
}

// object opens an object file once.
func (s *objectFiles) object(i int) *objectFile {
	if f, ok := s.open[i]; ok {
		return f
	}
	f := &objectFile{}
	s.open[i] = f
	o := s.m.Objects()[i]
	src, from, modified, refused := s.from.Object(o.Path, s.near)
	if src == nil {
		f.err = errors.Join(append(refused, fmt.Errorf("the debug map names an object file that is not there: %q", o.Path))...)
		return f
	}
	s.opened.add(src)
	if f.o, f.err = macho.NewObject(src, from, o, modified); f.err == nil {
		f.lines = openLineTable(f.o, true)
	}
	return f
}
