package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestReadme runs each command of the transcripts in the README and the tour and
// compares what it prints with what they show.
func TestReadme(t *testing.T) {
	dir := t.TempDir()
	for page, least := range map[string]int{"README.md": 4, "docs/tour.md": 15} {
		text, err := os.ReadFile(filepath.Join("../..", page))
		if err != nil {
			t.Fatal(err)
		}
		shown := transcripts(string(text))
		if len(shown) < least {
			t.Fatalf("only %d commands in the transcripts of %s", len(shown), page)
		}
		name := strings.ToLower(strings.TrimSuffix(filepath.Base(page), ".md"))
		for i, s := range shown {
			script := fmt.Sprintf("# %s\nexec sh -c '%s'\ncmp stdout want\n-- want --\n%s",
				s.command, strings.ReplaceAll(s.command, "'", "''"), s.output)
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s%02d.txtar", name, i)), []byte(script), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	testdata, err := filepath.Abs("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: dir,
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", e.WorkDir)
			return os.Symlink(testdata, filepath.Join(e.WorkDir, "testdata"))
		},
	})
}

// A transcript is a command of a page and what the page says that it prints.
type transcript struct{ command, output string }

// transcripts returns those in the ```console blocks: a command follows "$ ",
// and its output goes up to the next one.
func transcripts(text string) []transcript {
	var found []transcript
	inside := false
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "```"):
			inside = strings.TrimSpace(line) == "```console"
		case !inside:
		case strings.HasPrefix(line, "$ "):
			found = append(found, transcript{command: strings.TrimSpace(line[2:])})
		case len(found) > 0:
			found[len(found)-1].output += line
		}
	}
	return found
}
