package art_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coredbg/runtimes/art"
	"coredbg/runtimes/art/heap"
	"coredbg/runtimes/art/object"
	graph "coredbg/runtimes/heap"
)

// TestLiveGraph compares the graph of each core with a walk of its heap, and with the program's own record of
// its objects.
func TestLiveGraph(t *testing.T) {
	for _, dir := range liveCores(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			_, a := openLive(t, dir)
			g, err := a.Graph(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			sameObjects(t, a, g)
			graphTruth(t, g, filepath.Join(dir, "truth.json"))
			if d := g.Damage(); d != nil {
				t.Errorf("damage %+v", *d)
			}
			kinds := map[string]int{}
			for _, r := range g.AllRoots() {
				if kinds[r.Kind]++; r.Strength == graph.Certain && r.Kind == "" {
					t.Errorf("root %+v has no kind", r)
				}
			}
			t.Logf("%d objects, %d references, %d kept for certain, %d with stacks; roots %v", g.Len(), g.Edges,
				g.Kept(graph.Certain), g.Kept(graph.Stacked), kinds)
		})
	}
}

// sameObjects checks that a graph has each object that a walk finds, with its size and
// its class, and no other.
func sameObjects(t *testing.T, a *art.ART, g *graph.Graph) {
	t.Helper()
	h, err := a.Heap()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	if _, err := h.Walk(context.Background(), func(o object.Object, size uint64) bool {
		n++
		id, ok := g.ID(o.Addr)
		if !ok || g.Size(id) != size || g.Type(id).Class != o.Class.Name {
			t.Errorf("the %s of %d bytes at %v is not in the graph", o.Class.Name, size, o.Addr)
		}
		return !t.Failed()
	}); err != nil || n != g.Len() {
		t.Errorf("%d objects, a walk finds %d: %v", g.Len(), n, err)
	}
	rows, _, err := h.Histogram(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][2]uint64{}
	for _, r := range rows {
		w := want[r.Class.Name]
		want[r.Class.Name] = [2]uint64{w[0] + uint64(r.Objects), w[1] + r.Bytes}
	}
	classes, err := g.Classes(context.Background(), 0, nil)
	if err != nil || len(classes) != len(want) {
		t.Errorf("%d classes, the histogram has %d: %v", len(classes), len(want), err)
	}
	for _, c := range classes {
		if got := [2]uint64{uint64(c.Objects), c.Shallow}; got != want[c.Class] {
			t.Errorf("%s: %v objects and bytes, the histogram has %v", c.Class, got, want[c.Class])
		}
	}
}

// graphTruth checks a program's record of its objects: their number, and that all are kept except the ones it
// let go.
func graphTruth(t *testing.T, g *graph.Graph, path string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var truth struct {
		Art struct {
			Heap struct {
				Objects, Finalizable map[string]int
				Dead                 []string
				Refs                 struct {
					Class         string
					Global, Local int
				}
			}
		}
	}
	if err := json.Unmarshal(b, &truth); err != nil {
		t.Fatal(err)
	}
	total, kept := map[string]int{}, map[string]int{}
	for id := range graph.ID(g.Len()) {
		class := g.Type(id).Class
		total[class]++
		if g.Reachable(id, graph.Certain) {
			kept[class]++
		}
		// Every class in the heap is in a table, except for the class it was linked from.
		if class == "java.lang.DexCache" && !g.Reachable(id, graph.Certain) {
			t.Errorf("%v: the DexCache is not kept", g.Addr(id))
		}
	}
	h := truth.Art.Heap
	for class, n := range h.Objects {
		want := n
		if _, last := h.Finalizable[class]; last || slices.Contains(h.Dead, class) {
			want = 0 // a word of the stack may lead to the last one
		}
		if total[class] != n || kept[class] != want {
			t.Errorf("%s: %d of %d objects are kept, want %d of %d", class, kept[class], total[class], want, n)
		}
	}
	if strings.Contains(path, "graph") && len(h.Objects) == 0 {
		t.Error("the program says nothing of its objects")
	}
	if h.Refs.Class == "" {
		return
	}
	kinds := map[string]int{}
	frames := false
	for id := range graph.ID(g.Len()) {
		for _, r := range g.Roots(id) {
			if g.Type(id).Class == h.Refs.Class {
				kinds[r.Kind]++
				frames = frames || strings.HasPrefix(r.Name, "graph.Graph.run v") && r.Thread != nil
			}
			if r.Kind == heap.RootInterned && g.Type(id).Class != "java.lang.String" {
				t.Errorf("an interned string is a %s", g.Type(id).Class)
			}
		}
	}
	if kinds[heap.RootJNIGlobal] != h.Refs.Global || kinds[heap.RootJNILocal] != h.Refs.Local || !frames {
		t.Errorf("roots of %s: %v, from the frame of run: %v; want %d global and %d local references", h.Refs.Class,
			kinds, frames, h.Refs.Global, h.Refs.Local)
	}
}
