package pack

import (
	"bytes"
	stdelf "debug/elf"
	"encoding/binary"
	"slices"

	"coredbg/core"
	"coredbg/core/bundle/span"
)

// A lean bundle leaves out mangled names of functions, which are most of .strtab. It keeps the names of
// code that stacks may run through, of functions that memory points at, and of functions that decoders
// asked for. .symtab is taken whole: the existence and bounds of every function are known.

// nameHoles returns the parts of .strtab that are left out.
func (m *moduleFile) nameHoles(t *touched, bias core.Addr) []span.Range {
	table, names := m.f.Section(".symtab"), m.f.Section(".strtab")
	if table == nil || names == nil || int(table.Link) >= len(m.f.Sections) || m.f.Sections[table.Link] != names ||
		table.Flags&stdelf.SHF_COMPRESSED != 0 || names.Flags&stdelf.SHF_COMPRESSED != 0 || names.FileSize > maxNames {
		return nil
	}
	symbols, err1 := core.SourceSlice(m.src, int64(table.Offset), int(min(table.FileSize, maxNames)))
	text, err2 := core.SourceSlice(m.src, int64(names.Offset), int(names.FileSize))
	if err1 != nil || err2 != nil {
		return nil // a lean bundle has no more of them already
	}
	var keep []span.Range
	left := 0
	m.eachSymbol(symbols, func(name uint32, info byte, value, size uint64) {
		if uint64(name) >= uint64(len(text)) {
			return
		}
		if m.f.Machine == stdelf.EM_ARM {
			value &^= 1
		}
		spelt := text[name:]
		if stdelf.ST_TYPE(info) == stdelf.STT_FUNC && mangled(spelt) && !t.named(bias+core.Addr(value), size) {
			left++
			return
		}
		end := bytes.IndexByte(spelt, 0) + 1
		if end == 0 {
			end = len(spelt)
		}
		keep = append(keep, span.Between(int64(name), int64(name)+int64(end)))
	})
	if left == 0 {
		return nil
	}
	var out []span.Range
	for _, r := range span.Outside(span.Join(append(keep, span.Between(0, 1)), int64(len(text))), int64(len(text))) {
		if r.Hi-r.Lo >= leastHole {
			out = append(out, span.Between(int64(names.Offset)+r.Lo, int64(names.Offset)+r.Hi))
		}
	}
	return out
}

// maxNames bounds a symbol table, and its names, in bytes.
const maxNames = 1 << 30

// eachSymbol calls f for each symbol of a table in the file's form.
func (m *moduleFile) eachSymbol(table []byte, f func(name uint32, info byte, value, size uint64)) {
	var order binary.ByteOrder = m.f.ByteOrder
	if m.f.Class == stdelf.ELFCLASS64 {
		for b := range slices.Chunk(table, stdelf.Sym64Size) {
			if len(b) == stdelf.Sym64Size {
				f(order.Uint32(b), b[4], order.Uint64(b[8:]), order.Uint64(b[16:]))
			}
		}
		return
	}
	for b := range slices.Chunk(table, stdelf.Sym32Size) {
		if len(b) == stdelf.Sym32Size {
			f(order.Uint32(b), b[12], uint64(order.Uint32(b[4:])), uint64(order.Uint32(b[8:])))
		}
	}
}

// mangled reports whether a name is one that compilers of C++ and Rust make.
func mangled(name []byte) bool {
	return bytes.HasPrefix(name, []byte("_Z")) || bytes.HasPrefix(name, []byte("_R"))
}
