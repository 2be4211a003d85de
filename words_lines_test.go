package coredbg_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"coredbg"
	"coredbg/commands/foreign"
	"coredbg/commands/lang"
)

// TestWordsRun runs what is done for each word of another debugger: no command may find
// that it was called in a way it does not know.
func TestWordsRun(t *testing.T) {
	s, err := coredbg.Open("testdata/cores/null.cdb", coredbg.Options{Stdout: io.Discard, Stderr: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	n := 0
	for words, line := range foreign.Doings() {
		n++
		if line == "" {
			t.Errorf("%s: nothing runs", words)
		}
		line = strings.NewReplacer("ADDRESS", "<sp", "NAME", "main").Replace(line)
		if err := s.Run(t.Context(), line); errors.Is(err, lang.ErrUsage) {
			t.Errorf("%s: %s: %v", words, line, err)
		}
	}
	if n < 40 {
		t.Errorf("%d rows", n)
	}
}
