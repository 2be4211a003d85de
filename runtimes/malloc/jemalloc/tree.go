package jemalloc

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// Bounds of a search.
const (
	maxData   = 256 << 20 // bytes of modules' data
	maxWork   = 1 << 22   // words of nodes that are passed over in search of a root, by eight, and elements by 16
	maxFirst  = 32        // elements of a leaf that are looked at for one that holds together
	enough    = 70        // percent of elements that have to hold together
	maxExtent = 1 << 24
	maxBad    = 1 << 12 // elements that do not hold together, while they are most
	maxRoots  = 64      // of a mapping that are tried
)

// An extent is a run of pages.
type extent struct {
	at     core.Addr // of the record; 0 if it cannot be read
	start  core.Addr // e_addr, which may be inside of the first page
	size   core.Addr // bytes, from the beginning of the first page on
	bits   uint64
	record core.Addr // of the element of the leaf
	same   bool      // the element has the record's class; the last page's element has no class
}

func (x *extent) page(l *layout) core.Addr { return x.start &^ (1<<l.page - 1) }

// A tree is a radix tree that was found.
type tree struct {
	p       *core.Process
	c       *core.Cursor
	l       layout
	root    core.Addr
	leaves  []core.Addr
	extents []extent
	good    int // elements of leaves that hold together
	bad     int
	work    int
}

// find returns the trees in a mapping.
func find(ctx context.Context, p *core.Process, g core.Mapping) []*tree {
	var out []*tree
	for _, l := range layoutsOf(p) {
		t := &tree{p: p, c: p.Cursor(), l: l}
		if core.Addr(g.End-g.Start) < t.l.bytes(0) {
			continue
		}
		seen := map[core.Addr]bool{}
		block.Words(p, g.Start, min(g.End, g.Start+maxData), func(at, v core.Addr) bool {
			if t.work > maxWork || ctx.Err() != nil {
				return false
			}
			if root := t.rootOf(at, v, g); root != 0 && !seen[root] && len(seen) < maxRoots {
				seen[root] = true
				if x := best(ctx, p, t.l, root); x != nil {
					out = append(out, x)
				}
			}
			return true
		})
		if len(out) > 0 {
			break
		}
	}
	return out
}

// best reads the tree with a root in the version that fits best; nil if no version fits.
func best(ctx context.Context, p *core.Process, l layout, root core.Addr) *tree {
	var most *tree
	for _, b := range versions {
		x := &tree{p: p, c: p.Cursor(), l: l, root: root}
		x.l.bits = b
		x.load(ctx)
		if len(x.extents) > 0 && x.good*100 >= (x.good+x.bad)*enough && (most == nil || x.bad < most.bad) {
			most = x
		}
	}
	return most
}

// node reports whether an address may be a node of a level.
func (t *tree) node(a core.Addr, level int) bool {
	if a%64 != 0 || a>>56 != 0 {
		return false
	}
	m, ok := t.p.Mapping(a)
	return ok && m.Prot&core.Write != 0 && (m.Path == "" || m.Path == "[heap]") && m.End-a >= t.l.bytes(level)
}

// rootOf returns the root that has an element at an address, if the node that it refers to says so.
func (t *tree) rootOf(at, v core.Addr, g core.Mapping) core.Addr {
	if !t.node(v, 1) {
		return 0
	}
	for _, b := range versions {
		t.l.bits = b
		page, ok := t.first(v, 1)
		if !ok {
			continue
		}
		if root := at - page>>t.l.below(0)<<t.l.word; root >= g.Start && root+t.l.bytes(0) <= g.End && root <= at {
			return root
		}
	}
	return 0
}

