package glibc

import (
	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

const (
	probeChunks = 16      // chunks in a row that show where a chain begins
	maxWalks    = 1 << 24 // headers that are looked at for that, in all
)

// holds reports whether from an address on n chunks follow each other, or fewer that end at the top chunk or where
// the span does.
func (h *Malloc) holds(s *span, at core.Addr, n int) bool {
	c, l := h.p.Cursor(), &h.l
	before := core.Addr(0)
	for i := range n {
		v := c.Pointer(at + l.w)
		size := v &^ sizeBits
		if h.walks++; c.Err() != nil || h.walks > maxWalks {
			return i > 1 && c.Err() != nil
		}
		if i > 0 && v&prevInUse == 0 && (before == 0 || c.Pointer(at) != before) {
			return false
		}
		switch {
		case at == s.top:
			return size >= l.minChunk() && at+size <= s.end
		case size == l.header() && i > 0 && at+8*l.w >= s.end:
			return true
		case size == l.header() && i > 0 && s.main && v&prevInUse != 0: // a fence post
			return true
		case !l.fits(s, v, at):
			return false
		}
		at, before = at+size, size
		if at+l.header() > s.end {
			return at == s.end
		}
	}
	return true
}

// resume goes on after a header that is none.
func (x *walker) resume(v core.Addr) bool {
	l := &x.h.l
	if !x.fenced {
		x.breaks(v, "it is not the size of a chunk")
	}
	if at, ok := x.search(x.at + l.align); ok {
		x.skip(at)
		return true
	}
	x.skip(x.s.end)
	return false
}

// search returns the first address from an address on where chunks follow each other.
func (x *walker) search(at core.Addr) (core.Addr, bool) {
	l, top := &x.h.l, x.s.top
	for at+l.minChunk() <= x.s.end && x.h.walks < maxWalks {
		if top != 0 && x.at < top && at > top {
			break
		}
		ok, err := x.candidate(at)
		switch {
		case err != nil:
			at = x.beyond(at)
		case at == top || ok && x.h.holds(x.s, at, probeChunks):
			return at, true
		default:
			at += l.align
		}
	}
	return 0, false
}

// beyond returns where a chunk may begin after the bytes at an address that cannot be read. If the core should have
// them, the rest of their page is passed over.
func (x *walker) beyond(at core.Addr) core.Addr {
	w := x.h.l.w
	next := block.DataFrom(x.h.p, at+w, x.s.end)
	if next == at+w {
		next = next&^(pageSize-1) + pageSize
	}
	return x.h.l.chunkAt(next - w)
}

// candidate reports whether a chunk may begin at an address, at little cost. It fails where the core has no bytes.
func (x *walker) candidate(at core.Addr) (bool, error) {
	v := x.c.Pointer(at + x.h.l.w)
	if err := x.c.Reset(); err != nil {
		return false, err
	}
	x.h.walks++
	return v != 0 && x.fits(v, at), nil
}

// skip passes over memory whose chunks are not known. After fence posts it is none of the allocator's.
func (x *walker) skip(to core.Addr) {
	if !x.fenced {
		x.r.Lost += uint64(to - x.at)
		x.add(max(to-x.at, x.h.l.header()), block.Lost)
	}
	x.fenced = false
	x.at = to
}

// missing passes over memory that the core does not have.
func (x *walker) missing() bool {
	at, ok := x.search(x.beyond(x.at))
	if !ok {
		at = x.s.end
	}
	x.r.Missing += uint64(at - x.at)
	x.at = at
	return ok
}
