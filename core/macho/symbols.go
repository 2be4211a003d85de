package macho

import (
	"bytes"
	"fmt"

	"coredbg/core"
	"coredbg/core/macho/format"
)

// Fields of an nlist_64 (mach-o/nlist.h).
const (
	nlistSize = format.NlistSize
	nStab     = 0xe0
	nType     = 0x0e
	nSect     = 0x0e
	nAbs      = 0x02
	nExt      = 0x01
	nWeakDef  = 0x80
)

// Symbols implements core.Image. The static symbols come from the symbol table and the stubs; the
// dynamic ones come from the exports trie, or if there is no trie, are the exported ones of the table.
// The underscore that C compilers put before names is taken off, so that names are spelled as in the
// source, as on other systems.
func (f *File) Symbols(dynamic bool, yield func(core.ImageSymbol) bool) error {
	if dynamic && f.exportsAt.size > 0 {
		return f.exportedSymbols(yield)
	}
	off, n := uint64(f.symtab[0]), uint64(f.symtab[1])
	table := f.fileBytes(off, n*nlistSize)
	strs := f.stringTable()
	if !f.tableSymbols(table, strs.at, dynamic, yield) || !dynamic && !f.stubSymbols(table, strs.at, yield) {
		return nil
	}
	if f.locals != nil && !dynamic {
		if l := f.locals(); l.Err != nil || !f.tableSymbols(l.Table, l.name, false, yield) {
			return l.Err
		}
	}
	if uint64(len(table)) < n*nlistSize {
		return &core.FormatError{File: f.path, Off: int64(off),
			Msg: fmt.Sprintf("the symbol table is cut off: %d of %d symbols are there", len(table)/nlistSize, n)}
	}
	return strs.err()
}

// tableSymbols yields the symbols of a table; it returns false if yield did.
func (f *File) tableSymbols(table []byte, name func(uint32) []byte, dynamic bool,
	yield func(core.ImageSymbol) bool) bool {
	code := f.codeSections()
	for b := table; len(b) >= nlistSize; b = b[nlistSize:] {
		typ, sect, desc := b[4], b[5], le.Uint16(b[6:])
		if typ&nStab != 0 || dynamic && typ&nExt == 0 {
			continue
		}
		s := core.ImageSymbol{Name: bytes.TrimPrefix(name(le.Uint32(b)), []byte("_")), Value: le.Uint64(b[8:]),
			Kind:   core.SymObject,
			Global: typ&nExt != 0, Defined: typ&nType == nSect || typ&nType == nAbs, Section: uint32(sect),
			Weak: desc&nWeakDef != 0}
		if typ&nType == nSect && int(sect) < len(code) && code[sect] {
			s.Kind = core.SymFunc
		}
		if len(s.Name) == 0 || isHeaderName(s.Name) || isRedacted(s.Name) {
			continue
		}
		if !yield(s) {
			return false
		}
	}
	return true
}

// exportedSymbols yields what the exports trie has.
func (f *File) exportedSymbols(yield func(core.ImageSymbol) bool) error {
	b := f.exports()
	err := b.walk(func(e Export) bool {
		s, ok := f.exportSymbol(e)
		return !ok || len(s.Name) == 0 || isHeaderName(s.Name) || yield(s)
	})
	if len(b) < int(f.exportsAt.size) && err == nil {
		err = &core.FormatError{File: f.path, Off: int64(f.exportsAt.off), Msg: "the exports trie is cut off"}
	}
	return err
}

// isHeaderName reports whether a symbol stands for an image's header, as
// __mh_execute_header does. It would be the name of everything after it.
func isHeaderName(name []byte) bool {
	return bytes.HasPrefix(name, []byte("_mh_")) && bytes.HasSuffix(name, []byte("_header"))
}

// codeSections says by number, from 1 on, which sections hold instructions.
func (f *File) codeSections() []bool {
	out := []bool{false}
	for _, s := range f.segs {
		for _, x := range s.Sections {
			out = append(out, x.Flags&format.AttrInstructions != 0)
		}
	}
	return out
}

