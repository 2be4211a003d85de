package coretest

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"coredbg/internal/liveset"
)

// ended notes how a test ended, which goes on: Live's callers do not.
type ended struct {
	testing.TB
	how string
}

func (e *ended) Skip(...any)           { e.end("skip") }
func (e *ended) Skipf(string, ...any)  { e.end("skip") }
func (e *ended) Fatal(...any)          { e.end("fail") }
func (e *ended) Fatalf(string, ...any) { e.end("fail") }
func (e *ended) end(how string) {
	e.how = how
	panic(e)
}

// run calls what may end a test.
func (e *ended) run(f func()) {
	defer func() {
		if r := recover(); r != nil && r != any(e) {
			panic(r)
		}
	}()
	f()
}

func TestLive(t *testing.T) {
	dirs := func(names ...string) string {
		root := t.TempDir()
		for _, dir := range names {
			if err := os.MkdirAll(filepath.Join(root, dir), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		return root
	}
	whole, part := dirs("node-24-deep", "node-26-deep", "art-11", "failed/node-24-oom"), dirs("art-11")
	if err := os.WriteFile(filepath.Join(part, "part"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	row := func(kinds ...string) *liveset.Test {
		return &liveset.Test{Package: "p", Name: "TestLive", Kinds: kinds}
	}
	for _, c := range []struct {
		root  string
		row   *liveset.Test
		kinds []string
		want  int
		how   string
	}{
		{whole, row("node-*-deep"), nil, 2, ""},
		{whole, row("node-*-deep", "art-*"), nil, 3, ""},
		{whole, row("node-*-deep", "art-*"), []string{"art-*"}, 1, ""},
		{whole, row("node-*-deep"), []string{"art-*"}, 0, "fail"}, // the row does not have it
		{whole, nil, nil, 0, "fail"},
		{whole, row("node-*-deep", "macho-*"), nil, 0, "fail"},
		{whole, row("macho-files/*"), nil, 0, "fail"},
		{whole, row("node-*-oom"), nil, 0, "skip"}, // made, and failed
		{whole, row("node-*-oom", "art-*"), nil, 1, ""},
		{part, row("node-*-oom", "art-*"), nil, 1, ""},
		{part, row("node-*-oom"), nil, 0, "skip"},
	} {
		set, err := liveset.Open(c.root, "")
		if err != nil {
			t.Fatal(err)
		}
		e := &ended{TB: t}
		var got []string
		e.run(func() { got = live(e, set, c.row, c.kinds) })
		if len(got) != c.want || e.how != c.how || !slices.IsSorted(got[:min(len(got), 2)]) {
			t.Errorf("%+v %q: %q, ended %q, want %d and %q", c.row, c.kinds, got, e.how, c.want, c.how)
		}
	}
}

// TestLiveOf: Live looks for the row of the calling test. The table has no row for this one.
func TestLiveOf(t *testing.T) {
	for root, want := range map[string]string{"": "skip", t.TempDir(): "fail"} {
		t.Setenv("COREDBG_LIVE", root)
		t.Setenv("COREDBG_LIVE_SET", "")
		e := &ended{TB: t}
		e.run(func() { Live(e) })
		if e.how != want {
			t.Errorf("%q: ended %q, want %q", root, e.how, want)
		}
	}
}

func TestFolder(t *testing.T) {
	for function, want := range map[string]string{
		"coredbg/walk/cfi.TestLiveAgainstDelve":           "walk/cfi",
		"coredbg/runtimes/v8_test.liveCores":              "runtimes/v8",
		"coredbg/internal/e2e.TestLiveRealms.func1":       "internal/e2e",
		"coredbg/core/sym.(*files).open":                  "core/sym",
		"coredbg/internal/e2e.records[coredbg/core.Addr]": "internal/e2e",
	} {
		if got := folder(function); got != want {
			t.Errorf("%s: %s, want %s", function, got, want)
		}
	}
}
