package elfcore_test

import (
	"archive/zip"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"coredbg/core"
	"coredbg/core/elf"
	"coredbg/core/elf/elftest"
	"coredbg/core/find"
)

// apk makes an archive with the libraries stored from a page's start on, and
// returns their offsets.
func apk(t *testing.T, libs map[string][]byte, names ...string) (data []byte, offs []uint64) {
	t.Helper()
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	add := func(name string, data []byte, align int) {
		const header = 30
		z.Flush()
		h := &zip.FileHeader{Name: name, CompressedSize64: uint64(len(data)), UncompressedSize64: uint64(len(data)),
			Extra: make([]byte, -(buf.Len()+header+len(name))&(align-1))}
		w, err := z.CreateRaw(h)
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	add("classes.dex", []byte("dex"), 1)
	for _, name := range names {
		add(name, libs[name], 4096)
		z.Flush()
		offs = append(offs, uint64(buf.Len()-len(libs[name])))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes(), offs
}

// An archiveScene is a core of two libraries that are mapped out of one archive.
type archiveScene struct {
	path         string
	ids          [][]byte
	libs         map[string][]byte
	whole, other []byte // the archive, and another one
	offs         []uint64
}

func newArchiveScene(t *testing.T) *archiveScene {
	b := elftest.AMD64()
	s := &archiveScene{path: "/data/app/base.apk", ids: [][]byte{[]byte("build-id-of-the-first"),
		[]byte("build-id-of-the-other")}}
	s.libs = map[string][]byte{"lib/x86_64/libone.so": b.Library(s.ids[0], 3*4096, 0xcc),
		"lib/x86_64/libtwo.so": b.Library(s.ids[1], 3*4096, 0xdd)}
	s.whole, s.offs = apk(t, s.libs, "lib/x86_64/libone.so", "lib/x86_64/libtwo.so")
	s.other, _ = apk(t, map[string][]byte{"lib/x86_64/libone.so": b.Library(s.ids[1], 3*4096, 1)},
		"lib/x86_64/libone.so")
	return s
}

// core makes the core, with the headers of the libraries or without.
func (s *archiveScene) core(dumped bool) []byte {
	b := elftest.AMD64()
	b.Thread(1, 11, 0).
		Note("CORE", elftest.NTFile, b.Files(5,
			elftest.Mapped(0x300000, 0x301000, 0, s.path), // by a reader of the file
			elftest.Mapped(0x400000, 0x401000, s.offs[0], s.path),
			elftest.Mapped(0x401000, 0x403000, s.offs[0]+0x1000, s.path),
			elftest.Mapped(0x480000, 0x481000, s.offs[1], s.path),
			elftest.Mapped(0x481000, 0x483000, s.offs[1]+0x1000, s.path)), -1)
	b.Load(0x300000, 0x1000, core.Read, nil)
	for i, name := range []string{"lib/x86_64/libone.so", "lib/x86_64/libtwo.so"} {
		head := firstPage(s.libs[name])
		if !dumped {
			head = nil
		}
		b.Load(uint64(0x400000+0x80000*i), 0x1000, core.Read, head).Load(uint64(0x401000+0x80000*i), 0x2000, rx, nil)
	}
	return b.Load(0x600000, 0, rw, []byte("written")).Core()
}

// TestArchive: two libraries are mapped out of one archive. Each is a module that
// begins at its own ELF header, wherever its bytes are found.
func TestArchive(t *testing.T) {
	s := newArchiveScene(t)
	path, ids, libs, whole, other, offs, made := s.path, s.ids, s.libs, s.whole, s.other, s.offs, s.core
	write := func(dir, name string, data []byte) {
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, data, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name   string
		dumped bool
		files  func(dir string)
		names  [2]string
		from   string // where the first one is from; "" if nowhere
	}{
		{"the archive", false, func(dir string) { write(dir, path, whole) }, [2]string{"libone.so", "libtwo.so"},
			"base.apk!libone.so"},
		{"the archive and headers", true, func(dir string) { write(dir, path, whole) },
			[2]string{"libone.so", "libtwo.so"}, "base.apk!libone.so"},
		{"headers alone", true, func(string) {}, [2]string{fmt.Sprintf("%#x", offs[0]), fmt.Sprintf("%#x", offs[1])},
			""},
		{"headers and extracted copies", true, func(dir string) {
			for i, name := range []string{"lib/x86_64/libone.so", "lib/x86_64/libtwo.so"} {
				id := hex.EncodeToString(ids[i])
				write(dir, ".build-id/"+id[:2]+"/"+id[2:], libs[name])
			}
		}, [2]string{fmt.Sprintf("%#x", offs[0]), fmt.Sprintf("%#x", offs[1])}, ".build-id"},
		{"nothing", false, func(string) {}, [2]string{fmt.Sprintf("%#x", offs[0]), fmt.Sprintf("%#x", offs[1])}, ""},
		{"another archive", true, func(dir string) { write(dir, path, other) }, [2]string{"", ""}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			c.files(dir)
			p := open(t, made(c.dumped), elf.Disk{Disk: find.Disk{Sysroot: dir, Search: []string{dir}}})
			if len(p.Modules) != 2 {
				t.Fatalf("%d modules: %v; %s", len(p.Modules), p.Modules, warnings(p))
			}
			for i, m := range p.Modules {
				if want := path + "!" + c.names[i]; c.names[i] != "" && m.Path != want {
					t.Errorf("module %d is %s, want %s", i, m.Path, want)
				}
				start := core.Addr(0x400000 + 0x80000*i)
				if m.Start != start || m.End != start+0x3000 {
					t.Errorf("%s lies at %v to %v", m.Path, m.Start, m.End)
				}
				if off, ok := m.FileOffset(start + 0x1234); !ok || off != 0x1234 {
					t.Errorf("%s: offset %#x, %v", m.Path, off, ok)
				}
				f := m.Facts()
				if found := f.Image != nil && !f.InMemory; found != (c.from != "") {
					t.Fatalf("%s: from %v, %v", m.Path, f.Image, f.Err)
				}
				if c.from == "" {
					continue
				}
				if !bytes.Contains([]byte(p.Modules[0].Facts().Image.Path()), []byte(c.from)) ||
					!bytes.Equal(f.BuildID, ids[i]) || f.Bias != start {
					t.Errorf("%s: %s, build-id %s, bias %v", m.Path, f.Image.Path(), f.BuildID, f.Bias)
				}
				var got [1]byte
				if _, err := p.Space.ReadAt(got[:], start+0x2000); err != nil || got[0] != []byte{0xcc, 0xdd}[i] {
					t.Errorf("%s: its code reads %#x, %v", m.Path, got[0], err)
				}
			}
		})
	}
}
