package elf

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core"
)

// TestExecutableByBuildID: the core says nothing of which image is the executable, as
// valgrind's does not. The file that the user names is, if it has the build-id of
// one.
func TestExecutableByBuildID(t *testing.T) {
	b := amd64Builder()
	lib, exe := b.library([]byte("build-id-of-a-library"), 0x2000, 0xcc), b.library([]byte("build-id-of-program-x"), 0x2000, 0xdd)
	dir := t.TempDir()
	path := filepath.Join(dir, "program")
	if err := os.WriteFile(path, exe, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, fits := range []bool{true, false} {
		second := exe
		if !fits {
			second = b.library([]byte("build-id-of-program-y"), 0x2000, 0xdd)
		}
		data := amd64Builder().thread(1, 11, 0).load(0x400000, 0x2000, rx, firstPage(lib)).load(0x600000, 0x2000, rx, firstPage(second)).core()
		p, err := Open(core.Bytes(data), "core", Options{Exe: path, Files: noFiles{}})
		if err != nil {
			t.Fatal(err)
		}
		m := p.Module(0x600100)
		if m == nil || m.Exe != fits || (m.Path == path) != fits || p.Module(0x400100).Exe {
			t.Errorf("fits %v: module %+v; %s", fits, m, warnings(p))
			continue
		}
		if f := m.Facts(); fits && (f.InMemory || f.Image == nil || !strings.HasSuffix(f.Image.Path(), "program")) {
			t.Errorf("the image is %v, %v", f.Image, f.Err)
		}
	}
}
