package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
	"coredbg/runtimes"
	"coredbg/stack"
)

// A mapsTruth is what a program of testdata/cores/sources/v8/maps wrote before it died:
// Error.stack as Node prints it with --enable-source-maps, or without.
type mapsTruth struct {
	Exe   string
	Trace []string
}

func readMapsTruth(t *testing.T, dir string) (m mapsTruth) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "truth.json"))
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// traceLine is a line of Error.stack that has a place.
var traceLine = regexp.MustCompile(`^ +at (?:async )?(?:(.*) \()?([^ ()]+:\d+:\d+)\)?$`)

// ofBuild reports whether a place is in what was built, or in what it was built from.
func ofBuild(place string) bool {
	return !strings.HasPrefix(place, "node:") && !strings.HasPrefix(place, "internal/") &&
		!strings.Contains(place, "/run.js:")
}

// places returns the places in the program's own trace.
func (m mapsTruth) places() (list []string) {
	for _, line := range m.Trace {
		if at := traceLine.FindStringSubmatch(line); at != nil && ofBuild(at[2]) {
			list = append(list, at[2])
		}
	}
	return list
}

// buildFrames returns the frames of the program that was built, as options show them.
func buildFrames(t *testing.T, dir string, o coredbg.Options, raw bool) []stack.Frame {
	t.Helper()
	return buildFramesOf(t, filepath.Join(dir, "core"), o, raw)
}

// buildFramesOf is buildFrames of a core or bundle.
func buildFramesOf(t *testing.T, path string, o coredbg.Options, raw bool) (list []stack.Frame) {
	t.Helper()
	s, err := coredbg.Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Process.Close() })
	st := s.Stacks.Thread(context.Background(), s.Process.Threads[0], stack.Options{Raw: raw})
	for _, f := range st.Frames {
		if f.Kind == runtimes.JS && f.Line > 0 && ofBuild(f.Position()) {
			list = append(list, f)
		}
	}
	return list
}

func positions(frames []stack.Frame) (list []string) {
	for i := range frames {
		list = append(list, frames[i].Position())
	}
	return list
}

// generated returns the places in what was built.
func generated(frames []stack.Frame) (list []string) {
	for i := range frames {
		if g := frames[i].Generated; g != nil {
			list = append(list, fmt.Sprintf("%s:%d:%d", g.File, g.Line, g.Column))
		}
	}
	return list
}

