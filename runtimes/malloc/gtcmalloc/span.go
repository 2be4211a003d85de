package gtcmalloc

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// Lists of free chunks, by number.
const (
	inThread = 1 + iota
	inProcessor
	inTransfer
	inSpan
)

var lists = []string{"", "thread cache", "processor cache", "transfer cache", "span"}

const (
	maxChunks  = 256 << 20
	maxObjects = 1<<16 - 1 // of a span, which counts them in 16 bits
	maxSettle  = 1 << 12   // spans that a layout is chosen by
	listEnd    = 1<<16 - 1
	alignment  = 8 // unit of numbers of objects
)

// regions makes regions of spans: one that begins where another ends goes on.
func (h *Malloc) regions(ctx context.Context) {
	h.heap.Arenas = []block.Arena{{Addr: h.m.root, Main: true}}
	for i := range h.m.spans {
		if i&255 == 0 && ctx.Err() != nil || h.total > maxChunks {
			break
		}
		s := &h.m.spans[i]
		n := len(h.heap.Regions)
		if n == 0 || h.heap.Regions[n-1].End != s.start {
			h.heap.Regions = append(h.heap.Regions, block.Region{Start: s.start, End: s.start})
			n++
		}
		r := &h.heap.Regions[n-1]
		r.End = s.end()
		h.span(r, s)
	}
	h.heap.Done()
	for i := range h.m.spans {
		if i&255 == 0 && ctx.Err() != nil {
			break
		}
		h.objects(&h.m.spans[i])
	}
}

// objectsOf returns how many objects of a size class a span has; 0 if it cannot have such objects.
func (h *Malloc) objectsOf(s *span) (n, size uint64) {
	if size = h.size(s.class); size == 0 || uint64(s.size)/size > maxObjects {
		return 0, 0
	}
	return uint64(s.size) / size, size
}

func (h *Malloc) span(r *block.Region, s *span) {
	n, size := h.objectsOf(s)
	switch {
	case s.class == 0:
		r.Chunks = append(r.Chunks, block.Pack(s.start, uint64(s.size)))
		h.total++
	case n == 0:
		h.breaks(s, fmt.Sprintf("objects of size class %d do not fit to it", s.class))
		r.Lost += uint64(s.size)
		r.Chunks = append(r.Chunks, block.PackAs(s.start, uint64(s.size), block.Lost, 0))
	default:
		r.Chunks = slices.Grow(r.Chunks, int(n))
		for k := range n {
			r.Chunks = append(r.Chunks, block.Pack(s.start+core.Addr(k*size), size))
		}
		h.total += int(n)
	}
}

// objects marks the free objects that a span has.
func (h *Malloc) objects(s *span) {
	n, size := h.objectsOf(s)
	if n == 0 {
		return
	}
	free, taken, ok := h.freeOf(s, n, size)
	if !ok {
		says := "lists"
		if h.m.l.hasBits(size) {
			says = "has bits of"
		}
		h.breaks(s, fmt.Sprintf("it counts %d objects that were taken of %d, and %s %d free ones", taken, n,
			says, len(free)))
	}
	for _, at := range free {
		if !h.free(s.at+h.m.l.list, at, size, inSpan) {
			break
		}
	}
}

// freeOf returns the free objects of a span and how many it counts as taken, and reports whether the others are
// as many. Newer releases do not count the only object of a span. It returns no objects for a span that cannot be read.
func (h *Malloc) freeOf(s *span, n, size uint64) (free []core.Addr, taken uint64, ok bool) {
	taken = uint64(h.m.c.U16(s.at + h.m.l.allocated))
	if h.m.c.Reset() != nil {
		return nil, 0, true
	}
	read := h.listed
	if h.m.l.hasBits(size) {
		read = h.marked
	}
	free, whole := read(s, n, size)
	alone := n == 1 && taken == 0 && len(free) == 0
	return free, taken, alone || whole && uint64(len(free))+taken == n
}

