package v8_test

import (
	"context"
	"path/filepath"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/heap"
)

// TestEveryByte: each byte of each page is in an object, free, or not used yet. This shows only that the
// objects' sizes fit; the other tests count them.
func TestEveryByte(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			_, _, v := openLive(t, filepath.Join(dir, "core"))
			h := heapOf(t, v)
			checkSum(t, h)
			checkRows(t, h)
			if len(h.Collections) > 0 {
				return // see TestCollection
			}
			checkTotal(t, v, h)
			checkNewSpace(t, v, h)
			if s := h.Stats; s.Skipped != 0 || s.Resyncs != 0 || s.BadMaps != 0 {
				t.Errorf("%d bytes passed over in %d places, %d bad maps: %+v", s.Skipped, s.Resyncs,
					s.BadMaps, s.Losses)
			}
		})
	}
}

// checkRows wants the rows of ::findjsobjects -sb to be all pages.
func checkRows(t *testing.T, h *heap.Snapshot) {
	t.Helper()
	types, err := h.Types(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got, want uint64
	for _, g := range h.Groups() {
		got += g.Bytes
	}
	for _, x := range types {
		got += x.Bytes
	}
	for _, x := range h.Rests(types) {
		got += x.Bytes
		if x.Name == "(being moved)" && len(h.Collections) == 0 {
			t.Errorf("%d bytes are being moved, and no collection is under way", x.Bytes)
		}
	}
	for i := range h.Pages {
		want += uint64(h.Pages[i].End - h.Pages[i].Start)
	}
	if got != want {
		t.Errorf("the rows have %d bytes, the pages %d", got, want)
	}
}

// checkTotal compares the pages of each heap with V8's own total.
func checkTotal(t *testing.T, v *v8.V8, h *heap.Snapshot) {
	t.Helper()
	got := map[core.Addr]uint64{}
	for _, s := range h.Spaces {
		if s.Name != heap.FreedPages {
			got[s.Isolate] += s.Committed
		}
	}
	for isolate, n := range got {
		if isolate == 0 {
			continue
		}
		s, err := v.Heaps.HeapStatistics(isolate)
		if err != nil {
			t.Logf("isolate %v: %v", isolate, err)
			continue
		}
		for _, x := range s.Heap {
			if x.Name == "total_heap_size" && x.Known && x.Value != n {
				t.Errorf("isolate %v: pages of %d bytes, V8 says %d", isolate, n, x.Value)
			}
		}
	}
}

// checkNewSpace compares the walk's count on the young pages in use with V8's own size of NewSpace. Objects
// left over after NewSpace's top would make the count too large.
func checkNewSpace(t *testing.T, v *v8.V8, h *heap.Snapshot) {
	t.Helper()
	for _, s := range h.Spaces {
		if s.Name != "new_space" || s.Isolate == 0 {
			continue
		}
		// V8 says 0 where an isolate that ran out of memory has given its area
		// back; what was left over on that page is still counted.
		want, ok := newSpaceUsed(v, &s)
		if got := s.Walk.Bytes + s.Walk.Free + s.Walk.Skipped + s.Walk.Making; ok && want != 0 && got != want {
			t.Errorf("isolate %v: %d bytes in use, V8 says %d", s.Isolate, got, want)
		}
	}
}

// newSpaceUsed returns V8's own number, where its code could be run.
func newSpaceUsed(v *v8.V8, s *heap.Space) (uint64, bool) {
	stats, err := v.Heaps.HeapStatistics(s.Isolate)
	if err != nil {
		return 0, false
	}
	for _, x := range stats.Spaces {
		for _, size := range x.Sizes {
			if x.Name == "new_space" && size.Name == "space_used_size" && size.Known {
				return size.Value, true
			}
		}
	}
	return 0, false
}
