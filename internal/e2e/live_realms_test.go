package e2e

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coredbg/core/coretest"
)

// TestLiveRealms: the realms that scripts of a program have run in are known by them: one in
// each of the four isolates of workers.js, one of embedded.mjs.
func TestLiveRealms(t *testing.T) {
	for pattern, truth := range map[string]struct {
		script string
		realms int
	}{
		"node-*-workers/core": {"/workers.js", 4}, "embedded-*/core": {"embedded.mjs", 1}, "crashpad-*/core": {"/embedded.mjs", 1},
	} {
		t.Run(filepath.Dir(pattern), func(t *testing.T) {
			for _, path := range coretest.Live(t, pattern) {
				t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
					t.Parallel()
					isolates, seen := map[string]bool{}, 0
					type realm struct {
						Isolate string
						Scripts []struct{ Name string }
					}
					all := records[realm](t, openLive(t, path), "::realms")
					for _, r := range all {
						has := func(x struct{ Name string }) bool { return strings.HasSuffix(x.Name, truth.script) }
						if !slices.ContainsFunc(r.Scripts, has) {
							continue
						}
						seen++
						isolates[r.Isolate] = true
					}
					if seen != truth.realms || len(isolates) != truth.realms || isolates[""] && truth.realms > 1 {
						t.Errorf("%d realms of %s in the isolates %v, want %d: %+v", seen, truth.script, isolates, truth.realms, all)
					}
				})
			}
		})
	}
}
