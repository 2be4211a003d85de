package heap

import (
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// testHeaps are a Walker with its memory.
type testHeaps struct {
	*layout.Memory
	Heaps *Walker
}

func heapsOf(mem *layout.Memory) testHeaps { return testHeaps{mem, New(object.New(mem, nil), nil)} }
