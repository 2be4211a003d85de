package elf

import (
	stdelf "debug/elf"

	"coredbg/core"
)

// Whole reports whether all bytes of the image's file are available: the image is not in memory, and a
// bundle holds the whole file.
func (f *File) Whole() bool {
	if f.exec.src == nil || f.path == "" {
		return false
	}
	start, end := core.SourceData(f.exec.src, 0)
	return start == 0 && end >= f.exec.src.Size()
}

// SymbolTable returns the bytes of a symbol table and of its names. NameOff of core.ImageSymbol is an
// offset in the names. Both are nil if there is no such table. It returns false if they are not whole
// in sections of the file.
func (f *File) SymbolTable(dynamic bool) (table, names []byte, ok bool) {
	sections, err := f.sections()
	if err != nil || len(sections) == 0 || !f.Whole() {
		return nil, nil, false
	}
	want := stdelf.SHT_SYMTAB
	if dynamic {
		want = stdelf.SHT_DYNSYM
	}
	for i := range sections {
		if sections[i].Type != want {
			continue
		}
		s, err := f.sectionData(&sections[i], sections[i].Name)
		strs, serr := f.linked(sections, sections[i].Link)
		if err != nil || serr != nil || strs.pieces != nil {
			return nil, nil, false
		}
		return s.Data, strs.data, true
	}
	// Without one of its own the dynamic table is what the dynamic linker reads.
	_, other := f.synthetic(".dynsym")
	return nil, nil, !dynamic || !other
}
