package elf

import (
	stdelf "debug/elf"
	"encoding/binary"
	"path/filepath"
	"slices"
	"testing"
)

// TestTLSWords compares the words of this system's libraries with the sections of relocations
// that debug/elf finds and names.
func TestTLSWords(t *testing.T) {
	for _, path := range images(t) {
		std, err := stdelf.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if std.Machine != stdelf.EM_X86_64 || std.Class != stdelf.ELFCLASS64 {
			std.Close()
			continue
		}
		want := stdWords(t, std)
		std.Close()
		f := openImage(t, path)
		got := f.TLSWords()
		slices.SortFunc(got, func(a, b TLSWord) int { return int(a.Link) - int(b.Link) })
		if len(want) < maxTLSWords && !slices.Equal(got, want) {
			t.Errorf("%s has the words %x, want %x", path, got, want)
		}
		if filepath.Base(path) == "libc.so.6" && len(got) == 0 { // it has errno
			t.Errorf("%s has no word for its block", path)
		}
	}
}

// stdWords returns the words that a file's sections of relocations have.
func stdWords(t *testing.T, f *stdelf.File) (words []TLSWord) {
	symbols, err := f.DynamicSymbols()
	if err != nil {
		return nil
	}
	for _, s := range f.Sections {
		if s.Type != stdelf.SHT_RELA || s.Flags&stdelf.SHF_ALLOC == 0 {
			continue
		}
		b, err := s.Data()
		if err != nil {
			t.Fatal(err)
		}
		for ; len(b) >= 24; b = b[24:] {
			info := binary.LittleEndian.Uint64(b[8:])
			kind := slices.Index([]stdelf.R_X86_64{stdelf.R_X86_64_DTPMOD64, stdelf.R_X86_64_TPOFF64,
				stdelf.R_X86_64_TLSDESC}, stdelf.R_X86_64(uint32(info)))
			if kind < 0 {
				continue
			}
			w := TLSWord{binary.LittleEndian.Uint64(b), TLSKind(kind), binary.LittleEndian.Uint64(b[16:])}
			if i := info >> 32; i > 0 {
				if symbols[i-1].Section == stdelf.SHN_UNDEF {
					continue
				}
				w.Off += symbols[i-1].Value
			}
			words = append(words, w)
		}
	}
	slices.SortFunc(words, func(a, b TLSWord) int { return int(a.Link) - int(b.Link) })
	return words
}
