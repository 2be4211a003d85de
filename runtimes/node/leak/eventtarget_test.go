package leak

import (
	"math"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/source"
	"coredbg/runtimes/v8/v8test"
)

// TestTargetEvents reads the listeners of an EventTarget, laid out as V8 11.3 and Node 20 do: a
// Map under a symbol, whose value is the head of a list; the limit is under another symbol.
func TestTargetEvents(t *testing.T) {
	for _, c := range []struct {
		limit, listeners, cycle int
		want                    int // listeners that are reported
		allowed                 float64
	}{
		{10, 3, 0, 3, 10},
		{0, 3, 0, 3, 0}, // as of an AbortSignal
		{10, 1, 0, 0, 0},
		{10, 3, 1, 3, 10}, // a list that comes back to itself
	} {
		h := v8test.NewMadeHeap(0x2000)
		at := v8test.ObjectsAt
		next := func(words ...uint64) layout.Tagged {
			o := at
			h.Put(at, words...)
			at += core.Addr(8 * len(words))
			return layout.Tag(o)
		}
		text := func(s string) uint64 {
			b := make([]byte, (len(s)+7)&^7)
			copy(b, s)
			words := []uint64{uint64(h.Maps[40]), uint64(len(s)) << 32}
			for i := 0; i < len(b); i += 8 {
				w := uint64(0)
				for k := range 8 {
					w |= uint64(b[i+k]) << (8 * k)
				}
				words = append(words, w)
			}
			return uint64(next(words...))
		}
		symbol := func(s string) uint64 { d := text(s); return uint64(next(uint64(h.Maps[128]), 0, d)) }
		keys := []uint64{symbol("kEvents"), symbol("events.maxEventTargetListeners"), text("next"), text("listener")}
		descriptors := []uint64{uint64(h.Maps[217]), 4 | 4<<16, 0}
		for i, k := range keys {
			descriptors = append(descriptors, k, v8test.SmiWord(i<<19), 0)
		}
		h.Shape(1057, 7, 3, 4, 3, false, next(descriptors...))
		empty := uint64(next(uint64(h.Maps[175]), 0))
		receiver := func(fields ...uint64) layout.Tagged {
			return next(append([]uint64{uint64(h.Maps[1057]), empty, empty}, fields...)...)
		}
		last := uint64(0)
		var tail layout.Tagged
		for range c.listeners {
			fn := next(uint64(h.Maps[2066]), empty, empty)
			o := receiver(0, 0, last, uint64(fn))
			if last = uint64(o); tail == 0 {
				tail = o
			}
		}
		if c.cycle > 0 {
			h.Put(tail.Addr()+5*8, last)
		}
		head := receiver(0, 0, last, 0)
		table := next(uint64(h.Maps[175]), v8test.SmiWord(7), v8test.SmiWord(1), 0, v8test.SmiWord(1), 0, text("abort"),
			uint64(head), 0)
		events := next(uint64(h.Maps[2108]), empty, empty, uint64(table))
		target := receiver(uint64(events), v8test.SmiWord(c.limit), 0, 0)
		r := object.New(h.Memory(), nil)
		hs := heap.New(r, nil)
		leaks := New(r, hs, frame.New(r, source.New(r), hs, nil), nil, nil)
		got := &eventList{}
		leaks.targetEventsOf(target, 1, func(l *eventList) { got = l })
		if len(got.listeners) != c.want || got.limit != c.allowed ||
			c.want > 0 && (got.event != "abort" || got.head != head) {
			t.Errorf("%+v: %+v", c, got)
		}
	}
	if finite(math.Inf(1)) != 0 || finite(30) != 30 {
		t.Error("an infinite limit is none")
	}
}
