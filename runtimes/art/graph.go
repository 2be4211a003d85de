package art

import (
	"context"
	"io"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/art/hprof"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/java"
)

var _ runtimes.ExternalHolder = (*ART)(nil)

// Graph builds the graph of the Java heap, once. It implements runtimes.Grapher.
func (a *ART) Graph(ctx context.Context) (*graph.Graph, error) {
	return a.graph.Graph(ctx, func(context.Context) (graph.Source, error) {
		if a.Layout == nil {
			return nil, ErrNone
		}
		h, err := a.Heap()
		if err != nil {
			return nil, err
		}
		return h.Source(java.Inspector{Heap: a.JavaHeap()}.Brief), nil
	})
}

// WriteHprof writes the Java heap as Android does. It implements runtimes.HprofWriter.
func (a *ART) WriteHprof(ctx context.Context, w io.Writer) error {
	g, err := a.Graph(ctx)
	if err != nil {
		return err
	}
	return hprof.Write(ctx, w, a.Walker, g)
}

// Externals visits the addresses outside of the heap that objects have. It implements runtimes.ExternalHolder.
func (a *ART) Externals(ctx context.Context, visit func(runtimes.External) bool) error {
	g, err := a.Graph(ctx)
	if err != nil {
		return err
	}
	java.Externals(a.JavaHeap(), func(yield func(core.Addr, *graph.Type) bool) {
		g.Each(func(id graph.ID, at core.Addr) bool { return ctx.Err() == nil && yield(at, g.Type(id)) })
	}, visit)
	return ctx.Err()
}
