package node

import (
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/source"
)

func nodeOf(mem *layout.Memory) *Reader {
	r := object.New(mem, nil)
	hs := heap.New(r, nil)
	return New(r, hs, frame.New(r, source.New(r), hs, nil))
}
