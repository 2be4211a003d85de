package e2e

import (
	"path/filepath"
	"slices"
	"testing"

	"coredbg/commands"
	"coredbg/core/coretest"
	v8 "coredbg/runtimes/v8"
)

// A waiting program says what it keeps, as testdata/cores/sources/v8 says.
type waiting struct {
	Objects  int
	Props    []string
	Embedded string
	Timers   []struct {
		Callback string
		After    float64
		Repeats  bool
	}
}

// TestLiveIdle counts the objects of workers that wait: no thread is in JavaScript, and few
// functions are on the heap to try a table of another version on. Truth is the program's.
func TestLiveIdle(t *testing.T) {
	for _, path := range coretest.Live(t, "idle-workerd-*/core") {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			var truth waiting
			readJSON(t, filepath.Join(filepath.Dir(path), "truth.json"), &truth)
			checkKept(t, openLive(t, path), &truth)
		})
	}
}

// TestLiveElectronIdle: of a main process of Electron that waits, the objects and the timers are what the program
// says. No function is on its stacks, and of those on the heap few were ever called.
func TestLiveElectronIdle(t *testing.T) {
	for _, path := range coretest.Live(t, "idle-electron-*/core") {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			var truth waiting
			readJSON(t, filepath.Join(filepath.Dir(path), "truth.json"), &truth)
			s := openLive(t, path)
			v, err := v8.Of(s.Process, s.Runtimes())
			if err != nil {
				t.Fatal(err)
			}
			if test := v.SelfTest(); v.Embedder() != "Electron" || v.Version() != truth.Embedded || test.Coded == 0 || test.Sound != test.Functions {
				t.Errorf("V8 %s of %q, want %s of Electron; self-test: %v", v.Version(), v.Embedder(), truth.Embedded, test)
			}
			checkKept(t, s, &truth)
			timers := records[denoTimer](t, s, "::timers")
			for _, want := range truth.Timers {
				kind := "timeout"
				if want.Repeats {
					kind = "interval"
				}
				if !slices.ContainsFunc(timers, func(x denoTimer) bool {
					return x.At.Name == want.Callback && x.After == want.After && x.Timer == kind
				}) {
					t.Errorf("no timer as %+v in %+v", want, timers)
				}
			}
			if len(truth.Timers) == 0 {
				t.Error("the program said nothing of its timers")
			}
		})
	}
}

// checkKept compares the objects that a program keeps.
func checkKept(t *testing.T, s *commands.Session, truth *waiting) {
	t.Helper()
	found := records[struct {
		Count int
		Props []string
	}](t, s, "::findjsobjects -c Widget")
	if len(found) != 1 || truth.Objects == 0 || found[0].Count != truth.Objects || !slices.Equal(found[0].Props, truth.Props) {
		t.Errorf("%+v, want %+v", found, truth)
	}
}
