package hotspot_test

import (
	"bytes"
	"debug/elf"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"coredbg"
	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/hotspot"
	"coredbg/runtimes/java"
)

// counted is a line of jcmd's GC.class_histogram: number, objects, bytes, class.
var counted = regexp.MustCompile(`(?m)^ *\d+: +(\d+) +(\d+) +(\S+)`)

// A tally is how many objects a class has, and their bytes.
type tally struct{ objects, bytes uint64 }

// histogram reads what the JVM has counted just before it died. Classes of a name that several have are one.
func histogram(t *testing.T, dir string) map[string]tally {
	t.Helper()
	out := map[string]tally{}
	for _, m := range counted.FindAllStringSubmatch(readText(t, filepath.Join(dir, "histogram.txt")), -1) {
		objects, err1 := strconv.ParseUint(m[1], 10, 64)
		bytes, err2 := strconv.ParseUint(m[2], 10, 64)
		if err1 != nil || err2 != nil {
			t.Fatal(m[0])
		}
		name := java.TypeName(m[3])
		have := out[name]
		out[name] = tally{have.objects + objects, have.bytes + bytes}
	}
	if len(out) < 150 {
		t.Fatalf("%d classes are in the histogram", len(out))
	}
	return out
}

// TestLiveHistogram compares the number and the bytes of the objects of each class with the count that the
// JVM has made just before.
func TestLiveHistogram(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			s, err := coredbg.Open(filepath.Join(dir, "core"), filesOf(dir))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			h := hotSpot(t, s)
			g, err := h.Graph(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if d := g.Damage(); d != nil {
				t.Errorf("the heap is damaged: %+v", d)
			}
			checkJavaHistogram(t, h, counts(t, g, nil))
			if traced(h) {
				checkTraced(t, counts(t, g, func(id graph.ID) bool { return g.Reachable(id, graph.Certain) }),
					counts(t, g, nil), histogram(t, dir))
				return
			}
			checkHistogram(t, counts(t, g, nil), histogram(t, dir))
		})
	}
}

// checkJavaHistogram compares the counts of a walk alone with the graph's.
func checkJavaHistogram(t *testing.T, h *hotspot.HotSpot, want map[string]tally) {
	t.Helper()
	x, err := h.JavaHistogram(t.Context(), func(string) bool { return true })
	if err != nil || len(x.Problems) > 0 {
		t.Fatalf("%v, %q", err, x.Problems)
	}
	got := map[string]tally{}
	for _, r := range x.Rows {
		have := got[r.Class]
		got[r.Class] = tally{have.objects + uint64(r.Objects), have.bytes + r.Bytes}
	}
	if !maps.Equal(got, want) {
		t.Errorf("a walk counts %d classes, want %d with the same counts", len(got), len(want))
	}
	if none, err := h.JavaHistogram(t.Context(), func(string) bool { return false }); err != nil || none.Spaces != 0 ||
		len(none.Rows) != 0 {
		t.Errorf("without a space: %+v, %v", none, err)
	}
}

// traced reports whether the JVM counts objects by following references from its roots, weak ones, too, and
// not by a walk.
func traced(h *hotspot.HotSpot) bool {
	z, _ := h.Flag("UseZGC")
	shenandoah, _ := h.Flag("UseShenandoahGC")
	return z || shenandoah
}

// checkTraced compares counts with the JVM's own count, which it has made by following references. Each kept
// object is in that count, and each object of that count was walked.
func checkTraced(t *testing.T, kept, walked, want map[string]tally) {
	t.Helper()
	same, objects := 0, uint64(0)
	for name, w := range want {
		k, all := kept[name], walked[name]
		if k == w {
			same++
		}
		if objects += w.objects; k.objects > w.objects+2 || all.objects < w.objects || all.bytes < w.bytes {
			t.Errorf("%s: %v are kept of %v, want %v", name, k, all, w)
		}
	}
	for name, k := range kept {
		if want[name].objects == 0 && k.objects > 2 {
			t.Errorf("%s: %v are kept, the JVM has none", name, k)
		}
	}
	t.Logf("%d classes of %d have the same count", same, len(want))
	if objects < 20000 || same < len(want)*3/4 {
		t.Errorf("of %d classes with %d objects %d have the same count, want three quarters", len(want), objects, same)
	}
}

// counts counts the objects of a graph that keep wants.
func counts(t *testing.T, g *graph.Graph, keep func(graph.ID) bool) map[string]tally {
	t.Helper()
	all, err := g.Counts(t.Context(), keep)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]tally{}
	for _, c := range all {
		have := out[c.Class]
		out[c.Class] = tally{have.objects + uint64(c.Objects), have.bytes + c.Shallow}
	}
	return out
}

// checkHistogram compares counts.
func checkHistogram(t *testing.T, got, want map[string]tally) {
	t.Helper()
	var names []string
	for name := range want {
		names = append(names, name)
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if g, w := got[name], want[name]; g != w {
			t.Errorf("%s: %v, want %v", name, g, w)
		}
	}
}

