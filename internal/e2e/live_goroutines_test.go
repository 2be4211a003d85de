package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/sym"
)

// A goPlace is a function and a line of its source, or where it was called.
type goPlace struct {
	Name, File string
	Line       int
}

// A writtenGoroutine is a goroutine as Go's runtime has written it.
type writtenGoroutine struct {
	id, g, state string
	minutes      int
	locked       bool // bound to a thread
	unavailable  bool // it ran on another thread, so that Go could not write its stack
	cut          int  // if not 0, frames after this many are left out
	frames       []goPlace
	creator      goPlace
	parent       int
}

var (
	goroutineHeader = regexp.MustCompile(`^goroutine (\d+) (?:gp=(\S+) m=\S+ (?:mp=\S+ )?)?\[(.*)\]:$`)
	goMinutes       = regexp.MustCompile(`^(\d+) minutes$`)
	goCreated       = regexp.MustCompile(`^created by (.*?)(?: in goroutine (\d+))?$`)
	goPosition      = regexp.MustCompile(`^\t(.*):(\d+)(?: (?:\+0x|fp=).*)?$`)
)

// writtenGoroutines reads the first stack of each goroutine that a program of Go has written.
func writtenGoroutines(t *testing.T, path string) map[string]*writtenGoroutine {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*writtenGoroutine{}
	var cur *writtenGoroutine
	var place *goPlace
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case goroutineHeader.MatchString(line):
			h := goroutineHeader.FindStringSubmatch(line)
			cur, place = &writtenGoroutine{id: h[1], g: h[2]}, nil
			for i, word := range strings.Split(h[3], ", ") {
				if m := goMinutes.FindStringSubmatch(word); m != nil {
					cur.minutes, _ = strconv.Atoi(m[1])
				} else if word == "locked to thread" {
					cur.locked = true
				} else if i == 0 {
					cur.state = word
				}
			}
			if all[cur.id] == nil && cur.id != "0" {
				all[cur.id] = cur
			}
		case line == "":
			cur = nil
		case cur == nil:
		case strings.HasSuffix(line, "stack unavailable"):
			cur.unavailable = true
		case strings.HasPrefix(line, "..."):
			cur.cut = len(cur.frames)
		case goPosition.MatchString(line) && place != nil:
			m := goPosition.FindStringSubmatch(line)
			place.File = filepath.Base(m[1])
			place.Line, _ = strconv.Atoi(m[2])
		case goCreated.MatchString(line):
			m := goCreated.FindStringSubmatch(line)
			cur.creator = goPlace{Name: m[1]}
			cur.parent, _ = strconv.Atoi(m[2])
			place = &cur.creator
		case strings.Contains(line, "("):
			cur.frames = append(cur.frames, goPlace{Name: goName(line[:strings.LastIndex(line, "(")])})
			place = &cur.frames[len(cur.frames)-1]
		}
	}
	return all
}

// goName is a function's name as both have it.
func goName(name string) string {
	name = strings.ReplaceAll(strings.TrimSuffix(instances.ReplaceAllString(name, ""), ".abi0"), "·", ".")
	if name == "panic" {
		name = "runtime.gopanic"
	}
	return name
}

// A goroutineJSON is a record of ::goroutines.
type goroutineJSON struct {
	ID                 int
	Addr, Status, Stop string
	WaitReason         string  `json:"wait_reason"`
	Waits              float64 `json:"wait_seconds"`
	TID                int
	Locked             int `json:"locked_tid"`
	Problem            string
	Frames             []goFrameJSON
	CreatedBy          struct {
		Name, File string
		Line       int
		Goroutine  int
	} `json:"created_by"`
	Labels []struct{ Key, Value string }
}

type goFrameJSON struct {
	Name, File, Trust, Kind string
	Line                    int
}

// TestLiveGoroutines compares all goroutines with the output of Go's runtime before the process died.
func TestLiveGoroutines(t *testing.T) {
	for _, file := range coretest.Live(t) {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			want := writtenGoroutines(t, filepath.Join(dir, "out.txt"))
			if len(want) < 270 {
				t.Fatalf("the program has written %d goroutines", len(want))
			}
			got := map[string]goroutineJSON{}
			for _, g := range records[goroutineJSON](t, openValues(t, file), "::goroutines -a -v") {
				if g.Problem != "" {
					t.Errorf("goroutine %d: %s", g.ID, g.Problem)
				}
				if id := strconv.Itoa(g.ID); g.Status != "dead" && g.Status != "deadextra" && g.Status != "idle" {
					got[id] = g
				}
			}
			frames, labels := 0, map[string]int{}
			for id, w := range want {
				g, ok := got[id]
				if !ok {
					t.Errorf("goroutine %s [%s] is not known", id, w.state)
					continue
				}
				compareGoroutine(t, w, &g)
				frames += len(w.frames)
				if len(g.Labels) > 0 {
					labels[fmt.Sprint(g.Labels)]++
				}
			}
			for id, g := range got {
				if want[id] == nil {
					t.Errorf("goroutine %s [%s %s] was not written", id, g.Status, g.WaitReason)
				}
			}
			for n := 1; n <= 9; n++ { // as the program's source has them
				if label := fmt.Sprintf("[{kind labelled} {number %d}]", n); labels[label] != 1 || len(labels) != 9 {
					t.Errorf("labels %s: %v", label, labels)
				}
			}
			t.Logf("%d goroutines with %d frames, %d with labels", len(want), frames, len(labels))
		})
	}
}

