package v8_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes/v8/heap"
)

// maxMoving is the maximum number of bytes outside known objects while objects are moved. Code that has lost
// its Code object cannot be distinguished from the memory after it.
const maxMoving = 4096

// checkSum wants every byte of all pages to be counted once.
func checkSum(t *testing.T, h *heap.Snapshot) {
	t.Helper()
	s := h.Stats
	var area uint64
	for _, p := range h.Pages {
		if !p.FromSpace {
			area += uint64(p.AreaEnd - p.AreaStart)
		}
	}
	if sum := s.Bytes + s.Free + s.Unused + s.Missing + s.Skipped + s.Making; sum != area {
		t.Errorf("%d bytes accounted for, the pages have %d", sum, area)
	}
}

// TestCollection: testdata/cores/sources/v8/collect.js was stopped within a
// collection of garbage. The 15000 Keepers that its threads hold are there, once each,
// whether they were moved or not; the stack is what it was. One that a thread was just
// copying may count twice where the heap says that it is doubtful; see
// TestCopiesInFlight.
func TestCollection(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		kind := "scavenge"
		if strings.HasSuffix(dir, "-evacuate") {
			kind = "mark-compact"
		}
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			p, _, v := openLive(t, filepath.Join(dir, "core"))
			h := heapOf(t, v)
			if !slices.ContainsFunc(h.Collections, func(c heap.Collection) bool {
				return c.Kind == kind &&
					c.Heap != 0
			}) {
				t.Errorf("collections: %+v, want a %s", h.Collections, kind)
			}
			t.Logf("%d doubtful", h.Doubtful)
			if got := countOf(h, "Keeper"); got < 15000 || got > 15000+h.Doubtful {
				t.Errorf("%d of Keeper, want 15000, or up to %d more", got, h.Doubtful)
			}
			if kind == "scavenge" && h.Stats.Forwarded == 0 {
				t.Error("no object was being moved")
			}
			checkSum(t, h)
			if s := h.Stats; s.Skipped > maxMoving {
				t.Errorf("%d bytes passed over in %d places: %+v", s.Skipped, s.Resyncs,
					s.Losses[:min(len(s.Losses), 5)])
			}
			want := truthOf(t, dir)
			main := p.Threads[slices.IndexFunc(p.Threads, func(t *core.Thread) bool { return t.TID == p.PID })]
			frames, stop := stackOf(p, v, main)
			got := jsStack(frames)
			for len(got) > 0 && slices.Contains(want.Above, got[0].Name) {
				got = got[1:]
			}
			compare(t, got, want.JS)
			checkRoot(t, stop)
		})
	}
}
