package oldmalloc

import (
	"math/bits"

	"coredbg/core"
)

const maxShift = 30 // of an alignment that was asked for

// mapped reads the header of a block whose mapping begins at an address: how many bytes were mapped, and how
// far into them its chunk begins, which the word before its size says. A block with an alignment has its
// header further on, and the first one is left. Both have the same end, unless realloc has moved it, which
// changes the one further on alone.
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
		n, ok := h.moved(c, at, off, limit)
		if ok && off > first && (n == first+size || h.ends(c, at+n, limit) && !h.ends(c, at+first+size, limit)) {
			return n, off, true
		}
	}
	total, ok = h.moved(c, at, first, limit)
	return total, first, ok
}

// ends reports whether a mapped block can end at an address: the mapping ends with it, or the first header of
// another block or of a piece follows.
func (h *Malloc) ends(c *core.Cursor, at, limit core.Addr) bool {
	l := &h.l
	first := l.align() - l.header()
	if at >= limit {
		return at == limit
	}
	before, size := c.Pointer(at+first), c.Pointer(at+first+l.w)
	return c.Reset() == nil && before == first && size&inUse == 0 && (size+first)%pageSize == 0 ||
		before == inUse && l.fits(at+l.header(), size, limit)
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