// TestLiveReachable: each object that the roots of the JVM's own dump of its heap keep is in the graph, with
// its class, and is kept there. Few others are: the dump was written by a thread that has gone.
func TestLiveReachable(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			s, err := coredbg.Open(filepath.Join(dir, "core"), filesOf(dir))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			h, got, want := hotSpot(t, s), graphIn(t, s), graphOf(t, filepath.Join(dir, "heap.hprof"),
				coredbg.Options{})
			kept, wrong := 0, 0
			want.Each(func(id graph.ID, at core.Addr) bool {
				class := want.Type(id).Class
				here, ok := got.ID(want.Source().Shown(at))
				switch {
				case !want.Reachable(id, graph.Certain):
					return true
				case ok && got.Reachable(here, graph.Stacked) && dumpedName(h, got.Type(here).Class) == class:
					kept++
					return true
				}
				wrong++
				t.Errorf("%s at %v: in the graph %v, or it is not kept, or of another class", class,
					want.Source().Shown(at), ok)
				return wrong < 10
			})
			certain := got.Kept(graph.Certain)
			t.Logf("%d objects are kept, here %d", kept, certain)
			few := kept / 50
			if strings.HasSuffix(dir, "-archive") {
				few = kept / 20 // it has java.lang.Classes of classes that were not loaded, which the dump leaves out
			}
			if kept < leastObjects(dir) || certain > kept+few {
				t.Errorf("%d objects are compared, want at least %d; %d are kept for certain here", kept,
					leastObjects(dir), certain)
			}
		})
	}
}

// anonymousNumber is what JDK 8 to 14 add to the names of anonymous classes everywhere but in dumps of heaps.
var anonymousNumber = regexp.MustCompile(`/(\d+|0x[0-9a-f]+)(\[\])*$`)

// dumpedName returns the name that a class has in the JVM's dump of its heap.
func dumpedName(h *hotspot.HotSpot, class string) string {
	if h.Java() < 15 {
		return anonymousNumber.ReplaceAllString(class, "$2")
	}
	return class
}

// leastObjects is how many objects a dump keeps at least: JDK 8 has fewer of its own.
func leastObjects(dir string) int {
	if strings.HasPrefix(filepath.Base(dir), "javagrid-8-") {
		return 16000
	}
	return 20000
}

// filesOf returns options for a core whose process may have had a root of its own.
func filesOf(dir string) (o coredbg.Options) {
	root := filepath.Join(dir, "root")
	if _, err := os.Stat(root); err == nil {
		o.Sysroot, o.Search = root, []string{root}
	}
	return o
}

func graphOf(t *testing.T, path string, files coredbg.Options) *graph.Graph {
	t.Helper()
	s, err := coredbg.Open(path, files)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return graphIn(t, s)
}

func graphIn(t *testing.T, s *coredbg.Session) *graph.Graph {
	t.Helper()
	r, ok := commands.RuntimeOf[runtimes.Grapher](s)
	if !ok {
		t.Fatal("the process has no graph")
	}
	g, err := r.Graph(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestLiveReleases: the heaps of JDK 8 to 27, whose tables differ, are walked without a gap, and hold the
// java.lang.Class of each of at least 700 classes, all of them kept by roots that are certain. How many
// classes a JVM loads to start is of its own lists.
func TestLiveReleases(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			g := graphIn(t, openJVM(t, dir, coredbg.Options{}))
			if d := g.Damage(); d != nil && d.Skipped+d.Missing > 0 {
				t.Errorf("the damage is %+v", d)
			}
			classes, kept := 0, 0
			for id := range graph.ID(g.Len()) {
				if g.Type(id).Class == "java.lang.Class" {
					classes++
					if strength, ok := g.Strength(id); ok && strength == graph.Certain {
						kept++
					}
				}
			}
			if classes < 680 || kept < classes*9/10 {
				t.Errorf("%d classes are found, %d of them kept", classes, kept)
			}
		})
	}
}

// TestLiveDamagedHeap: an object without a class is passed over and counted, and the objects after it are
// found. Of a core that is cut the rest is shown.
func TestLiveDamagedHeap(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			whole := graphOf(t, filepath.Join(dir, "core"), filesOf(dir))
			victim := whole.Addr(graph.ID(whole.Len() / 2))
			path := filepath.Join(t.TempDir(), "core")
			data := []byte(readText(t, filepath.Join(dir, "core")))
			copy(data[offsetOf(t, data, victim):], make([]byte, 16))
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			g := graphOf(t, path, filesOf(dir))
			if d := g.Damage(); d == nil || d.Skipped == 0 || d.Skipped > 1<<16 {
				t.Errorf("the damage is %+v", d)
			}
			if g.Len() >= whole.Len() || g.Len() < whole.Len()-100 {
				t.Errorf("%d objects of %d are found", g.Len(), whole.Len())
			}
			if err := os.Truncate(path, int64(offsetOf(t, data, victim))&^0xfff); err != nil {
				t.Fatal(err)
			}
			checkCut(t, path, filesOf(dir), whole.Len())
			checkScattered(t, dir, whole)
		})
	}
}

