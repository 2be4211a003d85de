package gtcmalloc

import (
	"context"
	"sort"
	"sync"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// Malloc is the tcmalloc of a program.
type Malloc struct {
	m       *pageMap
	data    []core.Mapping // of its module
	table   core.Addr      // of sizes
	base    int            // classes of the first part of the table
	central *central       // nil if it was not found

	mu      sync.Mutex
	read    bool
	heap    block.Heap
	total   int // chunks
	headers int // that were looked at in search of the caches of processors
}

// Open returns all that the process has.
func Open(ctx context.Context, p *core.Process) []block.Allocator {
	if p.Space == nil || p.Arch != core.AMD64 {
		return nil
	}
	var out []block.Allocator
	data := joined(p)
	for _, g := range data {
		m := mapIn(ctx, p, g)
		if m == nil {
			continue
		}
		h := &Malloc{m: m}
		of := block.ModuleOf(p, g.Start)
		for _, d := range data {
			if block.ModuleOf(p, d.Start) == of {
				h.data = append(h.data, d)
			}
		}
		for _, d := range h.data {
			if h.base == 0 {
				h.table, h.base = sizesIn(p, d)
			}
		}
		for _, d := range h.data {
			if h.central == nil && h.base > 0 {
				h.central = h.centralIn(ctx, d)
			}
		}
		if h.base > 0 && h.settle(ctx) {
			out = append(out, h)
		}
	}
	return out
}

// joined returns the writable memory of modules. The zeros after a module's data may be several mappings, and
// one record may go over all of them: mappings that follow each other are one.
func joined(p *core.Process) []core.Mapping {
	var out []core.Mapping
	for _, g := range block.Data(p) {
		if n := len(out); n > 0 && g.Start < out[n-1].End {
			continue
		}
		for next, ok := p.Mapping(g.End); ok && next.Start == g.End && next.Path == "" &&
			next.Prot&core.Write != 0; next, ok = p.Mapping(g.End) {
			g.End = next.End
		}
		out = append(out, g)
	}
	return out
}

// Name implements block.Allocator.
func (h *Malloc) Name() string { return "tcmalloc" }

// Version implements block.Allocator: whose tcmalloc it is.
func (h *Malloc) Version() string { return "google" }

// Has implements block.Allocator.
func (h *Malloc) Has(a core.Addr) bool {
	all := h.m.spans
	i := sort.Search(len(all), func(i int) bool { return all[i].start > a }) - 1
	return i >= 0 && a < all[i].end()
}

// Heap implements block.Allocator.
func (h *Malloc) Heap(ctx context.Context) *block.Heap {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.read {
		h.heap, h.total, h.headers = block.Heap{Lists: lists}, 0, 0
		if !h.m.whole {
			h.heap.Notes = append(h.heap.Notes, "the page map was not read to its end: the figures lack the other spans")
		}
		h.regions(ctx)
		h.transfers(ctx)
		threads, slabs := h.threads(ctx), h.slabs(ctx)
		if !threads && !slabs {
			h.heap.Notes = append(h.heap.Notes,
				"caches of threads or processors were not found: free objects in them count as used")
		}
		h.read = ctx.Err() == nil
	}
	return &h.heap
}

// size returns the size of a class' objects; 0 if there is none.
func (h *Malloc) size(class int) uint64 {
	if class <= 0 || class >= maxClasses {
		return 0
	}
	v := uint64(h.m.c.U32(h.table + core.Addr(4*class)))
	if h.m.c.Reset() != nil || v > maxSize || v%8 != 0 {
		return 0
	}
	return v
}
