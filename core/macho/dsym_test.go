package macho

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/find"
	"coredbg/core/macho/format"
	"coredbg/core/macho/machotest"
)

// write puts files below a folder.
func write(t *testing.T, dir string, files map[string][]byte) {
	t.Helper()
	for name, b := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func bundleFile(d *Disk, uuid []byte, near string) (core.Source, string, []error) {
	got := d.Find(context.Background(), find.Want{Kind: find.Debug, ID: uuid, Near: near})
	return got.Source, got.From, got.Refused
}

// TestDebug finds dSYM bundles where macOS and builds have them.
func TestDebug(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string][]byte{
		"bin/a.dSYM/Contents/Resources/DWARF/a":               machotest.DSYMFile(1),
		"bin/b.dSYM/Contents/Resources/DWARF/b":               machotest.DSYMFile(9),
		"bin/c.dSYM/Contents/Resources/DWARF/renamed":         machotest.DSYMFile(3),
		"A.app.dSYM/Contents/Resources/DWARF/d":               machotest.DSYMFile(4),
		"store/2026/x/deep/e.dSYM/Contents/Resources/DWARF/e": machotest.DSYMFile(5),
		"store/fat.dSYM/Contents/Resources/DWARF/fat": machotest.FatFile([]int{format.CPUARM64,
			format.CPUX86_64}, machotest.ImageFile(format.CPUARM64, 7), machotest.DSYMFile(6)),
		"store/Java.class":                      []byte("\xca\xfe\xba\xbe\x00\x00\x00\x34"),
		"bin/f.dSYM/Contents/Resources/DWARF/f": []byte("garbage"),
	})
	write(t, dir, map[string][]byte{"root/usr/bin/r.dSYM/Contents/Resources/DWARF/r": machotest.DSYMFile(14)})
	rooted := &Disk{Disk: find.Disk{Search: []string{filepath.Join(dir, "store")}, Sysroot: filepath.Join(dir, "root")}}
	if src, _, refused := bundleFile(rooted, bytes.Repeat([]byte{1}, 16), filepath.Join(dir, "bin/a")); src != nil ||
		len(refused) > 0 {
		t.Errorf("outside the sysroot: %v, %v", src, refused)
	}
	d := &Disk{Disk: find.Disk{Search: []string{filepath.Join(dir, "store")}}}
	if src, from, _ := bundleFile(rooted, bytes.Repeat([]byte{14}, 16), "/usr/bin/r"); src == nil {
		t.Error("the bundle below the sysroot is not found")
	} else {
		t.Log(from)
		src.Close()
	}
	for _, c := range []struct {
		near    string
		uuid    byte
		from    string
		refused string
	}{
		{"bin/a", 1, "bin/a.dSYM/Contents/Resources/DWARF/a", ""},
		{"bin/b", 2, "", "another file: its UUID is 09090909-"},
		{"bin/c", 3, "bin/c.dSYM/Contents/Resources/DWARF/renamed", ""},
		{"A.app/Contents/MacOS/d", 4, "A.app.dSYM/Contents/Resources/DWARF/d", ""},
		{"bin/e", 5, "store/2026/x/deep/e.dSYM/Contents/Resources/DWARF/e", ""},
		{"bin/g", 6, "store/fat.dSYM/Contents/Resources/DWARF/fat", ""},
		{"bin/f", 8, "", "too short"},
		{"bin/h", 8, "", ""},
	} {
		src, from, refused := bundleFile(d, bytes.Repeat([]byte{c.uuid}, 16), filepath.Join(dir, c.near))
		want := c.from
		if want != "" {
			want = filepath.Join(dir, want)
		}
		err := errors.Join(refused...)
		if (src != nil) != (c.from != "") || from != want || (err == nil) != (c.refused == "") ||
			err != nil && !strings.Contains(err.Error(), c.refused) {
			t.Errorf("%s: %q, %v", c.near, from, err)
		}
		if src != nil {
			src.Close()
		}
	}
}

// TestLookupByUUID finds images whose names nothing gives.
func TestLookupByUUID(t *testing.T) {
	dir := t.TempDir()
	exe, lib := machotest.TwoImages()
	write(t, dir, map[string][]byte{"builds/17/app": exe, "other/libb": lib,
		"other/libb.dSYM/Contents/Resources/DWARF/libb": machotest.DSYMFile(2)})
	if err := os.Symlink(dir, dir+".link"); err != nil {
		t.Skip(err)
	}
	defer os.Remove(dir + ".link")
	d := &Disk{Disk: find.Disk{Search: []string{dir + ".link"}}}
	for path, id := range map[string]byte{"/Applications/X.app/Contents/MacOS/X": 1, "": 2} {
		src, from, refused := lookup(d, path, format.CPUX86_64, bytes.Repeat([]byte{id}, 16))
		if src == nil || len(refused) > 0 {
			t.Fatalf("%q: %v", path, refused)
		}
		if f, err := NewFile(src, from, format.CPUX86_64, nil); err != nil || f.uuid[0] != id ||
			f.head.FileType == format.MHDSYM {
			t.Errorf("%q: %s, %v", path, from, err)
		}
		src.Close()
	}
	if src, from, _ := lookup(d, "/x", format.CPUARM64, bytes.Repeat([]byte{1}, 16)); src != nil {
		t.Errorf("%s was taken for another processor", from)
	}
}

// TestUniversal says what is wrong with files that begin like universal ones.
func TestUniversal(t *testing.T) {
	fat := machotest.FatFile([]int{format.CPUX86_64, 7}, machotest.ImageFile(format.CPUX86_64, 1), []byte("32-bit"))
	for _, c := range []struct {
		name string
		file []byte
		want string
	}{
		{"another processor", fat, "a universal file for x86_64, not for arm64"},
		{"a Java class", []byte("\xca\xfe\xba\xbe\x00\x00\x00\x41more"),
			"a Java class, or a universal file with too many parts: 0x41"},
		{"cut off", fat[:20], "not a Mach-O file"},
		{"text", []byte("#!/bin/sh\n"), "not a Mach-O file"},
		{"short", []byte("x"), "too short"},
	} {
		if _, err := NewFile(core.Bytes(c.file), "f", format.CPUARM64, nil); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestObject: the debug map's paths lead to object files and archives alone.
func TestObject(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string][]byte{"a.o": machotest.ImageFile(format.CPUARM64, 7), "lib.a": []byte("!<arch>\n"),
		"shadow": []byte("root:*:1:\n"), "empty": nil})
	for name, want := range map[string]bool{"a.o": true, "lib.a(a.o)": true, "shadow": false, "empty": false} {
		got := (&Disk{}).Find(t.Context(), find.Want{Kind: find.Object, Path: filepath.Join(dir, name)})
		if (got.Source != nil) != want {
			t.Errorf("%s: %+v", name, got)
		}
		if got.Source != nil {
			got.Source.Close()
		}
	}
}
