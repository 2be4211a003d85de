package sym

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/core/dwarf"
	"coredbg/core/macho"
	"coredbg/core/sym/lines"
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

// Extent returns the instructions around pc that belong to its line of source, as DWARF has them: from the first to the
// one before the end.
func (t *Table) Extent(pc core.Addr) (at Line, from, end core.Addr, ok bool) {
	e, link, ok := t.locate(pc)
	if !ok {
		return at, 0, 0, false
	}
	l := e.lines()
	l.mu.Lock()
	defer l.mu.Unlock()
	at, first, last, ok := l.dwarf.Extent(link)
	if !ok {
		return at, 0, 0, false
	}
	return at, pc - core.Addr(link-first), pc + core.Addr(last-link), true
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

// Declared returns the path of the file that declares a variable of a module; "" if it is not known.
func (t *Table) Declared(m *core.Module, v *dwarf.Variable) string {
	l := t.module(m).lines()
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.dwarf.Declared(v)
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

// LinesFrom says where the source lines of m come from, if not from its image: a
// separate debug file, or the object files of a debug map; "" if there is neither.
func (t *Table) LinesFrom(m *core.Module) string {
	f := t.module(m).files()
	if f.image == nil || has(f.image, ".debug_info") {
		return ""
	}
	if f.debug != nil {
		return f.debug.Path()
	}
	if of, ok := f.image.(*macho.File); ok {
		switch d := of.DebugMap(); {
		case d == nil:
		case len(d.Objects()) == 1:
			return "the object file " + d.Objects()[0].Path
		default:
			return fmt.Sprintf("the %d object files that its symbol table names", len(d.Objects()))
		}
	}
	return ""
}
