package v8_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coredbg/core/coretest"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
)

// partOf counts the objects of each constructor that are reachable, or are not.
func partOf(h *heap.Snapshot, r *graph.Graph, reachable bool) map[string]int {
	counts := map[string]int{}
	for _, g := range h.Part(h.Groups(), r, reachable) {
		if !g.Prototype && !g.Boilerplate {
			counts[g.Constructor] += g.Count
		}
	}
	return counts
}

// TestReach: testdata/cores/sources/v8/garbage.js counted the objects of its classes in
// a snapshot that V8 itself wrote, and then made 4000 each that nothing holds.
func TestReach(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			var want struct {
				Classes map[string]int `json:"classes"`
			}
			text, err := os.ReadFile(filepath.Join(dir, "truth.json"))
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(text, &want); err != nil || len(want.Classes) == 0 {
				t.Fatal(want, err)
			}
			_, _, v := openLive(t, filepath.Join(dir, "core"))
			h := heapOf(t, v)
			r, err := h.Graph(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			live, dead := partOf(h, r, true), partOf(h, r, false)
			for name, n := range want.Classes {
				if live[name] != n {
					t.Errorf("%d of %s reachable, %d not, want %d", live[name], name, dead[name], n)
				}
			}
			for _, name := range []string{"LostKey", "LostValue"} {
				if dead[name] < 3960 {
					t.Errorf("%d of %s reachable, %d not, want none of 4000 but for a few that words on a stack are left of", live[name], name, dead[name])
				}
			}
			// They are a list: one word that is left over keeps alive all after it.
			if dead["Dropped"] == 0 {
				t.Errorf("%d of Dropped reachable, none not", live["Dropped"])
			}
			compareSnapshot(t, filepath.Join(dir, "counts.json"), live)
			checkWays(t, h, r)
		})
	}
}

// waysTo is how garbage.js holds an object of each class: the last words of a way.
var waysTo = map[string]string{"Held": "element ", "ByClosure": "variable secret", "ByMap": "map value ",
	"ByWeakMap": "weak map value",
	"ByPromise": "promise result", "ByRegistry": "held value", "ByTimer": "property payload"}

// checkWays wants a way to an object of each class that a user of Node understands:
// from a global handle, with a name for each step.
func checkWays(t *testing.T, h *heap.Snapshot, r *graph.Graph) {
	t.Helper()
	for _, g := range h.Part(h.Groups(), r, true) {
		want := waysTo[g.Constructor]
		if want == "" || g.Prototype || g.Boilerplate {
			continue
		}
		root, path, ok, err := h.Path(context.Background(), layout.Tagged(g.First))
		if err != nil || !ok || root.Kind != heap.RootHandle {
			t.Errorf("%s is held by %q, %t", g.Constructor, root.Kind, ok)
			continue
		}
		steps := h.Steps(path)
		for i, s := range steps {
			by := s.Reference.String()
			if strings.Contains(by+s.Class, "_TYPE") || strings.Contains(by, " type ") ||
				strings.Contains(by, "+0x") || s.Class == "HeapObject" || i > 0 && by == "" {
				t.Errorf("step %d to %s is %s: %q", i, g.Constructor, s.Class, by)
			}
		}
		last := steps[len(steps)-1]
		if last.Class != g.Constructor || !strings.HasPrefix(last.Reference.String(), want) {
			t.Errorf("%s is held as %s: %q, want %q", g.Constructor, last.Class, last.Reference, want)
		}
	}
}

// compareSnapshot compares counts with V8's own snapshot, for classes of Node that have no subclasses. The
// snapshot counts prototypes too, and objects without a class under another name.
func compareSnapshot(t *testing.T, path string, live map[string]int) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var snapshot map[string]int
	if err := json.Unmarshal(text, &snapshot); err != nil {
		t.Fatal(err)
	}
	held, counted := 0, 0
	for name, n := range snapshot {
		// Node's SafeMap and SafeSet, and others that it derives, are Map and Set there.
		if n < 20 || live[name] == 0 || slices.Contains([]string{"Object", "Array", "Error", "Map", "Set",
			"BaseObject"}, name) {
			continue
		}
		held, counted = held+live[name], counted+n
		if d := live[name] - n; d > n/20+2 || d < -n/20-2 {
			t.Errorf("%d of %s, V8's snapshot has %d", live[name], name, n)
		}
	}
	t.Logf("%d objects, V8's snapshot has %d", held, counted)
}
