package v8_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coredbg/core/coretest"
	"coredbg/runtimes/node"
)

// loopTruth is what testdata/cores/sources/v8/async.js wrote of itself.
type loopTruth struct {
	Pending []struct {
		Name, File string
		Line       int
		Count      int
	}
	Loop struct {
		Timers []struct {
			Kind     string
			Delay    float64
			Function string
		}
		Immediates        int
		Handles, Requests []string
	}
	Versions map[string]string
}

func readTruth(t *testing.T, dir string) *loopTruth {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "truth.json"))
	if err != nil {
		t.Skip(err)
	}
	x := &loopTruth{}
	if err := json.Unmarshal(b, x); err != nil {
		t.Fatal(err)
	}
	if x.Pending == nil {
		t.Skip("the program says nothing of its promises")
	}
	return x
}

// TestPromises counts the promises that each function of the program awaits.
func TestPromises(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			truth := readTruth(t, dir)
			_, _, v := openLive(t, filepath.Join(dir, "core"))
			groups, err := v.Frames.PromiseGroups(context.Background(), true)
			if err != nil {
				t.Fatal(err)
			}
			right := 0
			for _, want := range truth.Pending {
				got := 0
				for _, g := range groups {
					if g.Direct && g.Awaited.Name == want.Name && g.Awaited.File == want.File &&
						g.Awaited.Line == want.Line {
						got += len(g.Promises)
					}
				}
				if got == want.Count {
					right++
					continue
				}
				t.Errorf("%d promises wait at %s, line %d; want %d", got, want.Name, want.Line, want.Count)
			}
			t.Logf("%d of %d places right", right, len(truth.Pending))
		})
	}
}

// TestTimers compares timers, in due order, and the clock their due times are based on.
func TestTimers(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			truth := readTruth(t, dir)
			_, reader := openNode(t, filepath.Join(dir, "core"))
			list, err := reader.Tasks.Timers(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			var got, want []string
			immediates := 0
			for _, x := range list {
				if x.Immediate {
					immediates++
					continue
				}
				got = append(got, x.Place.Name)
				if !x.HasIn || x.In > x.After || x.In < x.After-30000 {
					t.Errorf("%s is due in %v ms (%v) after %v", x.Place.Name, x.In, x.HasIn, x.After)
				}
			}
			slices.SortStableFunc(truth.Loop.Timers, func(a, b struct {
				Kind     string
				Delay    float64
				Function string
			}) int {
				return int(a.Delay - b.Delay)
			})
			for _, x := range truth.Loop.Timers {
				want = append(want, x.Function)
			}
			if !slices.Equal(got, want) || immediates != truth.Loop.Immediates {
				t.Errorf("got %v and %d immediates, want %v and %d", got, immediates, want, truth.Loop.Immediates)
			}
		})
	}
}

// TestHandles compares active handles and requests with the results of process._getActiveHandles and
// _getActiveRequests.
func TestHandles(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			truth := readTruth(t, dir)
			_, reader := openNode(t, filepath.Join(dir, "core"))
			loops, err := reader.UV.Loops(context.Background())
			if err != nil || len(loops) == 0 || !loops[0].Default || loops[0].Err != nil {
				t.Fatalf("loops: %+v, %v", loops, err)
			}
			var handles, requests []string
			for _, h := range loops[0].Handles {
				switch {
				case h.Wrap == 0 || !h.Active || !h.Referenced:
				case h.OwnerClass != "":
					handles = append(handles, h.OwnerClass)
				default:
					handles = append(handles, h.WrapClass)
				}
			}
			slices.Sort(handles)
			if !slices.Equal(handles, truth.Loop.Handles) {
				t.Errorf("handles are %v, want %v", handles, truth.Loop.Handles)
			}
			list, err := reader.UV.Requests(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range list {
				requests = append(requests, r.WrapClass)
			}
			slices.Sort(requests)
			if !slices.Equal(requests, truth.Loop.Requests) {
				t.Errorf("requests are %v, want %v", requests, truth.Loop.Requests)
			}
		})
	}
}

// TestNodeInfo compares process.versions with the versions read from cores of all modes.
func TestNodeInfo(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			v, reader := openNode(t, filepath.Join(dir, "core"))
			list, err := reader.Infos(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			n := list[0]
			i := slices.IndexFunc(n.Versions, func(x node.Version) bool { return x.Name == "v8" })
			if i < 0 || n.Versions[i].Version != v.Version() {
				t.Errorf("process.versions says %v, V8 itself %s", n.Versions, v.Version())
			}
			if n.PID != v.Process.PID || len(n.Argv) < 2 || filepath.Dir(n.Argv[1]) != dir {
				t.Errorf("%+v of process %d", n, v.Process.PID)
			}
		})
	}
}

// TestFatalMessages compares the message that the stack of a process out of memory refers to with the message
// that the process printed after "FATAL ERROR: ".
func TestFatalMessages(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			printed, err := os.ReadFile(filepath.Join(dir, "out.txt"))
			_, want, ok := strings.Cut(string(printed), "FATAL ERROR: ")
			if err != nil || !ok {
				t.Skip("it printed no fatal error")
			}
			want, _, _ = strings.Cut(want, "\n")
			p, _, v := openLive(t, filepath.Join(dir, "core"))
			if got := strings.Join(v.FatalMessages(context.Background(), p.Threads[0]), " "); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
