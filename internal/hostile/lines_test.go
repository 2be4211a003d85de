//go:build linux

package main

import (
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coredbg"
	"coredbg/commands/lang"
)

// TestLinesCover checks that lines cover all commands that read the core: the commands of the decoders'
// modules, except for commands that set or write something.
func TestLinesCover(t *testing.T) {
	all := " " + strings.Join(lines, " ") + " "
	silent := []string{
		"v8load", "v8field", "artload", "nmadd", "nmdel", "thread", "goroutine", // change what is looked at
		"heapdiff", // needs another core
	}
	for _, c := range coredbg.Registry().Commands() {
		if c.Module == "mdb" || c.Silent || c.Filter != nil || slices.Contains(silent, c.Name) {
			continue
		}
		name := "::" + c.Name
		if strings.HasPrefix(c.Name, "$") {
			name = c.Name
		}
		if !strings.Contains(all, name+" ") && !slices.Contains(lines, name) {
			t.Errorf("no line runs %s", name)
		}
	}
}

// TestLinesAreTyped runs all lines on a whole core: none may ask in a way that its
// command does not know.
func TestLinesAreTyped(t *testing.T) {
	null, err := filepath.Abs("../../testdata/cores/null.cdb")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	s, err := coredbg.Open(null, coredbg.Options{Stdout: io.Discard, Stderr: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, line := range lines {
		if err := s.Run(t.Context(), line); errors.Is(err, lang.ErrUsage) {
			t.Errorf("%s: %v", line, err)
		}
	}
}
