package e2e

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
)

// TestLiveIsolates: workers.js has three workers that wait: each isolate has one realm, which is of its
// own heap, and its script.
func TestLiveIsolates(t *testing.T) {
	for _, path := range coretest.Live(t, "node-*-workers/core") {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			s, err := coredbg.Open(path, coredbg.Options{Stdout: &out})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { s.Process.Close() })
			s.JSON = true
			if err := s.Run(t.Context(), "::isolates"); err != nil {
				t.Fatal(err)
			}
			realms := map[string]bool{}
			for line := range strings.Lines(out.String()) {
				var r struct {
					Contexts []string `json:"native_contexts"`
					Script   string
				}
				if err := json.Unmarshal([]byte(line), &r); err != nil {
					t.Fatal(err)
				}
				if len(r.Contexts) != 1 || filepath.Base(r.Script) != "workers.js" {
					t.Errorf("%s", line)
				}
				for _, c := range r.Contexts {
					realms[c] = true
				}
			}
			if len(realms) != 4 {
				t.Errorf("%d realms of 4 isolates", len(realms))
			}
		})
	}
}
