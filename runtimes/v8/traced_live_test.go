package v8_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core/coretest"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
)

// TestTraced: testdata/cores/sources/v8/traced.js lists the targets of an add-on's traced handles. They are
// exactly the targets of the roots of that kind, each once. No global handle refers to them, and objects that
// the collector has freed are not held.
func TestTraced(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			var want struct {
				Held int64 `json:"held"`
			}
			text, err := os.ReadFile(filepath.Join(dir, "truth.json"))
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(text, &want); err != nil || want.Held == 0 {
				t.Fatal(want, err)
			}
			_, _, v := openLive(t, filepath.Join(dir, "core"))
			g, err := v.Graph(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			seen, gone := map[int64]bool{}, 0
			for _, r := range g.AllRoots() {
				id, ok := g.ID(r.Target)
				class := ""
				if ok {
					class = g.Type(id).Class
				}
				traced := r.Kind == string(heap.RootTraced)
				switch {
				case traced && class == "Held" && r.Strength == graph.Traced:
					p, ok := v.Objects.OwnProperty(layout.Tag(g.Addr(id)), "number")
					if n := p.Value.Smi(); !ok || !p.Value.IsSmi() || n >= want.Held || seen[n] {
						t.Errorf("a root to Held with number %v", p.Value)
					} else {
						seen[n] = true
					}
				case traced && class == "Gone":
					gone++
				case r.Kind == string(heap.RootHandle) && class == "Held":
					t.Errorf("a global handle to Held")
				}
			}
			if gone > 2 { // a word on the stack may have kept the last
				t.Errorf("%d of Gone have traced handles, which were let go", gone)
			}
			if int64(len(seen)) != want.Held {
				t.Errorf("%d of Held have traced handles, want %d", len(seen), want.Held)
			}
		})
	}
}

// TestTracedEmbedders: embedders have a traced handle for each object of theirs that JavaScript
// sees: Blink for the window and the document (ScriptWrappable), workerd for the global
// scope, the request and the context of execution (Wrappable).
func TestTracedEmbedders(t *testing.T) {
	for _, path := range coretest.Live(t) {
		classes := []string{"Window", "HTMLDocument"}
		if strings.HasPrefix(filepath.Base(filepath.Dir(path)), "embedded-workerd") {
			classes = []string{"ServiceWorkerGlobalScope", "Request", "ExecutionContext"}
		}
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			_, _, v := openLive(t, path)
			g, err := v.Graph(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			have := map[string]bool{}
			for _, r := range g.AllRoots() {
				if id, ok := g.ID(r.Target); ok && r.Kind == string(heap.RootTraced) {
					have[g.Type(id).Class] = true
				}
			}
			for _, c := range classes {
				if !have[c] {
					t.Errorf("no traced handle to an object of class %s: %v", c, have)
				}
			}
		})
	}
}
