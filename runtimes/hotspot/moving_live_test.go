package hotspot_test

import (
	"path/filepath"
	"strings"
	"testing"

	"coredbg"
	"coredbg/commands"
	"coredbg/core/coretest"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/hotspot"
)

// TestLiveMoving: the JVM died while its collector moved objects. The chain that the program has made is
// whole: as many nodes as it was told, in order, each of them once in the heap. Some of them have been moved,
// and others have not.
func TestLiveMoving(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			s, err := coredbg.Open(filepath.Join(dir, "core"), filesOf(dir))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			h, ok := commands.RuntimeOf[*hotspot.HotSpot](s)
			if !ok {
				t.Fatal("no HotSpot is in the process")
			}
			n := 200000
			if strings.Contains(readText(t, filepath.Join(dir, "made.txt")), " Moving 500000") {
				n = 500000
			}
			if m := h.Machine(t.Context()); m.Moving == 0 || m.Heaps[0].Used == 0 || m.Heaps[0].Used > 96<<20 {
				t.Errorf("objects are moved out of %d regions of a heap with %+v", m.Moving, m.Heaps)
			}
			g := graphIn(t, s)
			if c := counts(t, g, nil)["Moving$Node"]; c.objects != uint64(n) {
				t.Errorf("%d nodes are in the heap, want %d", c.objects, n)
			}
			checkChain(t, h, g, n)
		})
	}
}

// checkChain follows the chain of nodes from the static field.
func checkChain(t *testing.T, h *hotspot.HotSpot, g *graph.Graph, n int) {
	t.Helper()
	all, err := h.Classes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range all {
		if k.Name != "Moving" {
			continue
		}
		f := h.StaticRefs(k)
		at, ok := h.Ref(k.Mirror.Add(int64(f[0].Offset)))
		for i := range n {
			o, err := h.Object(at)
			if !ok || err != nil || o.Class.Name != "Moving$Node" {
				t.Fatalf("node %d at %v: %+v: %v", i, at, o, err)
			}
			if id, ok := h.IntField(o, "id"); !ok || id != int64(i) {
				t.Fatalf("node %d at %v has the number %d", i, at, id)
			}
			if node, ok := g.ID(at); !ok || !g.Reachable(node, graph.Certain) {
				t.Fatalf("node %d at %v is not kept", i, at)
			}
			at, ok = h.RefField(o, "next")
		}
		if at != 0 {
			t.Errorf("the last node leads to %v", at)
		}
		return
	}
	t.Error("the class Moving is not there")
}
