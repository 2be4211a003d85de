package mimalloc

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// The page map of mimalloc 3: an array of pointers to parts, which have a pointer to the record of a page for
// each slice.
const (
	sliceShift = 16
	sliceSize  = 1 << sliceShift

	subBits  = 13
	rootBits = 47 - subBits - sliceShift
	maxWork  = 1 << 22 // words of nodes that are passed over in search of a map, by eight, and elements by 16
	maxData  = 64 << 20
	maxPages = 1 << 22
	maxFirst = 32
	enough   = 70 // percent of the elements that have to hold together
	osPage   = 4096
)

// Offsets in a mi_page_t of version 3, after the number of its thread.
const (
	mapFreeAt     = 8
	mapAliveAt    = 16
	mapCapacityAt = 18
	mapReservedAt = 20
	mapLocalAt    = 24
	mapOtherAt    = 32
	mapSizeAt     = 40
	mapStartAt    = 48 // page_start, or page_woffset
)

// A pageMap is a page map that was found, or is looked for.
type pageMap struct {
	p      *core.Process
	c      *core.Cursor
	offset bool // a page says where its blocks begin by their distance, in words (3.4)
	pages  []page
	last   core.Addr
	work   int
	good   int
	bad    int
}

// mapsOf returns the page maps of a process.
func mapsOf(ctx context.Context, p *core.Process) []*pageMap {
	var out []*pageMap
	seen := map[core.Addr]bool{}
	for _, g := range block.Data(p) {
		m := &pageMap{p: p, c: p.Cursor()}
		block.Words(p, g.Start, min(g.End, g.Start+maxData), func(_, v core.Addr) bool {
			if m.work > maxWork || ctx.Err() != nil {
				return false
			}
			if v%osPage == 0 && !seen[v] && m.node(v) && m.first(v) {
				seen[v] = true
				if x := best(ctx, p, v); x != nil {
					out = append(out, x)
				}
			}
			return true
		})
	}
	return out
}

// node reports whether a part of a map may be at an address.
func (m *pageMap) node(a core.Addr) bool {
	g, ok := m.p.Mapping(a)
	return ok && a%8 == 0 && g.Prot&core.Write != 0 && g.Path == ""
}

// best reads the map at an address in the layout that fits best; nil if no layout fits.
func best(ctx context.Context, p *core.Process, at core.Addr) *pageMap {
	var most *pageMap
	for _, offset := range []bool{false, true} {
		m := &pageMap{p: p, c: p.Cursor(), offset: offset}
		m.load(ctx, at)
		if len(m.pages) > 0 && m.good*100 >= (m.good+m.bad)*enough && (most == nil || m.good > most.good) {
			most = m
		}
	}
	return most
}

// first reports whether one of the first elements below a node belongs to a page.
func (m *pageMap) first(root core.Addr) (ok bool) {
	tries, end := 0, root+8<<rootBits
	block.Words(m.p, root+8, end, func(at, sub core.Addr) bool {
		if tries++; tries > maxFirst {
			end = at
			return false
		}
		m.work += 16
		if !m.node(sub) {
			return true
		}
		n := 0
		block.Words(m.p, sub, sub+8<<subBits, func(e, v core.Addr) bool {
			n++
			slice := (at-root)>>3<<(subBits+sliceShift) + (e-sub)>>3<<sliceShift
			for _, m.offset = range []bool{false, true} {
				if _, ok = m.page(v, slice); ok {
					break
				}
			}
			return !ok && n < maxFirst
		})
		m.work += 16 * n
		end = at
		return !ok
	})
	m.work += int(end-root) >> 6
	return ok
}

// load reads all pages of a map.
func (m *pageMap) load(ctx context.Context, root core.Addr) {
	more := func() bool {
		return len(m.pages) < maxPages && ctx.Err() == nil && (m.bad < maxFirst || m.bad < 4*m.good)
	}
	block.Words(m.p, root+8, root+8<<rootBits, func(at, sub core.Addr) bool {
		if !m.node(sub) {
			m.bad++
			return more()
		}
		block.Words(m.p, sub, sub+8<<subBits, func(e, v core.Addr) bool {
			if v == m.last {
				return true // a further slice of the page
			}
			m.last = v
			x, ok := m.page(v, (at-root)>>3<<(subBits+sliceShift)+(e-sub)>>3<<sliceShift)
			if ok && block.Mapped(m.p, x.start, x.end) {
				m.pages = append(m.pages, x)
				m.good++
			} else {
				m.bad++
			}
			return more()
		})
		return more()
	})
	m.pages = block.Separate(m.pages, func(x page) block.Span { return block.Span{Start: x.start, End: x.end} })
}

// page reads the record of a page that a slice refers to as its first one: the record or the blocks begin in the slice.
func (m *pageMap) page(at, slice core.Addr) (page, bool) {
	c := m.c
	if at%8 != 0 || at == 0 || at>>47 != 0 {
		return page{}, false
	}
	size, reserved := c.U64(at+mapSizeAt), core.Addr(c.U16(at+mapReservedAt))
	x := page{at: at, size: size, capacity: core.Addr(c.U16(at + mapCapacityAt)), start: c.Pointer(at + mapStartAt),
		thread: c.Pointer(at) &^ flagBits}
	if m.offset {
		x.start = at + 8*core.Addr(c.U32(at+mapStartAt))
	}
	if c.Reset() != nil || size == 0 || size%8 != 0 || size>>46 != 0 || x.capacity > reserved || reserved == 0 ||
		x.start>>47 != 0 || x.start < sliceSize {
		return x, false
	}
	x.end = x.start + reserved*core.Addr(size)
	return x, (x.start&^(sliceSize-1) == slice || at&^(sliceSize-1) == slice && x.start > at &&
		x.start-at < sliceSize) && x.end>>47 == 0
}

// loadMap makes regions of the pages of a map.
func (h *Malloc) loadMap(ctx context.Context) {
	c := h.p.Cursor()
	for i := range h.pages {
		if i&255 == 0 && ctx.Err() != nil || h.total > maxChunks {
			break
		}
		x := &h.pages[i]
		r := block.Region{Start: x.start, End: x.end, Arena: h.arenaOf(x.thread)}
		x.first = block.Ref{Region: len(h.heap.Regions)}
		h.blocks(&r, x)
		h.heap.Regions = append(h.heap.Regions, r)
	}
	h.heap.Done()
	for i := range h.pages {
		if i&255 == 0 && ctx.Err() != nil {
			return
		}
		h.lists(c, &h.pages[i], [3]core.Addr{mapFreeAt, mapLocalAt, mapOtherAt},
			uint32(c.U16(h.pages[i].at+mapAliveAt)))
	}
}
