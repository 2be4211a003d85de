package jemalloc

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"sort"
	"sync"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// Malloc is one jemalloc of a process.
type Malloc struct {
	t  *tree
	of *core.Module

	mu   sync.Mutex
	read bool
	heap block.Heap

	release sync.Once
	version string
}

// Open returns all that the process has. A program and a library may have one each.
func Open(ctx context.Context, p *core.Process) []block.Allocator {
	var out []block.Allocator
	if p.Space == nil {
		return nil
	}
	for _, g := range block.Data(p) {
		for _, t := range find(ctx, p, g) {
			out = append(out, &Malloc{t: t, of: block.ModuleOf(p, g.Start)})
		}
	}
	return out
}

// Name implements block.Allocator.
func (h *Malloc) Name() string { return "jemalloc" }

// Has implements block.Allocator.
func (h *Malloc) Has(a core.Addr) bool {
	all := h.t.extents
	i := sort.Search(len(all), func(i int) bool { return all[i].page(&h.t.l) > a }) - 1
	return i >= 0 && a < all[i].page(&h.t.l)+all[i].size
}

// Heap implements block.Allocator.
func (h *Malloc) Heap(ctx context.Context) *block.Heap {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.read {
		h.heap = block.Heap{Lists: lists, Own: h.t.own()}
		f := filler{t: h.t, h: &h.heap, c: h.t.p.Cursor(), arenas: map[int]int{}, padding: -1}
		f.regions(ctx)
		h.sortArenas()
		h.heap.Done()
		cachesOf(ctx, h)
		h.read = ctx.Err() == nil
	}
	return &h.heap
}

// sortArenas orders the arenas by their numbers.
func (h *Malloc) sortArenas() {
	order := make([]int, len(h.heap.Arenas))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		x, y := h.heap.Arenas[a].Name, h.heap.Arenas[b].Name
		return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y))
	})
	place := make([]int, len(order))
	arenas := make([]block.Arena, 0, len(order))
	for i, n := range order {
		place[n] = i
		arenas = append(arenas, h.heap.Arenas[n])
	}
	h.heap.Arenas = arenas
	for i := range h.heap.Regions {
		if r := &h.heap.Regions[i]; r.Arena >= 0 {
			r.Arena = place[r.Arena]
		}
	}
}

// banner is what mallctl("version") says: "5.3.0-0-g54eaed1d8b56b1aa528be3bdd1877e59c56fa90c".
var banner = regexp.MustCompile(`(\d+\.\d+\.\d+)-\d+-g[0-9a-f]{40}`)

// Version implements block.Allocator. It is the library's own word, or the releases that have such records.
func (h *Malloc) Version() string {
	h.release.Do(func() { h.version = cmp.Or(block.Banner(h.t.p, h.of, banner), h.t.l.bits.version) })
	return h.version
}
