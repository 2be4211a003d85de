package musl

import (
	"context"
	"sync"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// Malloc is the allocator of a process' musl.
type Malloc struct {
	p         *core.Process
	at, first core.Addr // of the context, of the first area

	mu     sync.Mutex
	read   bool
	groups []meta
	spans  []block.Span
	heap   block.Heap
}

// Open returns the allocator, if the process has it.
func Open(ctx context.Context, p *core.Process) []block.Allocator {
	if p.Space == nil {
		return nil
	}
	for _, g := range block.Data(p) {
		if at, first, ok := contextIn(ctx, p, g); ok {
			return []block.Allocator{&Malloc{p: p, at: at, first: first}}
		}
	}
	return nil
}

// Name implements block.Allocator.
func (h *Malloc) Name() string { return "musl" }

// Version implements block.Allocator: which of musl's allocators it is.
func (h *Malloc) Version() string { return "mallocng" }

// Has implements block.Allocator.
func (h *Malloc) Has(a core.Addr) bool { return h.Heap(context.Background()).Region(a) >= 0 }

// Heap implements block.Allocator.
func (h *Malloc) Heap(ctx context.Context) *block.Heap {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.read {
		h.heap, h.groups, h.spans = block.Heap{Lists: lists}, nil, nil
		if !h.areas(ctx) {
			h.heap.Notes = append(h.heap.Notes,
				"the list of records of groups leads astray: the figures lack the others")
		}
		h.load(ctx)
		h.read = ctx.Err() == nil
	}
	return &h.heap
}
