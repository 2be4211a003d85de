package v8_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/heap/heapsnapshot"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/text"
)

// certain keeps what is reachable.
func certain(g *graph.Graph) func(graph.ID) bool {
	return func(id graph.ID) bool { return g.Reachable(id, graph.Stacked) }
}

// checkDuplicates reads each string once more, as ::jsprint does, and holds the contents
// together in memory: they are the same.
func checkDuplicates(t *testing.T, v *v8.V8) {
	t.Helper()
	h, err := v.Heaps.Snapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	g, err := h.Graph(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	d, err := g.Duplicates(context.Background(), certain(g))
	if err != nil {
		t.Fatal(err)
	}
	want, strings := map[string]int{}, 0
	for id := range graph.ID(g.Len()) {
		o := layout.Tag(g.Addr(id))
		if info, err := v.Objects.StringInfo(o); err != nil || info.Kind != text.SeqString || !certain(g)(id) {
			continue
		}
		if text, err := v.Objects.String(o, 1<<28); err == nil {
			want[text]++
			strings++
		}
	}
	several := 0
	for _, n := range want {
		if n > 1 {
			several++
		}
	}
	lone := 0 // with half a surrogate pair, which two contents may have in common as UTF-8
	for _, x := range d.List {
		text, _ := v.Objects.String(layout.Tag(g.Addr(x.Copies[0])), 1<<28)
		if want[text] != len(x.Copies) {
			if lone++; lone > 3 {
				t.Errorf("%q: %d copies, %d by reading all", x.Text, len(x.Copies), want[text])
			}
		}
	}
	if d.Strings != strings || len(d.List) < several-3 || len(d.List) > several+3 || several < 50 {
		t.Errorf("%d contents of %d strings, want %d of %d", len(d.List), d.Strings, several, strings)
	}
}

func TestDuplicateStrings(t *testing.T) {
	if testing.Short() {
		t.Skip("it opens large cores")
	}
	for _, name := range []string{"node-20.cdb", "node-24.cdb"} {
		t.Run(name, func(t *testing.T) {
			_, _, v := openLive(t, filepath.Join("../../testdata/cores", name))
			checkDuplicates(t, v)
		})
	}
}

// TestQueriesLive: V8's own snapshot of testdata/cores/sources/v8/snapshot.js, read as a graph, has the same
// duplicate texts as the core, except for 3 % of the copies (see primitives), and the same sizes of the largest
// arrays.
func TestQueriesLive(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			_, _, v := openLive(t, filepath.Join(dir, "core"))
			checkDuplicates(t, v)
			h, err := v.Heaps.Snapshot(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			ours, err := h.Graph(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			theirs := ownSnapshot(t, filepath.Join(dir, "self.heapsnapshot"))
			w, err := theirs.Duplicates(context.Background(), certain(theirs))
			if err != nil {
				t.Fatal(err)
			}
			d, err := ours.Duplicates(context.Background(), certain(ours))
			if err != nil {
				t.Fatal(err)
			}
			copies := map[string]int{}
			for _, x := range d.List {
				copies[x.Text] = len(x.Copies)
			}
			for i, x := range w.List[:min(20, len(w.List))] {
				if x.Length > graph.MaxSample {
					continue
				}
				if got := copies[x.Text]; !near(float64(got), float64(len(x.Copies)), 0.03, 3) {
					t.Errorf("the text %d by bytes to save, %q: %d copies, V8 has %d", i, x.Text, got, len(x.Copies))
				}
			}
			t.Logf("%d texts of %d strings, V8 has %d of %d", len(d.List), d.Strings, len(w.List), w.Strings)
		})
	}
}

// ownSnapshot reads the snapshot that V8 itself wrote.
func ownSnapshot(t *testing.T, path string) *graph.Graph {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	g, err := heapsnapshot.NewFile(core.Bytes(text)).Graph(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return g
}
