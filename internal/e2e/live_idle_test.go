package e2e

import (
	"path/filepath"
	"slices"
	"testing"

	"coredbg/core/coretest"
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
