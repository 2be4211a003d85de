package uv

import (
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/source"
	"coredbg/runtimes/v8/v8test"
)

func uvOf(mem *layout.Memory) *Reader {
	r := object.New(mem, nil)
	return New(r, frame.New(r, source.New(r), heap.New(r, nil), nil))
}

// uvLoop lays out a uv_loop_t with a timer and an idle TCP server, as
// libuv 1.52 on x86-64 has them.
func uvLoop(h *v8test.Heap) (loop, timer, tcp core.Addr) {
	const async = 176
	loop, timer, tcp = h.Alloc(1024), h.Alloc(152), h.Alloc(264)
	queue := func(head core.Addr, nodes ...core.Addr) {
		ring := append([]core.Addr{head}, nodes...)
		for i, n := range ring {
			next := ring[(i+1)%len(ring)]
			h.Put(n, uint64(next))
			h.Put(next+8, uint64(n))
		}
	}
	h.Put(loop+async+8, uint64(loop))
	h.Put32(loop+async+16, 1)
	queue(loop+16, timer+32, tcp+32)
	for _, off := range []core.Addr{72, 88, 120} {
		queue(loop + off)
	}
	h.Put32(loop+8, 1)
	h.Put32(loop+64, 9)
	h.Put(loop+async+368, 5000)
	h.Put(timer+8, uint64(loop))
	h.Put32(timer+16, 13)
	h.Put32(timer+88, uint32(libuv("linux").Flag.Active)|uint32(libuv("linux").Flag.Ref))
	h.Put(timer+128, 6500)
	h.Put(timer+136, 1500)
	h.Put(tcp+8, uint64(loop))
	h.Put32(tcp+16, 12)
	h.Put32(tcp+88, uint32(libuv("linux").Flag.Ref))
	h.Put32(tcp+184, 17)
	h.Put(tcp+224, 0x1234)
	return loop, timer, tcp
}

func TestLoop(t *testing.T) {
	h := v8test.NewHeap(t, v8test.Node24)
	at, timer, tcp := uvLoop(h)
	l := uvOf(h.Memory()).loop(at)
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
	h := v8test.NewHeap(t, v8test.Node24)
	at, timer, tcp := uvLoop(h)
	h.Put(tcp+40, uint64(tcp))
	h.Put(at+72, 0x99)
	v := uvOf(h.Memory())
	l := v.loop(at)
	if l.Err == nil || len(l.Handles) != 1 || l.Handles[0].Addr != timer || l.Pending != -1 {
		t.Errorf("got %+v", l)
	}
	if l := v.loop(h.Base); l.Err == nil {
		t.Errorf("no loop is there: %+v", l)
	}
}
