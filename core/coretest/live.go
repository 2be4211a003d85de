package coretest

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"

	"coredbg/internal/liveset"
)

// Live returns the paths in the live set, the folder COREDBG_LIVE, or in the part of it that
// the file COREDBG_LIVE_SET lists by name, that match the calling
// test's kinds in the table of coredbg/internal/liveset. With arguments, which the table must
// have, it returns the paths that match these. Live skips the test if there is no live set, or
// if no core of the kinds belongs to it. It fails the test if the set lacks a kind that it
// should have.
func Live(t testing.TB, kinds ...string) []string {
	t.Helper()
	set := OpenLive(t)
	name, _, _ := strings.Cut(t.Name(), "/")
	return live(t, set, liveset.Find(caller(), name), kinds)
}

// OpenLive opens the live set, without which it skips the test.
func OpenLive(t testing.TB) *liveset.Set {
	t.Helper()
	root := os.Getenv("COREDBG_LIVE")
	if root == "" {
		t.Skip("COREDBG_LIVE names no folder with live cores (testdata/cores/make live makes them)")
	}
	set, err := liveset.Open(root, os.Getenv("COREDBG_LIVE_SET"))
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// live is Live for a row of the table.
func live(t testing.TB, set *liveset.Set, row *liveset.Test, kinds []string) (paths []string) {
	t.Helper()
	if row == nil {
		t.Fatalf("the table of coredbg/internal/liveset has no row for %s", t.Name())
	}
	if len(kinds) == 0 {
		kinds = row.Kinds
	}
	for _, kind := range kinds {
		if !slices.Contains(row.Kinds, kind) {
			t.Fatalf("the row of %s %s in coredbg/internal/liveset has no kind %s", row.Package, row.Name, kind)
		}
		found, err := set.Find(kind)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, found...)
	}
	if len(paths) == 0 {
		t.Skipf("the live set has nothing of %q: it could not be made, or is in another part", kinds)
	}
	return paths
}

// caller returns the folder of the package whose test calls Live.
func caller() string {
	pc := make([]uintptr, 8)
	frames := runtime.CallersFrames(pc[:runtime.Callers(3, pc)])
	f, _ := frames.Next()
	return folder(f.Function)
}

// folder returns the folder of the package of a function: "walk" for "coredbg/walk_test.TestLive".
func folder(function string) string {
	function, _, _ = strings.Cut(function, "[") // arguments of types have packages of their own
	path := function[:strings.LastIndexByte(function, '/')+1]
	name, _, _ := strings.Cut(function[len(path):], ".")
	return strings.TrimPrefix(path+strings.TrimSuffix(name, "_test"), "coredbg/")
}

// Programs skips a test that needs programs which are not installed. It fails the test
// on a machine with live cores, which has them all.
func Programs(t testing.TB, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			if os.Getenv("COREDBG_LIVE") != "" {
				t.Fatal(err)
			}
			t.Skip(err)
		}
	}
}
