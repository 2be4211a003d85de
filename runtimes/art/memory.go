package art

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes"
)

// OwnMemory implements runtimes.MemoryOwner: the spaces of the Java heap.
func (a *ART) OwnMemory(context.Context) (*runtimes.Owned, error) {
	h, err := a.Heap()
	if err != nil {
		return nil, err
	}
	o := &runtimes.Owned{}
	for _, s := range h.Spaces {
		if s.Problem == "" {
			o.Spans = append(o.Spans, core.Segment{Start: s.Begin, End: s.Limit})
		}
	}
	return o, nil
}
