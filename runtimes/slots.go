package runtimes

import (
	"context"

	"coredbg/core"
)

// A Slotter is a Runtime whose heap is spans of slots of one size, and that knows which slots have an object.
type Slotter interface {
	Runtime
	// Slots returns its heap.
	Slots(ctx context.Context) (*SlotHeap, error)
	// Internal reports whether a variable, by its name with its package, is the runtime's own.
	Internal(variable string) bool
}

// A SlotHeap is a heap of slots.
type SlotHeap struct {
	Spans  []SlotSpan  // in order of address
	Stacks []SlotStack // the parts of stacks in the heap that are in use
	// Stale is memory of the heap that neither a slot nor a stack in use has, in order of address. Its words
	// lead to nothing.
	Stale []core.Segment
}

// A SlotSpan is slots of one size.
type SlotSpan struct {
	Start core.Addr
	Size  uint64 // of a slot, in bytes
	Count int
	Head  uint64 // bytes of a slot before its object
	// Used has a bit for each slot that has an object.
	Used []byte
}

// Has reports whether a slot has an object.
func (s *SlotSpan) Has(i int) bool { return s.Used[i>>3]>>(i&7)&1 == 1 }

// A SlotStack is the part of a stack that is in use.
type SlotStack struct {
	Start, End core.Addr
	Thread     *core.Thread // the thread, or the one that stands for a task; nil if there is none
}
