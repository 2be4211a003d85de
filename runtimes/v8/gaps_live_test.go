package v8

import (
	"testing"

	"coredbg/core"
	"coredbg/runtimes/v8/heap"
)

// TestFreedArea takes the allocation area of the young generation back, as V8 does before it looks for another
// page (MainAllocator::FreeLinearAllocationArea @ 12.4): its three words become zero, and NewSpace's top is the
// old top. The memory in use is the same. Before V8 12 NewSpace kept no top of its own.
func TestFreedArea(t *testing.T) {
	eachLive(t, func(t *testing.T, path string) {
		v, before := openPatched(t, path, nil)
		words := map[int64]uint64{}
		set := func(a core.Addr, word uint64) {
			if s, ok := v.Space.Find(a); ok && s.Kind == core.SegCore {
				words[s.Off+int64(a-s.Start)] = word
			}
		}
		for _, s := range before.Spaces {
			if s.Isolate == 0 || s.Name != "new_space" {
				continue
			}
			for a := s.Isolate; a < s.Isolate+0x400; a += 8 {
				top, _ := v.Heaps.Word(a + 8)
				p, ok := heap.PageIndex(before.Pages).At(core.Addr(top))
				if !ok || p.Space != "new_space" || p.FromSpace || before.Gaps[core.Addr(top)] != p.AreaEnd {
					continue
				}
				if at, ok := v.Heaps.AllocationTop(p.Owner, p); ok {
					for i := range core.Addr(3) {
						set(a+8*i, 0)
					}
					set(at, top)
				}
				break
			}
		}
		if len(words) == 0 {
			if !v.Heaps.Layout.Version.Before(12, 0) {
				t.Error("no area of a page that is being filled")
			}
			return
		}
		_, after := openPatched(t, path, words)
		if got, want := after.Stats.Objects, before.Stats.Objects; got != want {
			t.Errorf("%d objects, %d before the area was given back", got, want)
		}
	})
}
