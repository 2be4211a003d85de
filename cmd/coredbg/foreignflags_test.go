package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"coredbg"
	"coredbg/commands/out"
)

// TestForeignFlags: a flag of another debugger is answered with what is given here, and
// a misspelt one with the one that it is near to; both are mistakes.
func TestForeignFlags(t *testing.T) {
	for args, want := range map[string]string{
		"-ex bt core":                 "-ex: -e COMMAND runs a command\n",
		"-batch core":                 "-batch: with -e or -f it ends by itself",
		"--core=x":                    "-core: the core is the last argument",
		"-p 12":                       "-p: coredbg does not attach to processes",
		"--serach /x core":            "-serach; did you mean --search?\n",
		"--wholly-unlike core":        "-wholly-unlike\n",
		"trige core":                  "there is no executable trige; did you mean coredbg triage?\n",
		"bundle --sysrot /x core":     "-sysrot; did you mean --sysroot?\n",
		"bundle -ex core":             "-ex\n",
		"triage -max-sise 1 whatever": "-max-sise; did you mean --max-size?\n",
	} {
		var stdout, stderr bytes.Buffer
		code := run(strings.Fields(args), coredbg.Open, nil, out.NewTerminal(&stdout), out.NewTerminal(&stderr))
		if code != exitUsage || !strings.Contains(stderr.String(), want) || stdout.Len() > 0 {
			t.Errorf("%s: exit %d, %s%s, want %s", args, code, &stdout, &stderr, want)
		}
	}
}

// TestForeignFlagsOnce: no flag is there twice, or is one of coredbg's own.
func TestForeignFlagsOnce(t *testing.T) {
	seen := map[string]bool{}
	own := newFlags(&flags{})
	for _, f := range foreignFlags {
		for _, name := range strings.Split(f.names, ", ") {
			if seen[name] || own.Lookup(name) != nil {
				t.Errorf("-%s is there twice", name)
			}
			seen[name] = true
		}
	}
}

// TestNoteMissing: what the command line names and is not there is said at once.
func TestNoteMissing(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none")
	var b bytes.Buffer
	f := &flags{executable: none, sysroot: "flags.go", search: []string{".", none}, debugDirs: []string{none}}
	f.noteMissing(&b)
	want := "coredbg: executable " + none + ": no such file\ncoredbg: -sysroot flags.go: not a folder\n" +
		"coredbg: -search " + none + ": no such folder\ncoredbg: -debug-dir " + none + ": no such folder\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", &b, want)
	}
}
