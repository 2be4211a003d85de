package mimalloc

import (
	"cmp"
	"context"
	"slices"
	"sort"
	"sync"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// Malloc is one mimalloc of a process.
type Malloc struct {
	p        *core.Process
	segments []segment // of version 2, in order of address
	pages    []page    // of version 3, likewise

	mu     sync.Mutex
	read   bool
	heap   block.Heap
	arenas map[core.Addr]int // the number in heap.Arenas by owner
	total  int
}

// Open returns all that the process has: segments whose cookies have one key belong together.
func Open(ctx context.Context, p *core.Process) []block.Allocator {
	if p.Space == nil {
		return nil
	}
	var out []*Malloc
	for _, all := range segmentsOf(ctx, p) {
		out = append(out, &Malloc{p: p, segments: block.Separate(all,
			func(s segment) block.Span { return block.Span{Start: s.at, End: s.end()} })})
	}
	slices.SortFunc(out, func(a, b *Malloc) int { return cmp.Compare(a.segments[0].at, b.segments[0].at) })
	if machineOf(p) == wide {
		for _, m := range mapsOf(ctx, p) {
			out = append(out, &Malloc{p: p, pages: m.pages})
		}
	}
	all := make([]block.Allocator, len(out))
	for i, h := range out {
		all[i] = h
	}
	return all
}

// Name implements block.Allocator.
func (h *Malloc) Name() string { return "mimalloc" }

// Version implements block.Allocator. The library does not say it; its records show the first number.
func (h *Malloc) Version() string {
	if h.pages != nil {
		return "3"
	}
	return "2"
}

// Python reports whether it is the one that a free-threaded CPython has its objects in.
func (h *Malloc) Python() bool { return len(h.segments) > 0 && h.segments[0].shape.python }

// segment returns the segment that has an address; nil if there is none.
func (h *Malloc) segment(a core.Addr) *segment {
	i := sort.Search(len(h.segments), func(i int) bool { return h.segments[i].at > a }) - 1
	if i < 0 || a >= h.segments[i].end() {
		return nil
	}
	return &h.segments[i]
}

// Has implements block.Allocator.
func (h *Malloc) Has(a core.Addr) bool {
	i := sort.Search(len(h.pages), func(i int) bool { return h.pages[i].start > a }) - 1
	return i >= 0 && a < h.pages[i].end || h.segment(a) != nil
}

// Heap implements block.Allocator.
func (h *Malloc) Heap(ctx context.Context) *block.Heap {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.read {
		h.heap, h.arenas, h.total = block.Heap{Lists: lists}, map[core.Addr]int{}, 0
		h.load(ctx)
		h.read = ctx.Err() == nil
	}
	return &h.heap
}
