package main

import (
	"bytes"
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"coredbg"
	"coredbg/cmd/coredbg/cmdline"
	"coredbg/commands/out"
)

// TestForeignFlags: a flag of another debugger is answered with its counterpart here, and a misspelt one with
// the nearest flag; both are mistakes.
func TestForeignFlags(t *testing.T) {
	for args, want := range map[string]string{
		"-eval-command bt core":       "-eval-command: -e COMMAND runs a command\n",
		"-batch core":                 "-batch: with -e or -f it ends by itself",
		"--corefile=x":                "-corefile: the core is the last argument",
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

// TestForeignFlagsAreForeign: no flag of coredbg's own is answered as another debugger's.
func TestForeignFlagsAreForeign(t *testing.T) {
	newFlags(&flags{}).VisitAll(func(f *flag.Flag) {
		if here := cmdline.Foreign(f.Name); here != "" {
			t.Errorf("-%s is coredbg's own, and not %q", f.Name, here)
		}
	})
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
