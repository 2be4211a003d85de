// Package tasks reads what waits for its turn in an event loop of Node: timers, immediates,
// callbacks of process.nextTick, and microtasks.
// Timers and immediates are in timers.go, ticks and microtasks in ticks.go.
package tasks

import (
	"coredbg/runtimes/node/member"
	"coredbg/runtimes/node/uv"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A Reader reads the timers, ticks and microtasks of a process.
type Reader struct {
	*layout.Memory
	objects *object.Reader
	heaps   *heap.Walker
	frames  *frame.Decoder
	members *member.Reader
	loops   *uv.Reader
}

// New returns a reader of the tasks that wait in the process whose event loops are read by loops.
func New(r *object.Reader, hs *heap.Walker, dec *frame.Decoder, loops *uv.Reader) *Reader {
	return &Reader{Memory: r.Memory, objects: r, heaps: hs, frames: dec, members: member.New(r), loops: loops}
}
