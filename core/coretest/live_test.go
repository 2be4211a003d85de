package coretest_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"coredbg/core/coretest"
)

// ended notes how a test ended, which goes on: Live's callers do not.
type ended struct {
	testing.TB
	how string
}

func (e *ended) Skip(...any)           { e.end("skip") }
func (e *ended) Skipf(string, ...any)  { e.end("skip") }
func (e *ended) Fatalf(string, ...any) { e.end("fail") }
func (e *ended) end(how string) {
	e.how = how
	panic(e)
}

func TestLive(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"node-24-deep", "node-26-deep", "art-11", "failed/node-24-oom"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	part := t.TempDir()
	for _, name := range []string{"part", "art-11"} {
		if err := os.WriteFile(filepath.Join(part, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		root  string
		kinds []string
		want  int
		how   string
	}{
		{"", []string{"node-*-deep"}, 0, "skip"},
		{root, []string{"node-*-deep"}, 2, ""},
		{root, []string{"node-*-deep", "art-*"}, 3, ""},
		{root, []string{"node-*-deep", "macho-*"}, 0, "fail"},
		{root, []string{"macho-files/*"}, 0, "fail"},
		{root, []string{"node-*-oom"}, 0, "skip"}, // made, and failed
		{root, []string{"node-*-oom", "art-*"}, 1, ""},
		{part, []string{"node-*-oom", "art-*"}, 1, ""},
		{part, []string{"node-*-oom"}, 0, "skip"},
	} {
		t.Setenv("COREDBG_LIVE", c.root)
		e := &ended{TB: t}
		var got []string
		func() {
			defer func() {
				if r := recover(); r != nil && r != any(e) {
					panic(r)
				}
			}()
			got = coretest.Live(e, c.kinds...)
		}()
		if len(got) != c.want || e.how != c.how || !slices.IsSorted(got[:min(len(got), 2)]) {
			t.Errorf("%q: %q, ended %q, want %d and %q", c.kinds, got, e.how, c.want, c.how)
		}
	}
}
