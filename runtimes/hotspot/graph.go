package hotspot

import (
	"context"
	"io"

	"coredbg/core"
	"coredbg/runtimes"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/hotspot/hprof"
	"coredbg/runtimes/java"
	"coredbg/runtimes/java/leaks"
)

var (
	_ runtimes.LeakRuler      = (*HotSpot)(nil)
	_ runtimes.MemoryOwner    = (*HotSpot)(nil)
	_ runtimes.ExternalHolder = (*HotSpot)(nil)

	_ runtimes.HprofWriter = (*HotSpot)(nil)
	_ java.Counter         = (*HotSpot)(nil)
)

// JavaHistogram implements java.Counter.
func (h *HotSpot) JavaHistogram(ctx context.Context, in func(space string) bool) (*java.Histogram, error) {
	heap, err := h.walker.Heap()
	if err != nil {
		return nil, err
	}
	return heap.Histogram(ctx, in)
}

// Graph builds the graph of the Java heap, once. It implements runtimes.Grapher.
func (h *HotSpot) Graph(ctx context.Context) (*graph.Graph, error) {
	return h.graph.Graph(ctx, func(context.Context) (graph.Source, error) {
		heap, err := h.walker.Heap()
		if err != nil {
			return nil, err
		}
		return heap.Source(java.Inspector{Heap: h.JavaHeap()}.Brief), nil
	})
}

// LeakRules implements runtimes.LeakRuler.
func (h *HotSpot) LeakRules() []graph.Rule { return leaks.NewFinder(h.JavaHeap()).Rules() }

// WriteHprof writes the Java heap as HotSpot does. It implements runtimes.HprofWriter.
func (h *HotSpot) WriteHprof(ctx context.Context, w io.Writer) error {
	g, err := h.Graph(ctx)
	if err != nil {
		return err
	}
	return hprof.Write(ctx, w, h.walker, g)
}

// OwnMemory implements runtimes.MemoryOwner: the spaces of the Java heap.
func (h *HotSpot) OwnMemory(ctx context.Context) (*runtimes.Owned, error) {
	heap, err := h.walker.Heap()
	if err != nil {
		return nil, err
	}
	o := &runtimes.Owned{}
	for _, s := range heap.Spaces {
		o.Spans = append(o.Spans, core.Segment{Start: s.Begin, End: s.End})
	}
	if count, bytes := heap.DirectBuffers(ctx); count > 0 {
		o.Outside = append(o.Outside, runtimes.Outside{What: "direct buffer", Count: count, Bytes: bytes})
	}
	return o, nil
}

// Externals visits the addresses outside of the heap that objects have. It implements runtimes.ExternalHolder.
func (h *HotSpot) Externals(ctx context.Context, visit func(runtimes.External) bool) error {
	g, err := h.Graph(ctx)
	if err != nil {
		return err
	}
	java.Externals(h.JavaHeap(), func(yield func(core.Addr, *graph.Type) bool) {
		g.Each(func(id graph.ID, at core.Addr) bool { return ctx.Err() == nil && yield(at, g.Type(id)) })
	}, visit)
	return ctx.Err()
}
