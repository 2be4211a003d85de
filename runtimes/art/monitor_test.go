package art

import (
	"context"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/art/code"
	"coredbg/runtimes/art/frame"
	"coredbg/runtimes/art/layout"
	"coredbg/runtimes/art/object"
)

// TestLockWord decodes words by the bits of runtime/lock_word.h.
func TestLockWord(t *testing.T) {
	for _, c := range []struct {
		word         object.LockWord
		state        object.LockState
		owner, count int
	}{
		{0, object.Unlocked, 0, 0},
		{0x30000000, object.Unlocked, 0, 0}, // the collector's bits
		{0x00000005, object.ThinLocked, 5, 1},
		{0x10020005, object.ThinLocked, 5, 3},
		{0x0fff1234, object.ThinLocked, 0x1234, 4096},
		{0x40000123, object.FatLocked, 0, 0},
		{0x8abcdef1, object.HashCode, 0, 0},
		{0xc2600001, object.Forwarded, 0, 0},
	} {
		if c.word.State() != c.state || c.state == object.ThinLocked && (c.word.Owner() != c.owner ||
			c.word.Count() != c.count) {
			t.Errorf("%#x is %v, owner %d, count %d", uint32(c.word), c.word.State(), c.word.Owner(), c.word.Count())
		}
	}
	if h := object.LockWord(0x9abcdef1).Hash(); h != 0xabcdef1 {
		t.Errorf("hash %#x", h)
	}
	if at := object.LockWord(0xc2600001).Forward(); at != 0x13000008 {
		t.Errorf("moved to %v", at)
	}
}

// lockScene lays out three threads in a circle of thin locks, and one outside it.
func lockScene(t testing.TB, arch *core.Arch, l *layout.Layout) (h *heapScene, locks []core.Addr) {
	h = newHeapScene(t, arch, l)
	for range 3 {
		locks = append(locks, h.newObject("java.lang.Object"))
	}
	// Thread i+2 holds lock i and wants the next one.
	for i := range 3 {
		th := h.thread(102+i, "ring", "Blocked")
		h.u32(locks[i]+4, uint32(i+2))
		h.ptr(off(th, l.Thread.MonitorEnter), locks[(i+1)%3])
	}
	h.regions(objectsBase+0x10000, [5]core.Addr{objectsBase, objectsBase + 0x10000, objectsBase + 0x10000, h.never(),
		allocatedRegion})
	return h, locks
}

// TestDeadlocks finds the circle, and none where one thread does not wait.
func TestDeadlocks(t *testing.T) {
	eachHeap(t, func(t *testing.T, s *heapScene) {
		h, locks := lockScene(t, s.arch, s.l)
		a := h.art()
		circles, err := a.Deadlocks()
		if err != nil || len(circles) != 1 || len(circles[0]) != 3 {
			t.Fatalf("circles %v", circles)
		}
		for i, w := range circles[0] {
			if w.Thread.ID != i+2 || w.Owner.ID != (i+1)%3+2 || w.Object.Addr != locks[(i+1)%3] || w.Kind != "lock" {
				t.Errorf("wait %d: %+v", i, w)
			}
		}
		monitors, err := a.Monitors(context.Background())
		if err != nil || len(monitors) != 3 {
			t.Fatalf("%d monitors, %v", len(monitors), err)
		}
		for i, m := range monitors {
			if m.Object.Addr != locks[i] || m.State != object.ThinLocked || m.Owner.ID != i+2 || len(m.Entering) != 1 ||
				m.Entering[0].ID != (i+2)%3+2 {
				t.Errorf("monitor %d: %+v", i, m)
			}
		}
		h.u32(locks[1]+4, 0)
		if circles, err := h.art().Deadlocks(); err != nil || len(circles) != 0 {
			t.Errorf("circles %v, %v where a lock is free", circles, err)
		}
	})
}

