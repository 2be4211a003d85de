package e2e

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
)

// TestLiveEnviron: process.env equals util.inspect's output in the program (env.js), which had changed
// it. A worker thread's environment, which only C++ has, is reported as unknown.
func TestLiveEnviron(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			var truth struct {
				Printed, Nested string
				Names           []string
				Values          map[string]string
			}
			readJSON(t, filepath.Join(filepath.Dir(path), "truth.json"), &truth)
			for line, want := range map[string]string{
				"::jsprint -x globalThis.process.env":                   truth.Printed,
				"::jsprint -x -d 0 globalThis.environment.named":        truth.Nested,
				"::jsprint globalThis.environment.held.LONG":            "'" + truth.Values["LONG"] + "'",
				"::jsprint -b globalThis.process.env | ::jsprint EMPTY": "''",
			} {
				if out, stderr := drive(t, path, nil, line); strings.TrimRight(out, "\n") != want {
					t.Errorf("%s prints %q, %q; want %q", line, out, stderr, want)
				}
			}
			if out, stderr := drive(t, path, nil, "::jsprint globalThis.process.env.GONE"); out != "" ||
				!strings.Contains(stderr, "no such property") {
				t.Errorf("a variable that was deleted is %q, %q", out, stderr)
			}
			type value struct{ Value map[string]any }
			got := records[value](t, openLive(t, path), "::jsprint globalThis.process.env")
			if len(got) != 1 || len(got[0].Value) != len(truth.Values) {
				t.Fatalf("as JSON it is %v, want %v", got, truth.Values)
			}
			for name, want := range truth.Values {
				if got[0].Value[name] != want {
					t.Errorf("%s is %q, want %q", name, got[0].Value[name], want)
				}
			}
			checkRedactedEnviron(t, path, truth.Values)
			type worker struct{ TID int }
			for _, x := range records[worker](t, openLive(t, path), "::isolates")[1:] {
				out, _ := drive(t, path, nil, "::thread "+strconv.Itoa(x.TID)+"; ::jsprint globalThis.process.env")
				if strings.Contains(out, "ADDED") || !strings.Contains(out, "interceptor") {
					t.Errorf("process.env of the worker %d is %s", x.TID, out)
				}
			}
		})
	}
}

// checkRedactedEnviron wants nothing of the environment in a redacted bundle.
func checkRedactedEnviron(t *testing.T, path string, values map[string]string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "redacted.cdb")
	b, err := coredbg.PlanBundle(t.Context(), path, coredbg.Options{}, coredbg.BundleOptions{Redact: true})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := b.Write(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	out, stderr := drive(t, name, nil, "::jsprint globalThis.process.env", "::jsprint globalThis.process.env.LONG")
	if !strings.Contains(out, "redacted") || !strings.Contains(stderr, "redacted") ||
		strings.Contains(out+stderr, values["LONG"]) {
		t.Errorf("of a redacted bundle process.env is %q, %q", out, stderr)
	}
}
