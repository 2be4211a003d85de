package frame

import (
	"testing"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/promise"
	"coredbg/runtimes/v8/v8test"
)

func TestWaiters(t *testing.T) {
	h := v8test.NewHeap(t, v8test.Node24)
	last := h.Promise(0)
	other := h.Promise(0)
	// V8 puts the newest reaction first.
	first := h.Promise(h.Reaction(h.Reaction(0, last), other))
	v := framesOf(h.Memory())
	list, err := v.Frames.Promises.Waiters(first)
	if err != nil || len(list) != 2 || list[0].Next != last || list[1].Next != other ||
		list[0].Kind != promise.WaitResolve {
		t.Fatalf("got %+v, %v", list, err)
	}
	tree, err := v.Frames.AsyncStack(first)
	if err != nil || len(tree) != 2 || len(tree[0].Waiters) != 0 {
		t.Errorf("got %+v, %v", tree, err)
	}
	if frames := v.Frames.asyncCallers(first); len(frames) != 0 {
		t.Errorf("frames of a promise that two wait for: %v", frames)
	}
	if p, kind := v.Frames.Awaited(first); p != (Place{}) || kind != promise.WaitResolve {
		t.Errorf("awaited %v, %v", p, kind)
	}
	if _, err := v.Frames.AsyncStack(h.Maps["MAP"]); err == nil {
		t.Error("a map is not a promise")
	}
}

// TestWaitersDamaged: reactions and promises that lead back to themselves.
func TestWaitersDamaged(t *testing.T) {
	h := v8test.NewHeap(t, v8test.Node24)
	ring := h.Reaction(0, 0)
	h.Put(ring.Addr()+16, uint64(ring))
	looped := h.Promise(ring)
	self := h.Promise(0)
	h.Put(self.Addr()+24, uint64(h.Reaction(0, self)))
	dangling := h.Promise(layout.Tag(0x123450))
	v := framesOf(h.Memory())
	if list, err := v.Frames.Promises.Waiters(looped); err == nil || len(list) != 1 {
		t.Errorf("a ring of reactions: %v, %v", list, err)
	}
	if _, err := v.Frames.Promises.Waiters(dangling); err == nil {
		t.Error("reactions that are not there")
	}
	tree, err := v.Frames.AsyncStack(self)
	if err != nil || len(tree) != 1 || tree[0].Cut == nil {
		t.Errorf("a promise that waits for itself: %+v, %v", tree, err)
	}
	for _, p := range []layout.Tagged{looped, self, dangling} {
		v.Frames.asyncCallers(p)
		v.Frames.Awaited(p)
	}
}

// FuzzWaiters decodes promises whose words are anything.
func FuzzWaiters(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	f.Add([]byte{1, 1, 1, 1, 1, 1, 1, 1, 1, 1})
	f.Fuzz(func(t *testing.T, order []byte) {
		h := v8test.NewHeap(t, v8test.Node24)
		objects := []layout.Tagged{layout.Tagged(v8test.Smi(0)), layout.Tagged(v8test.Smi(1)), h.Promise(0),
			h.Promise(0), h.Reaction(0, 0), h.Reaction(0, 0),
			h.Object("FIXED_ARRAY", v8test.Smi(2), 0, 0), h.Object("JS_FUNCTION", 0, 0, 0, 0, 0, 0), 3,
			layout.Tag(0xdead0)}
		for i, b := range order {
			o := objects[2+i%6]
			h.Put(o.Addr()+core.Addr(8+8*(i/6%5)), uint64(objects[int(b)%len(objects)]))
		}
		v := framesOf(h.Memory())
		for _, o := range objects {
			_, _ = v.Frames.Promises.Waiters(o)
			_, _ = v.Frames.AsyncStack(o)
			v.Frames.Awaited(o)
			v.Frames.asyncCallers(o)
			v.Frames.callersOfTask(o)
		}
	})
}

func TestCombinatorFrame(t *testing.T) {
	w := promise.Waiter{Kind: promise.WaitAll, Index: 2}
	want := runtimes.SourceFrame{Kind: runtimes.JS, Name: "Promise.all", File: "index 2", Tier: "builtin", Async: true}
	if got := combinator(&w); got != want {
		t.Errorf("got %+v", got)
	}
}
