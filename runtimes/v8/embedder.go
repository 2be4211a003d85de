package v8

import (
	"context"
	"time"

	"coredbg/core"
	"coredbg/runtimes"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/v8/embedder"
	"coredbg/runtimes/v8/eval"
	"coredbg/runtimes/v8/leak"
	"coredbg/runtimes/v8/sourcemap"
)

// The questions about a program that only what embeds V8 can answer. Without an embedder that can, the answers are
// empty.

// EmbedderOf returns the embedder of type T of the program, such as *node.Reader. The probe of V8 made it: it is the
// same each time.
func EmbedderOf[T any](v *V8) (T, bool) { return embedder.As[T](v.embedders) }

// Embedder returns the name of the program that embeds V8; see embedder.NameOf.
func (v *V8) Embedder() string { return embedder.NameOf(v.Memory) }

// Question returns what answers an expression on a thread; nil if no embedder knows the expression.
func (v *V8) Question(ctx context.Context, t *core.Thread, path string) eval.Question {
	if e, ok := EmbedderOf[embedder.Asker](v); ok {
		return e.Question(ctx, t, path)
	}
	return nil
}

// WorkerNames returns the names that the embedder gave the threads of isolates, by the isolate.
func (v *V8) WorkerNames(ctx context.Context) (map[core.Addr]string, error) {
	if e, ok := EmbedderOf[embedder.WorkerNamer](v); ok {
		return e.WorkerNames(ctx)
	}
	return nil, nil
}

// DescribeThread returns the name that the embedder gave the thread of an isolate, and its
// state as the core has it.
func (v *V8) DescribeThread(t *core.Thread) (name, state string, ok bool) {
	e, ok := EmbedderOf[embedder.WorkerNamer](v)
	if !ok {
		return "", "", false
	}
	name, ok = e.WorkerName(t)
	return name, t.State, ok
}

// Locations returns the address of globalThis.location by the heap of the realm, as far as the embedder keeps it in
// the heap.
func (v *V8) Locations(ctx context.Context) (map[core.Addr]string, error) {
	if e, ok := EmbedderOf[embedder.Locator](v); ok {
		return e.Locations(ctx)
	}
	return nil, nil
}

// keptMaps returns the source maps that the embedder keeps for a script.
func (v *V8) keptMaps(ctx context.Context, name, code string) []sourcemap.Kept {
	if e, ok := EmbedderOf[embedder.MapKeeper](v); ok {
		return e.SourceMaps(ctx, name, code)
	}
	return nil
}

// ModuleOf returns the file of the native module that made the object at an address; "" if no module is known.
func (v *V8) ModuleOf(a core.Addr) string {
	if e, ok := EmbedderOf[embedder.Moduler](v); ok {
		return e.ModuleOf(a)
	}
	return ""
}

// LeakRules returns the known leak patterns of programs of the embedder, then the patterns of JavaScript.
func (v *V8) LeakRules() (list []graph.Rule) {
	if e, ok := EmbedderOf[embedder.LeakRuler](v); ok {
		list = e.LeakRules()
	}
	return append(list, leak.New(v.Objects, v.Heaps, v.Frames).Rules()...)
}

// Packed says how the program was packed into the executable, "" if it was not.
func (v *V8) Packed(ctx context.Context) string {
	if e, ok := EmbedderOf[runtimes.Packer](v); ok {
		return e.Packed(ctx)
	}
	return ""
}

// Waits implements runtimes.Waiter.
func (v *V8) Waits(ctx context.Context) []runtimes.Wait {
	if e, ok := EmbedderOf[runtimes.Waiter](v); ok {
		return e.Waits(ctx)
	}
	return nil
}

// Queued implements runtimes.Queuer.
func (v *V8) Queued(ctx context.Context) []runtimes.Wait {
	if e, ok := EmbedderOf[runtimes.Queuer](v); ok {
		return e.Queued(ctx)
	}
	return nil
}

// Ran implements runtimes.Timekeeper.
func (v *V8) Ran(ctx context.Context, t *core.Thread) (age time.Duration, turn, ok bool) {
	if e, ok := EmbedderOf[runtimes.Timekeeper](v); ok {
		return e.Ran(ctx, t)
	}
	return 0, true, false
}
