package v8_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/heap/heapsnapshot"
)

// primitives are the strings, numbers and symbols.
var primitives = []string{"(string)", "(concatenated string)", "(sliced string)", "(number)", "(bigint)", "(symbol)"}

// engine are the types of nodes that versions of V8 tell apart by other rules than
// types of objects, such as what refers to an array: together they are the same.
var engine = []string{"(system)", "(array)", "(compiled code)", "(object shape)"}

// TestSnapshot: testdata/cores/sources/v8/snapshot.js let V8 write a snapshot, and died. The snapshot written
// from its core has the same objects and sizes of each class, within 1 % (primitives within 0.1 %), the same
// retained size of each of its sessions, and the same eternal handles and cached objects as roots.
func TestSnapshot(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(dir, "self.heapsnapshot"))
			if err != nil {
				t.Fatal(err)
			}
			_, _, v := openLive(t, filepath.Join(dir, "core"))
			var ours bytes.Buffer
			if err := v.WriteSnapshot(context.Background(), &ours); err != nil {
				t.Fatal(err)
			}
			want, got := snapshotSums(t, text), snapshotSums(t, ours.Bytes())
			for _, class := range []string{"Session", "Cache", "Array", "ArrayBuffer", "objects", "Function", "RegExp",
				"(sliced string)", "(bigint)", "(primitives)", "(engine)"} {
				part, least := 0.01, 3.0
				switch class {
				case "(primitives)":
					part = 0.001
				case "Session": // but not the prototype of the class
					part, least = 0, 0
				}
				w, g := want[class], got[class]
				if class == "(engine)" && g.size > w.size {
					// code compiled while the snapshot was written, and attached after it: 1.6 % on a busy machine
					part = 0.03
				}
				t.Logf("%-22s %7d %7d objects, %9.0f %9.0f bytes, %9.0f %9.0f retained", class, g.count, w.count,
					g.size, w.size, g.retained(), w.retained())
				if !near(float64(g.count), float64(w.count), part, least) || !near(g.size, w.size, part, 130*least) {
					t.Errorf("%s: %d objects, %.0f bytes; V8 has %d and %.0f", class, g.count, g.size, w.count, w.size)
				}
			}
			edges, own := snapshotEdges(t, text), snapshotEdges(t, ours.Bytes())
			for kind, part := range edgeParts {
				t.Logf("%-22s %7d %7d edges", kind, own[kind], edges[kind])
				if !near(float64(own[kind]), float64(edges[kind]), part, 3) {
					t.Errorf("%d edges are %s; V8 has %d", own[kind], kind, edges[kind])
				}
			}
			for kind, n := range edges {
				if strings.HasPrefix(kind, "global ") && own[kind] != n {
					t.Errorf("the root has %d of %s; V8 has %d", own[kind], kind, n)
				}
			}
			for _, kind := range []string{"(Eternal handles)", "object cache)"} {
				if w, g := snapshotRoots(t, text, kind), snapshotRoots(t, ours.Bytes(), kind); w == 0 ||
					w-g > 1 || g-w > 1 {
					t.Errorf("%s: %d roots; V8 has %d", kind, g, w)
				}
			}
			w, g := want["Session"].each, got["Session"].each
			for i := range min(200, len(w), len(g)) {
				if g[i] != w[i] {
					t.Errorf("the Session that retains most but for %d retains %.0f bytes; V8 has %.0f", i, g[i], w[i])
					break
				}
			}
		})
	}
}

// near reports whether two figures differ by at most the fraction part of b, or by at most least.
func near(a, b, part, least float64) bool { return math.Abs(a-b) <= max(b*part, least) }

// edgeParts is by how much the number of edges of each kind may differ. Until Node 16 V8
// says that weak references of feedback are hidden ones: these are counted together.
var edgeParts = map[string]float64{"element": 0.001, "shortcut": 0.001, "property": 0.005, "context": 0,
	"hidden or weak": 0.01, "internal": 0.005}

