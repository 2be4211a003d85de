package sym

import (
	"cmp"
	"errors"
	"slices"
	"sync"

	"coredbg/core"
	"coredbg/core/breakpad"
	"coredbg/core/dwarf"
	"coredbg/core/sym/lines"
	"coredbg/core/sym/pcln"
)

// A Line is a place in the source.
type Line = lines.Line

// Lines returns the source places that the instruction at pc belongs to: the innermost inlined function
// first, the function that holds the code last. For a return address, pc must be in the call, not after
// it (walk's LookupPC). It returns nil if there is no line information.
func (t *Table) Lines(pc core.Addr) []Line {
	e, link, ok := t.locate(pc)
	if !ok {
		return nil
	}
	lines := e.lines().find(link)
	if n := len(lines); n > 0 && !mangled([]byte(lines[n-1].Func)) {
		// DWARF records no linkage name for a function that is local to its file, such as a lambda. The
		// symbol table does.
		if s := e.index().lookup(link); s != nil && s.kind == core.SymFunc && mangled(s.name) {
			lines = slices.Clone(lines)
			lines[n-1].Func = string(s.name)
		}
	}
	return lines
}

// Folders returns the folders that the code at pc was compiled in, by DWARF; nil if they are not
// known.
func (t *Table) Folders(pc core.Addr) []string {
	e, link, ok := t.locate(pc)
	if !ok {
		return nil
	}
	l := e.lines()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.objects != nil {
		return l.objects.folders(link)
	}
	return l.dwarf.Folders(link)
}

// LinesError returns why m has no source lines, or only some; nil if nothing is
// known to be wrong. A module without line information is not an error.
func (t *Table) LinesError(m *core.Module) error {
	l := t.module(m).lines()
	l.mu.Lock()
	defer l.mu.Unlock()
	return cmp.Or(l.err, l.dwarf.Err())
}

// LeftOut says what a lean bundle lacks of m: names of functions, source lines. It
// returns nil if it lacks neither.
func (t *Table) LeftOut(m *core.Module) error {
	l := t.module(m).lines()
	return errors.Join(t.Unnamed(m), l.dwarf.LeftOut())
}

// lineTable is the line information of a module.
type lineTable struct {
	mu    sync.Mutex
	known map[uint64][]Line
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
	t := &lineTable{known: make(map[uint64][]Line), program: f.program}
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

// Declared returns the path of the file that declares a variable of a module; "" if it is not known.
func (t *Table) Declared(m *core.Module, v *dwarf.Variable) string {
	l := t.module(m).lines()
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.dwarf.Declared(v)
}

// find returns the places of a link-time address.
func (t *lineTable) find(link uint64) []Line {
	t.mu.Lock()
	defer t.mu.Unlock()
	if l, ok := t.known[link]; ok {
		return l
	}
	var out []Line
	switch {
	case t.listed != nil:
		for _, l := range t.listed.Lines(link) {
			out = append(out, Line{Func: l.Func, File: l.File, Line: l.Line, Inlined: l.Inlined})
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
func (t *lineTable) findGo(link uint64) []Line {
	p, err := t.program()
	if p == nil {
		t.err = cmp.Or(t.err, err)
		return nil
	}
	out, err := p.Lines(link)
	t.err = cmp.Or(t.err, err)
	return out
}

// A Place is the code of a line of source.
type Place struct {
	Addr core.Addr
	File string
	Line int // the line asked for or, where it has no code, the next one with any
}

// Places returns the code of a line of the files whose path ends in name, of all modules whose debugging information is
// DWARF in their own file or in one that was found already.
func (t *Table) Places(name string, line int) (out []Place) {
	for _, m := range t.p.Modules {
		f := m.Facts()
		if !f.BiasKnown {
			continue
		}
		l := t.module(m).lines()
		l.mu.Lock()
		list := l.dwarf.Places(name, line)
		l.mu.Unlock()
		for _, p := range list {
			if a := f.Bias + core.Addr(p.Addr); m.Contains(a) {
				out = append(out, Place{a, p.File, p.Line})
			}
		}
	}
	return out
}

// Coded returns the lines that have code of each source file whose path ends in name, sorted, in the modules
// whose lines Places knows.
func (t *Table) Coded(name string) (out []int) {
	for _, m := range t.p.Modules {
		l := t.module(m).lines()
		l.mu.Lock()
		out = append(out, l.dwarf.Coded(name)...)
		l.mu.Unlock()
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Files yields the source files that debugging information of m names, until yield returns false. A file may
// come several times. Without DWARF there are none.
func (t *Table) Files(m *core.Module, yield func(path string) bool) {
	l := t.module(m).lines()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dwarf.Files(yield)
}
