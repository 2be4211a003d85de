package glibc

import (
	"cmp"
	"slices"

	"coredbg/core"
)

// Bounds of what is believed of heaps.
const (
	maxHeaps  = 4096    // of an arena
	maxSpans  = 1 << 16 // of all arenas
	maxSystem = 1 << 46
	infoLow   = 4 // words of a heap_info
	infoHigh  = 16
)

// mainSpan adds the memory that brk has given to main_arena.
func (h *Malloc) mainSpan(n int, main core.Addr) {
	c := h.p.Cursor()
	l := &h.l
	top, system := c.Pointer(main+l.top), l.system(c, main)
	if c.Err() != nil || system == 0 {
		return
	}
	size := c.Pointer(top+l.w) &^ sizeBits // 0 if the core lacks it
	m, ok := h.p.Mapping(top)
	if !ok {
		return
	}
	end := top + size
	if size == 0 || system < size || system > maxSystem || end < system || end%pageSize != 0 {
		// The size of the top chunk was overwritten, or is missing: the mapping shows where it ends.
		if end = m.End; core.Addr(m.End-m.Start) < system || m.End-top > system {
			return
		}
	}
	s := span{end: end, arena: n, top: top, main: true}
	for _, a := range []core.Addr{h.params.base, end - system, m.Start} {
		// Where others have called brk or the heap has gone on elsewhere, the beginning is not known by its size.
		if from, ok := h.p.Mapping(a); ok && a != 0 &&
			(from.Start == m.Start || from.Path == "[heap]" && from.Path == m.Path) && a <= top {
			s.starts = append(s.starts, a)
		}
	}
	if len(s.starts) > 0 {
		s.start = s.starts[0]
		h.spans = append(h.spans, s)
	}
	if b := h.params.base; b != 0 && (b > top || b < m.Start) {
		if first, ok := h.p.Mapping(b); ok && first.Start != m.Start && first.Path != m.Path {
			h.spans = append(h.spans, span{start: b, end: first.End, arena: n, main: true, starts: []core.Addr{b}})
		}
	}
}

// heapMaxes are what heaps of threads may be aligned to: HEAP_MAX_SIZE of 64 and 32 bits, and four huge pages.
var heapMaxes = []core.Addr{64 << 20, 1 << 20, 8 << 20, 128 << 20, 2 << 30, 4 << 30}

// threadSpans adds the heaps of an arena, which begins in the first of them after its heap_info:
// the arena, the heap before, and how much of it is in use.
func (h *Malloc) threadSpans(n int, begin core.Addr) {
	c, l := h.p.Cursor(), &h.l
	top := c.Pointer(begin + l.top)
	if c.Err() != nil || !l.plausible(top) {
		return
	}
	for _, most := range heapMaxes {
		first := begin &^ (most - 1)
		if info := begin - first; info >= infoLow*l.w && info <= infoHigh*l.w && c.Pointer(first) == begin &&
			c.Reset() == nil {
			h.chainOf(n, begin, top, most)
			return
		}
		c.Reset()
	}
}

// chainOf adds an arena's heaps, the last one first.
func (h *Malloc) chainOf(n int, begin, top, most core.Addr) {
	c, l := h.p.Cursor(), &h.l
	first := begin &^ (most - 1)
	info := begin - first
	seen := map[core.Addr]bool{}
	for at := top &^ (most - 1); at != 0 && !seen[at] && len(seen) < maxHeaps &&
		len(h.spans) < maxSpans; at = c.Pointer(at + l.w) {
		seen[at] = true
		size := c.Pointer(at + 2*l.w)
		if c.Err() != nil || c.Pointer(at) != begin || size > most || at%most != 0 {
			break
		}
		start := at + info
		if at == first {
			start = begin + l.top + l.sizes + 2*l.w
		}
		h.spans = append(h.spans, span{start: start, end: at + size, arena: n, top: top, starts: []core.Addr{start}})
	}
}

// sortSpans orders the spans, and drops those that overlap one before them.
func (h *Malloc) sortSpans() {
	slices.SortStableFunc(h.spans, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	out := h.spans[:0]
	for _, s := range h.spans {
		if s.end > s.start && (len(out) == 0 || s.start >= out[len(out)-1].end) {
			out = append(out, s)
		}
	}
	h.spans = out
}
