package oldmalloc

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// Lists of free chunks, by number.
const inBin = 1

var lists = []string{"", "bin"}

// Malloc is the allocator of a process' musl.
type Malloc struct {
	p  *core.Process
	l  layout
	at core.Addr // of the bins' map

	mu    sync.Mutex
	read  bool
	walks int // headers that were looked at in search of chunks
	total int // chunks
	heap  block.Heap
}

// Open returns the allocator, if the process has it.
func Open(ctx context.Context, p *core.Process) []block.Allocator {
	if p.Space == nil {
		return nil
	}
	for _, g := range block.Data(p) {
		if at, ok := binsIn(ctx, p, g); ok {
			return []block.Allocator{&Malloc{p: p, l: layoutOf(p), at: at}}
		}
	}
	return nil
}

// Name implements block.Allocator.
func (h *Malloc) Name() string { return "musl" }

// Version implements block.Allocator: which of musl's allocators it is.
func (h *Malloc) Version() string { return "oldmalloc" }

// Has implements block.Allocator.
func (h *Malloc) Has(a core.Addr) bool { return h.Heap(context.Background()).Region(a) >= 0 }

// Heap implements block.Allocator.
func (h *Malloc) Heap(ctx context.Context) *block.Heap {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.read {
		h.heap, h.walks, h.total = block.Heap{Lists: lists, Header: h.l.header()}, 0, 0
		h.load(ctx)
		h.read = ctx.Err() == nil
	}
	return &h.heap
}

// load reads the chunks of all pieces of memory, as the bins of one may have chunks of another.
func (h *Malloc) load(ctx context.Context) {
	h.heap.Arenas = []block.Arena{{Addr: h.at, Main: true}}
	h.heap.Own = []block.Span{{Start: h.at, End: h.at + h.l.size()}}
	for _, m := range h.p.Mappings {
		if m.Prot&core.Write != 0 && (m.Path == "" || m.Path == "[heap]") {
			h.pieces(ctx, m)
		}
	}
	for _, m := range block.Data(h.p) {
		h.given(ctx, m)
	}
	h.heap.Regions = block.Separate(h.heap.Regions,
		func(r block.Region) block.Span { return block.Span{Start: r.Start, End: r.End} })
	// The pieces in modules' data were read last, wherever they lie.
	slices.SortStableFunc(h.heap.Breaks, func(a, b block.Break) int { return cmp.Compare(a.At, b.At) })
	h.heap.Done()
	h.links(ctx)
}
