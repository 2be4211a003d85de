package gtcmalloc

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

const (
	pageShift = 13
	pageBits  = addressBits - pageShift // of the number of a page
	maxSpans  = 1 << 24
)

// A tree is the shape of a page map: some bits of a page's number choose an element of a leaf, and others an
// element of a node between the root and the leaves. The rest chooses an element of the root. Two levels have
// no nodes.
type tree struct{ leaf, node uint }

// trees has the shapes for processors with addresses of 48 bits.
var trees = []tree{{leaf: 15}, {leaf: 12, node: 12}}

func (t tree) rootSize() core.Addr { return 8 << (pageBits - t.leaf - t.node) }
func (t tree) nodeSize() core.Addr { return 8 << t.node }
func (t tree) pages() core.Addr    { return 1 << t.leaf } // of a leaf

// leafSize returns the size of a leaf whose size classes have a width in bytes.
func (t tree) leafSize(width core.Addr) core.Addr { return t.pages() * (width + 8) }

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
	whole bool      // all spans were read
	bad   int       // elements that do not hold together
	none  core.Addr // the span of no pages; 0 if it was not seen
	work  int
}

// inRoot reports whether an address is in the root.
func (m *pageMap) inRoot(at core.Addr) bool { return at >= m.root && at < m.root+m.l.tree.rootSize() }

// elements returns where the spans of a leaf are.
func (m *pageMap) elements(leaf core.Addr) core.Addr { return leaf + m.l.tree.pages()*m.width }

// isLeaf reports whether a leaf may be at an address.
func (m *pageMap) isLeaf(a core.Addr) bool { return hasRoom(m.p, a, m.l.tree.leafSize(m.width)) }

// hasRoom reports whether the allocator may have a record of a size at an address.
func hasRoom(p *core.Process, a, size core.Addr) bool {
	if a%8 != 0 || a>>addressBits != 0 {
		return false
	}
	g, ok := p.Mapping(a)
	return ok && g.Prot&core.Write != 0 && g.End-a >= size
}

// load reads all spans, and reports whether they look as such: the spans of a size class have it on all their
// pages, and in packed elements. Leaves do not overlap.
func (m *pageMap) load(ctx context.Context) bool {
	x := loader{m: m, ctx: ctx, leaves: map[core.Addr]bool{}}
	m.whole, m.bad, m.spans = true, 0, nil
	t := m.l.tree
	block.Words(m.p, m.root, m.root+t.rootSize(), func(at, v core.Addr) bool {
		x.top((at-m.root)/8<<(t.leaf+t.node), v)
		return x.on()
	})
	m.spans = block.Separate(m.spans, func(s span) block.Span { return block.Span{Start: s.start, End: s.end()} })
	return len(m.spans) > 0 && 8*m.bad < len(m.spans)+8
}

// A loader reads the leaves of a page map.
type loader struct {
	m      *pageMap
	ctx    context.Context
	leaves map[core.Addr]bool // places of leaves that were read: two leaves with one place overlap
}

// on reports whether to read on.
func (x *loader) on() bool {
	m := x.m
	m.whole = m.whole && len(m.spans) < maxSpans && m.bad <= maxFirst+len(m.spans)/64 && x.ctx.Err() == nil
	return m.whole
}

// top reads the node or the leaf that an element of the root leads to. Base is its first page.
func (x *loader) top(base, at core.Addr) {
	m, t := x.m, x.m.l.tree
	if t.node == 0 {
		x.leaf(base, at)
		return
	}
	m.work++
	if !hasRoom(m.p, at, t.nodeSize()) {
		m.bad++
		return
	}
	block.Words(m.p, at, at+t.nodeSize(), func(e, leaf core.Addr) bool {
		x.leaf(base+(e-at)/8<<t.leaf, leaf)
		return x.on()
	})
}

// leaf reads a leaf. Base is its first page.
func (x *loader) leaf(base, at core.Addr) {
	m := x.m
	m.work++
	place := at / m.l.tree.leafSize(m.width)
	if !m.isLeaf(at) || x.leaves[place] {
		m.bad++
		return
	}
	x.leaves[place] = true
	from := m.elements(at)
	block.Words(m.p, from, from+8*m.l.tree.pages(), func(e, v core.Addr) bool {
		m.work++
		if !m.element(at, base, (e-from)/8, v) {
			m.bad++
		}
		return x.on()
	})
}

// element adds the span that an element of a leaf leads to, if its page is the first one, and reports whether
// the element holds together. Base is the page of the leaf's first element.
func (m *pageMap) element(leaf, base, i, x core.Addr) bool {
	s, ok := m.l.span(m.c, m.l.spanOf(x))
	if !ok && m.isNone(m.l.spanOf(x)) {
		return true
	}
	if !ok || s.start>>pageShift != base+i || !block.Mapped(m.p, s.start, s.end()) {
		return ok && s.start>>pageShift <= base+i && s.end()>>pageShift > base+i
	}
	s.class, ok = m.classOf(leaf, i, s.size>>pageShift)
	m.spans = append(m.spans, s)
	return ok && (!m.l.packed || int(x>>addressBits) == s.class)
}

// isNone reports whether the only span of no pages is at an address: a constant of the program that the page map
// has for spans that were given back.
func (m *pageMap) isNone(at core.Addr) bool {
	if m.none == 0 && at%8 == 0 && block.ModuleOf(m.p, at) != nil {
		first := m.c.U64(at + m.l.first)
		if m.c.Reset() != nil || first == 0 {
			m.none = at
		}
	}
	return at == m.none && at != 0
}

// classOf returns the size class of a span's first page. It fails if the last page in the leaf has another one.
func (m *pageMap) classOf(leaf, i, pages core.Addr) (int, bool) {
	read := func(i core.Addr) int {
		if m.width == 1 {
			return int(m.c.U8(leaf + i))
		}
		return int(m.c.U16(leaf + 2*i))
	}
	class, last := read(i), read(min(i+pages, m.l.tree.pages())-1)
	return class, m.c.Reset() == nil && class == last
}
