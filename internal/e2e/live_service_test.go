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

// changing are the parts of an output that differ from one core of a program to the next: addresses, and how
// many objects fitted.
var changing = regexp.MustCompile(`\b(0x)?[0-9a-f]*[0-9][0-9a-f]*\b| +`)

// TestLiveService runs the tour's session with a Java service that ran out of memory. Its output is what the
// tour shows, except for addresses and numbers.
func TestLiveService(t *testing.T) {
	for _, file := range coretest.Live(t) {
		checkSession(t, "A Java service that ran out of memory", file, coredbg.Options{})
	}
}

// TestLiveNativeLock runs the tour's session with a deadlock through a native lock, as TestLiveService does.
func TestLiveNativeLock(t *testing.T) {
	for _, file := range coretest.Live(t) {
		root := filepath.Join(filepath.Dir(file), "root")
		checkSession(t, "A deadlock through a native lock", file,
			coredbg.Options{Sysroot: root, Search: []string{root}})
	}
}

// TestLiveNodeService runs the tour's session with a Node service whose memory is native. The program has 60
// streams of zlib that the property clients of Hub holds (sources/v8/service.js).
func TestLiveNodeService(t *testing.T) {
	for _, file := range coretest.Live(t) {
		checkSession(t, "A Node service whose memory is native", file, coredbg.Options{})
	}
}

// checkSession compares the three commands of a session of the tour with the output for a core. The tour
// calls the program's folder /srv.
func checkSession(t *testing.T, title, file string, o coredbg.Options) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "tour.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, session, _ := strings.Cut(string(page), "### "+title+"\n")
	session, _, _ = strings.Cut(session, "\n##")
	blocks := regexp.MustCompile("(?s)```text\n(\\$ [^\n]*)\n(.*?)```").FindAllStringSubmatch(session, -1)
	if len(blocks) != 3 {
		t.Fatalf("the session has %d commands, want 3", len(blocks))
	}
	var text bytes.Buffer
	o.Stdout = &text
	s, err := coredbg.Open(file, o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, b := range blocks {
		text.Reset()
		for _, c := range commandOf.FindAllStringSubmatch(b[1], -1) {
			if err := s.Run(t.Context(), c[1]); err != nil {
				t.Errorf("%s: %s: %v", file, c[1], err)
			}
		}
		plain := strings.ReplaceAll(text.String(), filepath.Dir(file), "/srv")
		got, want := changing.ReplaceAllString(plain, "#"), changing.ReplaceAllString(b[2], "#")
		if got != want {
			t.Errorf("%s: %s\n%s\nwant, except for numbers,\n%s", file, b[1], text.String(), b[2])
		}
	}
}
