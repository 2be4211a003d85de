package glibc

import (
	"cmp"
	"context"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// Open finds the arenas. The error is ErrNone, or one that wraps it.
func Open(ctx context.Context, p *core.Process) (*Malloc, error) {
	h := &Malloc{p: p}
	order, ptr := p.Words()
	h.l = layout{order: order, w: core.Addr(ptr), align: 16}
	if p.Space != nil {
		h.l.ignore = p.Space.Ignored
	}
	main, data, of, ok := h.l.mainArena(ctx, p)
	if !ok {
		return nil, ErrNone
	}
	h.of = of
	h.l.tell(p, main)
	top := p.Cursor().Pointer(main + h.l.top)
	if h.l.system(p.Cursor(), main) == 0 {
		top = 0
	}
	h.params = h.l.findParams(p, data, top)
	ring := h.l.ring(p, main, h.l.top)
	slices.Sort(ring)
	h.arenas = append(h.arenas, main)
	h.mainSpan(0, main)
	for _, a := range ring {
		if a != main {
			h.arenas = append(h.arenas, a)
			h.threadSpans(len(h.arenas)-1, a)
		}
	}
	h.sortSpans()
	h.l.align = h.alignment()
	return h, nil
}

// alignment finds out what chunks are aligned to: 16 bytes, but eight on some processors of 32 bits and in
// old releases.
func (h *Malloc) alignment() core.Addr {
	if h.l.w == 8 || len(h.spans) == 0 {
		return 16
	}
	for i := range h.spans {
		for _, align := range []core.Addr{16, 8} {
			h.l.align = align
			for _, a := range h.spans[i].starts {
				if h.holds(&h.spans[i], h.l.chunkAt(a), probeChunks) {
					return align
				}
			}
		}
	}
	return 16
}

// Heap implements block.Allocator.
func (h *Malloc) Heap(ctx context.Context) *block.Heap {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.read {
		h.heap, h.links, h.walks = block.Heap{}, 0, 0
		h.load(ctx)
		h.read = ctx.Err() == nil
	}
	return &h.heap
}

// load reads the chunks of all spans, as the lists of one may have chunks of another.
func (h *Malloc) load(ctx context.Context) {
	h.heap.Header = h.l.header()
	h.heap.Lists = []string{"", "tcache", "fastbin", "bin"}
	c := h.p.Cursor()
	for i, a := range h.arenas {
		h.heap.Arenas = append(h.heap.Arenas, block.Arena{Addr: a, Main: i == 0, System: uint64(h.l.system(c, a))})
		h.heap.Own = append(h.heap.Own, block.Span{Start: a, End: a + h.l.top + h.l.sizes + 2*h.l.w})
		c.Reset()
	}
	total := 0
	for i := range h.spans {
		h.walk(ctx, &h.spans[i], &total)
	}
	h.mapped(ctx)
	slices.SortStableFunc(h.heap.Regions, func(a, b block.Region) int { return cmp.Compare(a.Start, b.Start) })
	h.heap.Done()
	h.tcaches(ctx)
	for i, a := range h.arenas {
		h.fastbins(a, i)
	}
	h.binStrays(ctx)
}
