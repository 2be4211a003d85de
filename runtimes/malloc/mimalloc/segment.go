package mimalloc

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// Sizes of mimalloc 2 on processors of 64 bits.
const (
	segmentAlign = 32 << 20
	sliceSize    = 64 << 10
	maxSlices    = 1 << 20 // of a huge segment: 64 GiB
	entrySize    = 80      // mi_page_t
	minSlicesAt  = 200     // offset of the slices in a segment
	maxSlicesAt  = 512
	maxSegments  = 1 << 18
)

// Offsets before the slices of a segment (mi_segment_t), whose beginning differs between releases.
const (
	threadAt  = 8
	entriesAt = 16
	kindAt    = 24
	infoAt    = 32
	countAt   = 40
	cookieAt  = 48
	usedAt    = 56
)

// The kinds of segments.
const (
	normal = iota
	huge
)

// A segment is memory with pages.
type segment struct {
	at      core.Addr
	slices  core.Addr // the array of slices
	count   core.Addr // slices, the first ones of the segment's record included
	entries core.Addr // slices that have a record
	info    core.Addr // slices that the segment's record has
	kind    uint32
	thread  core.Addr // its owner; 0 if that has ended
	cookie  core.Addr // mixed with its address
}

func (s *segment) end() core.Addr { return s.at + s.count*sliceSize }

// segmentsOf returns the segments of a process by the key that their cookies are mixed with.
func segmentsOf(ctx context.Context, p *core.Process) map[core.Addr][]segment {
	out := map[core.Addr][]segment{}
	c, n := p.Cursor(), 0
	for _, m := range p.Mappings {
		if m.Path != "" || m.Prot&core.Write == 0 || m.End-m.Start < sliceSize {
			continue
		}
		for at := m.Start.Align(segmentAlign); at < m.End && n < maxSegments; at += segmentAlign {
			if n++; n&255 == 0 && ctx.Err() != nil {
				return nil
			}
			if s, ok := segmentAt(p, c, at); ok {
				out[s.cookie^at] = append(out[s.cookie^at], s)
			}
		}
	}
	return out
}

// segmentAt reads a segment, if one is at an address.
func segmentAt(p *core.Process, c *core.Cursor, at core.Addr) (segment, bool) {
	for off := core.Addr(minSlicesAt); off <= maxSlicesAt; off += 8 {
		if c.U32(at+off) == 0 || c.U32(at+off+4) != 0 {
			if c.Reset() != nil {
				break
			}
			continue
		}
		s := at + off
		x := segment{at: at, slices: s, count: c.Pointer(s - countAt), entries: c.Pointer(s - entriesAt), info: c.Pointer(s - infoAt),
			kind: c.U32(s - kindAt), thread: c.Pointer(s - threadAt), cookie: c.Pointer(s - cookieAt)}
		used := c.Pointer(s - usedAt)
		if c.Reset() != nil || x.kind > huge || x.info == 0 || x.info >= x.entries || x.entries > x.count || x.count > maxSlices || x.entries > segmentAlign/sliceSize ||
			x.kind == normal && x.entries != x.count || used > x.entries || x.info != core.Addr(c.U32(s)) || x.cookie == 0 {
			continue
		}
		if x.chained(c) && block.Mapped(p, at, x.end()) {
			return x, true
		}
	}
	return segment{}, false
}

// chained reports whether the counts of slices lead from the first to the last.
func (s *segment) chained(c *core.Cursor) bool {
	i, n := core.Addr(0), 0
	for i < s.entries {
		count, off := core.Addr(c.U32(s.slices+i*entrySize)), c.U32(s.slices+i*entrySize+4)
		if c.Reset() != nil || count == 0 || off != 0 {
			return false
		}
		i += count
		n++
	}
	return n > 1 && (i == s.entries || s.kind == huge && i == s.count)
}