// first returns a page that an extent below a node has, if its place in the node fits.
func (t *tree) first(node core.Addr, level int) (page core.Addr, ok bool) {
	tries, end := 0, node+t.l.bytes(level)
	last := level == len(t.l.levels)-1
	block.Words(t.p, node, node+t.l.bytes(level), func(at, v core.Addr) bool {
		if tries++; tries > maxFirst || t.work > maxWork {
			end = at
			return false
		}
		t.work += 16
		nth := (at - node) >> t.l.word
		if last {
			nth = (at - node) >> t.l.element()
			var x extent
			if x, ok = t.element(at); ok {
				page, ok = x.page(&t.l), x.same
			}
		} else if t.node(v, level+1) {
			page, ok = t.first(v, level+1)
		}
		ok = ok && page>>t.l.below(level)&(1<<t.l.levels[level]-1) == nth
		if ok {
			end = at
		}
		return !ok
	})
	t.work += int(end-node) >> 6
	return page, ok
}

// element reads the extent that an element of a leaf refers to.
func (t *tree) element(at core.Addr) (extent, bool) {
	l, c := &t.l, t.c
	if at&(1<<l.element()-1) != 0 {
		return extent{}, false
	}
	v, more := c.Pointer(at), core.Addr(0)
	if l.apart {
		more = c.Pointer(at + l.pointer())
	}
	record, class := l.extentOf(v, more, l.bits)
	x := extent{at: record, record: at, bits: c.U64(record), start: c.Pointer(record + addrAt),
		size: c.Pointer(record+l.sizeAt()) &^ (1<<12 - 1)}
	if c.Reset() != nil || record == 0 || record%64 != 0 || x.start == 0 || x.size == 0 || x.size%(1<<l.page) != 0 ||
		x.start>>56 != 0 || x.size>>vaddrBits != 0 {
		return x, false
	}
	x.same = x.state(l) != active || x.class(l) == class
	return x, true
}

func (x *extent) state(l *layout) uint64 { return x.bits >> l.bits.state & l.bits.states }
func (x *extent) class(l *layout) uint64 { return x.bits >> l.bits.class & l.classMask() }
func (x *extent) free(l *layout) uint64 {
	return x.bits >> (l.bits.class + l.classBits()) & l.freeMask()
}
func (x *extent) slab() bool { return x.bits&slabBit != 0 }
func (x *extent) arena() int { return int(x.bits & arenaMask) }

// load reads all extents of the tree.
func (t *tree) load(ctx context.Context) {
	t.nodes(ctx, t.root, 0, 0)
	t.extents = block.Separate(t.extents, func(x extent) block.Span {
		page := x.page(&t.l)
		return block.Span{Start: page, End: page + x.size}
	})
}

// nodes reads what is below a node that stands for addresses from a base on.
func (t *tree) nodes(ctx context.Context, node core.Addr, level int, base core.Addr) {
	last := level == len(t.l.levels)-1
	if last {
		t.leaves = append(t.leaves, node)
	}
	block.Words(t.p, node, node+t.l.bytes(level), func(at, v core.Addr) bool {
		if len(t.extents) >= maxExtent || t.bad > maxBad && t.bad > t.good || ctx.Err() != nil {
			return false
		}
		switch {
		case last && (at-node)&(1<<t.l.element()-1) == 0:
			t.add(at, base+(at-node)>>t.l.element()<<t.l.page)
		case !last && t.node(v, level+1):
			t.nodes(ctx, v, level+1, base+(at-node)>>t.l.word<<t.l.below(level))
		case !last:
			t.bad++
		}
		return true
	})
}

// add adds the extent that begins at a page, if it is the one of an element.
func (t *tree) add(at, page core.Addr) {
	x, ok := t.element(at)
	first := x.page(&t.l)
	switch {
	case x.at == 0:
		return // it was cleared
	case !ok || !x.same && page == first || page < first || page-first >= x.size:
		t.bad++
		if m, mapped := t.p.Mapping(page); mapped && m.Prot&core.Write != 0 {
			t.extents = append(t.extents, extent{start: page, size: 1 << t.l.page, record: at})
		}
	case page == first && !block.Mapped(t.p, page, page+x.size):
		t.bad++
	case page == first:
		t.extents = append(t.extents, x)
		t.good++
	default:
		t.good++
	}
}