// TestFatMonitors reads art::Monitors by their ids: owner, count, wait set, hash.
func TestFatMonitors(t *testing.T) {
	eachHeap(t, func(t *testing.T, h *heapScene) {
		l := h.l
		owner, waiter := h.thread(102, "owner", "Native"), h.thread(103, "waiter", "Waiting")
		o := h.newObject("java.lang.Object")
		var m core.Addr
		id := uint32(0x40)
		if l.PtrSize == 8 {
			pool, list, chunk := h.nativeAlloc(0x100), h.nativeAlloc(0x100), (h.nativeAlloc(0x2000)+0xfff)&^0xfff
			h.ptr(off(sceneRuntime, l.Runtime.MonitorPool), pool)
			h.ptr(off(pool, l.Mirror.MonitorPool.Chunks), list)
			h.ptr(list+8, chunk)
			id += 4096 / 8 // in the second chunk
			m = chunk + 0x40*8
		} else {
			m = (h.nativeAlloc(0x200) + 15) &^ 15
			id = uint32(m >> 4)
		}
		h.u32(o+4, 1<<30|id)
		r := &l.Mirror.Monitor
		h.ptr(off(m, r.Owner), owner)
		h.u32(off(m, r.LockCount), 2)
		h.u32(off(m, r.Object), uint32(o))
		h.ptr(off(m, r.WaitSet), waiter)
		h.ptr(off(waiter, l.Mirror.Thread.WaitNext), waiter) // a circle
		h.ptr(off(waiter, l.Thread.WaitMonitor), m)
		if r.HashCode != layout.Unknown {
			h.u32(off(m, r.HashCode), 0x1234567)
		}
		a := h.art()
		got, err := a.Monitor(o)
		if err != nil {
			t.Fatal(err)
		}
		if got.State != object.FatLocked || got.Addr != m || got.Owner == nil || got.Owner.Name != "owner" ||
			got.Count != 3 || got.Problem != "" ||
			len(got.Waiting) != 1 || got.Waiting[0].Name != "waiter" ||
			r.HashCode != layout.Unknown && got.Hash != 0x1234567 {
			t.Errorf("%+v", got)
		}
		w, ok := a.WaitOf(got.Waiting[0])
		if !ok || w.Kind != "wait" || w.Object.Addr != o {
			t.Errorf("wait %+v, %v", w, ok)
		}
		if what, ok := a.WhatIs(m); !ok || what == "" {
			t.Errorf("WhatIs the Monitor: %q, %v", what, ok)
		}
		h.u32(o+4, 1<<30|0xfffffff)
		if got, err := h.art().Monitor(o); err != nil || got.Problem == "" || got.Owner != nil {
			t.Errorf("an id of no Monitor: %+v, %v", got, err)
		}
	})
}

// TestNativeLocks finds the receiver of a synchronized native method where each
// version keeps it, if the thread owns it, and the class of a static one.
func TestNativeLocks(t *testing.T) {
	eachHeap(t, func(t *testing.T, h *heapScene) {
		base := h.newClass("app.Base", h.class["java.lang.Object"], 8, 0)
		h.newClass("app.Sub", base, 8, 0)
		object, other := h.newObject("app.Sub"), h.newObject("app.Sub")
		h.u32(object+4, 1) // held by thread 1
		h.u32(base+4, 1)
		word, at := core.Addr(h.l.PtrSize), sceneStack+0x1000
		m := &code.Method{Access: bitNative | bitSynchronized, DeclaringClass: base}
		for _, place := range []core.Addr{at + 2*word + 4, at + 0x80 + word, at - 64} {
			h.u32(place, uint32(object))
			h.u32(at-32, uint32(other)) // one that it does not own
			a := h.art()
			q := &frame.Activation{At: at, Size: 0x80, Method: m}
			if got := a.Locks(q, 0, nil); len(got) != 1 || got[0].Object != object || got[0].Class.Name != "app.Sub" ||
				!got[0].Method {
				t.Errorf("at %v: %+v", place, got)
			}
			h.u32(place, 0)
			if got := a.Locks(q, 0, nil); len(got) != 1 || got[0].Object != 0 || got[0].Missing == "" {
				t.Errorf("without a receiver: %+v", got)
			}
		}
		a := h.art()
		static := &frame.Activation{At: at, Method: &code.Method{Access: m.Access | bitStatic, DeclaringClass: base}}
		if got := a.Locks(static, 0, nil); len(got) != 1 || got[0].Object != base {
			t.Errorf("static: %+v", got)
		}
		h.u32(base+4, 2)
		if got := a.Locks(static, 0, nil); len(got) != 0 {
			t.Errorf("static, held by another: %+v", got)
		}
	})
}
