package main

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write what the commands print into the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"coredbg": main})
}

// TestScript runs the stories of testdata/script. Each has the tiny core in
// its folder; those that need a live core name it below $LIVE and skip without
// one. With -update the expectations are rewritten: read the difference.
func TestScript(t *testing.T) {
	live := os.Getenv("COREDBG_LIVE")
	cores, err := filepath.Abs("../../testdata/cores")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:           "../../testdata/script",
		UpdateScripts: *update,
		Setup: func(e *testscript.Env) error {
			e.Setenv("LIVE", live)
			e.Setenv("CORES", cores)
			e.Setenv("HOME", e.WorkDir)
			return writeTiny(e.WorkDir)
		},
		Condition: func(cond string) (bool, error) {
			return cond == "live" && live != "", nil
		},
	})
}
