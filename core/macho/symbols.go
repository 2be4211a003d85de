package macho

import (
	"bytes"

	"coredbg/core"
)

// Fields of an nlist_64 (mach-o/nlist.h).
const (
	nlistSize = 16
	nStab     = 0xe0
	nType     = 0x0e
	nSect     = 0x0e
	nAbs      = 0x02
	nExt      = 0x01
	nWeakDef  = 0x80
)

// Symbols implements core.Image. The symbol table of a Mach-O image is one; the
// dynamic symbols are those of it that are exported. The underscore that C
// compilers put in front of names is taken off, so that names are those of the
// source, as on other systems.
func (f *File) Symbols(dynamic bool, yield func(core.ImageSymbol) bool) error {
	off, n, stroff, strsize := f.symtab[0], f.symtab[1], f.symtab[2], f.symtab[3]
	if n == 0 {
		return nil
	}
	table := f.fileBytes(uint64(off), uint64(n)*nlistSize)
	strs := f.fileBytes(uint64(stroff), uint64(strsize))
	code := f.codeSections()
	for b := table; len(b) >= nlistSize; b = b[nlistSize:] {
		typ, sect, desc := b[4], b[5], le.Uint16(b[6:])
		if typ&nStab != 0 || dynamic && typ&nExt == 0 {
			continue
		}
		s := core.ImageSymbol{Name: symbolName(strs, le.Uint32(b)), Value: le.Uint64(b[8:]), Kind: core.SymObject,
			Global: typ&nExt != 0, Defined: typ&nType == nSect || typ&nType == nAbs, Section: uint32(sect), Weak: desc&nWeakDef != 0}
		if typ&nType == nSect && int(sect) < len(code) && code[sect] {
			s.Kind = core.SymFunc
		}
		if len(s.Name) == 0 || bytes.HasSuffix(s.Name, []byte("_mh_execute_header")) {
			continue
		}
		if !yield(s) {
			return nil
		}
	}
	if uint64(len(table)) < uint64(n)*nlistSize || len(strs) < int(strsize) {
		return &core.FormatError{File: f.path, Off: int64(off), Msg: "the symbol table is cut off"}
	}
	return nil
}

// codeSections tells by number, from 1 on, which sections hold instructions.
func (f *File) codeSections() []bool {
	out := []bool{false}
	for _, s := range f.segs {
		for _, x := range s.sections {
			out = append(out, x.flags&attrInstructions != 0)
		}
	}
	return out
}

func symbolName(strs []byte, at uint32) []byte {
	if uint64(at) >= uint64(len(strs)) {
		return nil
	}
	name := strs[at:]
	if i := bytes.IndexByte(name, 0); i >= 0 {
		name = name[:i]
	}
	return bytes.TrimPrefix(name, []byte("_"))
}

// FuncStarts returns the link-time addresses at which functions begin, in order
// (LC_FUNCTION_STARTS: ULEB128 distances from the start of __TEXT, 0 ends).
func (f *File) FuncStarts() []uint64 {
	text, ok := f.segment("__TEXT")
	if !ok || !f.startsIn {
		return nil
	}
	b := f.fileBytes(uint64(f.starts[0]), uint64(f.starts[1]))
	var out []uint64
	at := text.vmaddr
	for len(b) > 0 {
		v, n := uleb(b)
		if n == 0 || v == 0 || v > text.vmsize {
			break
		}
		at, b = at+v, b[n:]
		out = append(out, at)
	}
	return out
}

// uleb decodes a ULEB128 number; n is 0 if it is cut off or exceeds 64 bits.
func uleb(b []byte) (v uint64, n int) {
	for i := 0; i < len(b) && i < 10; i++ {
		v |= uint64(b[i]&0x7f) << (7 * i)
		if b[i]&0x80 == 0 {
			return v, i + 1
		}
	}
	return 0, 0
}
