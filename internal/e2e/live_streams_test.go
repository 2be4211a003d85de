package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
)

// TestLiveStreams: a program of Node that has written to its standard streams has them, with the numbers that POSIX
// gives them. A lean bundle lacks the text of the getters that keep them, and still has them.
func TestLiveStreams(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			core := filepath.Join(dir, "core")
			plan, err := coredbg.PlanBundle(t.Context(), core, coredbg.Options{}, coredbg.BundleOptions{Lean: true})
			if err != nil {
				t.Fatal(err)
			}
			defer plan.Close()
			lean := filepath.Join(t.TempDir(), "lean.cdb")
			f, err := os.Create(lean)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if _, err := plan.Write(t.Context(), f); err != nil {
				t.Fatal(err)
			}
			for _, path := range []string{core, lean} {
				numbers := map[string]string{"process.stdout.fd": "1\n", "process.stderr.fd": "2\n"}
				for expression, want := range numbers {
					if got := printed(t, openLive(t, path), "::jsprint "+expression); got != want {
						t.Errorf("%s of %s: %q, want %q", expression, filepath.Base(path), got, want)
					}
				}
			}
		})
	}
}

// TestLiveGlobalGetters: a getter of a global gets globalThis as its receiver. The getter of crypto throws if it
// gets another one, and oom.js asks for no crypto.
func TestLiveGlobalGetters(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			got := printed(t, openLive(t, filepath.Join(dir, "core")), "::jsprint crypto")
			if !strings.HasPrefix(got, "<not in the core: crypto is ") {
				t.Errorf("crypto is %q", got)
			}
		})
	}
}
