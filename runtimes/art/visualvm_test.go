package art_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes/art"
	"coredbg/runtimes/art/object"
	graph "coredbg/runtimes/heap"
)

// TestVisualVM opens what is written of each core with VisualVM's library: it finds the
// same objects, and computes what each retains as the dominator tree has it.
// COREDBG_VISUALVM names the library, which testdata/cores/visualvm brings.
func TestVisualVM(t *testing.T) {
	jar := os.Getenv("COREDBG_VISUALVM")
	if jar == "" {
		t.Skip("COREDBG_VISUALVM does not name the library")
	}
	for _, dir := range liveCores(t) {
		if !strings.Contains(dir, "amd64") || strings.HasSuffix(dir, "-hprof") {
			continue // what differs does not depend on the architecture; TestVisualVMWitness has the others
		}
		t.Run(filepath.Base(dir), func(t *testing.T) {
			_, a := openLive(t, dir)
			seen := visualVM(t, jar, a)
			g, err := a.Graph(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			same, all, beside := 0, 0, heldBeside(g)
			for id, want := range retainedBy(a, g, seen) {
				at := g.Addr(id)
				all++
				switch have, ok := seen[at]; {
				case !ok && g.Type(id).Class != "java.lang.Class":
					t.Errorf("VisualVM has no %s at %v", g.Type(id).Class, at)
				case ok && have.retained == want:
					same++
				case ok && !beside[id] && !heldByRetired(a, g, id):
					t.Errorf("%s at %v retains %d bytes, VisualVM says %d", g.Source().Describe(at), at,
						want, have.retained)
				}
			}
			if same < 150 || same < all*4/5 {
				t.Errorf("only %d objects of %d are compared and retain the same", same, all)
			}
		})
	}
}

// TestVisualVMWitness opens ART's own file of a heap and ours with VisualVM's library. It computes the same for
// each object of both, except for the differences in TestLiveHprofWitness: dex caches, which have an array of
// resolved items in ART's file only, the retainers of the Object that marks classes without identifiers, and
// objects that only words of stacks may refer to.
func TestVisualVMWitness(t *testing.T) {
	jar := os.Getenv("COREDBG_VISUALVM")
	if jar == "" {
		t.Skip("COREDBG_VISUALVM does not name the library")
	}
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			_, a := openLive(t, dir)
			have := visualVM(t, jar, a)
			differs := differsInART(t, a)
			n := 0
			beside, err := os.ReadFile(filepath.Join(dir, hprofWitness))
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), hprofWitness) // the library writes next to it
			if err := os.WriteFile(path, beside, 0o600); err != nil {
				t.Fatal(err)
			}
			for at, want := range visualVMOf(t, jar, path) {
				got, ok := have[at]
				switch {
				case ok && got == want:
					n++
				case !differs[at]:
					t.Errorf("%v: %+v, want %+v", at, got, want)
				}
			}
			if n < 100 {
				t.Errorf("only %d objects", n)
			}
			t.Logf("%d objects have the same size and retain the same", n)
		})
	}
}

// differsInART returns the objects, and arrays that stand for parts of some, whose figures in ART's own file
// may differ.
func differsInART(t *testing.T, a *art.ART) map[core.Addr]bool {
	t.Helper()
	g, err := a.Graph(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	out := map[core.Addr]bool{}
	for id := range graph.ID(g.Len()) {
		at := g.Addr(id)
		o, err := a.Object(at)
		if err != nil {
			continue
		}
		if o.Class.Flags&object.FlagDexCache != 0 {
			out[at], out[at+4] = true, true
		}
		out[at] = out[at] || !g.Reachable(id, graph.Certain)
		f, ok := a.InstanceField(o.Class, "jmethodIDs")
		if !ok || o.Class.Name != "dalvik.system.ClassExt" {
			continue
		}
		to, _ := a.Ref(at + core.Addr(f.Offset))
		for up, ok := g.ID(to); ok && up != graph.None; up, _ = g.Tree().Dominator(up) {
			out[g.Addr(up)] = true
		}
	}
	return out
}

// A seen is an object as VisualVM has it.
type seen struct{ size, retained uint64 }

// visualVM writes the heap and returns what VisualVM reads.
func visualVM(t *testing.T, jar string, a *art.ART) map[core.Addr]seen {
	t.Helper()
	var dump bytes.Buffer
	if err := a.WriteHprof(context.Background(), &dump); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "heap.hprof")
	if err := os.WriteFile(path, dump.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return visualVMOf(t, jar, path)
}

// visualVMOf returns the objects of a file as VisualVM reads them.
func visualVMOf(t *testing.T, jar, path string) map[core.Addr]seen {
	t.Helper()
	b, err := exec.Command("java", "-cp", jar, "testdata/Retained.java", path).Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	out := map[core.Addr]seen{}
	for s := bufio.NewScanner(bytes.NewReader(b)); s.Scan(); {
		var at, size, retained uint64
		if _, err := fmt.Sscan(s.Text(), &at, &size, &retained); err == nil {
			out[core.Addr(at)] = seen{size, retained}
		}
	}
	return out
}

// retainedBy sums up the retained size of each reachable object by our dominators and by VisualVM's sizes. A
// part that the format makes an object of its own counts toward the object that contains it.
func retainedBy(a *art.ART, g *graph.Graph, have map[core.Addr]seen) map[graph.ID]uint64 {
	size := func(at core.Addr) uint64 {
		n := have[at].size
		o, err := a.Object(at)
		switch {
		case err != nil:
		case o.Class.Flags&object.FlagString != 0:
			if s, _ := a.String(at, 0); s.Length > 0 {
				return n + have[at+16].size
			}
			return n + have[at+8].size
		case o.Class.Flags&object.FlagClassLoader != 0:
			return n + have[at+4].size
		case o.Class.Flags&object.FlagClass != 0:
			return n + have[at|1].size
		}
		return n
	}
	out := map[graph.ID]uint64{}
	for id := range graph.ID(g.Len()) {
		if !g.Reachable(id, graph.Stacked) {
			continue
		}
		n := size(g.Addr(id))
		for at := id; at != graph.None; at, _ = g.Tree().Dominator(at) {
			out[at] += n
		}
	}
	return out
}

// heldBeside returns the objects that dominate one that is also referred to weakly, or by an object that
// nothing keeps: VisualVM takes both for holders, so that less is retained by the holder that the collector
// knows.
func heldBeside(g *graph.Graph) map[graph.ID]bool {
	out := map[graph.ID]bool{}
	for id := range graph.ID(g.Len()) {
		garbage := !g.Reachable(id, graph.Stacked)
		g.Source().References(g.Addr(id), g.Size(id), func(r graph.Edge) {
			to, ok := g.ID(r.To)
			for at := to; ok && (r.Weak || garbage) && at != graph.None && !out[at]; at, _ = g.Tree().Dominator(at) {
				out[at] = true
			}
		})
	}
	return out
}

// heldByRetired reports whether a class refers to an object that was replaced while it
// was linked, which the file leaves out.
func heldByRetired(a *art.ART, g *graph.Graph, id graph.ID) bool {
	return slices.ContainsFunc(g.In(id), func(p graph.ID) bool {
		k, err := a.Class(g.Addr(p))
		return err == nil && k.Status == "Retired"
	})
}
