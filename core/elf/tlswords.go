package elf

import (
	stdelf "debug/elf"
	"slices"
)

// A TLSWord is a word that the dynamic linker fills in so that code of the image finds the
// image's thread-local block (U. Drepper, "ELF Handling For Thread-Local Storage", section 4).
type TLSWord struct {
	Link uint64 // link-time address of the word
	Kind TLSKind
	Off  uint64 // byte of the block that the word is for, for TLSOffset
}

// A TLSKind says what a TLSWord holds.
type TLSKind uint8

// The kinds of words.
const (
	TLSModule     TLSKind = iota // the number of the module (DTPMOD)
	TLSOffset                    // distance from the thread pointer (TPOFF, TPREL)
	TLSDescriptor                // a function; the next word is its argument (TLSDESC)
)

// tlsRelocs has the types of the relocations of these words by machine, in the order of the
// kinds (the processor supplements; binutils 2.40, include/elf). A type of 0 is absent: i386
// and Arm keep the argument of a descriptor's relocation in the word itself.
var tlsRelocs = map[stdelf.Machine][3]uint32{
	stdelf.EM_X86_64:    {16, 18, 36},
	stdelf.EM_386:       {35, 14, 0},
	stdelf.EM_AARCH64:   {1028, 1030, 1031},
	stdelf.EM_ARM:       {17, 19, 0},
	stdelf.EM_RISCV:     {7, 11, 12}, // of 64 bits
	stdelf.EM_LOONGARCH: {7, 11, 14}, // of 64 bits
	stdelf.EM_S390:      {54, 56, 0},
	stdelf.EM_PPC64:     {68, 73, 0},
}

// maxTLSWords bounds the words that are kept. One is enough, and a library may have thousands.
const maxTLSWords = 64

// TLSWords returns words for the image's own thread-local block, the most certain first: a
// relocation with a symbol is followed by the dynamic linker to the first module that defines
// the symbol, which may be another one.
func (f *File) TLSWords() []TLSWord { return f.tlsWords() }

func (f *File) readTLSWords() (words []TLSWord) {
	types, known := tlsRelocs[f.head.Machine]
	if !known || (f.head.Machine == stdelf.EM_RISCV || f.head.Machine == stdelf.EM_LOONGARCH) && !f.head.Wide {
		return nil
	}
	var named []TLSWord
	for _, t := range f.relocTables() {
		for r := range t.all(f) {
			kind := slices.Index(types[:], r.typ)
			if kind < 0 || r.typ == 0 {
				continue
			}
			w := TLSWord{Link: r.at, Kind: TLSKind(kind), Off: r.addend}
			switch {
			case r.symbol == 0 && len(words) < maxTLSWords:
				words = append(words, w)
			case r.symbol != 0 && len(named) < maxTLSWords && f.definesTLS(r.symbol, &w.Off):
				named = append(named, w)
			}
		}
	}
	return append(words, named...)
}

// definesTLS reports whether the image itself defines the dynamic symbol i. It adds the symbol's
// value to off.
func (f *File) definesTLS(i uint64, off *uint64) bool {
	d, n := f.dynamic(), symSize(f.head.Class)
	b := f.loaded(d.symtab+i*n, n)
	if d.symtab == 0 || i > 1<<32 || uint64(len(b)) < n {
		return false
	}
	s, shndx := symbol(f.head.Class, b, &nameTable{})
	*off += s.Value
	return shndx != uint32(stdelf.SHN_UNDEF)
}

// A relocTable is a table of relocations that the dynamic section names.
type relocTable struct {
	addr, size uint64 // bytes
	addends    bool   // DT_RELA rather than DT_REL
}

// A reloc is one relocation.
type reloc struct {
	at, symbol, addend uint64
	typ                uint32
}

// all yields the relocations of a table. The addend of a relocation without one is in the word
// itself, as the image's file has it; an image in memory no longer has it, and the relocation is
// left out.
func (t relocTable) all(f *File) func(func(reloc) bool) {
	return func(yield func(reloc) bool) {
		w := f.head.Ptr()
		size := 2 * w
		if t.addends {
			size += w
		}
		for b := f.loaded(t.addr, t.size); len(b) >= size; b = b[size:] {
			r := reloc{at: f.head.Word(b, 0)}
			info := f.head.Word(b, w)
			if r.symbol, r.typ = info>>8, uint32(info&0xff); f.head.Wide {
				r.symbol, r.typ = info>>32, uint32(info)
			}
			switch {
			case t.addends:
				r.addend = f.head.Word(b, 2*w)
			case f.src == nil:
				continue
			default:
				word := f.loaded(r.at, uint64(w))
				if len(word) < w {
					continue
				}
				r.addend = f.head.Word(word, 0)
			}
			if !yield(r) {
				return
			}
		}
	}
}

// relocTables returns the tables of the dynamic section (gABI, "Dynamic Section").
func (f *File) relocTables() []relocTable {
	d := f.dynamic().relocs
	tables := []relocTable{
		{f.toLink(d[stdelf.DT_RELA]), d[stdelf.DT_RELASZ], true},
		{f.toLink(d[stdelf.DT_REL]), d[stdelf.DT_RELSZ], false},
		{f.toLink(d[stdelf.DT_JMPREL]), d[stdelf.DT_PLTRELSZ], stdelf.DynTag(d[stdelf.DT_PLTREL]) == stdelf.DT_RELA},
	}
	return slices.DeleteFunc(tables, func(t relocTable) bool { return t.addr == 0 || t.size == 0 })
}
