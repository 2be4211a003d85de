package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestReadme runs each command of the transcripts in the README and the tour and compares its output with the
// page, or with -update writes it into the page.
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
	sameTime(t, "testdata/cores")
	open := newCores(root)
	for page, least := range map[string]int{"README.md": 6, "docs/tour.md": 15, "docs/triage.md": 2} {
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
				var stdout, stderr bytes.Buffer
				code := open.shown(t, s.command, &stdout, &stderr)
				if code == exitOK && today.ReplaceAllString(stdout.String(),
					"") == today.ReplaceAllString(s.output, "") {
					return
				}
				if *update && code == exitOK {
					before := "$ " + s.command + "\n"
					text = bytes.Replace(text, []byte(before+s.output), []byte(before+stdout.String()), 1)
				} else {
					t.Errorf("%s: exit code %d\n%s%s\nwant:\n%s", s.command, code, &stdout, &stderr, s.output)
				}
			})
		}
		if *update {
			if err := os.WriteFile(page, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// sameTime gives the cores of a folder one time. Their own is the time of their checkout, which may have been
// in parts, and groups of cores are sorted by it.
func sameTime(t *testing.T, dir string) {
	t.Helper()
	cores, err := filepath.Glob(filepath.Join(dir, "*.cdb"))
	if err != nil || len(cores) == 0 {
		t.Fatalf("no cores in %s: %v", dir, err)
	}
	now := time.Now()
	for _, path := range cores {
		if err := os.Chtimes(path, now, now); err != nil {
			t.Fatal(err)
		}
	}
}

// today matches dates: files have the dates of their checkout.
var today = regexp.MustCompile(`\b20\d\d-\d\d-\d\d\b`)

// shown runs a line of a page. A command that reads each core in a process of its own, or pipes to another
// program, is given to the shell.
func (c *cores) shown(t *testing.T, line string, stdout, stderr io.Writer) int {
	words := shellWords(line)
	if words != nil && words[0] == "coredbg" && words[1] != "triage" {
		return c.run(stdout, stderr, words[1:]...)
	}
	if !strings.HasPrefix(line, "coredbg ") {
		t.Fatalf("%s: not a call of coredbg", line)
	}
	cmd := exec.Command("sh", "-c", line)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatalf("%s: %v", line, err)
	}
	return cmd.ProcessState.ExitCode()
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

// A transcript is a command of a page and its output there.
type transcript struct{ command, output string }

// transcripts returns the transcripts in the ```console blocks: a command follows "$ ", and its output goes up
// to the next one.
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
