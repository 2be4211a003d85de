//go:build linux

package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestSeeds holds the operands of coredbg, and the file that is damaged, to the seed as it is typed.
func TestSeeds(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"core", "p.map", "disk/lib/x.so"} {
		if err := os.MkdirAll(filepath.Dir(at(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at(name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for _, c := range []struct{ seed, args, target string }{
		{"core", "W/core", "W/core"},
		{"core,perf-map=p.map", "-perf-map=W/p.map D/core", "W/p.map"},
		{"core,search=disk", "-search=W/disk D/core", "W/disk/lib/x.so"},
		{"core,+sysroot=disk", "-sysroot=D/disk W/core", "W/core"},
		{"core,+sysroot=disk,+perf-map=p.map", "-sysroot=D/disk -perf-map=D/p.map W/core", "W/core"},
		{"core,+sysroot=disk,perf-map=p.map", "-sysroot=D/disk -perf-map=W/p.map D/core", "W/p.map"},
	} {
		seeds, err := readSeeds([]string{c.seed})
		if err != nil {
			t.Fatal(err)
		}
		work := t.TempDir()
		args, target, err := seeds[0].copyTo(work, rand.New(rand.NewPCG(1, 1)))
		if err != nil {
			t.Fatal(err)
		}
		places := strings.NewReplacer("W/", work+"/", "D/", dir+"/")
		if want := strings.Fields(places.Replace(c.args)); !slices.Equal(args, want) ||
			target != places.Replace(c.target) {
			t.Errorf("%s: %q and %s, want %q and %s", c.seed, args, target, want, c.target)
		}
	}
	for _, bad := range []string{"", "gone", "core,p.map", "core,perf-map=gone", "core,search=disk,perf-map=p.map"} {
		if seeds, err := readSeeds([]string{bad}); err == nil {
			t.Errorf("%q: %v", bad, seeds)
		}
	}
}
