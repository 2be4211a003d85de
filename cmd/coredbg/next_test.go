package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"coredbg"
	"coredbg/commands/native"
)

// TestNextCommandsAnswer runs the commands that the first screen of each core names. Each has to answer: no error, and
// output.
func TestNextCommandsAnswer(t *testing.T) {
	for _, core := range corpusCores(t) {
		t.Run(filepath.Base(core), func(t *testing.T) { checkNext(t, core, true) })
	}
}

// checkNext runs the commands behind "next:" on a core's first screen: two and ::help. A strict one may not
// warn either.
func checkNext(t *testing.T, core string, strict bool) {
	var stdout, stderr bytes.Buffer
	s, err := coredbg.Open(core, coredbg.Options{Stdout: &stdout, Stderr: &stderr})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	native.Banner(t.Context(), s).Text(s.Out)
	s.Out.Flush()
	_, next, _ := strings.Cut(stdout.String(), "\nnext: ")
	commands := strings.Split(strings.TrimSpace(next), "   ")
	if len(commands) < 3 {
		t.Errorf("next: %q", next)
	}
	for _, c := range commands {
		stdout.Reset()
		stderr.Reset()
		err := s.Run(t.Context(), c)
		s.Out.Flush()
		if err != nil || stderr.Len() > 0 && strict || stdout.Len() == 0 {
			t.Errorf("%s: %d bytes, %v, %s", c, stdout.Len(), err, &stderr)
		}
		t.Logf("%s\n%s", c, firstLines(stdout.String(), 6))
	}
}

// firstLines returns the first n lines of a text.
func firstLines(text string, n int) string {
	lines := strings.SplitN(text, "\n", n+1)
	return strings.Join(lines[:min(n, len(lines))], "\n")
}
