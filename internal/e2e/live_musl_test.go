package e2e

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"coredbg/core/coretest"
	"coredbg/stack"
)

// TestLiveMusl: stacks go on through musl, whose library has neither tables nor names of unexported
// functions, to where threads begin. No musl function appears that the program never calls: musl's
// clone and system calls come after memset, which has no size.
func TestLiveMusl(t *testing.T) {
	for _, path := range coretest.Live(t) {
		s := openLive(t, path)
		for st := range s.Stacks.All(context.Background(), s.Process.Threads, stack.Options{}) {
			if st.Stop.Kind != "root" {
				t.Errorf("%s: %v ends: %v\n%s", filepath.Base(filepath.Dir(path)), st.Thread, st.Stop, list(st))
			}
			if slices.ContainsFunc(st.Frames, func(f stack.Frame) bool { return f.Name == "memset" }) {
				t.Errorf("%s: %v is in memset\n%s", filepath.Base(filepath.Dir(path)), st.Thread, list(st))
			}
		}
	}
}
