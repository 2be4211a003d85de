package v8_test

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/heap/heapsnapshot"
)

// primitives are the strings, numbers and symbols.
var primitives = []string{"(string)", "(concatenated string)", "(sliced string)", "(number)", "(bigint)", "(symbol)"}

// engine are the types of nodes that versions of V8 tell apart by other rules than
// types of objects, such as what refers to an array: together they are the same.
var engine = []string{"(system)", "(array)", "(compiled code)", "(object shape)"}

// TestSnapshot: testdata/cores/sources/v8/snapshot.js let V8 write a snapshot, and
// died. What is written of its core has the same objects and sizes of each class, but
// for one in a hundred (of primitives in a thousand), the same retained sizes of its
// sessions, each, and the same eternal handles and cached objects as roots.
func TestSnapshot(t *testing.T) {
	for _, dir := range liveCores(t, "snapshot") {
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
			for _, class := range []string{"Session", "Cache", "Array", "ArrayBuffer", "objects", "Function", "RegExp", "(sliced string)", "(bigint)", "(primitives)", "(engine)"} {
				part := 0.01
				if class == "(primitives)" {
					part = 0.001
				}
				w, g := want[class], got[class]
				t.Logf("%-22s %7d %7d objects, %9.0f %9.0f bytes, %9.0f %9.0f retained", class, g.count, w.count, g.size, w.size, g.retained(), w.retained())
				if !near(float64(g.count), float64(w.count), part, 3) || !near(g.size, w.size, part, 400) {
					t.Errorf("%s: %d objects, %.0f bytes; V8 has %d and %.0f", class, g.count, g.size, w.count, w.size)
				}
			}
			for _, kind := range []string{"(Eternal handles)", "object cache)"} {
				if w, g := snapshotRoots(t, text, kind), snapshotRoots(t, ours.Bytes(), kind); w == 0 || w-g > 1 || g-w > 1 {
					t.Errorf("%s: %d roots; V8 has %d", kind, g, w)
				}
			}
			w, g := want["Session"].each, got["Session"].each
			for i := range min(200, len(w), len(g)) {
				if !near(g[i], w[i], 0.01, 8) { // the prototype of a class counts as one in some versions
					t.Errorf("the Session that retains most but for %d retains %.0f bytes; V8 has %.0f", i, g[i], w[i])
					break
				}
			}
		})
	}
}

// near reports whether two figures differ by at most a part, or by so much.
func near(a, b, part, least float64) bool { return math.Abs(a-b) <= max(b*part, least) }

// snapshotRoots counts the objects that roots refer to whose name ends so, of which
// some versions have several kinds.
func snapshotRoots(t *testing.T, text []byte, kind string) (n int) {
	t.Helper()
	s, err := heapsnapshot.Read(context.Background(), core.Bytes(text))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[core.Addr]bool{}
	for _, span := range s.Spans() {
		for at := span.Start; at < span.End; at += graph.Alignment {
			name := strings.Replace(s.Describe(at), "Partial snapshot cache", "Startup object cache", 1)
			if !strings.HasPrefix(name, "(") || !strings.HasSuffix(name, kind) {
				continue
			}
			s.References(at, 0, func(r graph.Reference) { seen[r.To] = true })
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
