package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"coredbg/commands"
	"coredbg/core/coretest"
	v8 "coredbg/runtimes/v8"
	"coredbg/stack"
)

// An embedded is the output of embedded.mjs before it was killed; see
// testdata/cores/make.d/embedders.sh.
type embedded struct {
	Exe    string
	Frames []jsTruth
	Made   map[string]int
	Values []struct{ Name, Printed string }
	// Undumped is the value whose bytes the kernel leaves out of such cores.
	Undumped string
}

// TestLiveEmbedders: stacks, values and numbers of objects in embedders other than Node, whose images
// have no debugging constants, equal the program's output, which includes V8's own call sites.
func TestLiveEmbedders(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			var truth embedded
			readJSON(t, filepath.Join(filepath.Dir(path), "truth.json"), &truth)
			s := openLive(t, path)
			checkEmbedded(t, s, path, &truth)
		})
	}
}

// checkQuiet compares the stack of the thread that runs JavaScript with the program's own. So many frames
// may say that their position is unknown.
func checkQuiet(t *testing.T, s *commands.Session, path string, truth *embedded, unplaced int) {
	t.Helper()
	want := slices.Concat([]jsTruth{{Name: "quiet", Printed: "quiet"}},
		quietFrames(t, path, truth.Frames[0].File), truth.Frames)
	compared := false
	for st := range s.Stacks.All(context.Background(), s.Process.Threads, stack.Options{}) {
		got := jsFrames(st, want)
		if len(got) == 0 || compared {
			continue
		}
		compared = true
		for i, w := range want {
			switch {
			case i >= len(got):
				t.Errorf("frame %d is missing: %s", i, w.Printed)
			case i == 0 && got[0].Name != "quiet":
				t.Errorf("the innermost frame is %s", got[0].Name)
			case i == 0 && (got[0].Tier == "interpreter" || got[0].Tier == "jit"):
				t.Error("the code of the innermost function, which loops for long, was not found")
			case i > 0 && unplaced > 0 && strings.Contains(got[i].Note, "position unknown"):
				unplaced--
			case i > 0:
				if diff := differ(&got[i], w); diff != "" {
					t.Errorf("frame %d: %s; want %s", i, diff, w.Printed)
				}
			}
		}
		if len(got) > len(want) {
			t.Errorf("%d frames too many", len(got)-len(want))
		}
	}
	if !compared {
		t.Error("no thread has frames of JavaScript")
	}
}

func checkEmbedded(t *testing.T, s *commands.Session, path string, truth *embedded) {
	t.Helper()
	v, err := v8.Among(s.Process, s.Runtimes())
	if err != nil {
		t.Fatal(err)
	}
	if test := v.SelfTest(); test.Sound != test.Functions || test.Coded == 0 {
		t.Errorf("self-test: %v", test)
	}
	names := map[string]string{"deno": "rusty_v8, as Deno has it", "workerd": "workerd", "chromium": "Chromium",
		"QtWebEngineProcess": "Qt WebEngine", "Cypress": "Electron", "gov8": "v8go", "bare": "Bare"}
	if got := v.Embedder(); got != names[filepath.Base(truth.Exe)] {
		t.Errorf("the embedder of %s is %q", truth.Exe, got)
	}
	checkQuiet(t, s, path, truth, 0)
	checkGraphHas(t, v, truth.Made)
	var lines []string
	for _, x := range truth.Values {
		brief := "-b " // errors without their stacks
		if strings.Contains(x.Printed, "\n") {
			brief = ""
		}
		lines = append(lines, "::jsprint "+brief+"-d 4 globalThis.T."+x.Name)
	}
	for class := range truth.Made {
		lines = append(lines, "::findjsobjects -c "+class)
	}
	lines = append(lines, "::jsprint -b globalThis.T.list | ::v8print", "::promises -w",
		"::jsprint globalThis.keep | ::jsprint -b evil | ::jssource")
	out, stderr := drive(t, path, nil, lines...)
	if !regexp.MustCompile(`map = [0-9a-f]+ \(Map\)(?s:.*) length = [0-9a-f]+ \(Smi: 3\)`).MatchString(out) {
		t.Error("::v8print does not show the map and the length of an array")
	}
	for _, x := range truth.Values {
		if x.Name == truth.Undumped {
			x.Printed = "ArrayBuffer { [Uint8Contents]: < ... 3 more bytes>, [byteLength]: 3, <not dumped> }"
		}
		if one := strings.Join(strings.Fields(out), " "); !strings.Contains(one,
			strings.Join(strings.Fields(x.Printed), " ")) {
			t.Errorf("%s: %s is not printed", x.Name, x.Printed)
		}
	}
	places := []string{"later (" + placeIn(t, path, truth.Frames[0].File, "await (keep.never") + ")"}
	if filepath.Base(truth.Exe) != "workerd" { // which allows no eval
		places = append(places, "eval at evaluate ("+placeIn(t, path, truth.Frames[0].File, "eval('")+")")
	}
	for _, place := range places {
		if !strings.Contains(out, place) {
			t.Errorf("%s is not printed", place)
		}
	}
	for class, n := range truth.Made {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), fmt.Sprintf(" %d ", n)) {
			t.Errorf("not %d objects of %s", n, class)
		}
	}
	if t.Failed() {
		t.Logf("%s\n%s", out, stderr)
	}
}

// quietFrames returns the frames of embedded.mjs that no captured stack had, by its text.
func quietFrames(t *testing.T, path, file string) (list []jsTruth) {
	t.Helper()
	for _, c := range []struct{ name, call string }{{"quiet", "quiet(n - 1"}, {"quiet", "quiet(n - 1"},
		{"spin", "quiet(2"}} {
		line, column := placeOf(t, path, c.call)
		list = append(list, jsTruth{Name: c.name, Printed: c.name + " ()", File: file, Line: line, Column: column})
	}
	return list
}

// placeIn is placeOf as V8 prints it, with the name of the file.
func placeIn(t *testing.T, path, file, words string) string {
	t.Helper()
	line, column := placeOf(t, path, words)
	return fmt.Sprintf("%s:%d:%d", file, line, column)
}

// placeOf returns the first place of words in the core's embedded.mjs.
func placeOf(t *testing.T, path, words string) (line, column int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(filepath.Dir(path), "embedded.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	before, _, ok := strings.Cut(string(text), words)
	if !ok {
		t.Fatalf("%s has no %s", path, words)
	}
	return 1 + strings.Count(before, "\n"), len(before) - strings.LastIndexByte(before, '\n')
}

// checkGraphHas compares the classes of the heap's graph, which holds what is reachable, with
// what the program has made and kept; the prototype of a class counts as one of it.
func checkGraphHas(t *testing.T, v *v8.V8, made map[string]int) {
	t.Helper()
	g, err := v.Graph(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	rows, err := g.Classes(context.Background(), 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, c := range rows {
		count[c.Class] += c.Objects
	}
	for class, n := range made {
		if got := count[class]; got != n && got != n+1 {
			t.Errorf("the graph has %d objects of %s, want %d", got, class, n)
		}
	}
	if d := g.Damage(); d != nil && d.Missing+d.Skipped > 0 {
		t.Errorf("%d of %d bytes of the heap could not be read or told apart", d.Missing+d.Skipped, d.Total)
	}
}
