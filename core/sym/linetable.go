package sym

import (
	"cmp"
	"sync"

	"coredbg/core/breakpad"
	"coredbg/core/dwarf"
	"coredbg/core/sym/lines"
	"coredbg/core/sym/pcln"
)

// lineTable is the line information of a module.
type lineTable struct {
	mu    sync.Mutex
	known map[uint64][]lines.Line
	err   error // of objects, or of a Go program's own table
	dwarf *lines.Table

	// listed is the symbol file of Breakpad that has the lines; else nil.
	listed *breakpad.Image
	// objects are the object files that the code was linked from, if these
	// have the line information; else nil.
	objects *objectFiles
	// program has lines of a program of Go that DWARF lacks.
	program func() (*pcln.Table, error)
}

// maxKnownLines bounds the answers that are remembered.
const maxKnownLines = 1 << 15

// newLineTable returns the lines of files, whose debugging information is d, or why there is none.
func newLineTable(f *files, d *dwarf.Data, err error) *lineTable {
	img := f.lineImage()
	t := &lineTable{known: make(map[uint64][]lines.Line), program: f.program}
	if listed, ok := img.(*breakpad.Image); ok {
		t.listed, d, err = listed, nil, nil
	}
	if img == nil {
		d, err = nil, nil
	}
	t.dwarf = lines.Open(img, d, err)
	if t.listed == nil && t.dwarf.None() {
		t.objects = newObjectFiles(f, img)
	}
	return t
}

// find returns the places of a link-time address.
func (t *lineTable) find(link uint64) []lines.Line {
	t.mu.Lock()
	defer t.mu.Unlock()
	if l, ok := t.known[link]; ok {
		return l
	}
	var out []lines.Line
	switch {
	case t.listed != nil:
		for _, l := range t.listed.Lines(link) {
			out = append(out, lines.Line{Func: l.Func, File: l.File, Line: l.Line, Inlined: l.Inlined})
		}
	case t.objects != nil:
		var err error
		if out, err = t.objects.find(link); err != nil {
			t.err = cmp.Or(t.err, err)
		}
	default:
		if out = t.dwarf.Find(link); len(out) == 0 {
			out = t.findGo(link)
		}
	}
	if len(t.known) >= maxKnownLines {
		clear(t.known)
	}
	t.known[link] = out
	return out
}

// findGo returns the places of a link-time address as the program's own function table has them.
func (t *lineTable) findGo(link uint64) []lines.Line {
	p, err := t.program()
	if p == nil {
		t.err = cmp.Or(t.err, err)
		return nil
	}
	out, err := p.Lines(link)
	t.err = cmp.Or(t.err, err)
	return out
}