// snapshotEdges counts the edges of each kind, except the edges of roots and of the C++ objects that Node adds.
func snapshotEdges(t *testing.T, text []byte) map[string]int {
	t.Helper()
	var s struct {
		Snapshot struct {
			Meta struct {
				NodeFields []string          `json:"node_fields"`
				NodeTypes  []json.RawMessage `json:"node_types"`
				EdgeTypes  []json.RawMessage `json:"edge_types"`
			} `json:"meta"`
		} `json:"snapshot"`
		Nodes, Edges []int
		Strings      []string
	}
	var nodeTypes, edgeTypes []string
	if err := errors.Join(json.Unmarshal(text, &s), json.Unmarshal(s.Snapshot.Meta.NodeTypes[0], &nodeTypes),
		json.Unmarshal(s.Snapshot.Meta.EdgeTypes[0], &edgeTypes)); err != nil {
		t.Fatal(err)
	}
	column := func(name string) int { return slices.Index(s.Snapshot.Meta.NodeFields, name) }
	out := map[string]int{}
	at := 0
	for i := 0; i < len(s.Nodes); i += len(s.Snapshot.Meta.NodeFields) {
		typ, name, n := nodeTypes[s.Nodes[i+column("type")]], s.Strings[s.Nodes[i+column("name")]],
			s.Nodes[i+column("edge_count")]
		for k := at; i == 0 && k < at+n; k++ { // what the root refers to as the program's own
			if edgeTypes[s.Edges[3*k]] == "shortcut" {
				out["global "+s.Strings[s.Nodes[s.Edges[3*k+2]+column("name")]]]++
			}
		}
		for k := at; k < at+n && typ != "synthetic" && !(typ == "native" && strings.HasPrefix(name, "Node / ")); k++ {
			kind := edgeTypes[s.Edges[3*k]]
			if kind == "hidden" || kind == "weak" {
				kind = "hidden or weak"
			}
			out[kind]++
		}
		at += n
	}
	return out
}

// snapshotRoots counts the objects that roots refer to and whose name ends in kind. Some versions have several
// such roots.
func snapshotRoots(t *testing.T, text []byte, kind string) (n int) {
	t.Helper()
	s, err := heapsnapshot.Read(context.Background(), core.Bytes(text))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[core.Addr]bool{}
	for _, span := range s.Spans() {
		for at := span.Start; at < span.End; at += graph.ShortAlignment {
			name := strings.Replace(s.Describe(at), "Partial snapshot cache", "Startup object cache", 1)
			if !strings.HasPrefix(name, "(") || !strings.HasSuffix(name, kind) {
				continue
			}
			s.References(at, 0, func(r graph.Edge) { seen[r.To] = true })
		}
	}
	return len(seen)
}

type snapshotSum struct {
	count int
	size  float64
	each  []float64 // retained sizes, the largest first
}

func (s snapshotSum) retained() (sum float64) {
	for _, x := range s.each {
		sum += x
	}
	return sum
}

// snapshotSums adds up the nodes of a snapshot by class.
func snapshotSums(t *testing.T, text []byte) map[string]snapshotSum {
	t.Helper()
	s, err := heapsnapshot.Read(context.Background(), core.Bytes(text))
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.Build(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]snapshotSum{}
	for id := range graph.ID(g.Len()) {
		class := g.Type(id).Class
		names := []string{class}
		switch {
		case slices.Contains(engine, class):
			names = append(names, "(engine)")
		case slices.Contains(primitives, class):
			names = append(names, "(primitives)")
		case !g.Type(id).Internal && class != "Function" && class != "RegExp" && !strings.Contains(class, " / "):
			names = append(names, "objects")
		}
		for _, name := range names {
			x := out[name]
			x.count++
			x.size += float64(g.Size(id))
			x.each = append(x.each, float64(g.Tree().Retained(id)))
			out[name] = x
		}
	}
	for _, x := range out {
		slices.SortFunc(x.each, func(a, b float64) int { return int(b - a) })
	}
	return out
}