func samePlaces(t *testing.T, what string, got, want []string) {
	t.Helper()
	if len(want) < 9 {
		t.Errorf("%s: the program's trace has %d places", what, len(want))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s: got\n  %s\nwant\n  %s", what, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// sourceNames are the functions around the calls of sources/v8/maps/src by their lines, read off the
// source; a function without a name is "". weigh and open are methods: V8 puts the name of their object
// before theirs.
var sourceNames = map[string]string{
	"stock.ts:40": "close", "stock.ts:35": "settle", "stock.ts:31": "count", "stock.ts:29": "count",
	"stock.ts:21": "weigh",
	"main.ts:5":   "audit", "main.ts:14": "open", "main.ts:15": "open",
}

// checkNames compares names with the source's. A call that a minifier has expanded has the caller's
// name, and an arrow function without a name may share a line.
func checkNames(t *testing.T, frames []stack.Frame) {
	t.Helper()
	for i := range frames {
		f := &frames[i]
		file, _, _ := strings.Cut(filepath.Base(f.File), "?")
		want := sourceNames[fmt.Sprintf("%s:%d", file, f.Line)]
		name := f.Name[strings.LastIndexByte(f.Name, '.')+1:]
		expanded := want == "close" && name == "" || want == "settle" && name == "count"
		if name != want && name != "" && name != "eval" && !expanded || want == "" {
			t.Errorf("%s is called %q, in the source %q", f.Position(), f.Name, want)
		}
	}
}

// nodeNames returns the names that Node printed; releases before 20 leave out "async", which
// frames do not have in their name either.
func (m mapsTruth) nodeNames() (list []string) {
	for _, line := range m.Trace {
		if at := traceLine.FindStringSubmatch(line); at != nil && ofBuild(at[2]) {
			name := strings.TrimPrefix(at[1], "async ")
			if name == "<anonymous>" {
				name = ""
			}
			list = append(list, name)
		}
	}
	return list
}

// unminified are the builds whose functions keep their names: Node's are right there. For minified
// builds Node prints the names of parameters and objects instead.
var unminified = regexp.MustCompile(`-maps-(tsc|tsc-root|tsc-inline|webpack-inline|webpack-eval)$`)

// TestLiveMaps compares positions with Node's output with --enable-source-maps, and positions in the
// built files with the program's output without it.
func TestLiveMaps(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			truth := readMapsTruth(t, dir)
			frames := buildFrames(t, dir, coredbg.Options{}, false)
			raw := buildFrames(t, dir, coredbg.Options{}, true)
			want := truth.places()
			if strings.HasSuffix(dir, "-off") {
				samePlaces(t, "raw", positions(raw), want)
				samePlaces(t, "generated", generated(frames), want)
				other := readMapsTruth(t, strings.TrimSuffix(dir, "off")+"esbuild").places()
				for i := range other {
					other[i] = strings.Replace(other[i], "maps-esbuild/", "maps-off/", 1)
				}
				want = other
			}
			samePlaces(t, "original", positions(frames), want)
			samePlaces(t, "raw and generated", positions(raw), generated(frames))
			checkNames(t, frames)
			if !unminified.MatchString(dir) {
				return
			}
			var names []string
			for i := range frames {
				names = append(names, frames[i].Name)
			}
			if node := truth.nodeNames(); !slices.Equal(names, node) {
				t.Errorf("names %q, Node has %q", names, node)
			}
		})
	}
}

// TestLiveMapsElsewhere looks for maps where -sysroot and -search lead, and in no other place.
func TestLiveMapsElsewhere(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			truth := readMapsTruth(t, dir)
			want := positions(buildFrames(t, dir, coredbg.Options{}, false))
			text, err := os.ReadFile(filepath.Join(dir, "dist", "main.js.map"))
			if err != nil {
				t.Fatal(err)
			}
			empty, search, index := t.TempDir(), t.TempDir(), t.TempDir()
			o := coredbg.Options{Executable: truth.Exe, Sysroot: empty}
			none := buildFrames(t, dir, o, false)
			samePlaces(t, "no map", positions(none), truth.places())
			if list := generated(none); list != nil {
				t.Errorf("a map was found outside the sysroot: %q", list)
			}

			put(t, search, "main.js.map", text)
			o.Search = []string{search}
			samePlaces(t, "below -search", positions(buildFrames(t, dir, o, false)), want)

			put(t, index, "dist/main.js.map", indexOf(t, text))
			o.Search = []string{index}
			ignored := buildFrames(t, dir, o, false)
			samePlaces(t, "an index map", positions(ignored), want)
			for i := range ignored {
				if f := &ignored[i]; f.Generated == nil ||
					f.Generated.Ignored != strings.HasSuffix(f.File, "/stock.ts") {
					t.Errorf("%s: %+v, but the map ignores stock.ts", f.Position(), f.Generated)
				}
			}

			put(t, search, "main.js.map", []byte(`{"version":3,"sources":["a"],"names":[],"mappings":"AAAA;;;;;;;;;;AAAA"}`))
			o.Search = []string{search}
			refused := buildFrames(t, dir, o, false)
			samePlaces(t, "a map of another file", positions(refused), truth.places())
			for i := range refused {
				f := &refused[i]
				if !strings.HasPrefix(f.Note, filepath.Join(search, "main.js.map")+": source map: ") ||
					!strings.HasSuffix(f.Note, "the generated file has no line 11 with a column 1") {
					t.Errorf("%s does not say why the map is refused: %q", f.Position(), f.Note)
				}
			}
		})
	}
}

