package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"coredbg/internal/liveset"
)

var update = flag.Bool("update", false, "write what the commands print into the scripts")

// TestMain runs the tests with a coredbg in PATH that is this program: whoever starts
// it by that name gets main.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "coredbg" {
		main()
	}
	os.Unsetenv("DEBUGINFOD_URLS") // tests use only their own servers
	os.Exit(withProgram(func() int {
		defer closeOpened()
		return m.Run()
	}))
}

// withProgram calls do with a coredbg in PATH.
func withProgram(do func() int) int {
	dir, err := os.MkdirTemp("", "coredbg-test")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, filepath.Join(dir, "coredbg"))
	}
	if err == nil {
		err = os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	}
	if err != nil {
		log.Print(err)
		return 1
	}
	return do()
}

// TestScript runs the stories of testdata/script. Each has the tiny core in its folder. A story that needs a
// live core names it below $LIVE and skips without it: [!live:NAME] skip. A line that begins with "exec
// coredbg" is a process; one that begins with "coredbg" runs in this one, see cores. A story with an opening, a
// place where it asserts nothing, fails. With -update openings are filled in and the expectations rewritten:
// read the difference.
func TestScript(t *testing.T) {
	stories{t, "../../testdata/script", *update}.run()
}

// run runs the stories of a folder.
func (s stories) run() {
	live := os.Getenv("COREDBG_LIVE")
	corpus, err := filepath.Abs("../../testdata/cores")
	if err != nil {
		s.Fatal(err)
	}
	deadline, _ := s.Deadline()
	testscript.RunT(s, testscript.Params{
		Dir:           s.dir,
		Deadline:      deadline,
		UpdateScripts: s.update,
		Setup: func(e *testscript.Env) error {
			e.Setenv("LIVE", live)
			e.Setenv("CORES", corpus)
			e.Setenv("HOME", e.WorkDir)
			e.Values[coresKey{}] = newCores(e.WorkDir)
			return writeTiny(e.WorkDir)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"coredbg": coredbgLine},
		Condition: func(cond string) (bool, error) {
			kind, ok := strings.CutPrefix(cond, "live:")
			if !ok {
				return false, fmt.Errorf("unknown condition %q", cond)
			}
			return hasLive(live, kind+"/core")
		},
	})
}

// hasLive reports whether the live set in a folder has a core of a kind that the table
// gives stories. Where the core should be there and is not, it returns an error.
func hasLive(root, kind string) (bool, error) {
	row := liveset.Find("cmd/coredbg", "TestScript")
	if row == nil || !slices.Contains(row.Kinds, kind) {
		return false, fmt.Errorf("the table of coredbg/internal/liveset gives stories no %s", kind)
	}
	if root == "" {
		return false, nil
	}
	set, err := liveset.Open(root, os.Getenv("COREDBG_LIVE_SET"))
	if err != nil {
		return false, err
	}
	found, err := set.Find(kind)
	return len(found) > 0, err
}
