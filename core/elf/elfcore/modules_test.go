package elfcore_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/elf"
	"coredbg/core/elf/elfcore"
	"coredbg/core/elf/elftest"
)

const rx, rw = core.Read | core.Exec, core.Read | core.Write

// pages returns the first page of an image of n pages.
func firstPage(img []byte) []byte { return img[:4096] }

func TestModuleFromFileNote(t *testing.T) {
	id, other := []byte("0123456789abcdefghij"), []byte("another-build-id-xxx")
	b := elftest.AMD64()
	good, wrong := b.Library(id, 3*4096, 0xcc), b.Library(other, 3*4096, 0xdd)
	made := func() []byte {
		return elftest.AMD64().Thread(1, 11, 0).
			Note("CORE", elftest.NTAuxv, b.Auxv(elftest.ATPHDR, 0x400040), -1).
			Note("CORE", elftest.NTFile, b.Files(3,
				elftest.Mapped(0x400000, 0x403000, 0, "/bin/prog"),
				elftest.Mapped(0x500000, 0x501000, 0, "/usr/share/data"),
				elftest.Mapped(0x7f0000000000, 0x7f0000001000, 0x1000, "/bin/prog")), -1).
			Load(0x400000, 0x3000, rx, firstPage(good)).
			Load(0x500000, 0x1000, core.Read, []byte("just data of some kind")).
			Load(0x600000, 0, rw, []byte("written")).
			Load(0x7f0000000000, 0x1000, rx, nil).Core()
	}
	for _, c := range []struct {
		name  string
		files someFiles
		gap   core.Gap
		ok    bool
	}{
		{"the file", someFiles{"/bin/prog": good}, 0, true},
		{"another file", someFiles{"/bin/prog": wrong}, core.FileMismatch, false},
		{"no file", someFiles{}, core.FileMissing, false},
		{"text", someFiles{"/bin/prog": []byte("#!/bin/sh")}, core.FileMissing, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := open(t, made(), c.files)
			if len(p.Modules) != 1 || p.Modules[0].Path != "/bin/prog" || !p.Modules[0].Exe || p.Exe != "/bin/prog" {
				t.Fatalf("modules %+v, exe %q", p.Modules, p.Exe)
			}
			m := p.Modules[0]
			if m.Start != 0x400000 || m.End != 0x403000 || len(m.Parts) != 2 {
				t.Errorf("extent %v to %v, parts %v", m.Start, m.End, m.Parts)
			}
			f := m.Facts()
			if string(f.BuildID) != string(id) || f.InMemory == c.ok || f.Bias != 0x400000 || f.Image == nil {
				t.Errorf("facts %+v", f)
			}
			var mismatch *elf.MismatchError
			if errors.As(f.Err, &mismatch) != (c.gap == core.FileMismatch) {
				t.Errorf("error %v", f.Err)
			}
			var got [1]byte
			_, err := p.Space.ReadAt(got[:], 0x402000)
			if c.ok && (err != nil || got[0] != 0xcc) ||
				!c.ok && (core.Fault(err) == nil || core.Fault(err).Gap != c.gap) {
				t.Errorf("text reads %#x, %v", got[0], err)
			}
			// The second mapping is file offset 0x1000 and up.
			if p.Module(0x7f0000000123) != m {
				t.Errorf("the second mapping has no module")
			}
			if off, ok := m.FileOffset(0x7f0000000123); !ok || off != 0x1123 {
				t.Errorf("FileOffset = %#x, %v", off, ok)
			}
			if link, ok := m.LinkAddr(0x7f0000000123); !ok || link != 0x1123 {
				t.Errorf("LinkAddr = %#x, %v", link, ok)
			}
		})
	}
}

// TestUnlistedMappings covers gcore, which writes no program header for memory that it did not dump:
// NT_FILE gives the range, and the file the protection.
func TestUnlistedMappings(t *testing.T) {
	b := elftest.AMD64()
	lib := b.Library([]byte("some-build-id-of-20b"), 3*4096, 0xcc)
	data := elftest.AMD64().Thread(1, 11, 0).
		Note("CORE", elftest.NTFile, b.Files(2, elftest.Mapped(0x400000, 0x401000, 0, "/lib/l.so"),
			elftest.Mapped(0x401000, 0x403000, 0x1000, "/lib/l.so")), -1).
		Load(0x400000, 0x1000, core.Read, firstPage(lib)).Core()
	p := open(t, data, someFiles{"/lib/l.so": lib})
	if !p.Executable(0x402000) {
		t.Errorf("the text is not executable")
	}
	if m, ok := p.Mapping(0x401800); !ok || m.Path != "/lib/l.so" || m.Off != 0x1000 {
		t.Errorf("mapping %+v, %v", m, ok)
	}
	if p = open(t, data, nil); !p.Executable(0x402000) {
		t.Errorf("the text is not executable without the file, though the headers in memory say so")
	}
}

