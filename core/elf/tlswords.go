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

func (v *executionView) readTLSWords(d dynamic) (words []TLSWord) {
	types, known := tlsRelocs[v.head.Machine]
	if !known || (v.head.Machine == stdelf.EM_RISCV || v.head.Machine == stdelf.EM_LOONGARCH) && !v.head.Wide {
		return nil
	}
	var named []TLSWord
	for _, t := range v.relocTables(d.relocs) {
		for r := range t.all(v) {
			kind := slices.Index(types[:], r.typ)
			if kind < 0 || r.typ == 0 {
				continue
			}
			w := TLSWord{Link: r.at, Kind: TLSKind(kind), Off: r.addend}
			switch {
			case r.symbol == 0 && len(words) < maxTLSWords:
				words = append(words, w)
			case r.symbol != 0 && len(named) < maxTLSWords && v.definesTLS(&d, r.symbol, &w.Off):
				named = append(named, w)
			}
		}
	}
	return append(words, named...)
}

// definesTLS reports whether the image itself defines the dynamic symbol i. It adds the symbol's
// value to off.
func (v *executionView) definesTLS(d *dynamic, i uint64, off *uint64) bool {
	n := symSize(v.head.Class)
	b := v.loaded(d.symtab+i*n, n)
	if d.symtab == 0 || i > 1<<32 || uint64(len(b)) < n {
		return false
	}
	s, shndx := symbol(v.head.Class, b, &nameTable{})
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
func (t relocTable) all(v *executionView) func(func(reloc) bool) {
	return func(yield func(reloc) bool) {
		w := v.head.Ptr()
		size := 2 * w
		if t.addends {
			size += w
		}
		for b := v.loaded(t.addr, t.size); len(b) >= size; b = b[size:] {
			r := reloc{at: v.head.Word(b, 0)}
			info := v.head.Word(b, w)
			if r.symbol, r.typ = info>>8, uint32(info&0xff); v.head.Wide {
				r.symbol, r.typ = info>>32, uint32(info)
			}
			switch {
			case t.addends:
				r.addend = v.head.Word(b, 2*w)
			case v.src == nil:
				continue
			default:
				word := v.loaded(r.at, uint64(w))
				if len(word) < w {
					continue
				}
				r.addend = v.head.Word(word, 0)
			}
			if !yield(r) {
				return
			}
		}
	}
}

// relocTables returns the tables of the dynamic section (gABI, "Dynamic Section").
func (v *executionView) relocTables(d map[stdelf.DynTag]uint64) []relocTable {
	tables := []relocTable{
		{v.toLink(d[stdelf.DT_RELA]), d[stdelf.DT_RELASZ], true},
		{v.toLink(d[stdelf.DT_REL]), d[stdelf.DT_RELSZ], false},
		{v.toLink(d[stdelf.DT_JMPREL]), d[stdelf.DT_PLTRELSZ], stdelf.DynTag(d[stdelf.DT_PLTREL]) == stdelf.DT_RELA},
	}
	return slices.DeleteFunc(tables, func(t relocTable) bool { return t.addr == 0 || t.size == 0 })
}
