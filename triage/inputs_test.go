package triage

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// files makes files with their contents in a folder that becomes the current one.
func files(t *testing.T, contents map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range contents {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// elfCore begins as a core of 64-bit ELF does.
const elfCore = "\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x04\x00\x3e\x00\x00\x00\x00\x00"

func TestCores(t *testing.T) {
	files(t, map[string]string{
		"a/core": "x", "a/core.12": "x", "a/core.c": "int main;", "a/truth.json": "{}", "a/deep/dump": elfCore,
		"a/deep/core.zst": "x",
		"b/app.core":      "x", "b/app.core.7.gz": "x", "b/app.cdb": "x", "b/score": "x\x01", "b/core.h": "x",
		"b/crash": "\x7fELF\x02\x01\x01",
		"list":    "a/core\nb/app.cdb\n\nnowhere\n", "zero": "b/odd\nname\x00a/core\x00", "b/odd\nname": elfCore,
	})
	for want, args := range map[string][]string{
		"a/core a/core.12 a/deep/core.zst a/deep/dump":                          {"a"},
		"b/app.cdb b/app.core b/app.core.7.gz b/odd\nname":                      {"b"},
		"a/core b/app.cdb nowhere":                                              {"list", "a/core"},
		"b/score a/core a/core.12 a/deep/core.zst a/deep/dump":                  {"b/score", "a"},
		"a/core a/core.12 a/core.c":                                             {"a/core*"},
		"a/core a/core.12 a/deep/core.zst b/app.cdb b/app.core b/app.core.7.gz": {"*/**/*core*", "**/*.cdb"},
		"a/deep/core.zst a/deep/dump":                                           {"*/d[e]ep"},
		"in":                                                                    {"-"},
	} {
		got, err := Cores(args, strings.NewReader("in\n"), false)
		if slices.Sort(got); err != nil || strings.Join(got, " ") != strings.Join(sorted(want), " ") {
			t.Errorf("%q: %q, %v; want %q", args, got, err, want)
		}
	}
	if got, err := Cores([]string{"zero"}, nil, true); err != nil ||
		!slices.Equal(got, []string{"b/odd\nname", "a/core"}) {
		t.Errorf("%q, %v", got, err)
	}
	for _, arg := range []string{"nowhere", "no*", "[", "b/*/x"} {
		if got, err := Cores([]string{arg}, nil, false); err == nil {
			t.Errorf("%q: %q", arg, got)
		}
	}
}

// sorted splits a list at its blanks.
func sorted(list string) []string {
	all := strings.Split(list, " ")
	slices.Sort(all)
	return all
}

func TestShard(t *testing.T) {
	all := []string{"a", "b", "c", "d", "e"}
	var parts []string
	for i := 1; i <= 3; i++ {
		parts = append(parts, strings.Join(Shard(all, i, 3), ""))
	}
	if got := strings.Join(parts, " "); got != "ad be c" {
		t.Error(got)
	}
	if len(Shard(all, 7, 9)) != 0 {
		t.Error("a part without cores has some")
	}
}
