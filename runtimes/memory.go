package runtimes

import (
	"context"

	"coredbg/core"
)

// A MemoryOwner is a Runtime that knows which memory its heaps have.
type MemoryOwner interface {
	Runtime
	// OwnMemory returns it.
	OwnMemory(ctx context.Context) (*Owned, error)
}

// Owned is the memory of a runtime's heaps.
type Owned struct {
	Spans      []core.Segment // Start and End count
	Used, Free uint64         // bytes of objects, and of what is free inside; both 0 if that is not known
	Outside    []Outside
	Stacks     []core.Segment // stacks that the runtime has made of the same memory; Spans leave them out
}

// Outside is memory that objects of a heap own outside of it, as by an allocator of C.
type Outside struct {
	What  string // one of the objects: "direct buffer"
	Count uint64
	Bytes uint64
}
