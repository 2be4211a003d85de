package node

import (
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/source"
)

func nodeOf(mem *layout.Memory) *Reader {
	r := object.New(mem)
	hs := heap.New(r)
	return New(r, hs, frame.New(r, source.New(r), hs))
}
