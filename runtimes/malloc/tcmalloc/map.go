package tcmalloc

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

const (
	maxWork  = 1 << 22 // words of leaves that are passed over in search of a root, by eight, and elements by 16
	maxFirst = 32      // elements of a leaf that are looked at for one that holds together
	maxSpans = 1 << 24
	maxRoots = 64
)

// A machine is the size of words and of addresses.
type machine struct {
	word    uint // shift of a pointer
	address uint // bits
}

var (
	wide   = machine{word: 3, address: 48}
	narrow = machine{word: 2, address: 32}
)

func machineOf(p *core.Process) machine {
	if _, w := p.Words(); w == 4 {
		return narrow
	}
	return wide
}

func (m machine) pointer() core.Addr { return 1 << m.word }

// pageShifts are the sizes of pages that builds have: 8 KiB, and by --with-tcmalloc-pagesize.
var pageShifts = []uint{13, 12, 14, 15, 16, 18}

// Offsets in a Span, in words. Before the counts are the first page, the length, two links, and the list of objects.
const (
	lengthAt = 1 + iota
	_
	_
	objectsAt
	refsAt
)

// Offsets in a Span after refsAt.
const (
	classOfAt  = 2
	flagsAt    = 3
	flagsPlace = 3 // of flags: location
)

// spanSize returns the size of a Span.
func (m machine) spanSize() core.Addr { return (refsAt + 1) * m.pointer() }

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
	machine
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
	m := &pageMap{machine: machineOf(p), p: p, c: p.Cursor(), shift: shift}
	bits := m.address - shift
	m.leaf = (bits + 1) / 2
	m.top = bits - m.leaf
	return m
}

// mapIn returns the page map in a mapping.
func mapIn(ctx context.Context, p *core.Process, g core.Mapping) *pageMap {
	for _, shift := range pageShifts {
		m := newMap(p, shift)
		if g.End-g.Start < m.pointer()<<m.top {
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
	if a%m.pointer() != 0 || a>>m.address != 0 {
		return false
	}
	g, ok := m.p.Mapping(a)
	return ok && g.Prot&core.Write != 0 && g.End-a >= m.pointer()<<m.leaf
}

// rootOf returns the root that has an element at an address, if a span in the leaf that it refers to says so.
func (m *pageMap) rootOf(at, v core.Addr, g core.Mapping) (root core.Addr, ok bool) {
	if !m.isLeaf(v) {
		return 0, false
	}
	tries, end := 0, v+m.pointer()<<m.leaf
	block.Words(m.p, v, end, func(e, x core.Addr) bool {
		if tries++; tries > maxFirst {
			end = e
			return false
		}
		m.work += 16
		s, good := m.span(x)
		page := s.start >> m.shift
		if !good || page&(1<<m.leaf-1) != (e-v)>>m.word {
			return true
		}
		root = at - page>>m.leaf<<m.word
		ok = root >= g.Start && root <= at && root+m.pointer()<<m.top <= g.End && m.both(v, page, &s)
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
		leaf = m.c.Pointer(m.root + last>>m.leaf<<m.word)
	}
	v := m.c.Pointer(leaf + last&(1<<m.leaf-1)<<m.word)
	return m.c.Reset() == nil && v == s.at
}

// span reads a span.
func (m *pageMap) span(at core.Addr) (span, bool) {
	c := m.c
	w := m.pointer()
	if at%w != 0 || at == 0 {
		return span{}, false
	}
	counts := at + refsAt*w
	page, n, flags := c.Pointer(at), c.Pointer(at+lengthAt*w), c.U8(counts+flagsAt)
	s := span{at: at, start: page << m.shift, size: n << m.shift, class: c.U8(counts + classOfAt),
		place: flags & flagsPlace,
		refs:  c.U16(counts), object: c.Pointer(at + objectsAt*w)}
	ok := c.Reset() == nil && page != 0 && n != 0 && page>>(m.address-m.shift) == 0 && n>>(m.address-m.shift) == 0 &&
		s.place <= returned
	return s, ok
}

// load reads all spans. Elements may be left from spans that are no more: a span counts if its first and its
// last page refer to it. After work elements without a span it gives up.
func (m *pageMap) load(ctx context.Context, work int) {
	block.Words(m.p, m.root, m.root+m.pointer()<<m.top, func(at, leaf core.Addr) bool {
		base := (at - m.root) >> m.word << m.leaf
		if !m.isLeaf(leaf) {
			return true
		}
		block.Words(m.p, leaf, leaf+m.pointer()<<m.leaf, func(e, v core.Addr) bool {
			if m.work++; m.work > work && len(m.spans) == 0 {
				return false
			}
			page := base + (e-leaf)>>m.word
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
