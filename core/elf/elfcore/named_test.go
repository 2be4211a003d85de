package elfcore_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/elf/elfcore"
	"coredbg/core/elf/elftest"
)

// TestExecutableByBuildID: the core does not say which image is the executable, as valgrind's does not.
// It is the file that the user names, if an image has that file's build-id.
func TestExecutableByBuildID(t *testing.T) {
	b := elftest.AMD64()
	lib, exe := b.Library([]byte("build-id-of-a-library"), 0x2000, 0xcc),
		b.Library([]byte("build-id-of-program-x"), 0x2000, 0xdd)
	dir := t.TempDir()
	path := filepath.Join(dir, "program")
	if err := os.WriteFile(path, exe, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, fits := range []bool{true, false} {
		second := exe
		if !fits {
			second = b.Library([]byte("build-id-of-program-y"), 0x2000, 0xdd)
		}
		data := elftest.AMD64().Thread(1, 11, 0).Load(0x400000, 0x2000, rx, firstPage(lib)).Load(0x600000, 0x2000, rx,
			firstPage(second)).Core()
		p, err := elfcore.Open(core.Bytes(data), "core", elfcore.Options{Exe: path, Files: noFiles{}})
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
