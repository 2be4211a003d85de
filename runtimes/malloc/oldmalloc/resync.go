package oldmalloc

import (
	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

const (
	probeChunks = 16      // chunks in a row that show where a chain begins
	maxWalks    = 1 << 24 // headers that are looked at for that, in all
)

// chunks returns n if from an address on n chunks follow each other, or fewer that end with the piece: each
// has its size behind it, too. It returns 0 if they do not.
func (h *Malloc) chunks(c *core.Cursor, at, limit core.Addr, n int) int {
	size := core.Addr(0)
	for i := range n + 1 {
		before, v := c.Pointer(at), c.Pointer(at+h.l.w)
		if h.walks++; c.Reset() != nil {
			return max(i-1, 0)
		}
		switch {
		case i > 0 && before != size:
			return 0
		case i == n, i > 0 && v == inUse:
			return i
		case !h.l.fits(at, v, limit):
			return 0
		}
		at, size = at+v&^inUse, v
	}
	return n
}

// resume goes on behind a header that is none.
func (x *walker) resume(v core.Addr) bool {
	l := &x.h.l
	x.breaks(block.Break{At: x.at + l.w, Value: uint64(v), Intact: x.intact(), Why: "it is not the size of a chunk"})
	to, ok := x.search(x.at + l.align())
	x.r.Lost += uint64(to - x.at)
	x.r.Chunks = append(x.r.Chunks, block.PackAs(x.at+l.header(), uint64(max(to-x.at, l.header())-l.header()),
		block.Lost, 0))
	x.at = to
	return ok
}

// missing passes over memory that the core does not have.
func (x *walker) missing() bool {
	to, ok := x.search(x.at)
	x.r.Missing += uint64(to - x.at)
	x.at = to
	return ok
}

// search returns the first address from an address on where chunks follow each other. If there is none it
// returns where the piece ends, which is known only if something else begins there.
func (x *walker) search(at core.Addr) (core.Addr, bool) {
	l, h := &x.h.l, x.h
	if x.given {
		return min(at, x.within.End), false // what is behind it may be the module's
	}
	for at+l.header() < x.within.End && h.walks < maxWalks {
		if page := at &^ (pageSize - 1); at-page == l.header() && h.other(x.c, x.within, page) {
			return page, false
		}
		v := x.c.Pointer(at + l.w)
		if x.c.Reset() != nil {
			next := block.DataFrom(h.p, (at + l.w).Align(pageSize), x.within.End)
			at = (next + l.header()).Align(uint64(l.align())) - l.header()
			continue
		}
		h.walks++
		if l.fits(at, v, x.within.End) && h.chunks(x.c, at, x.within.End, probeChunks) > 0 || l.ends(at, v) {
			return at, true
		}
		at += l.align()
	}
	return x.within.End, false
}

// other reports whether a block with a mapping of its own or another piece begins with a page.
func (h *Malloc) other(c *core.Cursor, m core.Mapping, page core.Addr) bool {
	_, _, ok := h.mapped(c, page, m.End)
	return ok || page > m.Start && h.begins(c, m, page+h.l.header())
}
