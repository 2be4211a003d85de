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
	from := x.at
	for at := x.at + l.align; at+l.minChunk() <= x.s.end && x.h.walks < maxWalks; at += l.align {
		if x.s.top != 0 && from < x.s.top && at > x.s.top {
			break
		}
		if at == x.s.top || x.candidate(at) && x.h.holds(x.s, at, probeChunks) {
			x.skip(at)
			return true
		}
	}
	x.skip(x.s.end)
	return false
}

// candidate reports whether a chunk may begin at an address, at little cost.
func (x *walker) candidate(at core.Addr) bool {
	v := x.c.Pointer(at + x.h.l.w)
	if x.c.Reset() != nil {
		return false
	}
	x.h.walks++
	return v != 0 && x.fits(v, at)
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
	from := x.at
	for x.at < x.s.end {
		g, ok := x.h.p.Space.Resolve(x.at + x.h.l.w)
		if !ok {
			break
		}
		if g.Kind != core.SegGap {
			x.r.Missing += uint64(x.at - from)
			return x.resumeAt()
		}
		x.at = x.h.l.chunkAt(min(g.End, x.s.end))
	}
	x.r.Missing += uint64(x.s.end - from)
	x.at = x.s.end
	return false
}

// resumeAt goes on after a gap.
func (x *walker) resumeAt() bool {
	l := &x.h.l
	for at := x.at; at+l.minChunk() <= x.s.end && x.h.walks < maxWalks; at += l.align {
		if at == x.s.top || x.candidate(at) && x.h.holds(x.s, at, probeChunks) {
			x.r.Missing += uint64(at - x.at)
			x.at = at
			return true
		}
	}
	x.r.Missing += uint64(x.s.end - x.at)
	x.at = x.s.end
	return false
}
