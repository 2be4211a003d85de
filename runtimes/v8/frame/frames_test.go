package frame

import (
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/source"
)

// testFrames is a Decoder with its readers.
type testFrames struct {
	*layout.Memory
	Objects *object.Reader
	Frames  *Decoder
}

func framesOf(mem *layout.Memory) testFrames {
	r := object.New(mem)
	hs := heap.New(r)
	t := testFrames{mem, r, New(r, source.New(r), hs)}
	r.HeapsOf, hs.Begin = hs.HeapsOfPages, t.Frames.Begin
	return t
}
