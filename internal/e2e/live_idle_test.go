package e2e

import (
	"path/filepath"
	"slices"
	"testing"

	"coredbg/core/coretest"
	v8 "coredbg/runtimes/v8"
)

// TestLiveIdle counts the objects of workers that wait: no thread is in JavaScript, and few
// functions are on the heap to try a table of another version on. Truth is the program's.
func TestLiveIdle(t *testing.T) {
	type group struct {
		Count int
		Props []string
	}
	for _, path := range coretest.Live(t, "idle-workerd-*/core") {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			var truth struct {
				Objects int
				Props   []string
			}
			readJSON(t, filepath.Join(filepath.Dir(path), "truth.json"), &truth)
			found := records[group](t, openLive(t, path), "::findjsobjects -c Widget")
			if len(found) != 1 || truth.Objects == 0 || found[0].Count != truth.Objects || !slices.Equal(found[0].Props, truth.Props) {
				t.Errorf("%+v, want %+v", found, truth)
			}
		})
	}
}

// TestLiveElectronIdle: of a main process of Electron that waits, the objects and the timers are what the program
// says. No function is on its stacks, and of those on the heap few were ever called.
func TestLiveElectronIdle(t *testing.T) {
	type group struct {
		Count int
		Props []string
	}
	for _, path := range coretest.Live(t, "idle-electron-*/core") {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			var truth struct {
				Objects  int
				Props    []string
				Embedded string
			}
			readJSON(t, filepath.Join(filepath.Dir(path), "truth.json"), &truth)
			s := openLive(t, path)
			v, err := v8.Of(s.Process, s.Runtimes())
			if err != nil {
				t.Fatal(err)
			}
			if test := v.SelfTest(); v.Embedder() != "Electron" || v.Version() != truth.Embedded || test.Coded == 0 || test.Sound != test.Functions {
				t.Errorf("V8 %s of %q, want %s of Electron; self-test: %v", v.Version(), v.Embedder(), truth.Embedded, test)
			}
			found := records[group](t, s, "::findjsobjects -c Widget")
			if len(found) != 1 || truth.Objects == 0 || found[0].Count != truth.Objects || !slices.Equal(found[0].Props, truth.Props) {
				t.Errorf("%+v, want %+v", found, truth)
			}
		})
	}
}
