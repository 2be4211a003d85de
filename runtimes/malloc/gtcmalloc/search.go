package gtcmalloc

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// Bounds of a search for a page map.
const (
	pageSize = 4096 // of the system
	maxData  = 64 << 20
	maxWork  = 1 << 22 // elements that are passed over in search of a root
	maxNodes = 1 << 21 // reads in search of a root that refers to nodes
	maxFirst = 64      // elements of a leaf or of a node that are looked at for one that holds together
	maxWrong = 4       // elements of a leaf below a node that have no address of a span
	maxTops  = 1 << 15 // addresses that are looked at for a leaf or a node
	maxRoots = 1 << 9  // that are read
)

// classWidths are the sizes of a size class in a leaf.
var classWidths = []core.Addr{1, 2}

// A search looks for a page map of one shape in a mapping.
type search struct {
	p       *core.Process
	c       *core.Cursor
	g       core.Mapping
	layouts []*layout // whose spans have their pages in different places
	least   core.Addr // size of a leaf or a node that an element of the root refers to
	work    int
	most    int // work
	seen    map[core.Addr]bool
	tried   map[try]bool
}

// A try is a root, and how it was read.
type try struct {
	root  core.Addr
	l     *layout
	width core.Addr
}

// mapIn returns the page map in a mapping.
func mapIn(ctx context.Context, p *core.Process, g core.Mapping) *pageMap {
	var all []*search
	for _, t := range trees {
		if g.End-g.Start < t.rootSize() {
			continue
		}
		s := &search{p: p, c: p.Cursor(), g: g, layouts: layoutsOf(t), seen: map[core.Addr]bool{},
			tried: map[try]bool{}}
		if s.least, s.most = t.nodeSize(), maxNodes; t.node == 0 {
			s.least, s.most = t.leafSize(classWidths[0]), maxWork
		}
		all = append(all, s)
	}
	if len(all) == 0 {
		return nil
	}
	var out *pageMap
	block.Words(p, g.Start, min(g.End, g.Start+maxData), func(at, v core.Addr) bool {
		on := false
		for _, s := range all {
			if out == nil && s.on() {
				out = s.root(ctx, at, v)
				on = true
			}
		}
		return out == nil && on && ctx.Err() == nil
	})
	return out
}

// on reports whether the search goes on.
func (s *search) on() bool {
	return s.work < s.most && len(s.seen) < maxTops && len(s.tried) < maxRoots
}

// root returns the page map whose root has a word of the mapping; nil if there is none.
func (s *search) root(ctx context.Context, at, v core.Addr) *pageMap {
	// A leaf or a node begins with a page, or no element is before its own in the root: if several lie together,
	// the first is enough.
	if !hasRoom(s.p, v, s.least) || v%pageSize != 0 && s.c.U64(at-8) != 0 {
		s.c.Reset()
		return nil
	}
	if s.c.Reset(); s.seen[v] {
		return nil
	}
	s.seen[v] = true
	for _, l := range s.layouts {
		for _, width := range classWidths {
			m := &pageMap{p: s.p, c: s.p.Cursor(), l: l, width: width, work: s.work}
			root, ok := m.rootOf(ctx, at, v, s.g)
			s.work = m.work
			x := try{root, m.l, width}
			if !ok || s.tried[x] {
				continue
			}
			s.tried[x] = true
			if m.root = root; m.load(ctx) {
				return m
			}
			s.work = m.work
		}
	}
	return nil
}

// rootOf returns the root that has an element at an address, if a span in a leaf that it leads to says so.
func (m *pageMap) rootOf(ctx context.Context, at, v core.Addr, g core.Mapping) (root core.Addr, ok bool) {
	t := m.l.tree
	fits := func(page core.Addr) bool {
		root = at - page>>(t.leaf+t.node)*8
		ok = root >= g.Start && root <= at && root+t.rootSize() <= g.End
		return ok
	}
	if t.node == 0 {
		m.firstPages(v, fits)
		return root, ok
	}
	tries, size, before := 0, t.leafSize(m.width), core.Addr(0)
	block.Words(m.p, v, v+t.nodeSize(), func(e, leaf core.Addr) bool {
		m.work++
		if tries++; tries > maxFirst || !m.isLeaf(leaf) || before < leaf+size && leaf < before+size {
			return false
		}
		before = leaf
		was := m.work
		m.firstPages(leaf, func(page core.Addr) bool {
			return page>>t.leaf&(1<<t.node-1) == (e-v)/8 && fits(page)
		})
		m.work += m.work - was + int(size/pageSize) // an element is two reads, and the leaf has pages
		return !ok && m.work < maxNodes && ctx.Err() == nil
	})
	return root, ok
}

// firstPages calls visit for the first elements of a leaf whose span begins with their page, until it returns true.
func (m *pageMap) firstPages(leaf core.Addr, visit func(page core.Addr) (found bool)) {
	if m.work++; !m.isLeaf(leaf) {
		return
	}
	tries, wrong, from, pages := 0, 0, m.elements(leaf), m.l.tree.pages()
	block.Words(m.p, from, from+8*pages, func(e, x core.Addr) bool {
		at := m.l.spanOf(x)
		if _, ok := m.p.Mapping(at); m.l.tree.node != 0 && (!ok || at%8 != 0) {
			wrong++
		}
		if tries++; tries > maxFirst || wrong > maxWrong {
			return false
		}
		s, good := m.l.span(m.c, at)
		page := s.start >> pageShift
		return !good || page&(pages-1) != (e-from)/8 || !visit(page)
	})
	m.work += tries
}
