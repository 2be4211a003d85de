package e2e

import (
	"path/filepath"
	"slices"
	"testing"

	"coredbg/core/coretest"
)

// TestLiveDenoTicks: the callbacks of process.nextTick and the microtasks of a Deno program are the
// ones that it has queued, in their order.
func TestLiveDenoTicks(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			var truth struct{ Ticks, Microtasks []string } // names; kinds with names
			readJSON(t, filepath.Join(filepath.Dir(path), "truth.json"), &truth)
			var ticks, microtasks []string
			type tick struct {
				Queue, Kind string
				At          struct{ Name string }
			}
			for _, x := range records[tick](t, openLive(t, path), "::ticks") {
				if x.Queue == "nextTick" {
					ticks = append(ticks, x.At.Name)
				} else {
					microtasks = append(microtasks, x.Kind+" "+x.At.Name)
				}
			}
			if len(truth.Ticks) != 5000 || !slices.Equal(ticks, truth.Ticks) {
				t.Errorf("%d ticks, want %d, or in another order", len(ticks), len(truth.Ticks))
			}
			if !slices.Equal(microtasks, truth.Microtasks) {
				t.Errorf("the microtasks are %q, want %q", microtasks, truth.Microtasks)
			}
		})
	}
}

// TestLiveElectronTicks: in a busy main process of Electron, the callbacks of each kind that
// electronmain.js has queued are in their order. Node's own callbacks come between.
func TestLiveElectronTicks(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, x := range records[struct {
				Queue, Kind string
				At          struct{ Name string }
			}](t, openLive(t, path), "::ticks") {
				if x.At.Name != "afterWriteTick" {
					got = append(got, x.Queue+" "+x.Kind+" "+x.At.Name)
				}
			}
			want := []string{"nextTick nextTick ticked", "microtask callback queued", "microtask reaction reacted"}
			if !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}
