package graph

import (
	"context"

	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/runtimes/heap"
	"coredbg/runtimes/malloc/block"
	"coredbg/runtimes/malloc/managed"
	"coredbg/runtimes/malloc/typed"
)

// A Heap is the blocks of all allocators of a process. It implements runtimes.Grapher.
type Heap struct {
	Process *core.Process
	Symbols *sym.Table
	// Allocators are the allocators of the process; Blocks reads the same.
	Allocators []block.Allocator
	// Blocks says what blocks are.
	Blocks func(ctx context.Context) (*typed.Blocks, error)
	// Managed returns the pointers of managed objects to memory outside of their heaps; it may be nil.
	Managed func(ctx context.Context) (*managed.Pointers, error)
	// Owners are the runtimes that know which memory their heaps have.
	Owners []runtimes.MemoryOwner
	// Stacks are the stacks in the heaps of runtimes, as far as they are in use, in order of address.
	Stacks []runtimes.SlotStack
	// Internal reports whether a variable, by its name with its package, belongs to a runtime; it may be nil.
	Internal func(variable string) bool

	cache heap.Cache
}

// Name implements runtimes.Runtime.
func (h *Heap) Name() string { return "malloc" }

// Version implements runtimes.Runtime. It returns the version of the first allocator.
func (h *Heap) Version() string {
	if len(h.Allocators) == 0 {
		return ""
	}
	return h.Allocators[0].Version()
}

// Graph implements runtimes.Grapher.
func (h *Heap) Graph(ctx context.Context) (*heap.Graph, error) {
	return h.cache.Graph(ctx, func(ctx context.Context) (heap.Source, error) {
		b, err := h.Blocks(ctx)
		if err != nil {
			return nil, err
		}
		return newSource(ctx, h, b)
	})
}
