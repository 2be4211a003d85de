package tasks

import (
	"testing"

	"coredbg/core"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/source"
	"coredbg/runtimes/v8/v8test"
)

func TestQueueFields(t *testing.T) {
	h := v8test.NewHeap(t, v8test.Node24)
	ring := h.Alloc(64)
	for _, c := range []struct {
		size, capacity, start uint64
		ring                  core.Addr
		ok                    bool
	}{
		{7, 8, 1, ring, true}, {0, 0, 0, 0, true}, {8, 8, 7, ring, true},
		{9, 8, 1, ring, false}, {1, 7, 0, ring, false}, {1, 8, 8, ring, false}, {0, 8, 0, 0, false},
		{0, 1 << 40, 0, ring, false},
	} {
		q := h.Alloc(64)
		for i, w := range []uint64{c.size, c.capacity, c.start, uint64(c.ring)} {
			h.Put(q+core.Addr(8+8*i), w)
		}
		r := object.New(h.Memory(), nil)
		hs := heap.New(r, nil)
		waiting := New(r, hs, frame.New(r, source.New(r), hs, nil), nil)
		if _, ok := waiting.queueFields(q); ok != c.ok {
			t.Errorf("%+v: %v", c, ok)
		}
	}
}
