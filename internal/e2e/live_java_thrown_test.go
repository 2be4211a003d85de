package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
	"coredbg/runtimes"
	"coredbg/runtimes/java"
)

// A javaThrown is an exception as its own getters described it.
type javaThrown struct {
	Class      string
	Message    *string
	Frames     []artFrame
	Cause      *javaThrown
	Suppressed []javaThrown
	Circular   bool
}

// TestLiveJavaThrown compares the exception that ended a process with the words of its own getters: messages,
// traces, causes and suppressed exceptions (sources/art/faults/lib/Tell.java).
func TestLiveJavaThrown(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var truth struct{ Art struct{ Thrown *javaThrown } }
			b, err := os.ReadFile(filepath.Join(dir, "truth.json"))
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(b, &truth); err != nil || truth.Art.Thrown == nil {
				t.Fatalf("no exception in the truth: %v", err)
			}
			s, err := coredbg.Open(filepath.Join(dir, "core"), liveOptions(t, dir, nil))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Process.Close()
			for _, c := range s.Causes(t.Context()) {
				if c.Kind != runtimes.UncaughtJava {
					continue
				}
				for _, r := range s.Runtimes() {
					if m, ok := r.(java.Objects); ok {
						x, err := java.Reader{Heap: m.JavaHeap()}.Throwable(c.Addr)
						if err != nil {
							t.Fatal(err)
						}
						compareJavaThrown(t, "it", x, truth.Art.Thrown)
						return
					}
				}
			}
			t.Error("no exception has ended the process")
		})
	}
}

func compareJavaThrown(t *testing.T, path string, x *java.Throwable, want *javaThrown) {
	t.Helper()
	if x.Object.Class.Name != want.Class || x.Circular != want.Circular || x.Problem != "" {
		t.Errorf("%s: %s, circular %t, %q; want %s, circular %t", path, x.Object.Class.Name, x.Circular, x.Problem,
			want.Class, want.Circular)
	}
	if want.Circular {
		return
	}
	if x.HasMessage != (want.Message != nil) || x.HasMessage && x.Message != *want.Message {
		t.Errorf("%s: message %q, %t", path, x.Message, x.HasMessage)
	}
	if len(x.Trace) != len(want.Frames) {
		t.Fatalf("%s: %d frames, want %d", path, len(x.Trace), len(want.Frames))
	}
	for i, e := range x.Trace {
		w := want.Frames[i]
		native := w.Line == nativeLine
		if e.Method != w.Name || e.Native != native || !native && (e.File != w.File || e.Line != max(w.Line, 0)) {
			t.Errorf("%s: frame %d is %v, want %+v", path, i, &e, w)
		}
	}
	if len(x.Suppressed) != len(want.Suppressed) {
		t.Fatalf("%s: %d suppressed exceptions, want %d", path, len(x.Suppressed), len(want.Suppressed))
	}
	for i, s := range x.Suppressed {
		compareJavaThrown(t, path+" suppressed", s, &want.Suppressed[i])
	}
	switch {
	case (x.Cause == nil) != (want.Cause == nil):
		t.Errorf("%s: cause %+v, want %+v", path, x.Cause, want.Cause)
	case x.Cause != nil:
		compareJavaThrown(t, path+"'s cause", x.Cause, want.Cause)
	}
}

// nativeLine is the line number of StackTraceElement that says that a method is native.
const nativeLine = -2