// TestLiveMapsCached takes the maps' files away: only Node's own cache remains.
func TestLiveMapsCached(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			truth := readMapsTruth(t, dir)
			frames := buildFrames(t, dir, coredbg.Options{Executable: truth.Exe, Sysroot: t.TempDir()}, false)
			samePlaces(t, "from the heap", positions(frames), truth.places())
			checkNames(t, frames)
			for i := range frames {
				if f := &frames[i]; f.Generated == nil || f.Generated.Map != "cache" {
					t.Errorf("%s: %+v", f.Position(), f.Generated)
				}
			}
		})
	}
}

// TestLiveMapsBundled opens bundles where nothing else is found. Bundles of stacks alone have the files
// of maps, but not the heap with the maps that Node keeps.
func TestLiveMapsBundled(t *testing.T) {
	dirs := coretest.Live(t)
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			truth := readMapsTruth(t, dir)
			want := positions(buildFrames(t, dir, coredbg.Options{}, false))
			for _, b := range []coredbg.BundleOptions{{}, {Stacks: true}, {Redact: true}} {
				path, _ := writeBundle(t, dir, coredbg.Options{}, b)
				got := buildFramesOf(t, path, coredbg.Options{Sysroot: t.TempDir()}, false)
				samePlaces(t, fmt.Sprintf("%+v", b), positions(got), want)
			}
			if strings.HasSuffix(dir, "-maps-tsc") {
				o := coredbg.Options{Executable: truth.Exe, Sysroot: t.TempDir()}
				path, small := writeBundle(t, dir, o, coredbg.BundleOptions{Stacks: true})
				got := buildFramesOf(t, path, coredbg.Options{Sysroot: t.TempDir()}, false)
				if list := generated(got); list != nil || len(got) == 0 {
					t.Errorf("a bundle without the heap has maps from it: %q", list)
				}
				if _, with := writeBundle(t, dir, coredbg.Options{},
					coredbg.BundleOptions{Stacks: true}); small > with {
					t.Errorf("stacks alone take %d bytes without the files of maps, %d with them", small, with)
				}
			}
		})
	}
}

// writeBundle writes a bundle of the core in a folder, and returns its path and size in bytes.
func writeBundle(t *testing.T, dir string, o coredbg.Options, b coredbg.BundleOptions) (path string, size int64) {
	t.Helper()
	plan, err := coredbg.PlanBundle(t.Context(), filepath.Join(dir, "core"), o, b)
	if err != nil {
		t.Fatal(err)
	}
	defer plan.Close()
	path = filepath.Join(t.TempDir(), "core.cdb")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if size, err = plan.Write(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path, size
}

func put(t *testing.T, dir, name string, text []byte) {
	t.Helper()
	to := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

// indexOf makes an index map of a map, with absolute sources, and stock.ts ignored.
func indexOf(t *testing.T, text []byte) []byte {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	for i, name := range m["sources"].([]any) {
		if strings.HasSuffix(name.(string), "stock.ts") {
			m["ignoreList"] = []int{i}
		}
	}
	text, err := json.Marshal(map[string]any{"version": 3, "sections": []any{
		map[string]any{"offset": map[string]int{"line": 0, "column": 0}, "map": m},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestLiveMapsPromises: the await that waits is where the stack has it, whose places TestLiveMaps
// checks.
func TestLiveMapsPromises(t *testing.T) {
	for _, path := range coretest.Live(t) {
		dir := filepath.Dir(path)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			s, err := coredbg.Open(path, coredbg.Options{Stdout: &out})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { s.Process.Close() })
			if err := s.Run(t.Context(), "::promises"); err != nil {
				t.Fatal(err)
			}
			looked := 0
			for _, f := range buildFrames(t, dir, coredbg.Options{}, false) {
				if !f.Async || f.Generated == nil {
					continue
				}
				if looked++; !strings.Contains(out.String(), "("+f.Position()+")") {
					t.Errorf("no promise is awaited at %s:\n%s", f.Position(), out.String())
				}
			}
			if looked == 0 {
				t.Error("no frame awaits")
			}
		})
	}
}
