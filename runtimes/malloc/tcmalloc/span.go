package tcmalloc

import (
	"context"
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// Lists of free chunks, by number.
const (
	inThread = 1 + iota
	inTransfer
	inSpan
	inPages
)

var lists = []string{"", "thread cache", "transfer cache", "span", "page heap"}

const (
	maxChunks  = 256 << 20
	maxObjects = 1<<16 - 1 // of a span, which counts them in 16 bits
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

// sizeOf returns the size of a span's objects; 0 if they are none of a size class.
func (h *Malloc) sizeOf(s *span) uint64 {
	if s.place == inUse && s.class > 0 && int(s.class) < len(h.sizes) {
		return h.sizes[s.class]
	}
	return 0
}

// objectsOf returns how many objects of a size class a span has; 0 if it cannot have such objects.
func (h *Malloc) objectsOf(s *span) uint64 {
	size := h.sizeOf(s)
	if size == 0 || uint64(s.size)/size > maxObjects {
		return 0
	}
	return uint64(s.size) / size
}

func (h *Malloc) span(r *block.Region, s *span) {
	one := func(state block.State, list int) {
		r.Chunks = append(r.Chunks, block.PackAs(s.start, uint64(s.size), state, list))
		h.total++
	}
	switch size := h.sizeOf(s); {
	case s.place == normal:
		one(block.Free, inPages)
	case s.place == returned:
		one(block.Top, 0)
	case s.class > 0 && h.objectsOf(s) == 0:
		h.breaks(s, fmt.Sprintf("objects of size class %d do not fit to it", s.class))
		r.Lost += uint64(s.size)
		one(block.Lost, 0)
	case size == 0:
		one(block.Used, 0)
	default:
		n := h.objectsOf(s)
		r.Chunks = slices.Grow(r.Chunks, int(n))
		for k := range n {
			r.Chunks = append(r.Chunks, block.Pack(s.start+core.Addr(k*size), size))
		}
		h.total += int(n)
	}
}

// objects marks the free objects in the list of a span.
func (h *Malloc) objects(s *span) {
	all := h.objectsOf(s)
	if all == 0 {
		return
	}
	n, whole := h.chain(s.at+objectsAt*h.m.pointer(), s.object, 0, h.sizeOf(s), inSpan, -1, s)
	if whole && uint64(n)+uint64(s.refs) != all {
		h.breaks(s, fmt.Sprintf("it counts %d objects that were taken of %d, and lists %d free ones", s.refs, all, n))
	}
}

func (h *Malloc) breaks(s *span, why string) {
	v := h.m.c.U64(s.at)
	h.m.c.Reset()
	h.heap.Contradiction(s.at, v, fmt.Sprintf("the span at %v", s.start), why)
}
