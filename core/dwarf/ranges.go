package dwarf

import (
	"coredbg/core"
	"coredbg/core/dwarf/format"
)

// IsCode reports whether a range of link-time addresses can hold code. Linkers leave ranges of code that they
// threw away at address 0 or at the top (DWARF issue 200609.1); in an object file, code may be at 0.
func (d *Data) IsCode(low, high uint64) bool {
	return (low != 0 || d.Object) && low < high && low < ^uint64(1)
}

// codeRanges returns the code that an entry has, as link-time addresses (DWARF 5, section 2.17).
func (e *Entry) codeRanges() [][2]uint64 {
	if a := e.attr(format.AtRanges); a.Present() {
		return e.u.rangesAt(a)
	}
	low, ok := e.attr(format.AtLowPC).Addr()
	if !ok {
		return nil
	}
	h := e.attr(format.AtHighPC)
	high, ok := h.Addr()
	if !ok {
		n, is := h.Uint() // from DWARF 4 on, a length
		if !is {
			return nil
		}
		high = low + n
	}
	if low >= high {
		return nil
	}
	return [][2]uint64{{low, high}}
}

// holds reports whether the entry has the code at pc.
func (e *Entry) holds(pc uint64) bool {
	for _, r := range e.codeRanges() {
		if r[0] <= pc && pc < r[1] {
			return true
		}
	}
	return false
}

func (u *Unit) rangesAt(a Attr) [][2]uint64 {
	if u.w.Version < 5 {
		off, ok := a.Uint()
		if !ok {
			return nil
		}
		if u.d.split {
			off += u.rngBase
		}
		return u.rangesBefore5(off)
	}
	off := a.Num
	if a.Form == format.FormRnglistx {
		var ok bool
		if off, ok = u.listOffset(u.d.Rnglists, u.rngBase, a.Num); !ok {
			return nil
		}
	}
	var out [][2]uint64
	u.walkList(core.BufAt(u.d.Rnglists, off, u.d.order), rangeList, func(low, high uint64, _ []byte) bool {
		out = append(out, [2]uint64{low, high})
		return len(out) < maxRanges
	})
	return out
}

// rangesBefore5 reads a list of .debug_ranges (DWARF 4, section 2.17.3).
func (u *Unit) rangesBefore5(off uint64) [][2]uint64 {
	b := core.BufAt(u.d.Ranges, off, u.d.order)
	base, none := u.low, ^uint64(0)>>(64-8*u.w.Addr)
	var out [][2]uint64
	for len(out) < maxRanges {
		low, high := b.Uint(u.w.Addr), b.Uint(u.w.Addr)
		switch {
		case b.Bad || low == 0 && high == 0:
			return out
		case low == none:
			base = high
		case low < high:
			out = append(out, [2]uint64{base + low, base + high})
		}
	}
	return out
}

// listOffset returns where the list with an index begins: the offsets from base on say how
// far after base.
func (u *Unit) listOffset(section []byte, base, i uint64) (uint64, bool) {
	size := uint64(4)
	if u.w.DWARF64 {
		size = 8
	}
	if i > uint64(len(section)) {
		return 0, false
	}
	b := core.BufAt(section, base+i*size, u.d.order)
	off := b.Offset(u.w.DWARF64)
	return base + off, !b.Bad
}

// The kinds of lists of DWARF 5. A list of locations has an expression after each range.
const (
	rangeList = iota
	locationList
)

// The entries of lists, which have the same numbers in both kinds up to the default location,
// that lists of ranges do not have (DWARF 5, sections 7.7.3 and 7.25).
const (
	listEnd          = 0x00
	listBaseAddressx = 0x01
	listStartxEndx   = 0x02
	listStartxLength = 0x03
	listOffsetPair   = 0x04

	rangeBaseAddress = 0x05
	rangeStartEnd    = 0x06
	rangeStartLength = 0x07

	locDefault     = 0x05
	locBaseAddress = 0x06
	locStartEnd    = 0x07
	locStartLength = 0x08
)

// walkList calls yield for each range of a list of DWARF 5, with its expression if the list
// has locations, until yield returns false. A default location has the range from 0 to the
// highest address.
func (u *Unit) walkList(b core.Buf, kind int, yield func(low, high uint64, expr []byte) bool) {
	base := u.low
	for n := 0; b.More() && n < maxRanges; n++ {
		op := b.U8()
		if kind == rangeList && op >= rangeBaseAddress {
			op++ // now it has the number that it has in lists of locations
		}
		low, high, is := base, uint64(0), true
		switch op {
		case listEnd:
			return
		case listBaseAddressx:
			base, _ = u.indexedAddr(b.ULEB())
			is = false
		case listStartxEndx:
			low, _ = u.indexedAddr(b.ULEB())
			high, _ = u.indexedAddr(b.ULEB())
		case listStartxLength:
			low, _ = u.indexedAddr(b.ULEB())
			high = low + b.ULEB()
		case listOffsetPair:
			low = base + b.ULEB()
			high = base + b.ULEB()
		case locDefault:
			low, high = 0, ^uint64(0)
		case locBaseAddress:
			base, is = b.Uint(u.w.Addr), false
		case locStartEnd:
			low, high = b.Uint(u.w.Addr), b.Uint(u.w.Addr)
		case locStartLength:
			low = b.Uint(u.w.Addr)
			high = low + b.ULEB()
		default:
			return
		}
		if !is {
			continue
		}
		var expr []byte
		if kind == locationList {
			expr = b.Bytes(b.ULEB())
		}
		if b.Bad || !yield(low, high, expr) {
			return
		}
	}
}
