package cxx

import (
	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// BlockEnd returns how many bytes of a C++ object there are, as far as the allocator says, at most
// limit; limit if neither musl's nor glibc's makes sense.
func BlockEnd(m *layout.Memory, base, limit core.Addr) core.Addr {
	size, ok := muslSlot(m, base)
	if !ok {
		size, ok = glibcChunk(m, base)
	}
	const least = 128
	if !ok || size < least || size > limit {
		return limit
	}
	return size
}

// glibcChunk returns the size of a block of glibc's: that of its chunk is before it, with three bits for flags
// (malloc/malloc.c: struct malloc_chunk).
func glibcChunk(m *layout.Memory, base core.Addr) (core.Addr, bool) {
	const header, flags = 8, 7
	w, ok := m.Word(base - header)
	size := core.Addr(w) &^ flags
	return size - header, ok && size%16 == 0 && size > header
}

// The classes of musl's allocator, in units (src/malloc/mallocng/malloc.c @ 1.2.1: __malloc_size_classes).
var muslClasses = [...]core.Addr{
	1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 18, 20, 25, 31, 36, 42, 50, 63, 72, 84, 102, 127, 146, 170, 204, 255,
	292, 340, 409, 511, 584, 682, 818, 1023, 1169, 1364, 1637, 2047, 2340, 2730, 3276, 4095, 4680, 5460, 6552, 8191,
}

// muslSlot returns the size of a block of musl's, from 1.2.1 on (src/malloc/mallocng/meta.h: get_meta, get_stride,
// get_nominal_size). Before the block are its number in its group, and how many units it comes after the beginning
// of that; the group leads to its struct meta, and that back.
func muslSlot(m *layout.Memory, base core.Addr) (core.Addr, bool) {
	const unit, header, inBand, page = 16, 16, 4, 4096
	w, ok := m.Word(base - 8)
	if !ok || base%unit != 0 {
		return 0, false
	}
	offset := core.Addr(w >> 48)
	number, reserved := core.Addr(w>>40)&31, core.Addr(w>>40)&0xff>>5
	if w>>32&0xff != 0 { // the offset is too large for two bytes
		if offset != 0 {
			return 0, false
		}
		offset = core.Addr(w & 0xffffffff)
	}
	group := base - offset*unit - header
	meta, _ := m.Word(group)
	back, ok := m.Word(core.Addr(meta) + 16)
	flags, ok2 := m.Word(core.Addr(meta) + 32)
	if !ok || !ok2 || core.Addr(back) != group {
		return 0, false
	}
	last, class, pages := flags&31, flags>>6&63, core.Addr(flags>>12)
	var stride core.Addr
	switch {
	case last == 0 && pages > 0:
		stride = pages*page - header
	case class < uint64(len(muslClasses)):
		stride = muslClasses[class] * unit
	default:
		return 0, false
	}
	start := group + header + number*stride
	end := start + stride - inBand
	if base < start || base >= end {
		return 0, false
	}
	if reserved >= 5 {
		n, ok := m.U32(end - 4)
		if !ok {
			return 0, false
		}
		reserved = core.Addr(n)
	}
	return end - min(reserved, end-base) - base, true
}
