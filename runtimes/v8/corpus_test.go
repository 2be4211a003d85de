package v8_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/runtimes/node"
	v8 "coredbg/runtimes/v8"
	"coredbg/walk"
)

// The cores in $COREDBG_LIVE are made by testdata/cores/make.d/node.sh: in
// each folder node-VERSION-MODE the program wrote its own Error().stack to
// truth.json just before it died.

// openLive opens a core and probes for V8.
func openLive(t testing.TB, path string) (*core.Process, *sym.Table, *v8.V8) {
	t.Helper()
	return v8.OpenCore(t, path)
}

// openNode opens a live core, or a bundle of one, with the reader of Node that V8's probe makes.
func openNode(t testing.TB, path string) (*v8.V8, *node.Reader) {
	t.Helper()
	_, _, v := v8.OpenCore(t, path, node.Probe)
	reader, ok := v8.EmbedderOf[*node.Reader](v)
	if !ok {
		t.Fatal("no reader of Node")
	}
	return v, reader
}

// stackOf walks a thread and returns its source frames and why it ended.
func stackOf(p *core.Process, v *v8.V8, th *core.Thread) (frames []runtimes.SourceFrame, stop error) {
	target := walk.NewTarget(p, walk.Options{})
	for f, err := range target.Walk(context.Background(), th, v.Frames.Begin(th)) {
		if err != nil {
			return frames, err
		}
		fs, _ := v.Frames.Decode(&f)
		frames = append(frames, fs...)
	}
	return frames, nil
}

// asError writes a frame as a line of Error.stack, without "at".
func asError(f runtimes.SourceFrame) string {
	loc := f.File
	if f.Line > 0 {
		loc = fmt.Sprintf("%s:%d:%d", f.File, f.Line, f.Column)
	}
	s := loc
	if f.Name != "" {
		s = f.Name + " (" + loc + ")"
	}
	if f.Async {
		s = "async " + s
	}
	return s
}

// jsStack returns the frames that Error.stack shows: callbacks of the embedder
// it hides, and functions that await come last.
func jsStack(frames []runtimes.SourceFrame) []runtimes.SourceFrame {
	var out []runtimes.SourceFrame
	for _, f := range frames {
		if f.Kind == runtimes.JS {
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b runtimes.SourceFrame) int {
		switch {
		case a.Async == b.Async:
			return 0
		case b.Async:
			return -1
		}
		return 1
	})
	return out
}

// A truth is a program's account of its own stack; see
// testdata/cores/sources/v8/truth.js.
type truth struct {
	Mode    string         `json:"mode"`
	JS      []truthFrame   `json:"js"`
	Workers [][]truthFrame `json:"workers"`
	Above   []string       `json:"above"` // may be called by the innermost, in no order
}

type truthFrame struct {
	Name    string `json:"name"`
	Printed string `json:"printed"` // as Error.stack prints it
	File    string `json:"file"`
	Line    int    `json:"line"` // where it died; 0 if not known
	Column  int    `json:"column"`
	Builtin bool   `json:"builtin"`
	Async   bool   `json:"async"`
}

func truthOf(t *testing.T, dir string) truth {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "truth.json"))
	if err != nil {
		t.Fatalf("no truth: %v", err)
	}
	var w truth
	if err := json.Unmarshal(text, &w); err != nil {
		t.Fatal(err)
	}
	return w
}

// compare holds frames against a truth: as printed, and apart by file, line
// and column. The innermost frame has gone on since it was printed.
func compare(t *testing.T, got []runtimes.SourceFrame, want []truthFrame) {
	t.Helper()
	matched := 0
	for i, w := range want {
		if i >= len(got) {
			t.Errorf("frame %d: missing, want %s", i, w.Printed)
			continue
		}
		g := asError(got[i])
		name, _, _ := strings.Cut(w.Printed, " (")
		if i == 0 && strings.HasPrefix(g, name+" (") || g == w.Printed {
			if w.Line == 0 || got[i].Line == w.Line && got[i].Column == w.Column && (w.File == "" ||
				got[i].File == w.File) {
				matched++
				continue
			}
		}
		t.Errorf("frame %d: got %s\nwant %s, at %d:%d", i, g, w.Printed, w.Line, w.Column)
	}
	for _, f := range got[min(len(got), len(want)):] {
		t.Errorf("frame too many: %s", asError(f))
	}
	t.Logf("%d of %d frames match", matched, len(want))
}

func TestStackEqualsErrorStack(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			want := truthOf(t, dir)
			p, _, v := openLive(t, filepath.Join(dir, "core"))
			frames, stop := stackOf(p, v, p.Threads[0])
			got := jsStack(frames)
			for len(got) > 0 && slices.Contains(want.Above, strings.TrimPrefix(got[0].Name, "new ")) {
				got = got[1:]
			}
			compare(t, got, want.JS)
			checkRoot(t, stop)
			if s := v.SelfTest(); s.Functions == 0 || s.Sound != s.Functions {
				t.Errorf("self-test: %v", s)
			}
		})
	}
}

// checkRoot wants a walk to have reached the thread's start.
func checkRoot(t *testing.T, stop error) {
	t.Helper()
	if s, ok := stop.(*walk.StopError); !ok || s.Kind != walk.StopRoot {
		t.Errorf("walk ended with %v, want root", stop)
	}
}

// TestWorkerStack: in plain.js a worker thread, an isolate of its own, waits
// in Atomics.wait.
func TestWorkerStack(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			want := truthOf(t, dir)
			p, _, v := openLive(t, filepath.Join(dir, "core"))
			isolates := map[core.Addr]bool{}
			workers := 0
			for _, th := range p.Threads {
				frames, _ := stackOf(p, v, th)
				got := jsStack(frames)
				if len(got) == 0 {
					continue
				}
				a, ok := v.Objects.Isolate(th)
				if !ok {
					t.Errorf("thread %d runs JavaScript but has no isolate", th.TID)
				}
				isolates[a] = true
				if asError(got[0]) == "Atomics.wait (<anonymous>)" {
					workers++
					compare(t, got[1:], want.Workers[0])
				}
			}
			if workers != 1 || len(isolates) != 2 {
				t.Errorf("%d workers, want 1; %d isolates, want 2", workers, len(isolates))
			}
		})
	}
}

// TestExitChainAgreesWithWalk: every exit frame of V8's own chain is one of
// the frames that unwinding found, and the other way round.
func TestExitChainAgreesWithWalk(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			p, symbols, v := openLive(t, filepath.Join(dir, "core"))
			th := p.Threads[0]
			if _, ok := symbols.Find("", "Builtins_JSEntry"); !ok {
				t.Skip("a stripped image has no symbol for JSEntry")
			}
			want, err := v.Frames.Exits.ExitFrames(th)
			if err != nil {
				t.Fatal(err)
			}
			var got []core.Addr
			target := walk.NewTarget(p, walk.Options{})
			for f, err := range target.Walk(context.Background(), th, v.Frames.Begin(th)) {
				if err != nil {
					break
				}
				fs, _ := v.Frames.Decode(&f)
				if len(fs) > 0 && (fs[0].Tier == "exit" || fs[0].Kind == runtimes.API ||
					fs[0].Name == "JSON.stringify") {
					got = append(got, f.FP)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("walk: %v\nchain: %v", got, want)
			}
		})
	}
}
