package machocore_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/find"
	"coredbg/core/macho"
	"coredbg/core/macho/machocore"
	"coredbg/core/macho/machotest"
)

// symbolsOf lists the names that an image has at distances from its header.
func symbolsOf(t *testing.T, m *core.Module) string {
	t.Helper()
	var out []string
	f := m.Facts().Image.(*macho.File)
	for _, dynamic := range []bool{false, true} {
		if err := f.Symbols(dynamic, func(s core.ImageSymbol) bool {
			if s.Kind != core.SymFunc {
				t.Errorf("%s is not a function", s.Name)
			}
			out = append(out, fmt.Sprintf("%s@%x", s.Name, s.Value-f.Base()))
			return true
		}); err != nil {
			t.Error(err)
		}
	}
	return strings.Join(out, " ")
}

// TestCacheFiles opens a core that has nothing of the shared cache: images come from
// the cache's files, code is filled from there, data is not.
func TestCacheFiles(t *testing.T) {
	data := machotest.CoreOf(machotest.LoadNote(11, machotest.OneText+machotest.CacheSlide, "/usr/lib/libone.dylib"),
		machotest.LoadNote(12, machotest.TwoText+machotest.CacheSlide, "/usr/lib/libtwo.dylib"),
		machotest.LoadNote(99, 0x7fff00000000, "/usr/lib/libother.dylib"))
	p, err := machocore.Open(core.Bytes(data), "core",
		machocore.Options{Files: machotest.CacheFiles(machotest.Cache())})
	if err != nil {
		t.Fatal(err)
	}
	byPath := map[string]*core.Module{}
	for _, m := range p.Modules {
		byPath[m.Path] = m
	}
	one, two := byPath["/usr/lib/libone.dylib"], byPath["/usr/lib/libtwo.dylib"]
	if got := symbolsOf(t, one); got != "one_pub@400 one_local@600 one_exported@500" {
		t.Errorf("libone has %s", got)
	}
	if got := symbolsOf(t, two); got != "two_pub@400 two_local@700 two_pub@400" {
		t.Errorf("libtwo has %s", got)
	}
	if f := one.Facts(); f.Bias != machotest.CacheSlide || f.InMemory || f.Image.Path() != "/cache" {
		t.Errorf("libone %+v", f)
	}
	if starts := one.Facts().Image.(*macho.File).FuncStarts(); len(starts) != 3 ||
		starts[2] != machotest.OneText+0x600 {
		t.Errorf("libone's functions begin at %#x", starts)
	}
	if f := byPath["/usr/lib/libother.dylib"].Facts(); f.Image != nil {
		t.Errorf("libother %+v", f)
	}
	for at, want := range map[core.Addr]string{machotest.OneText + 0x400: "code of /usr/lib/libone.dylib",
		machotest.TwoText + 0x400: "code of /usr/lib/libtwo.dylib"} {
		if b, err := p.Space.Slice(at+machotest.CacheSlide, len(want)); string(b) != want {
			t.Errorf("%q, %v", b, err)
		}
	}
	if _, err := p.Space.Window(machotest.OneData + machotest.CacheSlide); err == nil ||
		!strings.Contains(err.Error(), "dyld changed") {
		t.Errorf("data: %v", err)
	}
}

// TestCacheRefused takes nothing of caches that are others or damaged.
func TestCacheRefused(t *testing.T) {
	data := machotest.CoreOf(machotest.LoadNote(11, machotest.OneText+machotest.CacheSlide, "/usr/lib/libone.dylib"),
		machotest.LoadNote(12, machotest.TwoText+machotest.CacheSlide, "/usr/lib/libtwo.dylib"))
	for name, c := range map[string]struct {
		change   func(map[string][]byte)
		one, two bool
	}{
		"image of another build": {func(f map[string][]byte) {
			f[""] = bytes.Replace(f[""], bytes.Repeat([]byte{11}, 16), bytes.Repeat([]byte{77}, 16), 1)
		}, false, true},
		"no second file":      {func(f map[string][]byte) { delete(f, ".01") }, true, false},
		"another second file": {func(f map[string][]byte) { f[".01"][machotest.OffUUID]++ }, true, false},
		"no cache":            {func(f map[string][]byte) { f[""][0] = 'x' }, false, false},
		"cut off":             {func(f map[string][]byte) { f[""] = f[""][:0x900] }, false, true},
		"counts": {func(f map[string][]byte) {
			binary.LittleEndian.PutUint32(f[""][machotest.OffImagesNum:], 1<<31)
			binary.LittleEndian.PutUint32(f[""][machotest.OffSubCount:], 1<<31)
		}, true, true},
	} {
		files := machotest.Cache()
		c.change(files)
		p, err := machocore.Open(core.Bytes(data), "core", machocore.Options{Files: machotest.CacheFiles(files)})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []bool{c.one, c.two} {
			if got := p.Modules[i].Facts().Image != nil; got != want {
				t.Errorf("%s: %s: %v, %v", name, p.Modules[i].Path, got, p.Modules[i].Facts().Err)
			}
		}
	}
}

