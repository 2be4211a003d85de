package sym

import (
	"path"
	"strings"

	"coredbg/core"
)

// FindInFile returns the symbol that a source file of an object defines. The MDB language names it
// obj`file.c`sym. A static symbol table puts the name of a file before the local symbols that come from
// it (System V gABI, STT_FILE). An object has one global symbol of a name; its line information, if
// any, gives the file. The file may be given as it was compiled, or by its base name.
func (t *Table) FindInFile(object, file, name string) (Symbol, bool) {
	for _, m := range t.modulesNamed(object) {
		if s, ok := t.localOf(m, file, name); ok {
			return s, true
		}
	}
	s, ok := t.Find(object, name)
	if !ok || !s.Global || s.Kind == core.SymTLS {
		return Symbol{}, false
	}
	lines := t.Lines(s.Addr)
	for _, l := range lines {
		if sameFile(l.File, file) {
			return s, true
		}
	}
	return s, len(lines) == 0
}

// localOf returns the local symbol that a file has in the symbol tables of m.
func (t *Table) localOf(m *core.Module, file, name string) (s Symbol, ok bool) {
	f := t.module(m).files()
	for _, table := range f.tables {
		if table.dynamic {
			continue
		}
		in := false
		// An error leaves what was read before it, and is for ::objects to report.
		_ = table.image.Symbols(false, func(y core.ImageSymbol) bool {
			if y.Kind == core.SymFile {
				in = sameFile(string(y.Name), file)
				return true
			}
			if !in || y.Global || !namesPlace(&y) {
				return true
			}
			if spelt := string(y.Name); spelt != name && Demangle(spelt, true) != name {
				return true
			}
			e := entry{addr: y.Value, size: y.Size, name: y.Name, kind: y.Kind, guessed: y.Size == 0}
			s, ok = e.place(m, m.Facts().Bias), true
			return false
		})
		if ok {
			return s, true
		}
	}
	return Symbol{}, false
}

// sameFile reports whether a path is the one given, or ends in it.
func sameFile(full, given string) bool {
	return full == given || path.Base(full) == given || strings.HasSuffix(full, "/"+given)
}