// compareGoroutine compares a goroutine with the runtime's output. A goroutine that was running may
// have come further.
func compareGoroutine(t *testing.T, w *writtenGoroutine, g *goroutineJSON) {
	t.Helper()
	state := g.WaitReason
	if state == "" {
		state = g.Status
	}
	moves := w.state == "running" || w.state == "runnable"
	switch minutes := int(g.Waits) / 60; {
	case w.g != "" && w.g != g.Addr:
		t.Errorf("goroutine %s is at %s, not at %s", w.id, g.Addr, w.g)
	case state != w.state && !moves:
		t.Errorf("goroutine %s is %q, not %q", w.id, state, w.state)
	case w.locked != (g.Locked != 0):
		t.Errorf("goroutine %s is locked to thread %d: %v", w.id, g.Locked, w.locked)
	case minutes > w.minutes || minutes < w.minutes-1 || w.minutes == 1 && minutes == 0 && g.Waits < 59:
		t.Errorf("goroutine %s waits for %f seconds, not %d minutes", w.id, g.Waits, w.minutes)
	}
	lines := g.CreatedBy.Line != 0
	if at := (goPlace{goName(g.CreatedBy.Name), filepath.Base(g.CreatedBy.File),
		g.CreatedBy.Line}); w.creator.Name != "" && !sameGoPlace(at, w.creator, lines) {
		t.Errorf("goroutine %s was made by %v, not %v", w.id, at, w.creator)
	}
	if w.parent != 0 && w.parent != g.CreatedBy.Goroutine {
		t.Errorf("goroutine %s was made by goroutine %d, not %d", w.id, g.CreatedBy.Goroutine, w.parent)
	}
	var have []goPlace
	for _, f := range g.Frames {
		have = append(have, goPlace{goName(f.Name), filepath.Base(f.File), f.Line})
	}
	same := func(a, b goPlace) bool { return sameGoPlace(a, b, a.Line != 0) }
	whole := len(have) == len(w.frames) && slices.EqualFunc(have, w.frames, same)
	switch n := len(w.frames); {
	case whole:
	case w.unavailable && len(have) > 0:
	case w.cut > 0 && len(have) > n && slices.EqualFunc(have[:w.cut], w.frames[:w.cut], same) &&
		slices.EqualFunc(have[len(have)-n+w.cut:], w.frames[w.cut:], same):
	case moves && len(have) >= 2 && len(w.frames) >= 2 && slices.EqualFunc(have[len(have)-2:],
		w.frames[len(w.frames)-2:], func(a, b goPlace) bool { return a.Name == b.Name }):
	// Functions that it has called since then, or, in a system call, after it had told the runtime.
	case g.TID != 0 && len(have) >= n && slices.EqualFunc(have[len(have)-n+1:], w.frames[1:], same) &&
		have[len(have)-n].Name == w.frames[0].Name:
	default:
		t.Errorf("goroutine %s [%s]: frames are\n%.2000v, not\n%.2000v", w.id, w.state, fmt.Sprint(have),
			fmt.Sprint(w.frames))
	}
	if g.Stop != "root" {
		t.Errorf("goroutine %s [%s]: the walk stopped for %s", w.id, w.state, g.Stop)
	}
}

// sameGoPlace reports whether two places are the same, with their lines or without.
func sameGoPlace(a, b goPlace, lines bool) bool {
	return a.Name == b.Name && (!lines || a.Line == b.Line && a.File == b.File)
}

// TestLiveGoroutinesBundled compares goroutines of programs without DWARF in bundles, which have
// neither the program nor its constants, with the goroutines in the cores.
func TestLiveGoroutinesBundled(t *testing.T) {
	for _, file := range coretest.Live(t) {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			from := openValues(t, file)
			want, places := records[goroutineJSON](t, from, "::goroutines -a -v"), goPlaces(from)
			if len(places) < 1000 {
				t.Fatalf("%d functions have lines", len(places))
			}
			for _, lean := range []bool{false, true} {
				path, _ := writeBundle(t, dir, coredbg.Options{Executable: filepath.Join(dir, "goroutines")},
					coredbg.BundleOptions{Lean: lean})
				s, err := coredbg.Open(path, coredbg.Options{Sysroot: t.TempDir()})
				if err != nil {
					t.Fatal(err)
				}
				if got := records[goroutineJSON](t, s, "::goroutines -a -v"); !reflect.DeepEqual(got, want) {
					t.Errorf("lean %v: the bundle has %d goroutines, others than the core's %d", lean,
						len(got), len(want))
				}
				if got := goPlaces(s); !lean && !reflect.DeepEqual(got, places) {
					t.Errorf("lines of %d functions of %d are others in the bundle", len(got), len(places))
				}
				s.Close()
			}
		})
	}
}

// goPlaces returns the lines of the middle of each function of the program.
func goPlaces(s *coredbg.Session) map[string][]sym.Line {
	out := map[string][]sym.Line{}
	for _, m := range s.Process.Modules {
		if !m.Exe {
			continue
		}
		s.Symbols.Module(m, func(f sym.Symbol) bool {
			if l := s.Symbols.Lines(f.Addr + core.Addr(f.Size/2)); l != nil {
				out[f.Name] = l
			}
			return true
		})
	}
	return out
}
