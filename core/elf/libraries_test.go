package elf

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"coredbg/core/elf/elftest"
	"coredbg/core/find"
)

// TestLibraryPlaces finds libraries that are known by a name and a build-id, as the modules of
// Crashpad's dumps are.
func TestLibraryPlaces(t *testing.T) {
	root := t.TempDir()
	id, other := []byte{0xaa, 0xbb, 0xcc, 0xdd}, []byte{0x11, 0x22, 0x33}
	b := elftest.AMD64()
	put := func(path string, data []byte) string {
		path = filepath.Join(root, path)
		os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good, wrong := b.Library(id, 4096, 1), b.Library(other, 4096, 2)
	put("etc/ld.so.conf", []byte("# folders\ninclude ld.so.conf.d/*.conf\ninclude /etc/ld.so.conf\n/opt/a, /opt/b # two\nrelative\n"))
	put("etc/ld.so.conf.d/x.conf", []byte("/opt/included\n"))
	put("etc/ld.so.conf.d/x.txt", []byte("/opt/not\n"))
	put("opt/not/never.so", good)
	put("lib/other.so", wrong)
	put("opt/a/wrong.so", wrong)
	for _, c := range []struct {
		name, near string
		id         []byte
		from       string
		refused    int
	}{
		{"included.so", "", id, put("opt/included/included.so", good), 0},
		{"listed.so", "", id, put("opt/b/listed.so", good), 0},
		{"usual.so", "", id, put("usr/lib/usual.so", good), 0},
		{"beside.so", "/app/bin/program", id, put("app/bin/beside.so", good), 0},
		{"wrong.so", "", id, put("usr/lib64/wrong.so", good), 0}, // the one of opt/a was a guess
		{"other.so", "", id, "", 1},
		{"never.so", "", id, "", 0},
		{"usual.so", "", nil, "", 0}, // any may have that name
		{"../lib/usual.so", "", id, "", 0},
		{"..", "", id, "", 1}, // a folder
	} {
		got := (Disk{Disk: find.Disk{Sysroot: root}}).Find(context.Background(),
			find.Want{Path: c.name, Near: c.near, ID: c.id})
		if got.From != c.from || len(got.Refused) != c.refused {
			t.Errorf("%s: %q, refused %v; want %q and %d", c.name, got.From, got.Refused, c.from, c.refused)
		}
		if got.Source != nil {
			got.Source.Close()
		}
	}
}
