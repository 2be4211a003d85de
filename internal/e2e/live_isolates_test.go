package e2e

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coredbg/core/coretest"
)

// TestLiveIsolates: workers.js has three workers that wait. Each isolate has one realm, which belongs
// to its own heap, its script, and the name that it was given. Node has names from 18.16 on.
func TestLiveIsolates(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			s := openLive(t, path)
			realms, names := map[string]bool{}, []string{}
			type isolate struct {
				Contexts []string `json:"native_contexts"`
				Script   string
				Worker   string
			}
			for _, r := range records[isolate](t, s, "::isolates") {
				if len(r.Contexts) != 1 || filepath.Base(r.Script) != "workers.js" {
					t.Errorf("%+v", r)
				}
				if r.Worker != "WorkerThread" { // Node's own, of newer versions
					names = append(names, r.Worker)
				}
				for _, c := range r.Contexts {
					realms[c] = true
				}
			}
			want, newer := workerNames(t, filepath.Dir(path))
			var described []string
			for _, th := range s.Process.Threads {
				name, _ := s.Stacks.Describe(th)
				described = append(described, name)
			}
			for _, name := range want {
				if got, heading := slices.Contains(names, name), slices.Contains(described, name); name != "" &&
					(got != newer || heading != newer) {
					t.Errorf("the workers are called %q and %q, want %q: %v", names, described, want, newer)
				}
			}
			if len(realms) != 4 {
				t.Errorf("%d realms of 4 isolates", len(realms))
			}
		})
	}
}

// workerNames returns what the workers were called, and whether the Node of a core gives names.
func workerNames(t *testing.T, dir string) (names []string, newer bool) {
	t.Helper()
	var truth struct {
		Node        string
		WorkerNames []string
	}
	readJSON(t, filepath.Join(dir, "truth.json"), &truth)
	var major, minor int
	if _, err := fmt.Sscanf(strings.TrimPrefix(truth.Node, "v"), "%d.%d", &major, &minor); err != nil {
		t.Fatalf("%q: %v", truth.Node, err)
	}
	return truth.WorkerNames, major > 18 || major == 18 && minor >= 16
}
