package mimalloc

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

const (
	maxSlices   = 1 << 20 // of a huge segment: 64 GiB
	maxSlicesAt = 512     // offset of the slices in a segment, at most
	maxSegments = 1 << 18
)

// Places of words before the slices of a segment (mi_segment_t), whose beginning differs between releases.
const (
	threadAt = 1 + iota
	entriesAt
	kindAt
	infoAt
	countAt
)

// A machine is the sizes of mimalloc 2 on processors of a word size.
type machine struct {
	word     core.Addr
	align    core.Addr // of a segment
	slice    core.Addr // bytes of a slice
	slicesAt core.Addr // offset of the slices in a segment, at least
}

var (
	wide   = machine{word: 8, align: 32 << 20, slice: 64 << 10, slicesAt: 200}
	narrow = machine{word: 4, align: 4 << 20, slice: 32 << 10, slicesAt: 64}
)

// A shape is the offsets of one row of releases, in a mi_page_t, and of two words before the slices of a segment.
type shape struct {
	machine
	entry        core.Addr // bytes of a mi_page_t
	size         core.Addr // of a block: xblock_size, or block_size
	cookie, used core.Addr
	local, other core.Addr // lists
	heap, alive  core.Addr
	// it has the size of blocks as a word, and where they begin; the number of blocks in use is half as long
	wide   bool
	python bool
}

var shapes = []*shape{
	// to 2.1.2
	{machine: wide, entry: 80, size: 28, cookie: 48, used: 56, local: 32, other: 40, heap: 48, alive: 24},
	// 2.1.9 to 2.4
	{machine: wide, entry: 96, size: 40, cookie: 64, used: 72, local: 24, other: 56, heap: 64, alive: 32, wide: true},
	// CPython's own 2.1.2 in free-threaded builds, whose pages have three words more
	{machine: wide, entry: 96, size: 28, cookie: 48, used: 56, local: 32, other: 40, heap: 48, alive: 24, python: true},
	{machine: narrow, entry: 48, size: 24, cookie: 24, used: 28, local: 28, other: 32, heap: 36, alive: 20}, // to 2.1.2
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

func (s *segment) end() core.Addr { return s.at + s.count*s.shape.slice }

func machineOf(p *core.Process) machine {
	if _, w := p.Words(); w == 4 {
		return narrow
	}
	return wide
}

// segmentsOf returns the segments of a process by the key that their cookies are mixed with.
func segmentsOf(ctx context.Context, p *core.Process) map[core.Addr][]segment {
	out := map[core.Addr][]segment{}
	c, n := p.Cursor(), 0
	m := machineOf(p)
	for _, g := range p.Mappings {
		if g.Path != "" && g.Path != "[heap]" || g.Prot&core.Write == 0 || g.End-g.Start < m.slice {
			continue
		}
		for at := g.Start.Align(uint64(m.align)); at < g.End && at >= g.Start && n < maxSegments; at += m.align {
			if n++; n&255 == 0 && ctx.Err() != nil {
				return nil
			}
			if s, ok := segmentAt(p, c, at, m); ok {
				out[s.cookie^at] = append(out[s.cookie^at], s)
			}
		}
	}
	return out
}

// segmentAt reads a segment, if one is at an address.
func segmentAt(p *core.Process, c *core.Cursor, at core.Addr, m machine) (segment, bool) {
	for off := m.slicesAt; off <= maxSlicesAt; off += m.word {
		if c.U32(at+off) == 0 || c.U32(at+off+4) != 0 {
			if c.Reset() != nil {
				break
			}
			continue
		}
		for _, f := range shapes {
			if f.machine != m {
				continue
			}
			if x, ok := segmentIn(p, c, at, at+off, f); ok {
				return x, true
			}
		}
	}
	return segment{}, false
}

// segmentIn reads a segment of a shape whose slices are at an address.
func segmentIn(p *core.Process, c *core.Cursor, at, s core.Addr, f *shape) (segment, bool) {
	w := f.word
	x := segment{at: at, shape: f, slices: s, count: c.Pointer(s - countAt*w), entries: c.Pointer(s - entriesAt*w),
		info: c.Pointer(s - infoAt*w),
		kind: c.U32(s - kindAt*w), thread: c.Pointer(s - threadAt*w), cookie: c.Pointer(s - f.cookie)}
	used := c.Pointer(s - f.used)
	if c.Reset() != nil || x.kind > huge || x.info == 0 || x.info >= x.entries || x.entries > x.count ||
		x.count > maxSlices || x.entries > f.align/f.slice ||
		x.kind == normal && x.entries != x.count || used > x.entries || x.info != core.Addr(c.U32(s)) || x.cookie == 0 {
		return x, false
	}
	return x, x.chained(c) && block.Mapped(p, at, x.end()) && x.suits(c)
}

// suits reports whether most pages with blocks fit the segment's shape: releases have the same chain of slices,
// and different pages.
func (s *segment) suits(c *core.Cursor) bool {
	good, bad := 0, 0
	s.pages(c, func(at, start, end core.Addr, size uint64) {
		capacity, reserved := uint64(c.U16(at+capacityAt)), uint64(c.U16(at+reservedAt))
		room, free := uint64(end-start), size <= inside
		switch {
		case c.Reset() != nil || capacity > reserved || size > room || reserved*size > room,
			free != (reserved == 0), !free && size%uint64(s.shape.word) != 0:
			bad++
		case reserved > 0:
			good++
		}
	})
	return good >= bad
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
