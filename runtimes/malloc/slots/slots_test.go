package slots

import (
	"context"
	"testing"

	"coredbg/core"
	"coredbg/runtimes"
)

// A slotter is a runtime with a heap.
type slotter struct {
	runtimes.Slotter
	heap runtimes.SlotHeap
}

func (s *slotter) Slots(context.Context) (*runtimes.SlotHeap, error) { return &s.heap, nil }

// TestTrim: a thread's stack begins below its lowest frame, where that is known; that of a task begins where
// it is. What is left out leads to nothing.
func TestTrim(t *testing.T) {
	runs, unknown, above := &core.Thread{TID: 1}, &core.Thread{TID: 2}, &core.Thread{TID: 3}
	task := &core.Thread{Task: &core.Task{}}
	h, err := New(t.Context(), &slotter{heap: runtimes.SlotHeap{
		Stacks: []runtimes.SlotStack{
			{Start: 0x1000, End: 0x2000, Thread: runs},
			{Start: 0x2000, End: 0x3000, Thread: unknown},
			{Start: 0x3000, End: 0x4000, Thread: above},
			{Start: 0x4800, End: 0x5000, Thread: task},
			{Start: 0x5000, End: 0x6000},
		},
		Stale: []core.Segment{{Start: 0x4000, End: 0x4800}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	h.Trim(func(t *core.Thread, start, _ core.Addr) core.Addr {
		switch t {
		case unknown:
			return 0
		case above:
			return 0x4000
		}
		return start + 0xd00
	})
	for i, want := range []core.Addr{0x1000 + 0xd00 - redZone, 0x2000, 0x3000, 0x4800, 0x5000} {
		if got := h.Stacks()[i].Start; got != want {
			t.Errorf("stack %d begins at %v, want %v", i, got, want)
		}
	}
	stale := h.slots.Stale
	if len(stale) != 2 || stale[0].Start != 0x1000 || stale[0].End != 0x1c80 || stale[1].Start != 0x4000 {
		t.Errorf("%+v leads to nothing", stale)
	}
}
