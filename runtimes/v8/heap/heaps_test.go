package heap

import (
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// testHeaps are Heaps with their memory.
type testHeaps struct {
	*layout.Memory
	Heaps *Heaps
}

func heapsOf(mem *layout.Memory) testHeaps { return testHeaps{mem, New(object.New(mem, nil), nil)} }