// A stringTable lends the names of symbols. The shared cache's table belongs to all its images, and is
// much longer than one image needs.
type stringTable struct {
	f         *File
	whole     []byte // if it can be lent as one
	off, size uint64
}

func (f *File) stringTable() stringTable {
	t := stringTable{f: f, off: uint64(f.symtab[2]), size: uint64(f.symtab[3])}
	if f.src != nil {
		t.whole = f.fileBytes(t.off, t.size)
	} else if link, ok := f.linkAddr(t.off); ok {
		if w, err := f.mem.Window(core.Addr(link) + f.slide); err == nil && uint64(len(w)) >= t.size {
			t.whole = w[:t.size:t.size]
		}
	}
	return t
}

// at returns the name at an offset of the table; nil if there is none.
func (t *stringTable) at(i uint32) []byte {
	var b []byte
	switch {
	case uint64(i) < uint64(len(t.whole)):
		b = t.whole[i:]
	case t.f.src != nil || uint64(i) >= t.size:
		return nil
	default:
		link, ok := t.f.linkAddr(t.off + uint64(i))
		if !ok {
			return nil
		}
		w, err := t.f.mem.Window(core.Addr(link) + t.f.slide)
		if err != nil {
			return nil
		}
		if bytes.IndexByte(w[:min(len(w), format.MaxSymbolName)], 0) < 0 {
			w = t.f.at(link, min(format.MaxSymbolName, t.size-uint64(i)))
		}
		b = w
	}
	if end := bytes.IndexByte(b[:min(len(b), format.MaxSymbolName)], 0); end >= 0 {
		return b[:end:end]
	}
	return b[:min(len(b), format.MaxSymbolName)]
}

// err says whether names are missing.
func (t *stringTable) err() error {
	if t.f.src != nil && uint64(len(t.whole)) < t.size {
		return &core.FormatError{File: t.f.path, Off: int64(t.off), Msg: "the names of the symbol table are cut off"}
	}
	return nil
}

// FuncStarts returns the link-time addresses of the starts of functions, in order (LC_FUNCTION_STARTS:
// ULEB128 distances from the start of __TEXT, 0 ends). The slice must not be changed.
func (f *File) FuncStarts() []uint64 { return f.starts() }

func (f *File) readStarts() []uint64 {
	text, ok := f.segment("__TEXT")
	if !ok {
		return nil
	}
	return funcStarts(f.linkEdit(f.startsAt), text.VMAddr, text.VMSize)
}

// funcStarts decodes distances up to the first that leads out of the segment.
func funcStarts(b []byte, at, size uint64) (out []uint64) {
	end := at + size
	for r := (core.Buf{Data: b}); r.More(); {
		v := r.ULEB()
		if v == 0 || v >= end-at {
			break
		}
		at += v
		out = append(out, at)
	}
	return out
}

// isRedacted reports whether the name was taken out, as the shared cache's builder does with names of
// local symbols.
func isRedacted(name []byte) bool {
	return bytes.Equal(name, []byte("<redacted>")) || bytes.Equal(name, []byte("<unredacted>"))
}

// exports returns the image's trie; it is empty if the image has no trie.
func (f *File) exports() trie { return trie(f.linkEdit(f.exportsAt)) }

// exportSymbol is the symbol of an export; ok is false of one that is not in
// this image.
func (f *File) exportSymbol(e Export) (s core.ImageSymbol, ok bool) {
	if e.Flags&ExportReexport != 0 {
		return s, false
	}
	s = core.ImageSymbol{Name: bytes.TrimPrefix(e.Name, []byte("_")), Value: e.Value,
		Kind: core.SymObject, Global: true,
		Defined: true, Weak: e.Flags&exportWeak != 0}
	if e.Flags&ExportKindMask == ExportAbsolute {
		return s, true
	}
	s.Value += f.Base()
	if x, in := f.extentAt(s.Value); in {
		s.Section = x.number
		if x.code {
			s.Kind = core.SymFunc
		}
	}
	return s, true
}
