package coretest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Live returns what the live set has of each kind: the paths below the folder
// COREDBG_LIVE that match one of the patterns, which are those of filepath.Glob.
// Without a live set the test is skipped. A set that lacks a kind fails it, as tests
// that quietly have nothing to look at are not tests; but not if cores of the kind could
// not be made (testdata/cores/make leaves these in the folder "failed"), which it said,
// nor if a file named "part" says that the folder is only a part of a set.
func Live(t testing.TB, kinds ...string) (paths []string) {
	t.Helper()
	root := os.Getenv("COREDBG_LIVE")
	if root == "" {
		t.Skip("COREDBG_LIVE names no folder with live cores (testdata/cores/make live makes them)")
	}
	_, err := os.Stat(filepath.Join(root, "part"))
	whole := err != nil
	for _, kind := range kinds {
		found, err := filepath.Glob(filepath.Join(root, kind))
		if err != nil {
			t.Fatal(err)
		}
		folder, _, _ := strings.Cut(kind, "/")
		if failed, _ := filepath.Glob(filepath.Join(root, "failed", folder)); len(found) == 0 && len(failed) == 0 && whole {
			t.Fatalf("the live set %s has nothing of the kind %s", root, kind)
		}
		paths = append(paths, found...)
	}
	if len(paths) == 0 {
		t.Skipf("the live set %s has nothing of %q: it could not be made, or is in another part", root, kinds)
	}
	return paths
}
