package e2e

import (
	"path/filepath"
	"testing"

	"coredbg/core/coretest"
)

// TestLiveBareHandles: Bare has no objects of Node around the handles of libuv, and its active handles
// are listed. The number of referenced ones equals the count in its loops.
func TestLiveBareHandles(t *testing.T) {
	for _, path := range coretest.Live(t) {
		name := filepath.Base(filepath.Dir(path))
		s := openLive(t, path)
		type loop struct {
			Active int `json:"active_handles"`
		}
		want := 0
		for _, l := range records[loop](t, s, "::uvloop") {
			want += l.Active
		}
		type handle struct{ Active, Ref, Internal bool }
		n := 0
		for _, h := range records[handle](t, s, "::handles") {
			if !h.Active || h.Internal {
				t.Errorf("%s: %+v is listed", name, h)
			}
			if h.Ref {
				n++
			}
		}
		if n != want || n == 0 {
			t.Errorf("%s: %d handles, but the loops count %d", name, n, want)
		}
	}
}
