package tcmalloc

import (
	"context"
	"regexp"
	"sort"
	"sync"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// Malloc is one tcmalloc of a process.
type Malloc struct {
	m       *pageMap
	data    core.Mapping // that has the root
	of      *core.Module
	sizes   []uint64 // of classes, by number
	central *central // nil if it was not found

	mu    sync.Mutex
	read  bool
	heap  block.Heap
	total int

	release sync.Once
	version string
}

// Open returns all that the process has. A program and a library may have one each.
func Open(ctx context.Context, p *core.Process) []block.Allocator {
	if p.Space == nil {
		return nil
	}
	var out []block.Allocator
	data := block.Data(p)
	for _, g := range data {
		m := mapIn(ctx, p, g)
		if m == nil {
			continue
		}
		h := &Malloc{m: m, data: g, of: block.ModuleOf(p, g.Start)}
		for _, d := range data { // the zeros after a module's data may be a mapping of their own
			if block.ModuleOf(p, d.Start) != h.of {
				continue
			}
			if h.sizes == nil {
				h.sizes = sizesIn(p, d)
			}
		}
		for _, d := range data {
			if h.central == nil && h.sizes != nil && block.ModuleOf(p, d.Start) == h.of {
				h.central = centralIn(p, d, len(h.sizes))
			}
		}
		if h.sizes != nil {
			out = append(out, h)
		}
	}
	return out
}

// Name implements block.Allocator.
func (h *Malloc) Name() string { return "tcmalloc" }

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
		h.heap, h.total = block.Heap{Lists: lists}, 0
		h.regions(ctx)
		h.transfers(ctx)
		h.threads(ctx)
		h.read = ctx.Err() == nil
	}
	return &h.heap
}

// banner is what tc_version returns: "gperftools 2.10".
var banner = regexp.MustCompile(`gperftools (\d+\.\d+(\.\d+)?)`)

// Version implements block.Allocator: the library's own word; "" if it is not in the core or the file.
func (h *Malloc) Version() string {
	h.release.Do(func() { h.version = block.Banner(h.m.p, h.of, banner) })
	return h.version
}
