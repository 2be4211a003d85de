package art_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	graph "coredbg/runtimes/heap"
)

// TestLiveQueries reads each string of a heap once more, as ::javaprint does, and compares the groups of
// duplicates by their contents and bytes. It also finds all objects that a program counts, by their class.
func TestLiveQueries(t *testing.T) {
	for _, dir := range liveCores(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			_, a := openLive(t, dir)
			g, err := a.Graph(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			all := func(graph.ID) bool { return true }
			d, err := g.Duplicates(context.Background(), all)
			if err != nil {
				t.Fatal(err)
			}
			type sum struct{ copies, bytes uint64 }
			want, several := map[string]sum{}, 0
			for id := range graph.ID(g.Len()) {
				if !a.IsString(g.Addr(id)) {
					continue
				}
				s, err := a.String(g.Addr(id), 1<<28)
				if err != nil {
					t.Fatal(err)
				}
				x := want[s.Value]
				if want[s.Value] = (sum{x.copies + 1, x.bytes + g.Size(id)}); x.copies == 1 {
					several++
				}
			}
			for _, x := range d.List {
				s, _ := a.String(g.Addr(x.Copies[0]), 1<<28)
				if got := (sum{uint64(len(x.Copies)), x.Bytes}); got != want[s.Value] {
					t.Errorf("%q: %v copies and bytes, want %v", x.Text, got, want[s.Value])
				}
			}
			if len(d.List) != several || d.Unread > 0 || several == 0 {
				t.Errorf("%d contents of several strings, want %d; %d unread", len(d.List), several, d.Unread)
			}
			findsObjects(t, g, filepath.Join(dir, "truth.json"))
		})
	}
}

// findsObjects compares the number of a class's objects with the program's own count.
func findsObjects(t *testing.T, g *graph.Graph, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var truth struct {
		Heap struct{ Objects map[string]int }
	}
	if err := json.Unmarshal(text, &truth); err != nil {
		t.Fatal(err)
	}
	for class, want := range truth.Heap.Objects {
		hits, err := g.Find(context.Background(), class, nil, func(graph.ID) bool { return true })
		if err != nil || len(hits.List) != want || hits.Objects != want {
			t.Errorf("%d objects of class %s are found, want %d: %v", len(hits.List), class, want, err)
		}
	}
}
