package v8_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/reference"
)

// heapOf walks the heap of a core.
func heapOf(t *testing.T, v *v8.V8) *heap.Snapshot {
	t.Helper()
	h, err := v.Heaps.Snapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// countOf counts the objects of a constructor, prototypes and boilerplates left
// out.
func countOf(h *heap.Snapshot, constructor string) int {
	n := 0
	for _, g := range h.Groups() {
		if g.Constructor == constructor && !g.Prototype && !g.Boilerplate {
			n += g.Count
		}
	}
	return n
}

// TestHeapCounts: testdata/cores/sources/v8/values.js makes 1234 widgets, 777 gadgets and 55 of the old style
// in lists, and one more of each in T. It also makes 321 objects from a literal, and V8 keeps a boilerplate for
// that literal.
func TestHeapCounts(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			_, _, v := openLive(t, filepath.Join(dir, "core"))
			h := heapOf(t, v)
			for name, want := range map[string]int{"Widget": 1235, "Gadget": 778, "OldStyle": 56} {
				if got := countOf(h, name); got != want {
					t.Errorf("%d of %s, want %d", got, name, want)
				}
			}
			for _, g := range h.Groups() {
				want := 321
				if g.Boilerplate {
					want = 1
				}
				if slices.Equal(g.Props, []string{"litA", "litB", "litC"}) && g.Count != want {
					t.Errorf("%d of the literal, want %d, boilerplate: %t", g.Count, want, g.Boilerplate)
				}
			}
			checkWhole(t, h)
		})
	}
}

// maxPassedOver is the maximum number of bytes of a core outside known objects. Nearly all cores have 0 such
// bytes. Most others have three ScopeInfos and the like, of V8 11.3.
const maxPassedOver = 512

// checkWhole checks that every byte of every page is in an object, free, or unused.
func checkWhole(t *testing.T, h *heap.Snapshot) {
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
	if s.Skipped > maxPassedOver {
		t.Errorf("%d bytes passed over in %d places: %+v", s.Skipped, s.Resyncs, s.Losses[:min(len(s.Losses), 5)])
	}
}

// TestHeapLeaky: testdata/cores/sources/v8/oom.js puts each object that it
// makes in the global list all; one may have been on its way.
func TestHeapLeaky(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			_, _, v := openLive(t, filepath.Join(dir, "core"))
			length, err := v.Objects.Member(global(t, v, "all"), []string{"length"})
			if err != nil {
				t.Fatal(err)
			}
			h := heapOf(t, v)
			got, want := countOf(h, "Leaky"), int(length.Word.Smi())
			if length.Raw {
				want = int(length.Double)
			}
			if got < want || got > want+1 {
				t.Errorf("%d of Leaky, all has %d", got, want)
			}
			checkWhole(t, h)
		})
	}
}

// TestHeapPacked: packed.js keeps 1,000 objects, of a start-up snapshot or of a single
// executable, and has let go of 500.
func TestHeapPacked(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			_, _, v := openLive(t, filepath.Join(dir, "core"))
			h := heapOf(t, v)
			if got := countOf(h, "Part"); got < 1000 || got > 1500 {
				t.Errorf("%d of Part, want 1,000, and of 500 more those that were not collected", got)
			}
			checkWhole(t, h)
		})
	}
}

// TestHeapWorker: in plain.js a worker makes 99 objects in an isolate of its own.
func TestHeapWorker(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			p, _, v := openLive(t, filepath.Join(dir, "core"))
			h := heapOf(t, v)
			if got := countOf(h, "WorkerItem"); got != 99 {
				t.Errorf("%d of WorkerItem, want 99", got)
			}
			heaps := map[core.Addr]bool{}
			for _, s := range h.Spaces {
				if s.Heap != 0 && s.Isolate != 0 {
					heaps[s.Heap] = true
				}
			}
			// A core that qemu-user wrote has no thread pointers, and so no isolates.
			if p.Threads[0].TLS != 0 && len(heaps) != 2 {
				t.Errorf("%d heaps with an isolate, want 2", len(heaps))
			}
			checkWhole(t, h)
		})
	}
}

// TestReferences: what values.js refers to its values with.
func TestReferences(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			_, _, v := openLive(t, filepath.Join(dir, "core"))
			h := heapOf(t, v)
			for _, c := range []struct{ path, ref string }{
				{"T.widget", "property widget"},
				{"T.widget", "weak reference"},
				{"T.widget", "weak map key"},
				{"T.map", "property map"},
				{"keep.widgets[5]", "element 5"},
				{"keep.widgets", "property widgets"},
				{"T.klass", "variable Gadget"},
				{"T.klass", "property constructor"},
				{"T.old.b", "property b"},
				{"T", "property self"},
			} {
				names, err := object.Path(c.path)
				if err != nil {
					t.Fatal(err)
				}
				s, err := v.Objects.Member(global(t, v, "globalThis"), names)
				if err != nil {
					t.Errorf("%s: %v", c.path, err)
					continue
				}
				if c.ref == "weak reference" && v.Layout.Version.Before(8, 4) {
					continue // WeakRef was not there yet
				}
				refs, err := h.References(context.Background(), s.Word, 3, false)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.ContainsFunc(refs, func(r reference.Ref) bool { return r.String() == c.ref }) {
					t.Errorf("%s: no %q among %s", c.path, c.ref, fmt.Sprint(refs))
				}
			}
		})
	}
}

// TestLocate finds objects from addresses inside them.
func TestLocate(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			_, _, v := openLive(t, filepath.Join(dir, "core"))
			h := heapOf(t, v)
			s, err := v.Objects.Member(global(t, v, "T"), []string{"widget"})
			if err != nil {
				t.Fatal(err)
			}
			for _, off := range []core.Addr{0, 1, 8, 17, 24, 47} {
				l, ok := h.Locate(s.Word.Addr() + off)
				want := uint64(off)
				if off == 1 {
					want = 0 // the tag
				}
				if !ok || l.Object != s.Word || l.Offset != want || l.Type != "JS_OBJECT_TYPE" {
					t.Errorf("%v+%d: %+v, %v", s.Word.Addr(), off, l, ok)
				}
			}
		})
	}
}
