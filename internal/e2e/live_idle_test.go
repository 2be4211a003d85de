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
	// For Electron: the open handles of libuv, and the program's account of process.
	Open []openHandle
	Node string
	PID  int
}

// An openHandle is a socket or server, as the program says and as ::handles does.
type openHandle struct {
	Handle    string
	FD        int
	Listening bool
	Owner     string
}

// TestLiveIdle counts the objects of workers that wait: no thread is in JavaScript, and few
// functions are on the heap to try a table of another version on. Truth is the program's.
func TestLiveIdle(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			var truth waiting
			readJSON(t, filepath.Join(filepath.Dir(path), "truth.json"), &truth)
			checkKept(t, openLive(t, path), &truth)
		})
	}
}

// TestLiveElectronIdle: in a waiting main process of Electron, the objects, timers, sockets and servers
// equal the program's output. No function is on its stacks, and few of the functions on the heap were
// ever called.
func TestLiveElectronIdle(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			var truth waiting
			readJSON(t, filepath.Join(filepath.Dir(path), "truth.json"), &truth)
			s := openLive(t, path)
			v, err := v8.Among(s.Process, s.Runtimes())
			if err != nil {
				t.Fatal(err)
			}
			if test := v.SelfTest(); v.Embedder() != "Electron" || v.Version() != truth.Embedded || test.Coded == 0 ||
				test.Sound != test.Functions {
				t.Errorf("V8 %s of %q, want %s of Electron; self-test: %v", v.Version(), v.Embedder(),
					truth.Embedded, test)
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
			checkOpen(t, s, &truth)
		})
	}
}

// checkOpen compares the handles of libuv that belong to objects of the program, and the kind of the
// process.
func checkOpen(t *testing.T, s *commands.Session, truth *waiting) {
	t.Helper()
	var got []openHandle
	for _, x := range records[struct {
		Handle     string
		FD         int
		Listening  bool
		OwnerClass string `json:"owner_class"`
	}](t, s, "::handles") {
		got = append(got, openHandle{x.Handle, x.FD, x.Listening, x.OwnerClass})
	}
	byFD := func(a, b openHandle) int { return a.FD - b.FD }
	slices.SortFunc(got, byFD)
	slices.SortFunc(truth.Open, byFD)
	if len(truth.Open) == 0 || !slices.Equal(got, truth.Open) {
		t.Errorf("handles %+v, want %+v", got, truth.Open)
	}
	loops := records[struct {
		Default, Alive bool
		TID            int
	}](t, s, "::uvloop")
	if len(loops) != 1 || !loops[0].Default || !loops[0].Alive || loops[0].TID != truth.PID {
		t.Errorf("loops %+v", loops)
	}
	info := records[struct {
		Version string
		PID     int
	}](t, s, "::nodeinfo")
	if len(info) != 1 || info[0].Version != truth.Node || info[0].PID != truth.PID {
		t.Errorf("%+v, want %s of %d", info, truth.Node, truth.PID)
	}
}

// checkKept compares the objects that a program keeps.
func checkKept(t *testing.T, s *commands.Session, truth *waiting) {
	t.Helper()
	found := records[struct {
		Count int
		Props []string
	}](t, s, "::findjsobjects -c Widget")
	if len(found) != 1 || truth.Objects == 0 || found[0].Count != truth.Objects ||
		!slices.Equal(found[0].Props, truth.Props) {
		t.Errorf("%+v, want %+v", found, truth)
	}
}
