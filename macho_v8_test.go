package coredbg_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg"
)

// TestMachOV8 holds the stacks and values of Node in cores that were rewritten as
// those of macOS to what the programs wrote down: the decoder must not depend on
// what a core and its images are made of.
func TestMachOV8(t *testing.T) {
	root := os.Getenv("COREDBG_LIVE")
	if root == "" {
		t.Skip("COREDBG_LIVE is not set: no live cores (testdata/cores/make live makes them)")
	}
	var files []string
	for _, name := range []string{"node-*-deep", "a64-node-*-deep"} {
		more, _ := filepath.Glob(filepath.Join(root, name, "truth.json"))
		files = append(files, more...)
	}
	if len(files) == 0 {
		t.Skip("no cores of Node")
	}
	for _, file := range files {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) { checkMachOV8(t, filepath.Dir(file)) })
	}
}

func checkMachOV8(t *testing.T, dir string) {
	var truth liveCore
	text, err := os.ReadFile(filepath.Join(dir, "truth.json"))
	if err == nil {
		err = json.Unmarshal(text, &truth)
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := coredbg.Open(filepath.Join(dir, truth.Core), liveOptions(t, dir, truth.Args))
	if err != nil {
		t.Fatal(err)
	}
	to := t.TempDir()
	path := newRewrite(t, s.Process, to).core()
	s.Process.Close()
	checkCore(t, path, coredbg.Options{Search: []string{to}}, truth)
	var stdout, stderr bytes.Buffer
	s, err = coredbg.Open(path, coredbg.Options{Search: []string{to}, Stdout: &stdout, Stderr: &stderr})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Process.Close()
	if s.Process.Format != "Mach-O core" {
		t.Fatalf("the core was rewritten as %s", s.Process.Format)
	}
	for _, c := range jsCases {
		stdout.Reset()
		_ = s.Run(context.Background(), c.line)
		got := stdout.String()
		whole, exact := strings.CutPrefix(c.want, "=")
		if exact && got != whole || !exact && !strings.Contains(got, c.want) {
			t.Errorf("%s shows\n%swant\n%s", c.line, got, whole)
		}
	}
}