// checkScattered clears the headers of one object in a hundred, classes apart: few others are lost with them, and
// nearly all that is found was an object before.
func checkScattered(t *testing.T, dir string, whole *graph.Graph) {
	t.Helper()
	data := []byte(readText(t, filepath.Join(dir, "core")))
	before, places := map[core.Addr]bool{}, 0
	for id := range graph.ID(whole.Len()) {
		at := whole.Addr(id)
		if before[at] = true; id%100 == 50 && whole.Type(id).Class != "java.lang.Class" {
			copy(data[offsetOf(t, data, at):], make([]byte, 16))
			places++
		}
	}
	path := filepath.Join(t.TempDir(), "core")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	g, others := graphOf(t, path, filesOf(dir)), 0
	for id := range graph.ID(g.Len()) {
		if !before[g.Addr(id)] {
			others++
		}
	}
	lost := whole.Len() - (g.Len() - others) - places
	if others > places/50 || lost > 2*places {
		t.Errorf("%d objects without a header: %d others are lost with them, and %d are none", places, lost, others)
	}
	t.Logf("%d objects without a header: %d others are lost with them, and %d are none", places, lost, others)
}

// checkCut opens a core that is cut within the heap: some of its objects are there, or why not is said.
func checkCut(t *testing.T, path string, files coredbg.Options, whole int) {
	t.Helper()
	s, err := coredbg.Open(path, files)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r, ok := commands.RuntimeOf[runtimes.Grapher](s)
	if !ok {
		return // the memory of libjvm is behind the cut
	}
	g, err := r.Graph(t.Context())
	if err == nil && (g.Damage() == nil || g.Len() >= whole) {
		t.Errorf("%d objects of %d are in a core that is cut, and the damage is %v", g.Len(), whole, g.Damage())
	}
}

// offsetOf returns where in a core the memory at an address is.
func offsetOf(t *testing.T, data []byte, at core.Addr) uint64 {
	t.Helper()
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range f.Progs {
		if p.Type == elf.PT_LOAD && p.Vaddr <= uint64(at) && uint64(at)+16 <= p.Vaddr+p.Filesz {
			return p.Off + uint64(at) - p.Vaddr
		}
	}
	t.Fatalf("%v is not in the core", at)
	return 0
}

// TestLiveHprof writes the heap as a file and compares it with the JVM's own dump: each object that the dump
// keeps has the same class, the refers to the same objects.
func TestLiveHprof(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "written.hprof")
			s, err := coredbg.Open(filepath.Join(dir, "core"), filesOf(dir))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if err := s.Run(t.Context(), "::hprof -o "+path); err != nil {
				t.Fatal(err)
			}
			got, want := graphOf(t, path, coredbg.Options{}), graphOf(t, filepath.Join(dir, "heap.hprof"),
				coredbg.Options{})
			same, wrong := 0, 0
			want.Each(func(id graph.ID, _ core.Addr) bool {
				at := want.Source().Shown(want.Addr(id))
				here, ok := got.ID(got.Source().Start(at))
				switch {
				case !want.Reachable(id, graph.Certain):
				case !ok || got.Type(here).Class != want.Type(id).Class || !sameTargets(got, here, want, id):
					// of an archive the JVM leaves out what the array of its roots has not been used for
					if wrong++; wrong < 10 {
						t.Logf("%s at %v: written %v; it refers to %d others, want %d", want.Type(id).Class, at, ok,
							len(targets(got, here)), len(targets(want, id)))
					}
				default:
					same++
				}
				return true
			})
			if same < leastObjects(dir) || wrong > 0 && (wrong > 1 || !strings.HasSuffix(dir, "-archive")) {
				t.Errorf("%d objects are the same, want at least %d; %d are not", same, leastObjects(dir), wrong)
			}
		})
	}
}

// sameTargets reports whether an object refers to the same ones in both. A class has more in what is written:
// what JDK 17 does not dump of them, such as the protection domain of a class of the virtual machine's
// loader.
func sameTargets(got *graph.Graph, here graph.ID, want *graph.Graph, id graph.ID) bool {
	g, w := targets(got, here), targets(want, id)
	if want.Type(id).Class == "java.lang.Class" {
		return !slices.ContainsFunc(w, func(a core.Addr) bool { return !slices.Contains(g, a) })
	}
	return slices.Equal(g, w)
}

// targets returns the addresses of the objects that an object refers to.
func targets(g *graph.Graph, id graph.ID) (out []core.Addr) {
	g.Out(id, func(to graph.ID) { out = append(out, g.Source().Shown(g.Addr(to))) })
	slices.Sort(out)
	return slices.Compact(out)
}
