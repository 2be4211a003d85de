package cxx

import (
	"testing"

	"coredbg/core"
	"coredbg/runtimes/v8/v8test"
)

// TestBlockEnd lays out blocks as the allocators of musl 1.2.3 and glibc 2.36 have them.
func TestBlockEnd(t *testing.T) {
	const limit = 1024
	for _, c := range []struct {
		name                               string
		number, stride, class, last, pages uint64
		reserved                           uint64 // in the byte before the block; 5 says that the end has them
		atEnd                              uint32
		large, lost                        bool // the offset in four bytes; the meta leads elsewhere
		want                               core.Addr
	}{
		{name: "with 3 bytes to spare", number: 2, stride: 42 * 16, class: 17, reserved: 3, last: 6, want: 665},
		{name: "of class 25", number: 1, stride: 170 * 16, class: 25, last: 2, reserved: 5,
			atEnd: 2716 - 600, want: 600},
		{name: "alone in pages", stride: 4096 - 16, pages: 1, class: 63, reserved: 5, atEnd: 4076 - 700, want: 700},
		{name: "a large offset", number: 3, stride: 42 * 16, class: 17, last: 6, large: true, reserved: 4, want: 664},
		{name: "of no class", number: 1, stride: 672, class: 60, last: 4, want: limit},
		{name: "whose group is not its own", number: 1, stride: 672, class: 17, last: 6, lost: true, want: limit},
	} {
		h := v8test.NewHeap(t, v8test.Node24)
		meta, group := h.Alloc(64), h.Alloc(8192).Align(16)
		start := group + 16 + core.Addr(c.number*c.stride)
		h.Put(group, uint64(meta))
		h.Put(meta+16, uint64(group))
		if c.lost {
			h.Put(meta+16, uint64(group+16))
		}
		h.Put(meta+32, c.last|c.class<<6|c.pages<<12)
		offset := uint64(start-group-16) / 16
		head := (c.number | c.reserved<<5) << 40
		if c.large {
			head |= 1<<32 | offset
		} else {
			head |= offset << 48
		}
		h.Put(start-8, head)
		h.Put32(start+core.Addr(c.stride)-8, c.atEnd)
		if got := BlockEnd(h.Memory(), start, limit); got != c.want {
			t.Errorf("musl, %s: %d bytes, want %d", c.name, got, c.want)
		}
	}
	h := v8test.NewHeap(t, v8test.Node24)
	at := h.Alloc(2048).Align(16) + 16
	h.Put(at-8, 0x211) // 0x210 with the flag that the chunk before is in use
	if got := BlockEnd(h.Memory(), at, limit); got != 0x208 {
		t.Errorf("glibc: %d bytes, want %d", got, 0x208)
	}
}
