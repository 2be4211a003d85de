package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReadme runs each command of the transcripts in the README and the tour and
// compares what it prints with what they show.
func TestReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("it opens cores of Node")
	}
	t.Chdir("../..")
	t.Setenv("HOME", t.TempDir())
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	open := newCores(root)
	defer open.close()
	for page, least := range map[string]int{"README.md": 4, "docs/tour.md": 15} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		shown := transcripts(string(text))
		if len(shown) < least {
			t.Fatalf("only %d commands in the transcripts of %s", len(shown), page)
		}
		for i, s := range shown {
			t.Run(fmt.Sprintf("%s/%02d", strings.TrimSuffix(filepath.Base(page), ".md"), i), func(t *testing.T) {
				words := shellWords(s.command)
				if words == nil || words[0] != "coredbg" {
					t.Fatalf("%s: not a plain call of coredbg", s.command)
				}
				var stdout, stderr bytes.Buffer
				if code := open.run(&stdout, &stderr, words[1:]...); code != exitOK || stdout.String() != s.output {
					t.Errorf("%s: exit code %d\n%s%s\nwant:\n%s", s.command, code, &stdout, &stderr, s.output)
				}
			})
		}
	}
}

// shellWords splits a line as a shell does; nil if there is more to it than words,
// some of them in single quotes.
func shellWords(line string) (words []string) {
	for _, w := range regexp.MustCompile(`'[^']*'|\S+`).FindAllString(line, -1) {
		if bare := strings.TrimSuffix(strings.TrimPrefix(w, "'"), "'"); len(bare) == len(w)-2 {
			w = bare
		} else if strings.ContainsAny(w, "'\"\\$`|&;<>()*?[]{}~#") {
			return nil
		}
		words = append(words, w)
	}
	return words
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