// TestCacheOfAnotherBuild refuses a cache that has the images at other places.
func TestCacheOfAnotherBuild(t *testing.T) {
	data := machotest.CoreOf(machotest.LoadNote(11, machotest.OneText+machotest.CacheSlide, "/usr/lib/libone.dylib"),
		machotest.LoadNote(12, machotest.TwoText+machotest.CacheSlide+0x4000, "/usr/lib/libtwo.dylib"))
	p, err := machocore.Open(core.Bytes(data), "core",
		machocore.Options{Files: machotest.CacheFiles(machotest.Cache())})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range p.Modules {
		if f := m.Facts(); f.Image != nil || f.Err == nil ||
			!strings.Contains(f.Err.Error(), "are at other distances") {
			t.Errorf("%s: %+v", m.Path, f)
		}
	}
}

// TestCacheInCore finds dyld in the shared cache in the core, and the local symbols
// in their file, with or without the other files of the cache.
func TestCacheInCore(t *testing.T) {
	only := map[string][]byte{".symbols": machotest.Cache()[".symbols"]}
	wrong := map[string][]byte{".symbols": bytes.Clone(only[".symbols"])}
	wrong[".symbols"][machotest.OffUUID]++
	for name, c := range map[string]struct {
		files  map[string][]byte
		locals bool
	}{
		"no file": {nil, false}, "all files": {machotest.Cache(), true}, "the local symbols": {only, true},
		"other local symbols": {wrong, false},
	} {
		p, err := machocore.Open(core.Bytes(machotest.FullCore(false)), "core",
			machocore.Options{Files: machotest.CacheFiles(c.files)})
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Modules) != 3 || p.Modules[1].Path != "/usr/lib/dyld" || p.Modules[2].Origin != core.FromDyld {
			t.Fatalf("%s: modules %v", name, p.Modules)
		}
		want := "one_pub@400 one_exported@500"
		if c.locals {
			want = "one_pub@400 one_local@600 one_exported@500"
		}
		if got := symbolsOf(t, p.Modules[0]); got != want {
			t.Errorf("%s: libone has %s", name, got)
		}
		var mismatch *macho.MismatchError
		if err := p.Modules[0].Facts().Err; (name == "other local symbols") != errors.As(err, &mismatch) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestListChanging takes the images whose headers are found while dyld works on its
// list.
func TestListChanging(t *testing.T) {
	p, err := machocore.Open(core.Bytes(machotest.FullCore(true)), "core", machocore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	warned := false
	for _, w := range p.Warnings {
		warned = warned || strings.Contains(w.Text, "changing its list")
	}
	if !warned || len(p.Modules) == 0 || p.Modules[0].Path != "/usr/lib/dyld" {
		t.Errorf("%v, %v", p.Modules, p.Warnings)
	}
}

// TestCachesOnDisk finds the cache in the places of macOS below a folder, and
// anywhere below a folder that is searched.
func TestCachesOnDisk(t *testing.T) {
	for _, where := range []string{"root/System/Library/dyld", "root/System/Cryptexes/OS/System/Library/dyld",
		"backup/2026/x"} {
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, where), 0o755); err != nil {
			t.Fatal(err)
		}
		for suffix, b := range machotest.Cache() {
			if err := os.WriteFile(filepath.Join(dir, where, "dyld_shared_cache_x86_64"+suffix), b, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		d := &macho.Disk{Disk: find.Disk{Sysroot: filepath.Join(dir, "root"),
			Search: []string{filepath.Join(dir, "backup")}}}
		p, err := machocore.Open(core.Bytes(machotest.CoreOf(machotest.LoadNote(11,
			machotest.OneText+machotest.CacheSlide, "/usr/lib/libone.dylib"))), "core", machocore.Options{Files: d})
		if err != nil {
			t.Fatal(err)
		}
		if got := symbolsOf(t, p.Modules[0]); got != "one_pub@400 one_local@600 one_exported@500" {
			t.Errorf("%s: %s", where, got)
		}
		p.Close()
	}
}
