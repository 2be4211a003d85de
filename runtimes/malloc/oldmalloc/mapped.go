package oldmalloc

import (
	"math/bits"

	"coredbg/core"
)

const maxShift = 30 // of an alignment that was asked for

// mapped reads the header of a block whose mapping begins at an address: how many bytes were mapped, and how
// far into them its chunk begins, which the word before its size says. A block with an alignment has its
// header further on, and the first one is left.
func (h *Malloc) mapped(c *core.Cursor, at, limit core.Addr) (total, head core.Addr, ok bool) {
	l := &h.l
	first := l.align() - l.header()
	before, size := c.Pointer(at+first), c.Pointer(at+first+l.w)
	if c.Reset() != nil || before != first || size&inUse != 0 || size == 0 || (size+first)%pageSize != 0 {
		return 0, 0, false
	}
	for shift := bits.Len(uint(l.align())); shift <= maxShift; shift++ {
		off := (at + l.align()).Align(1<<shift) - l.header() - at
		if off >= limit-at {
			break
		}
		if n, ok := h.moved(c, at, off, limit); ok && off > first {
			return n, off, true
		}
	}
	total, ok = h.moved(c, at, first, limit)
	return total, first, ok
}

// moved reads a header in a mapping.
func (h *Malloc) moved(c *core.Cursor, at, off, limit core.Addr) (total core.Addr, ok bool) {
	before, size := c.Pointer(at+off), c.Pointer(at+off+h.l.w)
	if c.Reset() != nil || before != off || size&inUse != 0 || size <= h.l.header() || size > limit-at {
		return 0, false
	}
	total = off + size
	return total, total%pageSize == 0 && total <= limit-at
}
