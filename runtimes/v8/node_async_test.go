package v8

import (
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/layout"
)

// promise lays out a pending JSPromise of V8 13.6 with a list of reactions.
func (h *heap) promise(reactions layout.Tagged) layout.Tagged {
	if reactions == 0 {
		reactions = layout.Tagged(smi(0))
	}
	return h.object("JS_PROMISE", 0, 0, uint64(reactions), smi(0))
}

// reaction lays out a PromiseReaction that passes the outcome on to then.
func (h *heap) reaction(next, then layout.Tagged) layout.Tagged {
	if next == 0 {
		next = layout.Tagged(smi(0))
	}
	return h.object("PROMISE_REACTION", 0, uint64(next), 0, 0, uint64(then))
}

func TestWaiters(t *testing.T) {
	h := newHeap(t, node24)
	last := h.promise(0)
	other := h.promise(0)
	// V8 puts the newest reaction first.
	first := h.promise(h.reaction(h.reaction(0, last), other))
	v := h.decoder()
	list, err := v.Frames.Waiters(first)
	if err != nil || len(list) != 2 || list[0].Next != last || list[1].Next != other || list[0].Kind != WaitResolve {
		t.Fatalf("got %+v, %v", list, err)
	}
	tree, err := v.Frames.AsyncStack(first)
	if err != nil || len(tree) != 2 || len(tree[0].Waiters) != 0 {
		t.Errorf("got %+v, %v", tree, err)
	}
	if frames := v.Frames.asyncCallers(first); len(frames) != 0 {
		t.Errorf("frames of a promise that two wait for: %v", frames)
	}
	if p, kind := v.Frames.Awaited(first); p != (Place{}) || kind != WaitResolve {
		t.Errorf("awaited %v, %v", p, kind)
	}
	if _, err := v.Frames.AsyncStack(h.maps["MAP"]); err == nil {
		t.Error("a map is no promise")
	}
}

// TestWaitersDamaged: reactions and promises that lead back to themselves.
func TestWaitersDamaged(t *testing.T) {
	h := newHeap(t, node24)
	ring := h.reaction(0, 0)
	h.put(ring.Addr()+16, uint64(ring))
	looped := h.promise(ring)
	self := h.promise(0)
	h.put(self.Addr()+24, uint64(h.reaction(0, self)))
	dangling := h.promise(layout.Tag(0x123450))
	v := h.decoder()
	if list, err := v.Frames.Waiters(looped); err == nil || len(list) != 1 {
		t.Errorf("a ring of reactions: %v, %v", list, err)
	}
	if _, err := v.Frames.Waiters(dangling); err == nil {
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
		h := newHeap(t, node24)
		objects := []layout.Tagged{layout.Tagged(smi(0)), layout.Tagged(smi(1)), h.promise(0), h.promise(0), h.reaction(0, 0), h.reaction(0, 0),
			h.object("FIXED_ARRAY", smi(2), 0, 0), h.object("JS_FUNCTION", 0, 0, 0, 0, 0, 0), 3, layout.Tag(0xdead0)}
		for i, b := range order {
			o := objects[2+i%6]
			h.put(o.Addr()+core.Addr(8+8*(i/6%5)), uint64(objects[int(b)%len(objects)]))
		}
		v := h.decoder()
		for _, o := range objects {
			_, _ = v.Frames.Waiters(o)
			_, _ = v.Frames.AsyncStack(o)
			v.Frames.Awaited(o)
			v.Frames.asyncCallers(o)
			v.Frames.callersOfTask(o)
		}
	})
}

func TestCombinatorFrame(t *testing.T) {
	w := Waiter{Kind: WaitAll, Index: 2}
	want := runtimes.SourceFrame{Kind: runtimes.JS, Name: "Promise.all", File: "index 2", Tier: "builtin", Async: true}
	if got := w.combinator(); got != want {
		t.Errorf("got %+v", got)
	}
}

// uvLoop lays out a uv_loop_t with a timer and an idle TCP server, as
// libuv 1.52 on x86-64 has them.
func (h *heap) uvLoop() (loop, timer, tcp core.Addr) {
	const async = 176
	loop, timer, tcp = h.alloc(1024), h.alloc(152), h.alloc(264)
	queue := func(head core.Addr, nodes ...core.Addr) {
		ring := append([]core.Addr{head}, nodes...)
		for i, n := range ring {
			next := ring[(i+1)%len(ring)]
			h.put(n, uint64(next))
			h.put(next+8, uint64(n))
		}
	}
	h.put(loop+async+8, uint64(loop))
	h.put32(loop+async+16, 1)
	queue(loop+16, timer+32, tcp+32)
	for _, off := range []core.Addr{72, 88, 120} {
		queue(loop + off)
	}
	h.put32(loop+8, 1)
	h.put32(loop+64, 9)
	h.put(loop+async+368, 5000)
	h.put(timer+8, uint64(loop))
	h.put32(timer+16, 13)
	h.put32(timer+88, handleActive|handleRef)
	h.put(timer+128, 6500)
	h.put(timer+136, 1500)
	h.put(tcp+8, uint64(loop))
	h.put32(tcp+16, 12)
	h.put32(tcp+88, handleRef)
	h.put32(tcp+184, 17)
	h.put(tcp+224, 0x1234)
	return loop, timer, tcp
}

func TestLoop(t *testing.T) {
	h := newHeap(t, node24)
	at, timer, tcp := h.uvLoop()
	l := h.decoder().Node.loop(at)
	if l.Err != nil || !l.Alive() || l.BackendFD != 9 || l.Time != 5000 || l.Pending != 0 || l.WorkDone != 0 {
		t.Errorf("got %+v", l)
	}
	want := []Handle{
		{Addr: timer, Loop: at, Type: "timer", Active: true, Referenced: true, FD: -1, Due: 6500, Repeat: 1500},
		{Addr: tcp, Loop: at, Type: "tcp", Referenced: true, FD: 17, Listening: true},
	}
	if !slices.Equal(l.Handles, want) {
		t.Errorf("got %+v\nwant %+v", l.Handles, want)
	}
}

// TestLoopDamaged: a queue that does not link back, and no loop at all.
func TestLoopDamaged(t *testing.T) {
	h := newHeap(t, node24)
	at, timer, tcp := h.uvLoop()
	h.put(tcp+40, uint64(tcp))
	h.put(at+72, 0x99)
	v := h.decoder()
	l := v.Node.loop(at)
	if l.Err == nil || len(l.Handles) != 1 || l.Handles[0].Addr != timer || l.Pending != -1 {
		t.Errorf("got %+v", l)
	}
	if l := v.Node.loop(h.base); l.Err == nil {
		t.Errorf("no loop is there: %+v", l)
	}
}

func TestQueueFields(t *testing.T) {
	h := newHeap(t, node24)
	ring := h.alloc(64)
	for _, c := range []struct {
		size, capacity, start uint64
		ring                  core.Addr
		ok                    bool
	}{
		{7, 8, 1, ring, true}, {0, 0, 0, 0, true}, {8, 8, 7, ring, true},
		{9, 8, 1, ring, false}, {1, 7, 0, ring, false}, {1, 8, 8, ring, false}, {0, 8, 0, 0, false}, {0, 1 << 40, 0, ring, false},
	} {
		q := h.alloc(64)
		for i, w := range []uint64{c.size, c.capacity, c.start, uint64(c.ring)} {
			h.put(q+core.Addr(8+8*i), w)
		}
		if _, ok := h.decoder().Node.queueFields(q); ok != c.ok {
			t.Errorf("%+v: %v", c, ok)
		}
	}
}
