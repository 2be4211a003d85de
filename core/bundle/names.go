package bundle

import (
	"bytes"
	stdelf "debug/elf"
	"encoding/binary"
	"slices"

	"coredbg/core"
)

// Of .strtab a lean bundle leaves out mangled names of functions, which are most of it:
// but for those of code that stacks may run through, of functions that memory points at,
// and of what decoders asked for. .symtab is taken whole: that a function has a name is
// known, and where it begins and ends.

// pointers returns the words of the core's memory that is taken which may point at code,
// sorted: those in memory that no module's file is behind.
func (c *plannedCore) pointers(p *core.Process) []core.Addr {
	if p.Arch == nil || len(p.Modules) == 0 {
		return nil
	}
	low, high := p.Modules[0].Start, core.Addr(0)
	for _, m := range p.Modules {
		low, high = min(low, m.Start), max(high, m.End)
	}
	var out []core.Addr
	word := p.Arch.PtrSize
	for _, s := range p.Space.Segments() {
		if m := p.Module(s.Start); s.Kind != core.SegCore || m != nil {
			continue
		}
		for _, r := range c.taken(fileRange{s.Off, s.Off + int64(s.Size())}) {
			for at := r.lo; at < r.hi; {
				data, err := c.src.Window(at)
				if err != nil {
					break
				}
				data = data[:min(int64(len(data)), r.hi-at)]
				at += int64(len(data))
				for ; len(data) >= word; data = data[word:] {
					a := core.Addr(p.Arch.Order.Uint32(data))
					if word == 8 {
						a = core.Addr(p.Arch.Order.Uint64(data))
					}
					if p.Arch == core.ARM {
						a &^= 1 // says which instructions
					}
					if a &= p.Arch.AddrMask(); low <= a && a < high && p.Module(a) != nil {
						out = append(out, a)
					}
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// taken returns the data in a range of the core file that is taken.
func (c *plannedCore) taken(r fileRange) (out []fileRange) {
	i, _ := slices.BinarySearchFunc(c.spans, r.lo, func(s span, lo int64) int {
		if s.hi <= lo {
			return -1
		}
		return 1
	})
	for ; i < len(c.spans) && c.spans[i].lo < r.hi; i++ {
		if c.spans[i].kind == extentData {
			out = append(out, fileRange{max(r.lo, c.spans[i].lo), min(r.hi, c.spans[i].hi)})
		}
	}
	return out
}

// nameHoles returns what of .strtab is left out.
func (m *moduleFile) nameHoles(t *touched, bias core.Addr) []fileRange {
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
	var keep []fileRange
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
		keep = append(keep, fileRange{int64(name), int64(name) + int64(end)})
	})
	if left == 0 {
		return nil
	}
	var out []fileRange
	for _, r := range outside(join(append(keep, fileRange{0, 1}), int64(len(text))), int64(len(text))) {
		if r.hi-r.lo >= leastHole {
			out = append(out, fileRange{int64(names.Offset) + r.lo, int64(names.Offset) + r.hi})
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

// named reports whether the name of a function is taken.
func (t *touched) named(start core.Addr, size uint64) bool {
	if holds(t.code, start, start+core.Addr(size)) {
		return true
	}
	for _, list := range [][]core.Addr{t.asked, t.pointed} {
		if i, _ := slices.BinarySearch(list, start); i < len(list) && list[i] == start {
			return true
		}
	}
	return false
}
