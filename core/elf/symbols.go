package elf

import (
	stdelf "debug/elf"
	"fmt"

	"coredbg/core"
	"coredbg/core/elf/format"
)

// Symbols calls yield for each symbol of the static table, or of the dynamic
// one, until it returns false. Names are lent. An absent table is not an error;
// a table that the file cuts off gives the symbols before the cut and an error.
func (f *File) Symbols(dynamic bool, yield func(core.ImageSymbol) bool) error {
	want, name := stdelf.SHT_SYMTAB, ".symtab"
	if dynamic {
		want, name = stdelf.SHT_DYNSYM, ".dynsym"
	}
	sections, err := f.sections()
	for i := range sections {
		if sections[i].Type != want {
			continue
		}
		table, terr := f.sectionData(&sections[i], name)
		strs, serr := f.linked(sections, sections[i].Link)
		f.eachSymbol(table.Data, strs, f.extendedIndexes(sections, i), f.throughDescriptors(sections, yield))
		if terr == nil {
			terr = serr
		}
		return terr
	}
	if !dynamic {
		return err
	}
	// Stripped of section headers, or in memory.
	syms, ok := f.synthetic(".dynsym")
	if !ok {
		return err
	}
	strs, _ := f.synthetic(".dynstr")
	f.eachSymbol(syms.Data, &nameTable{data: strs.Data}, nil, yield)
	return nil
}

// throughDescriptors gives symbols of functions the addresses of their code if they have addresses of
// descriptors. That is so on ppc64 in the ELF V1 ABI, which keeps descriptors in .opd, with the address
// of the code first (64-bit PowerPC ELF ABI Supplement 1.9, 3.2.5). A separate debug file has no
// contents of .opd, and its symbols stay where they are.
func (f *File) throughDescriptors(sections []format.Section,
	yield func(core.ImageSymbol) bool) func(core.ImageSymbol) bool {
	const abiVersion, v2 = 3, 2
	if f.exec.head.Machine != stdelf.EM_PPC64 || f.exec.head.Flags&abiVersion == v2 {
		return yield
	}
	for i := range sections {
		if sections[i].Name != ".opd" || sections[i].Type == stdelf.SHT_NOBITS {
			continue
		}
		opd, _ := f.sectionData(&sections[i], ".opd")
		return func(s core.ImageSymbol) bool {
			if at := s.Value - opd.Addr; s.Kind == core.SymFunc && s.Value >= opd.Addr &&
				at+8 <= uint64(len(opd.Data)) {
				s.Value = f.exec.head.Order.Uint64(opd.Data[at:])
			}
			return yield(s)
		}
	}
	return yield
}

// linked returns the string table that sh_link names.
func (f *File) linked(sections []format.Section, link uint32) (*nameTable, error) {
	if uint64(link) >= uint64(len(sections)) || sections[link].Type == stdelf.SHT_NOBITS {
		return new(nameTable), &core.FormatError{File: f.path, Off: int64(f.exec.head.Shoff),
			Msg: "symbol table without a string table, sh_link", Val: link}
	}
	t, err := f.namesIn(&sections[link])
	if err != nil {
		err = fmt.Errorf("string table: %w", err)
	}
	return t, err
}

// extendedIndexes returns the SHT_SYMTAB_SHNDX table of the symbol table with
// index i, which holds the section indexes that do not fit 16 bits.
func (f *File) extendedIndexes(sections []format.Section, i int) []byte {
	for j := range sections {
		if sections[j].Type == stdelf.SHT_SYMTAB_SHNDX && int(sections[j].Link) == i {
			s, _ := f.sectionData(&sections[j], sections[j].Name)
			return s.Data
		}
	}
	return nil
}

func (f *File) eachSymbol(table []byte, strs *nameTable, indexes []byte, yield func(core.ImageSymbol) bool) {
	n := int(symSize(f.exec.head.Class))
	for i := 0; len(table) >= n; i++ {
		s, shndx := symbol(f.exec.head.Class, table, strs)
		table = table[n:]
		switch {
		case shndx == uint32(stdelf.SHN_XINDEX) && 4*i+4 <= len(indexes):
			s.Section = f.exec.head.Order.Uint32(indexes[4*i:])
		case shndx < uint32(stdelf.SHN_LORESERVE):
			s.Section = shndx
		}
		if i > 0 && !yield(s) { // the first is reserved
			return
		}
	}
}

// symbol decodes the symbol at the start of b (gABI, "Symbol Table").
func symbol(c format.Class, b []byte, strs *nameTable) (s core.ImageSymbol, shndx uint32) {
	var info byte
	if c.Wide {
		info, shndx = b[4], uint32(c.Order.Uint16(b[6:]))
		s.Value, s.Size = c.Order.Uint64(b[8:]), c.Order.Uint64(b[16:])
	} else {
		s.Value, s.Size = uint64(c.Order.Uint32(b[4:])), uint64(c.Order.Uint32(b[8:]))
		info, shndx = b[12], uint32(c.Order.Uint16(b[14:]))
	}
	s.NameOff = c.Order.Uint32(b)
	s.Name, s.NameErr = strs.name(s.NameOff)
	s.Defined = shndx != uint32(stdelf.SHN_UNDEF)
	switch stdelf.ST_BIND(info) {
	case stdelf.STB_LOCAL:
	case stdelf.STB_WEAK:
		s.Global, s.Weak = true, true
	default:
		s.Global = true
	}
	s.Kind = core.SymOther
	switch stdelf.ST_TYPE(info) {
	case stdelf.STT_NOTYPE:
		s.Kind = core.SymNone
	case stdelf.STT_FUNC, stdelf.STT_GNU_IFUNC:
		s.Kind = core.SymFunc
	case stdelf.STT_OBJECT, stdelf.STT_COMMON:
		s.Kind = core.SymObject
	case stdelf.STT_TLS:
		s.Kind = core.SymTLS
	case stdelf.STT_FILE:
		s.Kind = core.SymFile
	}
	return s, shndx
}
