package runtimes

import (
	"context"

	"coredbg/core"
)

// An ExternalHolder is a Runtime whose objects lead to memory outside of its heap.
type ExternalHolder interface {
	Runtime
	// Externals calls visit for each pointer of an object to such memory, until visit returns false.
	Externals(ctx context.Context, visit func(External) bool) error
}

// An External is a pointer of an object to memory outside of its heap.
type External struct {
	Object core.Addr // the object, as users see its address
	At     core.Addr // the memory
	Size   uint64    // of the memory, in bytes; 0 if the object does not say
	Name   string    // what the pointer is: "backing store", "internal field", "field address"
	// Number is set if the pointer may be a mere number, such as a long of Java. It is a pointer if a block
	// begins at At.
	Number bool
}
