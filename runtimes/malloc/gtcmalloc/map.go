package gtcmalloc

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// The shape of the page map of processors with addresses of 48 bits.
const (
	pageShift = 13
	leafBits  = 15
	leafPages = 1 << leafBits
	rootBits  = addressBits - pageShift - leafBits
	rootSize  = 8 << rootBits

	pageSize  = 4096 // of the system
	maxData   = 64 << 20
	maxWork   = 1 << 22 // elements that are passed over in search of a root
	maxFirst  = 64      // elements of a leaf that are looked at for one that holds together
	maxLeaves = 1 << 15 // addresses that are looked at for a leaf
	maxRoots  = 1 << 9  // that are read
	maxSpans  = 1 << 24
)

// classWidths are the sizes of a size class in a leaf.
var classWidths = []core.Addr{1, 2}

// A span is a run of pages.
type span struct {
	at    core.Addr // of its record
	start core.Addr
	size  core.Addr
	class int // 0 for a large object
}

func (s *span) end() core.Addr { return s.start + s.size }

// A pageMap is a page map that was found, or is looked for.
type pageMap struct {
	p     *core.Process
	c     *core.Cursor
	l     *layout
	width core.Addr // bytes of a size class
	root  core.Addr
	spans []span
	whole bool // all spans were read
	work  int
}

// A try is a root, and how it was read.
type try struct {
	root  core.Addr
	l     *layout
	width core.Addr
}

// mapIn returns the page map in a mapping.
func mapIn(ctx context.Context, p *core.Process, g core.Mapping) *pageMap {
	if g.End-g.Start < rootSize {
		return nil
	}
	var out *pageMap
	work, c, seen, tried := 0, p.Cursor(), map[core.Addr]bool{}, map[try]bool{}
	least := &pageMap{p: p, width: classWidths[0]}
	block.Words(p, g.Start, min(g.End, g.Start+maxData), func(at, v core.Addr) bool {
		// A leaf begins with a page, or no element is before its own in the root: of leaves that lie together, the
		// first is enough.
		if !least.isLeaf(v) || v%pageSize != 0 && c.U64(at-8) != 0 {
			c.Reset()
			return ctx.Err() == nil
		}
		if c.Reset(); seen[v] {
			return true
		}
		seen[v] = true
		for i := range layouts {
			for _, width := range classWidths {
				m := &pageMap{p: p, c: p.Cursor(), l: &layouts[i], width: width, work: work}
				root, ok := m.rootOf(at, v, g)
				work = m.work
				x := try{root, m.l, width}
				if !ok || tried[x] {
					continue
				}
				tried[x] = true
				if m.root = root; m.load(ctx) {
					out = m
					return false
				}
				work = m.work
			}
		}
		return work < maxWork && len(seen) < maxLeaves && len(tried) < maxRoots && ctx.Err() == nil
	})
	return out
}

func (m *pageMap) leafSize() core.Addr { return leafPages * (m.width + 8) }

// elements returns where the spans of a leaf are.
func (m *pageMap) elements(leaf core.Addr) core.Addr { return leaf + leafPages*m.width }

// isLeaf reports whether a leaf may be at an address.
func (m *pageMap) isLeaf(a core.Addr) bool {
	if a%16 != 0 || a>>addressBits != 0 {
		return false
	}
	g, ok := m.p.Mapping(a)
	return ok && g.Prot&core.Write != 0 && g.End-a >= m.leafSize()
}

// rootOf returns the root that has an element at an address, if a span in the leaf that it refers to says so.
func (m *pageMap) rootOf(at, v core.Addr, g core.Mapping) (root core.Addr, ok bool) {
	if m.work++; !m.isLeaf(v) {
		return 0, false
	}
	tries, from := 0, m.elements(v)
	block.Words(m.p, from, from+8*leafPages, func(e, x core.Addr) bool {
		if tries++; tries > maxFirst {
			return false
		}
		s, good := m.l.span(m.c, m.l.spanOf(x))
		page := s.start >> pageShift
		if !good || page&(leafPages-1) != (e-from)/8 {
			return true
		}
		root = at - page>>leafBits*8
		ok = root >= g.Start && root <= at && root+rootSize <= g.End
		return !ok
	})
	m.work += tries
	return root, ok
}

// load reads all spans, and reports whether they look as such: the spans of a size class have it on all their
// pages, and in packed elements. Leaves do not overlap.
func (m *pageMap) load(ctx context.Context) bool {
	bad, leaves := 0, map[core.Addr]bool{}
	m.whole = true
	on := func() bool {
		m.whole = len(m.spans) < maxSpans && bad <= maxFirst+len(m.spans)/64 && ctx.Err() == nil
		return m.whole
	}
	block.Words(m.p, m.root, m.root+rootSize, func(at, leaf core.Addr) bool {
		m.work++
		base, place := (at-m.root)/8<<leafBits, leaf/m.leafSize() // two leaves of one place overlap
		if !m.isLeaf(leaf) || leaves[place] {
			bad++
			return on()
		}
		leaves[place] = true
		from := m.elements(leaf)
		block.Words(m.p, from, from+8*leafPages, func(e, x core.Addr) bool {
			m.work++
			if !m.element(leaf, base, (e-from)/8, x) {
				bad++
			}
			return on()
		})
		return m.whole
	})
	m.spans = block.Separate(m.spans, func(s span) block.Span { return block.Span{Start: s.start, End: s.end()} })
	return len(m.spans) > 0 && 8*bad < len(m.spans)+8
}

// element adds the span that an element of a leaf leads to, if its page is the first one, and reports whether
// the element holds together. Base is the page of the leaf's first element.
func (m *pageMap) element(leaf, base, i, x core.Addr) bool {
	s, ok := m.l.span(m.c, m.l.spanOf(x))
	if !ok || s.start>>pageShift != base+i || !block.Mapped(m.p, s.start, s.end()) {
		return ok && s.start>>pageShift <= base+i && s.end()>>pageShift > base+i
	}
	s.class, ok = m.classOf(leaf, i, s.size>>pageShift)
	m.spans = append(m.spans, s)
	return ok && (!m.l.packed || int(x>>addressBits) == s.class)
}

// classOf returns the size class of a span's first page. It fails if the last page in the leaf has another one.
func (m *pageMap) classOf(leaf, i, pages core.Addr) (int, bool) {
	read := func(i core.Addr) int {
		if m.width == 1 {
			return int(m.c.U8(leaf + i))
		}
		return int(m.c.U16(leaf + 2*i))
	}
	class, last := read(i), read(min(i+pages, leafPages)-1)
	return class, m.c.Reset() == nil && class == last
}
