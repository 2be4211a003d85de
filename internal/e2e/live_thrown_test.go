package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core/coretest"
)

// TestLiveThrownValues: a value that was thrown and not caught is what the verdict says first, and where it
// was thrown. It may be no error of V8's own: a text, an object of an old class, or Node's copy of a worker's
// error. Truth: sources/v8/thrown.js.
func TestLiveThrownValues(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var truth struct{ Says, Verdict string }
			readJSON(t, filepath.Join(dir, "truth.json"), &truth)
			for _, v := range records[struct {
				Title, Cause string
				Next         []string
			}](t, openLive(t, filepath.Join(dir, "core")), "::analyze") {
				if truth.Says == "" || !strings.HasPrefix(v.Title, truth.Says) {
					t.Errorf("%q, want %q", v.Title, truth.Says)
				}
				value := strings.HasPrefix(truth.Says, "uncaught: ") // that is no error
				if len(v.Next) < 2 || strings.HasSuffix(v.Next[1], "::jsprint") != value {
					t.Errorf("next %q", v.Next)
				}
				if v.Cause != truth.Verdict {
					t.Errorf("cause %q, want %q", v.Cause, truth.Verdict)
				}
			}
		})
	}
}
