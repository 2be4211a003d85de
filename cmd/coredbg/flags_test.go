package main

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg"
	"coredbg/commands/out"
)

// TestMaxSize opens a compressed file that unpacks to more than is allowed.
func TestMaxSize(t *testing.T) {
	path := filepath.Join(t.TempDir(), "core.gz")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	z.Write(make([]byte, 8<<20))
	z.Close()
	f.Close()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for _, args := range [][]string{{"-max-size", "1M", path},
		{"bundle", "-o", path + ".cdb", "-max-size", "1M", path}} {
		stderr, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
		if err != nil {
			t.Fatal(err)
		}
		code := run(args, coredbg.Open, null, out.NewTerminal(null), out.NewTerminal(stderr))
		stderr.Seek(0, io.SeekStart)
		said, _ := io.ReadAll(stderr)
		stderr.Close()
		if code != exitFatal || !strings.Contains(string(said),
			"unpack to more than 1 MiB (-max-size SIZE allows more)") || strings.Count(string(said), path) != 1 {
			t.Errorf("%q: exit %d\n%s", args, code, said)
		}
	}
}

// TestNoCache: sessions of a user's own keep indexes, unless they are told not to.
func TestNoCache(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", "/of/the/user")
	t.Setenv("HOME", "/home/user")
	t.Setenv("LocalAppData", "/of/the/user")
	f, err := parseFlags([]string{"core"}, nil, nil)
	if err != nil || f.options(nil, nil, nil, nil).Indexes != coredbg.UserIndexes() ||
		!strings.HasSuffix(filepath.ToSlash(coredbg.UserIndexes()), "/coredbg/index") {
		t.Error(coredbg.UserIndexes(), err)
	}
	if f, err = parseFlags([]string{"--no-cache", "core"}, nil, nil); err != nil ||
		f.options(nil, nil, nil, nil).Indexes != "" {
		t.Error(err)
	}
}
