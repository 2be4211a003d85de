package mimalloc

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// Sizes of mimalloc 2 on processors of 64 bits.
const (
	segmentAlign = 32 << 20
	sliceShift   = 16
	sliceSize    = 1 << sliceShift
	maxSlices    = 1 << 20 // of a huge segment: 64 GiB
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
)

// A shape is the offsets of one row of releases, in a mi_page_t, and of two words before the slices of a segment.
type shape struct {
	entry        core.Addr // bytes of a mi_page_t
	cookie, used core.Addr
	local, other core.Addr // lists
	heap, alive  core.Addr
	wide         bool // it has the size of blocks as a word, and where they begin; the number of blocks in use is half as long
}

var shapes = []*shape{
	{entry: 80, cookie: 48, used: 56, local: 32, other: 40, heap: 48, alive: 24},             // to 2.1.2
	{entry: 96, cookie: 64, used: 72, local: 24, other: 56, heap: 64, alive: 32, wide: true}, // 2.1.9 to 2.4
}

// The kinds of segments.
const (
	normal = iota
	huge
)

// A segment is memory with pages.
type segment struct {
	at      core.Addr
	shape   *shape
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
		for _, f := range shapes {
			if x, ok := segmentIn(p, c, at, at+off, f); ok {
				return x, true
			}
		}
	}
	return segment{}, false
}

// segmentIn reads a segment of a shape whose slices are at an address.
func segmentIn(p *core.Process, c *core.Cursor, at, s core.Addr, f *shape) (segment, bool) {
	x := segment{at: at, shape: f, slices: s, count: c.Pointer(s - countAt), entries: c.Pointer(s - entriesAt), info: c.Pointer(s - infoAt),
		kind: c.U32(s - kindAt), thread: c.Pointer(s - threadAt), cookie: c.Pointer(s - f.cookie)}
	used := c.Pointer(s - f.used)
	if c.Reset() != nil || x.kind > huge || x.info == 0 || x.info >= x.entries || x.entries > x.count || x.count > maxSlices || x.entries > segmentAlign/sliceSize ||
		x.kind == normal && x.entries != x.count || used > x.entries || x.info != core.Addr(c.U32(s)) || x.cookie == 0 {
		return x, false
	}
	return x, x.chained(c) && block.Mapped(p, at, x.end())
}

// chained reports whether the counts of slices lead from the first to the last.
func (s *segment) chained(c *core.Cursor) bool {
	i, n := core.Addr(0), 0
	for i < s.entries {
		count, off := core.Addr(c.U32(s.slices+i*s.shape.entry)), c.U32(s.slices+i*s.shape.entry+4)
		if c.Reset() != nil || count == 0 || off != 0 {
			return false
		}
		i += count
		n++
	}
	return n > 1 && (i == s.entries || s.kind == huge && i == s.count)
}