// TestWritableFill checks that a page that could have been written to is taken
// from the file only if written pages were dumped.
func TestWritableFill(t *testing.T) {
	b := elftest.AMD64()
	lib := b.Library([]byte("some-build-id-of-20b"), 2*4096, 0xcc)
	for _, anonymous := range []bool{false, true} {
		c := elftest.AMD64().Thread(1, 11, 0).
			Note("CORE", elftest.NTFile, b.Files(2, elftest.Mapped(0x400000, 0x401000, 0, "/l.so"),
				elftest.Mapped(0x401000, 0x402000, 0x1000, "/l.so")), -1).
			Load(0x400000, 0x1000, rx, firstPage(lib)).Load(0x401000, 0x1000, rw, nil)
		if anonymous {
			c.Load(0x600000, 0, rw, []byte("stack"))
		}
		var got [1]byte
		if _, err := open(t, c.Core(), someFiles{"/l.so": lib}).Space.ReadAt(got[:],
			0x401000); (err == nil) != anonymous {
			t.Errorf("anonymous memory dumped: %v: %v", anonymous, err)
		}
	}
}

// linkMapCore makes a core without NT_FILE. The dynamic section of an executable at 0x400000 leads to a
// chain of n images. The last one points to the one with index back; back < 0 ends the chain.
func linkMapCore(n, back int) []byte {
	b := elftest.AMD64()
	exe := b.HeaderBytes(3, 64, 0, 3)
	exe = b.ProgBytes(exe, 6, 4, 64, 64, 168, 168)              // PT_PHDR
	exe = b.ProgBytes(exe, 1, 5, 0, 0, 4096, 4096)              // PT_LOAD
	exe = b.ProgBytes(exe, 2, 6, 0x800, 0x800, 32, 32)          // PT_DYNAMIC
	exe = append(exe, make([]byte, 0x800-len(exe))...)          //
	exe = append(exe, b.AppendWord(nil, 21, 0x601000, 0, 0)...) // DT_DEBUG
	exe = append(exe, make([]byte, 4096-len(exe))...)
	heap := b.AppendWord(nil, 1, 0x601100) // r_version, r_map
	heap = append(heap, make([]byte, 0x100-len(heap))...)
	at := func(i int) uint64 { return 0x601100 + uint64(i)*0x80 }
	for i := range n {
		next := at(i + 1)
		if i == n-1 {
			if next = 0; back >= 0 {
				next = at(back)
			}
		}
		e := b.AppendWord(nil, 0x700000+uint64(i)*0x10000, at(i)+0x40, 0, next, 0)
		e = append(e, make([]byte, 0x40-len(e))...)
		if i > 0 {
			e = append(e, "/lib/lib"+string(rune('a'+i%26))+".so"...)
		}
		heap = append(heap, append(e, make([]byte, 0x80-len(e))...)...)
	}
	b.Thread(1, 11, 0).Note("CORE", elftest.NTAuxv, b.Auxv(elftest.ATPHDR, 0x400040, elftest.ATPHENT, 56,
		elftest.ATPHNUM, 3), -1)
	b.Load(0x400000, 0, rx, exe).Load(0x601000, 0, rw, heap)
	for i := 1; i < n; i++ {
		b.Load(0x700000+uint64(i)*0x10000, 0, rx, b.Library([]byte("build-id-of-20-bytes"), 4096, 0))
	}
	return b.Core()
}

func TestLinkMap(t *testing.T) {
	p := open(t, linkMapCore(4, -1), nil)
	if len(p.Modules) != 4 || !p.Modules[0].Exe || p.Modules[3].Path != "/lib/libd.so" ||
		p.Modules[3].Start != 0x730000 || p.Modules[3].Origin != core.FromLinkMap {
		for _, m := range p.Modules {
			t.Logf("%+v", m)
		}
		t.Errorf("%d modules; %s", len(p.Modules), warnings(p))
	}
	p = open(t, linkMapCore(4, 1), nil)
	if len(p.Modules) != 4 || !strings.Contains(warnings(p), "circle") {
		t.Errorf("cyclic: %d modules; %s", len(p.Modules), warnings(p))
	}
}

// TestHeadersInMemory covers a core with neither NT_FILE nor auxiliary vector.
func TestHeadersInMemory(t *testing.T) {
	b := elftest.AMD64()
	lib := b.Library([]byte("build-id-of-20-bytes"), 4096, 0)
	p := open(t, b.Thread(1, 11, 0).Load(0x10000, 0, core.Read, lib).Load(0x20000, 0, rw, lib).Core(), nil)
	if len(p.Modules) != 1 || p.Modules[0].Start != 0x10000 || p.Modules[0].Origin != core.FromHeaders {
		t.Fatalf("modules %v", p.Modules)
	}
	if f := p.Modules[0].Facts(); string(f.BuildID) != "build-id-of-20-bytes" || !f.InMemory {
		t.Errorf("facts %+v", f)
	}
}

