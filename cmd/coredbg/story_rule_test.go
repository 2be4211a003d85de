package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestOpenings finds each kind of opening, and takes no line for one that asserts something.
func TestOpenings(t *testing.T) {
	for _, c := range []struct {
		story string
		want  []string // how the openings begin
	}{
		{"# Words.\nmkdir a\n", []string{"the story does not run coredbg"}},
		{"coredbg -S a\n", []string{"line 1: "}},
		{"coredbg -S a\nstdout x\n", nil},
		{"coredbg -S a\n! stdout .\n", nil},
		{"coredbg -S a\n! stdout x\n", []string{"line 1: "}},
		{"coredbg -S a\nstderr x\n", []string{"line 1: "}},
		{"! coredbg -S a\nstderr x\n", nil},
		{"! coredbg -S a\nstderr .\n", []string{"line 1: ", "line 2: "}},
		{"coredbg -S a\nstdout ''\n", []string{"line 1: ", "line 2: "}},
		{"coredbg -S a\nstdout '.*'\nstdout x\n", []string{"line 2: "}},
		{"coredbg -S a\nexec cat b\nstdout x\n", []string{"line 1: "}},
		{"coredbg -S a\ncoredbg -S b\nstdout x\n", []string{"line 1: "}},
		{"coredbg -S a\n[unix] stdout x\n", []string{"line 1: "}},
		{"[unix] coredbg -S a\n[unix] stdout x\n", nil},
		// Files that are compared with.
		{"coredbg -S a\ncmp stdout b\n-- b --\nx\n", nil},
		{"coredbg -S a\ncmp stdout b\n-- b --\n", []string{"line 2: "}},
		{"coredbg -S a\ncmp stdout b\n", []string{"line 2: "}},
		{"coredbg -S a\ncp stdout b\ncoredbg -S c\ncmp stdout b\n", nil},
		{"coredbg -S a\ncp stdout b\n", []string{"line 1: "}},
		// Files that are written.
		{"exec coredbg -S -e '::hprof -o \"b c\"' a\nexec coredbg -S 'b c'\nstdout x\n", nil},
		{"exec coredbg -S -e '::hprof -o b.c' a\n! exec coredbg -S -e '::hprof -o b.c' a\nstderr x\n",
			[]string{"line 1: "}},
		{"exec coredbg -S -e '::stacks -o javacore' a\ncoredbg -S -e '::stacks -o javacore' b\nstdout x\n",
			[]string{"line 1: "}},
		{"exec coredbg corpus add -dir b\ngrep x b/y\n", nil},
		{"exec coredbg corpus add -dir b\n! grep x b/y\n", []string{"line 1: "}},
		{"! exec coredbg corpus add -dir b\ngrep x b/y\n", []string{"line 1: "}},
		// Shells.
		{"exec sh -c 'coredbg -S a > b; test $? = 3'\ngrep x b\n", nil},
		{"exec sh -c 'coredbg -S a > b; test $? = 1'\ngrep x b\n", []string{"line 1: "}},
		{"exec sh -c 'coredbg -S a; test $? = 1'\nstderr x\n", nil},
		{"exec sh -c 'test $(coredbg -S a) = 1'\n", nil},
		// Quotes and comments, as testscript has them.
		{"coredbg -S -e 'a ''b''' c # d\nstdout 'x y' # z\n", nil},
	} {
		var got []string
		for _, o := range storyOf(txtar.Parse([]byte(c.story))).open() {
			got = append(got, o.String())
		}
		same := len(got) == len(c.want)
		for i := 0; same && i < len(got); i++ {
			same = strings.HasPrefix(got[i], c.want[i])
		}
		if !same {
			t.Errorf("%s\nhas the openings %q, not %q", c.story, got, c.want)
		}
	}
}

const storyWithOpenings = `# The tiny core in a process, and one that ships in the test.
exec coredbg -S core -e 2+3=x
! exec coredbg -S core -e ::nosuch
coredbg -S -e '::echo one' $CORES/segv.cdb
coredbg -S -e '::echo two' $CORES/segv.cdb
stdout ''
coredbg -S -e '::echo three' $CORES/segv.cdb
cmp stdout missing.txt
[unix] coredbg -S -e '::echo four' $CORES/segv.cdb
[unix] cmp stdout empty.txt
[unix] coredbg -S -e '$q' $CORES/segv.cdb
! stdout 'words'
coredbg -S -e '::echo five' $CORES/segv.cdb
stdout '^five$'
-- words --
kept
-- empty.txt --
`

const storyFilled = `# The tiny core in a process, and one that ships in the test.
exec coredbg -S core -e 2+3=x
cmp stdout run.txt
! exec coredbg -S core -e ::nosuch
! stdout .
cmp stderr nosuch.err
coredbg -S -e '::echo one' $CORES/segv.cdb
cmp stdout echo.txt
coredbg -S -e '::echo two' $CORES/segv.cdb
cmp stdout echo-2.txt
coredbg -S -e '::echo three' $CORES/segv.cdb
cmp stdout missing.txt
[unix] coredbg -S -e '::echo four' $CORES/segv.cdb
[unix] cmp stdout empty.txt
[unix] coredbg -S -e '$q' $CORES/segv.cdb
[unix] ! stdout .
! stdout 'words'
coredbg -S -e '::echo five' $CORES/segv.cdb
stdout '^five$'
-- words --
kept
-- empty.txt --
four
-- run.txt --
5
-- nosuch.err --
coredbg: there is no command ::nosuch (::dcmds lists them)
-- echo.txt --
one
-- echo-2.txt --
two
-- missing.txt --
three
`

// TestFilling fills in the openings of a story, which passes then.
func TestFilling(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "story.txtar")
	if err := os.WriteFile(path, []byte(storyWithOpenings), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Run("update", func(t *testing.T) { stories{t, dir, true}.run() })
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := padding.ReplaceAllString(string(text), ""); got != storyFilled {
		t.Errorf("the story is now\n%s\nnot\n%s", got, storyFilled)
	}
	t.Run("again", func(t *testing.T) { stories{t, dir, false}.run() })
}

// padding finds the blanks that pad values, at the start of a line and at its end.
var padding = regexp.MustCompile(`(?m)^ +| +$`)

// TestFillingUnreached leaves openings that a story does not come to.
func TestFillingUnreached(t *testing.T) {
	path := filepath.Join(t.TempDir(), "story.txtar")
	const before = "coredbg -S a\n[unix] coredbg -S b\ncmp stdout c\n-- c --\n"
	if err := os.WriteFile(path, []byte(before), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := startFilling(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.finish(); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != before {
		t.Errorf("%v: the story is now\n%s", err, text)
	}
}
