package v8

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes"
)

// OwnMemory returns the pages of all heaps. It implements runtimes.MemoryOwner.
func (v *V8) OwnMemory(ctx context.Context) (*runtimes.Owned, error) {
	h, err := v.Heaps.Heap(ctx)
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