func TestVDSO(t *testing.T) {
	b := elftest.AMD64()
	p := open(t, b.Thread(1, 11, 0).Note("CORE", elftest.NTAuxv, b.Auxv(elftest.ATSysinfoEHDR, 0x7000), -1).
		Load(0x7000, 0, rx, b.Library([]byte("vdso-build-id"), 4096, 0x90)).Core(), nil)
	if len(p.Modules) != 1 || p.Modules[0].Path != "[vdso]" || !p.Modules[0].Facts().InMemory {
		t.Fatalf("modules %v", p.Modules)
	}
	if m, _ := p.Mapping(0x7010); m.Path != "[vdso]" {
		t.Errorf("mapping %+v", m)
	}
}

// TestNamedExecutable covers an executable that the user names: the right one
// elsewhere is taken, another one is refused by name.
func TestNamedExecutable(t *testing.T) {
	b := elftest.AMD64()
	good, wrong := b.Library([]byte("right-build-id"), 4096, 1), b.Library([]byte("wrong-build-id"), 4096, 2)
	data := elftest.AMD64().Thread(1, 11, 0).Note("CORE", elftest.NTAuxv, b.Auxv(elftest.ATPHDR, 0x400040), -1).
		Note("CORE", elftest.NTFile, b.Files(1, elftest.Mapped(0x400000, 0x401000, 0, "/gone")), -1).
		Load(0x400000, 0, rx, good).Core()
	for _, c := range []struct {
		data []byte
		ok   bool
	}{{good, true}, {wrong, false}} {
		path := filepath.Join(t.TempDir(), "prog")
		if err := os.WriteFile(path, c.data, 0o644); err != nil {
			t.Fatal(err)
		}
		p, err := elfcore.Open(core.Bytes(data), "core", elfcore.Options{Exe: path, Files: noFiles{}})
		if err != nil {
			t.Fatal(err)
		}
		f := p.Modules[0].Facts()
		if f.InMemory == c.ok || c.ok && f.Image.Path() != path {
			t.Errorf("ok %v: facts %+v", c.ok, f)
		}
		if strings.Contains(warnings(p), path) == c.ok {
			t.Errorf("ok %v: warnings %q", c.ok, warnings(p))
		}
		p.Close()
	}
}

// cutSource is a Source whose compressed stream broke off.
type cutSource struct{ core.Bytes }

func (cutSource) Truncated() error { return errors.New("unexpected EOF") }

// TestCutByLimit covers cores that a limit on their size cut: a file of the full
// size with holes, and a compressed stream that ends early.
func TestCutByLimit(t *testing.T) {
	b := elftest.AMD64()
	made := func(first, stack []byte) []byte {
		regs := b.Status(1, 11, 0)
		b.Order.PutUint64(regs[112+19*8:], 0x600800) // rsp
		return elftest.AMD64().Note("CORE", elftest.NTPRStatus, regs, -1).
			Note("CORE", elftest.NTFile, b.Files(1, elftest.Mapped(0x400000, 0x402000, 0, "/lib/a.so")), -1).
			Load(0x400000, 0x2000, rx, first).Load(0x600000, 0, rw, stack).Core()
	}
	lib, zeros := b.Library([]byte("id"), 4096, 1), make([]byte, 4096)
	for _, c := range []struct {
		name         string
		first, stack []byte
		want         string
	}{
		{"whole", lib, lib, ""},
		{"no header", zeros, lib, "ELF header"},
		{"no stack", lib, zeros, "the stack of thread 1"},
	} {
		if p := open(t, made(c.first, c.stack), nil); (c.want != "") != strings.Contains(warnings(p), "truncated") ||
			!strings.Contains(warnings(p), c.want) {
			t.Errorf("%s: warnings %q", c.name, warnings(p))
		}
	}
	// The first of two threads has just been made.
	regs := [][]byte{b.Status(1, 11, 0), b.Status(2, 0, 0)}
	b.Order.PutUint64(regs[0][112+19*8:], 0x600800)
	b.Order.PutUint64(regs[1][112+19*8:], 0x700800)
	fresh := elftest.AMD64().Note("CORE", elftest.NTPRStatus, regs[0], -1).Note("CORE",
		elftest.NTPRStatus, regs[1], -1).
		Load(0x600000, 0, rw, zeros).Load(0x700000, 0, rw, lib).Core()
	if p := open(t, fresh, nil); strings.Contains(warnings(p), "truncated") {
		t.Errorf("a new thread: warnings %q", warnings(p))
	}
	p, err := elfcore.Open(cutSource{made(lib, lib)}, "core", elfcore.Options{Files: noFiles{}})
	if err != nil || !strings.Contains(warnings(p), "truncated: unexpected EOF") {
		t.Errorf("%v, %s", err, warnings(p))
	}
}