// settle chooses among the layouts that have the same page map. A layout gains by spans that count as many free
// objects as they have, and loses by elements of the page map that do not hold together. Settle reports whether
// most spans count right; in a release that is not known they do not. Layouts also differ in where a large span
// has the number of its pages: settle reads the page map once for each such place.
func (h *Malloc) settle(ctx context.Context) (ok bool) {
	found, best, most := h.m, h.m, 0
	maps := map[core.Addr]*pageMap{found.l.large: found}
	for i := range layouts {
		l := &layouts[i]
		if !l.samePages(found.l) {
			continue
		}
		m, read := maps[l.large]
		if !read {
			m = &pageMap{p: found.p, c: found.c, l: l, width: found.width, root: found.root}
			if !m.load(ctx) {
				m = nil
			}
			maps[l.large] = m
		}
		if m == nil {
			continue
		}
		as := *m
		as.l, h.m = l, &as
		good, of := h.agree(ctx)
		if best == found || good-m.bad > most {
			best, most, ok = h.m, good-m.bad, 2*good >= of
		}
	}
	h.m = best
	return ok
}

// agree returns how many spans count as many free objects as they have, and how many were looked at.
func (h *Malloc) agree(ctx context.Context) (good, of int) {
	for k := range h.m.spans[:min(len(h.m.spans), maxSettle)] {
		if k&255 == 0 && ctx.Err() != nil {
			break
		}
		s := &h.m.spans[k]
		n, size := h.objectsOf(s)
		if n == 0 {
			continue
		}
		of++
		if _, _, ok := h.freeOf(s, n, size); ok {
			good++
		}
	}
	return good, of
}

// marked returns the free objects of a span that has a bit for each.
func (h *Malloc) marked(s *span, n, size uint64) (out []core.Addr, ok bool) {
	c, l := h.m.c, h.m.l
	for from := uint64(0); from < uint64(l.bits); from += 64 {
		for v := c.U64(s.at + l.cache + core.Addr(from/8)); v != 0; v &= v - 1 {
			k := from + uint64(bits.TrailingZeros64(v))
			if k >= n {
				c.Reset()
				return nil, false
			}
			out = append(out, s.start+core.Addr(k*size))
		}
	}
	return out, c.Reset() == nil && n <= uint64(l.bits)
}

// listed returns the free objects of a span that lists them by numbers: some in the span itself, the others
// in objects, which are free, too.
func (h *Malloc) listed(s *span, n, size uint64) (out []core.Addr, whole bool) {
	c, l := h.m.c, h.m.l
	whole = true
	add := func(i uint16) core.Addr {
		at := s.start + core.Addr(i)*alignment
		whole = whole && at < s.end() && uint64(at-s.start)%size == 0 && uint64(len(out)) < n
		out = append(out, at)
		return at
	}
	cached := int(c.U8(s.at+l.cached) & l.cachedMask)
	if cached > l.cacheSize {
		c.Reset()
		return nil, false
	}
	for i := range cached {
		add(c.U16(s.at + l.cache + core.Addr(2*i)))
	}
	embed := core.Addr(c.U16(s.at + l.embed))
	for i := c.U16(s.at + l.list); i != listEnd && whole && c.Err() == nil; {
		if uint64(embed) > size/2-1 {
			whole = false
			break
		}
		host := add(i)
		for k := range embed {
			add(c.U16(host + 2*(k+1)))
		}
		i, embed = c.U16(host), core.Addr(size/2-1)
	}
	return out, c.Reset() == nil && whole
}

// free marks a free object. If the address is not an object's, or it is free already, it returns false.
func (h *Malloc) free(link, at core.Addr, size uint64, list int) bool {
	r, ok := h.heap.Around(at)
	twice := false
	if ok {
		p := h.heap.Packed(r)
		ok = p.At == at && p.Size() == size
		twice = ok && p.State() == block.Free
		if ok = ok && p.State() == block.Used; ok {
			p.Set(block.Free, list)
		}
	}
	if !ok {
		h.heap.Stray(block.Stray{At: link, Value: at, List: lists[list], Size: size, Twice: twice})
	}
	return ok
}

func (h *Malloc) breaks(s *span, why string) {
	v := h.m.c.U64(s.at)
	h.m.c.Reset()
	h.heap.Contradiction(s.at, v, fmt.Sprintf("the span at %v", s.start), why)
}
