package e2e

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
)

// TestLiveErrorStack: ::jsstack -e equals V8's output for the call sites right before the program died,
// line by line; the innermost has gone on since.
func TestLiveErrorStack(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			var truth struct {
				JS    []jsTruth
				Above []string
			}
			readJSON(t, filepath.Join(filepath.Dir(path), "truth.json"), &truth)
			var out bytes.Buffer
			s, err := coredbg.Open(path, coredbg.Options{Stdout: &out})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { s.Process.Close() })
			if err := s.Run(t.Context(), "::jsstack -e"); err != nil {
				t.Fatal(err)
			}
			got := strings.Split(strings.TrimSpace(out.String()), "\n")
			if got[0] != "Error" || len(got) != len(truth.JS)+1 {
				t.Fatalf("%d lines for %d frames:\n%s", len(got), len(truth.JS), strings.Join(got, "\n"))
			}
			for i, f := range truth.JS {
				name, _, _ := strings.Cut(f.Printed, " (")
				if line := got[i+1]; line != "    at "+f.Printed &&
					(i > 0 || !strings.HasPrefix(line, "    at "+name+" (")) {
					t.Errorf("frame %d: %q, want %q", i, line, f.Printed)
				}
			}
		})
	}
}
