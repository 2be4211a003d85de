package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
)

// commandOf finds the commands of a line of the tour.
var commandOf = regexp.MustCompile(`-e '([^']*)'`)

// changing are the parts of an output that differ from one core of a program to the next: addresses, and how many objects fitted.
var changing = regexp.MustCompile(`\b[0-9a-f]*[0-9][0-9a-f]*\b| +`)

// TestLiveService runs the tour's session with a Java service that ran out of memory. Its output is what the tour shows, except for
// addresses and numbers.
func TestLiveService(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "tour.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, session, _ := strings.Cut(string(page), "### A Java service that ran out of memory\n")
	session, _, _ = strings.Cut(session, "\n## ")
	blocks := regexp.MustCompile("(?s)```text\n(\\$ [^\n]*)\n(.*?)```").FindAllStringSubmatch(session, -1)
	if len(blocks) != 3 {
		t.Fatalf("the session has %d commands, want 3", len(blocks))
	}
	for _, file := range coretest.Live(t) {
		var text bytes.Buffer
		s, err := coredbg.Open(file, coredbg.Options{Stdout: &text})
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range blocks {
			text.Reset()
			for _, c := range commandOf.FindAllStringSubmatch(b[1], -1) {
				if err := s.Run(t.Context(), c[1]); err != nil {
					t.Errorf("%s: %s: %v", file, c[1], err)
				}
			}
			got, want := changing.ReplaceAllString(text.String(), "#"), changing.ReplaceAllString(b[2], "#")
			if got != want {
				t.Errorf("%s: %s\n%s\nwant, except for numbers,\n%s", file, b[1], text.String(), b[2])
			}
		}
		s.Close()
	}
}
