package frame

import (
	"coredbg/core"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/source"
	"coredbg/walk"
)

// testFrames is a Decoder with its readers.
type testFrames struct {
	*layout.Memory
	Objects *object.Reader
	Frames  *Decoder
}

func framesOf(mem *layout.Memory) testFrames {
	up := &above{}
	r := object.New(mem, up)
	up.heaps = heap.New(r, up)
	up.frames = New(r, source.New(r), up.heaps, nil)
	return testFrames{mem, r, up.frames}
}

// above answers the rooms' questions with the heaps and frames of a test alone.
type above struct {
	heaps  *heap.Walker
	frames *Decoder
}

func (a *above) Heaps() []core.Addr                          { return a.heaps.HeapsOfPages() }
func (a *above) CallPosition(layout.Tagged, int) (int, bool) { return 0, false }
func (a *above) Begin(t *core.Thread) walk.Unwinder          { return a.frames.Begin(t) }
func (a *above) Roots(*core.Thread, func(heap.Root))         {}
func (a *above) Original(_ layout.Tagged, file string, line, column int) (string, int, int) {
	return file, line, column
}
