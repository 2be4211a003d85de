package pack

import (
	stdelf "debug/elf"
	"encoding/binary"
	"slices"

	"coredbg/core"
	"coredbg/core/bundle/span"
)

// Of .eh_frame a lean bundle takes the frame descriptions of code that stacks may run
// through, and leaves holes where the others were. The search table of .eh_frame_hdr is
// taken whole: what it names, and the section lacks, was left out.

// leastHole is the least that is left out of .eh_frame in one piece, in bytes: an extent
// costs what it would pack to.
const leastHole = 128

// uncovered is the least stretch of code without frame descriptions, in bytes, before
// which one is taken in any case: decoders find the code that a program brings as data,
// as V8's builtins, by where the description before it ends.
const uncovered = 64 << 10

// frameHoles returns the parts of .eh_frame that are left out: descriptions, found by the search table,
// of functions that hold no address of the code and overlap no touched page. Without a search table
// that leads to them nothing is left out.
func (m *moduleFile) frameHoles(t *touched, bias core.Addr) []span.Range {
	if m.f == nil {
		return nil
	}
	hdr, frames := m.f.Section(".eh_frame_hdr"), m.f.Section(".eh_frame")
	if hdr == nil || frames == nil || hdr.Flags&stdelf.SHF_COMPRESSED != 0 || frames.Flags&stdelf.SHF_COMPRESSED != 0 {
		return nil
	}
	table := m.searchTable(hdr)
	var out []span.Range
	for i, at := range table {
		end := at.begin + uncovered
		if i+1 < len(table) {
			end = table[i+1].begin
		}
		start := bias + core.Addr(at.begin)
		if end-at.begin >= uncovered || holds(t.code, start, bias+core.Addr(end)) ||
			holds(t.pages, start&^(core.TracePage-1), bias+core.Addr(end)) {
			continue
		}
		if off := at.fde - frames.Addr; at.fde >= frames.Addr && off < frames.FileSize {
			if n := m.descriptionSize(int64(frames.Offset+off), frames.FileSize-off); n > 0 {
				out = append(out, span.Between(int64(frames.Offset+off), int64(frames.Offset+off)+n))
			}
		}
	}
	out = span.Join(out, m.src.Size())
	return slices.DeleteFunc(out, func(r span.Range) bool { return r.Hi-r.Lo < leastHole })
}

// described is an entry of a search table, of link-time addresses.
type described struct{ begin, fde uint64 }

// searchTable returns the table of .eh_frame_hdr (Linux Standard Base 5.0, section 10.6.2)
// in the one encoding that linkers write: 4-byte words relative to the section's start.
func (m *moduleFile) searchTable(hdr *stdelf.Section) []described {
	data, err := core.SourceSlice(m.src, int64(hdr.Offset), int(min(hdr.FileSize, maxDescriptions*8)))
	if err != nil || len(data) < 12 || data[0] != 1 || data[1] != 0x1b || data[2] != 0x03 || data[3] != 0x3b {
		return nil
	}
	var order binary.ByteOrder = m.f.ByteOrder
	n := min(uint64(order.Uint32(data[8:])), uint64(len(data)-12)/8)
	word := func(i uint64) uint64 {
		v := hdr.Addr + uint64(int64(int32(order.Uint32(data[12+4*i:]))))
		if m.f.Class == stdelf.ELFCLASS32 {
			v = uint64(uint32(v))
		}
		return v
	}
	out := make([]described, 0, n)
	for i := range n {
		out = append(out, described{word(2 * i), word(2*i + 1)})
	}
	if !slices.IsSortedFunc(out, func(a, b described) int { return int(min(max(int64(a.begin-b.begin), -1), 1)) }) {
		return nil
	}
	return out
}

// maxDescriptions bounds the entries of a search table.
const maxDescriptions = 4 << 20

// descriptionSize returns the size in bytes of the frame description at an offset of the file. At most
// left bytes follow. It returns 0 for a CIE, or if there is no description.
func (m *moduleFile) descriptionSize(off int64, left uint64) int64 {
	head, err := core.SourceSlice(m.src, off, 8)
	if err != nil {
		return 0
	}
	length, id := m.f.ByteOrder.Uint32(head), m.f.ByteOrder.Uint32(head[4:])
	if length < 4 || length == 0xffffffff || id == 0 || uint64(length)+4 > left {
		return 0
	}
	return int64(length) + 4
}
