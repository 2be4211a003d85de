package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core/coretest"

	"coredbg"
)

// TestLiveBundledDebugInfo: a bundle has the parts of a program's debugging information that are in
// other files (.dwo, .dwp, and dwz' shared files), so that variables are the same without any other
// file. With Sources it also has the source of functions on stacks.
func TestLiveBundledDebugInfo(t *testing.T) {
	for _, file := range coretest.Live(t) {
		name := filepath.Base(filepath.Dir(file))
		t.Run(name, func(t *testing.T) {
			core := filepath.Join(filepath.Dir(file), "core")
			sources := coredbg.Options{Search: []string{"../../testdata/cores/sources/native"}}
			want := variablesOf(t, core, sources)
			if strings.Count(want, "\n") < 2 || strings.Contains(want, "is not there") ||
				!strings.Contains(want, `"type":"source"`) {
				t.Fatalf("without a bundle: %s", want)
			}
			b, err := coredbg.PlanBundle(t.Context(), core, sources, coredbg.BundleOptions{Sources: true})
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			path := filepath.Join(t.TempDir(), "b.cdb")
			f, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := b.Write(t.Context(), f); err != nil {
				t.Fatal(err)
			}
			f.Close()
			if got := variablesOf(t, path, coredbg.Options{Sysroot: t.TempDir()}); got != want {
				t.Errorf("from the bundle:\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// variablesOf returns the output of ::locals and ::print for a core of values.*.
func variablesOf(t *testing.T, path string, o coredbg.Options) string {
	var stdout, stderr bytes.Buffer
	o.Stdout, o.Stderr = &stdout, &stderr
	s, err := coredbg.Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.JSON = true
	for _, line := range []string{"::locals", "::args", "::print global_table", "::source"} {
		s.Run(t.Context(), line)
	}
	s.Out.Flush()
	return strings.ReplaceAll(stdout.String()+stderr.String(), filepath.Dir(path), "")
}
