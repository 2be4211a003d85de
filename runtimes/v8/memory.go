package v8

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/heap"
)

// OwnMemory returns the pages of all heaps. It implements runtimes.MemoryOwner.
func (v *V8) OwnMemory(ctx context.Context) (*runtimes.Owned, error) {
	h, err := v.Heaps.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	o := &runtimes.Owned{}
	for i := range h.Pages {
		o.Spans = append(o.Spans, core.Segment{Start: h.Pages[i].Start, End: h.Pages[i].End})
	}
	for i := range h.Spaces {
		o.Used += h.Spaces[i].Used()
		o.Free += h.Spaces[i].Available()
	}
	return o, nil
}

// HeapThread returns the thread of the isolate whose heap has an object. It implements
// runtimes.HeapDivider.
func (v *V8) HeapThread(ctx context.Context, a core.Addr) *core.Thread {
	h, err := v.Heaps.Snapshot(ctx)
	if err != nil {
		return nil
	}
	return heap.ThreadOf(ctx, h, a)
}
