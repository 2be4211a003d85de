package e2e

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"coredbg"
	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes"
	"coredbg/runtimes/v8"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/inspect"
	"coredbg/stack"
	"coredbg/walk"
)

// The arguments that main.js passes to its functions, by its source: turboHot(7) adds 0 + 1 + 2 and
// midInlinee doubles; maglevHot(21) doubles too.
var deepArguments = map[string]float64{
	"tinyInlinee": 20, "midInlinee": 10, "turboHot": 7, "maglevInlinee": 42, "maglevHot": 21, "baselineFn": 42,
}

// TestLiveLocals holds arguments and local variables of every tier to the
// source of main.js.
func TestLiveLocals(t *testing.T) {
	for _, file := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			dir := filepath.Dir(file)
			s, err := coredbg.Open(file, liveOptions(t, dir, argumentsOf(t, dir)))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Process.Close()
			v, ok := commands.RuntimeOf[*v8.V8](s)
			if !ok {
				t.Fatal("no V8")
			}
			checkDeepLocals(t, s, v)
		})
	}
}

// argumentsOf returns the arguments that open the core in dir.
func argumentsOf(t *testing.T, dir string) []string {
	t.Helper()
	var truth liveCore
	readJSON(t, filepath.Join(dir, "truth.json"), &truth)
	return truth.Args
}

func checkDeepLocals(t *testing.T, s *commands.Session, v *v8.V8) {
	var last core.Addr
	var values []*frame.FrameValues
	seen := map[string]bool{}
	s.Stacks.Thread(context.Background(), s.Process.Threads[0], stack.Options{
		ManagedOnly: true,
		Each: func(r *stack.Frame, f *walk.Frame, src *runtimes.SourceFrame) {
			if src == nil || src.Kind != runtimes.JS || src.Async {
				return
			}
			if f.FP != last {
				last, values = f.FP, v.Frames.Values(f)
			}
			if len(values) == 0 {
				return
			}
			x := values[0]
			values = values[1:]
			if x == nil {
				t.Errorf("%s has no values", src.Name)
				return
			}
			if want, ok := deepArguments[src.Name]; ok {
				seen[src.Name] = true
				if len(x.Args) == 0 || !x.Args[0].Known() {
					t.Errorf("%s: arguments are not known: %+v", src.Name, x.Args)
				} else if got := v.Values.InspectSlot(x.Args[0].Slot, inspect.DefaultInspect()).Number; got != want {
					t.Errorf("%s: first argument is %v, want %v", src.Name, got, want)
				}
			}
			if src.Name == "die" {
				seen[src.Name] = slices.ContainsFunc(x.Locals, func(l frame.Local) bool {
					return l.Known() && v.Values.InspectSlot(l.Slot, inspect.DefaultInspect()).Text == "local-bottom"
				})
			}
		},
	})
	for _, name := range []string{"die", "turboHot", "maglevHot", "baselineFn"} {
		if !seen[name] {
			t.Errorf("%s was not seen, or its local variable was not", name)
		}
	}
}
