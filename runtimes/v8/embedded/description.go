package embedded

import (
	"encoding/binary"

	"coredbg/core"
)

// The description of the builtins has an entry for each, after hashes: the offset of its instructions in the
// code, their size in bytes, and the offset of its metadata, 4 bytes each (snapshot/embedded/embedded-data.h:
// EmbeddedData::LayoutDescription @ 9.1 to 15.0). Before version 11 entries have more words after these, and
// before 9.1 no metadata.

const (
	// smallEntry and largeEntry are the minimum and maximum size of an entry in bytes. reordered is the size in
	// the versions whose code may be in another order than the entries.
	smallEntry, reordered, largeEntry = 8, 12, 32
	// builtinAlign is the alignment of instructions: kCodeAlignment of any target.
	builtinAlign = 32
	// maxGap is more than the padding between two builtins, in bytes.
	maxGap = 128
	// FewestBuiltins is less than any version has: V8 7.4 has over 1,500.
	FewestBuiltins = 1000
	maxBuiltins    = 1 << 14
	maxBuiltin     = 1 << 20 // bytes of one
)

// A description says where each builtin is in the code.
type description struct {
	first   core.Addr // the entry of the first builtin
	width   int       // bytes of an entry
	entries []entry   // by number
	size    core.Addr // bytes of the code
}

// An entry is where the instructions of a builtin begin in the code, how many bytes they have, and where its
// metadata begins, if the order of the entries is known by that.
type entry struct{ at, n, metadata uint32 }

// end returns where the code of the builtin ends.
func (e entry) end() core.Addr { return core.Addr(e.at) + core.Addr(e.n) }

// findDescription finds the description of count builtins among the constants of an image; count 0 stands for
// any number.
func findDescription(p *core.Process, m *core.Module, count int) (d description, ok bool) {
	order := p.Arch.Order
	low := int(order.Uint32([]byte{0, 1, 2, 3}) & 3) // the byte of a number with its low bits
	eachByte(p, constantsFirst(m), func(at core.Addr, data []byte) {
		for i := 0; i+2*largeEntry <= len(data) && !ok; i += 4 {
			// Most words are not multiples; to ask the order of bytes of each takes longer.
			if data[i+low]%builtinAlign != 0 || order.Uint32(data[i+4:]) == 0 || order.Uint32(data[i+4:]) > maxBuiltin {
				continue
			}
			for width := smallEntry; width <= largeEntry && !ok; width += 4 {
				if beginsBuiltins(order, data[i:], width, count > 0) {
					d, ok = describe(p.Space, order, at+core.Addr(i), width, count)
				}
			}
		}
	})
	return d, ok
}

// beginsBuiltins reports whether b may begin with two entries of width bytes. If the code is in the order of
// the entries, one entry's code begins soon after the end of the previous. This is weak evidence, unless the
// number of builtins is known.
func beginsBuiltins(order binary.ByteOrder, b []byte, width int, counted bool) bool {
	at, n := order.Uint32(b), order.Uint32(b[4:])
	next := order.Uint32(b[width:])
	if width == reordered {
		// The metadata of the first builtin is the first.
		return order.Uint32(b[8:]) == 0 && next%builtinAlign == 0 && order.Uint32(b[width+4:]) <= maxBuiltin
	}
	return counted && at == 0 && follows(next, n)
}

// follows reports whether a builtin may begin at an offset where the one before ends at another.
func follows(at, end uint32) bool { return at%builtinAlign == 0 && at >= end && at-end < maxGap }

// describe reads the description of count builtins whose first entry is at first; count 0 stands for any
// number.
func describe(s *core.Space, order binary.ByteOrder, first core.Addr, width, count int) (description, bool) {
	const block = 64 // entries: most candidates are none, and end soon
	d := description{first: first, width: width}
	var buf [block * largeEntry]byte
	most := maxBuiltins
	if count > 0 {
		most = count
	}
	var total core.Addr
	empty := 0
	for whole := true; whole && len(d.entries) < most; {
		b := buf[:min(block, most-len(d.entries))*width]
		n, _ := Peek(s, b, first+core.Addr(len(d.entries)*width))
		whole = n == len(b)
		for b = b[:n]; len(b) >= width; b = b[width:] {
			e := entry{at: order.Uint32(b), n: order.Uint32(b[4:])}
			if width == reordered {
				e.metadata = order.Uint32(b[8:])
			}
			if !d.takes(e) {
				whole = false
				break
			}
			d.size = max(d.size, e.end())
			if total += core.Addr(e.n); e.n == 0 {
				empty++
			}
			d.entries = append(d.entries, e)
		}
	}
	// Instructions do not overlap, there is no more padding than code, and few builtins are empty.
	if len(d.entries)-empty < FewestBuiltins || len(d.entries) < count || total > d.size || d.size > 2*total {
		return description{}, false
	}
	_, _ = s.ReadAt(make([]byte, len(d.entries)*width), first) // a copy of the process is to have it
	return d, true
}

// takes reports whether e may be the next entry of d.
func (d *description) takes(e entry) bool {
	if e.at%builtinAlign != 0 || e.n > maxBuiltin {
		return false
	}
	var last entry
	if k := len(d.entries); k > 0 {
		last = d.entries[k-1]
	}
	if d.width == reordered {
		return e.metadata >= last.metadata && e.metadata-last.metadata <= maxBuiltin
	}
	return follows(e.at, uint32(last.end()))
}
