package node

import (
	"context"
	"time"

	"coredbg/core"
	"coredbg/runtimes"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/node/binding"
	"coredbg/runtimes/node/cxx"
	"coredbg/runtimes/node/leak"
	"coredbg/runtimes/node/member"
	"coredbg/runtimes/node/tasks"
	"coredbg/runtimes/node/uv"
	"coredbg/runtimes/v8/embedder"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A Reader is what V8 and the commands ask.
var (
	_ embedder.Functions   = (*Reader)(nil)
	_ embedder.Asker       = (*Reader)(nil)
	_ embedder.WorkerNamer = (*Reader)(nil)
	_ embedder.LeakRuler   = (*Reader)(nil)
	_ embedder.Moduler     = (*Reader)(nil)
	_ runtimes.Waiter      = (*Reader)(nil)
	_ runtimes.Queuer      = (*Reader)(nil)
	_ runtimes.Timekeeper  = (*Reader)(nil)
	_ runtimes.Packer      = (*Reader)(nil)
)

// A Reader reads what Node keeps, by readers of its parts.
type Reader struct {
	UV    *uv.Reader    // libuv's event loops, their handles and requests
	Tasks *tasks.Reader // timers, ticks and microtasks

	*layout.Memory
	objects *object.Reader
	heaps   *heap.Walker
	frames  *frame.Decoder
	members *member.Reader
	cxx     *cxx.Reader

	bindings   *binding.Functions // what functions written in C++ would answer
	leaks      *leak.Reader
	references *references
}

// Probe returns a reader of Node's state in a program. No program is ruled out by its name: others have event loops
// of libuv, API of Node, modules that were written for Node, or nothing that tells that they are Node. The reader finds
// what is there.
func Probe(p *embedder.Program) embedder.Embedder {
	r, hs, dec := p.Objects, p.Heaps, p.Frames
	loops := uv.New(r, dec)
	waiting := tasks.New(r, hs, dec, loops)
	nr := &Reader{
		UV: loops, Tasks: waiting, bindings: binding.New(r, hs, loops), leaks: leak.New(r, hs, dec, loops, waiting),
		Memory: r.Memory, objects: r, heaps: hs, frames: dec, members: member.New(r), cxx: cxx.New(r.Memory),
	}
	nr.references = newReferences(nr)
	return nr
}

// Name implements embedder.Embedder.
func (nr *Reader) Name() string { return "Node" }

// Call implements embedder.Functions.
func (nr *Reader) Call(function string, o layout.Tagged) (value any, ok bool) {
	return nr.bindings.Call(function, o)
}

// Answers implements embedder.Functions.
func (nr *Reader) Answers(o layout.Tagged) (names, values []string, err error, ok bool) {
	return nr.bindings.Answers(o)
}

// LeakRules returns the known leak patterns of Node's programs.
func (nr *Reader) LeakRules() []graph.Rule { return nr.leaks.Rules() }

// Ran returns how long the process had run when the event loop of a thread last went on.
func (nr *Reader) Ran(_ context.Context, t *core.Thread) (age time.Duration, turn, ok bool) {
	age, ok = nr.UV.LastTurn(t)
	return age, true, ok
}
