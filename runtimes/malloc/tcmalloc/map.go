package tcmalloc

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// The page map of addresses of 48 bits.
const (
	addressBits = 48
	maxWork     = 1 << 22 // words of leaves that are passed over in search of a root, by eight, and elements by 16
	maxFirst    = 32      // elements of a leaf that are looked at for one that holds together
	maxSpans    = 1 << 24
	maxRoots    = 64
)

// pageShifts are the sizes of pages that builds have: 8 KiB, and by --with-tcmalloc-pagesize.
var pageShifts = []uint{13, 12, 14, 15, 16, 18}

// Offsets in a Span.
const (
	lengthAt   = 8
	objectsAt  = 32
	refsAt     = 40
	classOfAt  = 42
	flagsAt    = 43
	spanSize   = 48
	flagsPlace = 3 // of flags: location
)

// The places of a span.
const (
	inUse = iota
	normal
	returned
)

// A span is a run of pages.
type span struct {
	at     core.Addr // of its record
	start  core.Addr
	size   core.Addr
	class  uint8
	place  uint8
	refs   uint16
	object core.Addr // the first of its list of free objects
}

func (s *span) end() core.Addr { return s.start + s.size }

// A pageMap is a page map that was found, or is looked for.
type pageMap struct {
	p     *core.Process
	c     *core.Cursor
	shift uint // of a page
	leaf  uint // bits of a leaf
	top   uint // bits of the root
	root  core.Addr
	spans []span
	work  int
}

func newMap(p *core.Process, shift uint) *pageMap {
	bits := addressBits - shift
	m := &pageMap{p: p, c: p.Cursor(), shift: shift, leaf: (bits + 1) / 2}
	m.top = bits - m.leaf
	return m
}

// mapIn returns the page map in a mapping.
func mapIn(ctx context.Context, p *core.Process, g core.Mapping) *pageMap {
	for _, shift := range pageShifts {
		m := newMap(p, shift)
		if g.End-g.Start < 8<<m.top {
			continue
		}
		var out *pageMap
		seen := map[core.Addr]bool{}
		block.Words(p, g.Start, min(g.End, g.Start+maxData), func(at, v core.Addr) bool {
			if m.work > maxWork || len(seen) > maxRoots || ctx.Err() != nil {
				return false
			}
			root, ok := m.rootOf(at, v, g)
			if !ok || seen[root] {
				return true
			}
			seen[root] = true
			x := newMap(p, shift)
			x.root = root
			if x.load(ctx, maxWork-m.work); len(x.spans) > 0 {
				out = x
			}
			m.work += x.work
			return out == nil
		})
		if out != nil {
			return out
		}
	}
	return nil
}

// isLeaf reports whether a leaf may be at an address.
func (m *pageMap) isLeaf(a core.Addr) bool {
	if a%8 != 0 || a>>addressBits != 0 {
		return false
	}
	g, ok := m.p.Mapping(a)
	return ok && g.Prot&core.Write != 0 && g.End-a >= 8<<m.leaf
}

// rootOf returns the root that has an element at an address, if a span in the leaf that it refers to says so.
func (m *pageMap) rootOf(at, v core.Addr, g core.Mapping) (root core.Addr, ok bool) {
	if !m.isLeaf(v) {
		return 0, false
	}
	tries, end := 0, v+8<<m.leaf
	block.Words(m.p, v, end, func(e, x core.Addr) bool {
		if tries++; tries > maxFirst {
			end = e
			return false
		}
		m.work += 16
		s, good := m.span(x)
		page := s.start >> m.shift
		if !good || page&(1<<m.leaf-1) != (e-v)>>3 {
			return true
		}
		root = at - page>>m.leaf<<3
		ok = root >= g.Start && root <= at && root+8<<m.top <= g.End && m.both(v, page, &s)
		end = e
		return !ok
	})
	m.work += int(end-v) >> 6
	return root, ok
}

// both reports whether the last page of a span refers to the span, too; it may be in another leaf.
func (m *pageMap) both(leaf, page core.Addr, s *span) bool {
	last := page + s.size>>m.shift - 1
	if last>>m.leaf != page>>m.leaf {
		if m.root == 0 {
			return false
		}
		leaf = m.c.Pointer(m.root + last>>m.leaf<<3)
	}
	v := m.c.Pointer(leaf + last&(1<<m.leaf-1)<<3)
	return m.c.Reset() == nil && v == s.at
}

// span reads a span.
func (m *pageMap) span(at core.Addr) (span, bool) {
	c := m.c
	if at%8 != 0 || at == 0 {
		return span{}, false
	}
	page, n, flags := c.Pointer(at), c.Pointer(at+lengthAt), c.U8(at+flagsAt)
	s := span{at: at, start: page << m.shift, size: n << m.shift, class: c.U8(at + classOfAt), place: flags & flagsPlace,
		refs: c.U16(at + refsAt), object: c.Pointer(at + objectsAt)}
	ok := c.Reset() == nil && page != 0 && n != 0 && page>>(addressBits-m.shift) == 0 && n>>(addressBits-m.shift) == 0 && s.place <= returned
	return s, ok
}

// load reads all spans. Elements may be left from spans that are no more: a span counts if its first and its last page refer to it.
// After work elements without a span it gives up.
func (m *pageMap) load(ctx context.Context, work int) {
	block.Words(m.p, m.root, m.root+8<<m.top, func(at, leaf core.Addr) bool {
		base := (at - m.root) >> 3 << m.leaf
		if !m.isLeaf(leaf) {
			return true
		}
		block.Words(m.p, leaf, leaf+8<<m.leaf, func(e, v core.Addr) bool {
			if m.work++; m.work > work && len(m.spans) == 0 {
				return false
			}
			page := base + (e-leaf)>>3
			s, ok := m.span(v)
			if ok && s.start>>m.shift == page && m.both(leaf, page, &s) && block.Mapped(m.p, s.start, s.end()) {
				m.spans = append(m.spans, s)
			}
			return len(m.spans) < maxSpans && ctx.Err() == nil
		})
		return len(m.spans) < maxSpans && (m.work <= work || len(m.spans) > 0) && ctx.Err() == nil
	})
	m.spans = block.Separate(m.spans, func(s span) block.Span { return block.Span{Start: s.start, End: s.end()} })
}
