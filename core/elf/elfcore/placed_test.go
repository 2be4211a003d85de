package elfcore_test

import (
	stdelf "debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/elf"
	"coredbg/core/elf/elftest"
	"coredbg/core/elf/note"
)

// A part is a segment of an image that a test makes.
type part struct {
	off, addr, size uint64
	prot            core.Prot
}

// small is how lld 14 and mold 1.10 lay out a program of a few functions: all segments begin in the first page of
// the file (readelf -l).
var small = []part{{0, 0, 0x6a4, core.Read}, {0x6b0, 0x16b0, 0x190, rx}, {0x840, 0x2840, 0x1e8, rw},
	{0xa28, 0x3a28, 0x40, rw}}

// joined is how GNU ld does with -z noseparate-code.
var joined = []part{{0, 0, 0x5f0, rx}, {0xe48, 0x1e48, 0x1f0, rw}}

// aligned is how lld does with -z max-page-size=65536, as it does for arm64.
var aligned = []part{{0, 0, 0x6a4, core.Read}, {0x6b0, 0x106b0, 0x190, rx}, {0x840, 0x20840, 0x1e8, rw},
	{0xa28, 0x30a28, 0x40, rw}}

// image makes an image of segments.
func image(typ stdelf.Type, base uint64, parts []part) []byte {
	b := elftest.AMD64()
	id := append(b.Append32(nil, 4, 20, elftest.NTGNUBuildID), "GNU\x00build-id-of-20-bytes"...)
	at := uint64(64 + 56*(len(parts)+1))
	out := b.HeaderBytes(typ, 64, 0, uint64(len(parts)+1))
	for _, p := range parts {
		out = b.ProgBytes(out, stdelf.PT_LOAD, uint32(p.prot), p.off, base+p.addr, p.size, p.size)
	}
	out = append(b.ProgBytes(out, stdelf.PT_NOTE, 4, at, base+at, uint64(len(id)), uint64(len(id))), id...)
	return append(out, make([]byte, 0x4000-len(out))...)
}

// A scene is a core of mappings of one file.
type scene struct {
	page    uint64
	headers bool // were dumped
	list    []note.FileMapping
	b       *elftest.Builder
}

func newScene(page uint64, headers bool) *scene {
	return &scene{page: page, headers: headers, b: elftest.AMD64().Thread(1, 11, 0)}
}

// load adds the mappings that a loader makes of an image.
func (s *scene) load(base uint64, img []byte, parts []part) *scene {
	for _, p := range parts {
		start := p.addr &^ (s.page - 1)
		s.add(base+start, (p.addr+p.size+s.page-1)&^(s.page-1)-start, p.off-(p.addr-start), p.prot, img)
	}
	return s
}

// add adds a mapping.
func (s *scene) add(at, size, off uint64, prot core.Prot, img []byte) *scene {
	e := elftest.Mapped(core.Addr(at), core.Addr(at+size), off, "/l.so")
	s.list = append(s.list, e)
	data := img[off:min(off+0x1000, uint64(len(img)))]
	if !s.headers {
		data = nil
	}
	s.b.Load(at, size, prot, data)
	return s
}

func (s *scene) core(listed bool) []byte {
	s.b.Note("CORE", elftest.NTAuxv, s.b.Auxv(elftest.ATPageSize, s.page), -1)
	if listed {
		s.b.Note("CORE", elftest.NTFile, s.b.Files(uint64(len(s.list)), s.list...), -1)
	}
	return s.b.Load(0x900000000000, 0, rw, []byte("written")).Core()
}

// TestSmallSegments: of images whose first segments are shorter than a page several mappings have the start of the
// file. They are one image each, which begins at the lowest.
func TestSmallSegments(t *testing.T) {
	const base, other = 0x7f0000000000, 0x7f0000100000
	lib := image(stdelf.ET_DYN, 0, small)
	exe := image(stdelf.ET_EXEC, 0x200000, small)
	old := image(stdelf.ET_DYN, 0, joined)
	wide := image(stdelf.ET_DYN, 0, aligned)
	for _, c := range []struct {
		name string
		s    *scene
		img  []byte
		bare bool // NT_FILE does not list them
		lost bool // the file is not to be had
		want []uint64
	}{
		{name: "lld", s: newScene(4096, true).load(base, lib, small), img: lib, want: []uint64{base}},
		{name: "lld, without file", s: newScene(4096, true).load(base, lib, small), img: lib, lost: true,
			want: []uint64{base}},
		{name: "lld, without NT_FILE", s: newScene(4096, true).load(base, lib, small), img: lib, bare: true, lost: true,
			want: []uint64{base}},
		{name: "lld, not PIE", s: newScene(4096, true).load(0x200000, exe, small), img: exe, want: []uint64{0x200000}},
		{name: "GNU ld", s: newScene(4096, true).load(base, old, joined), img: old, want: []uint64{base}},
		{name: "loaded twice, side by side", s: newScene(4096, true).load(base, lib, small).load(base+0x4000, lib,
			small), img: lib, want: []uint64{base, base + 0x4000}},
		{name: "read right below", s: newScene(4096, true).add(base-0x1000, 0x1000, 0, core.Read, lib).load(base, lib,
			small), img: lib, want: []uint64{base}},
		{name: "read whole right below", s: newScene(4096, true).add(base-0x4000, 0x4000, 0, core.Read, lib).load(base,
			lib, small), img: lib, want: []uint64{base}},
		{name: "read right above", s: newScene(4096, true).load(base, old, joined).add(base+0x3000, 0x1000, 0,
			core.Read, old).load(other, old, joined), img: old, want: []uint64{base, other}},
		{name: "16 KiB pages", s: newScene(1<<14, true).load(base, wide, aligned), img: wide, want: []uint64{base}},
		{name: "64 KiB pages", s: newScene(1<<16, true).load(base, wide, aligned), img: wide, want: []uint64{base}},
		{name: "64 KiB pages, without NT_FILE", s: newScene(1<<16, true).load(base, wide, aligned), img: wide,
			bare: true, lost: true, want: []uint64{base}},
		{name: "without headers", s: newScene(4096, false).load(base, lib, small).load(base+0x4000, lib, small),
			img: lib, want: []uint64{base, base + 0x4000}},
		{name: "without headers, GNU ld, read right below", s: newScene(4096, false).add(base-0x1000, 0x1000, 0,
			core.Read, old).load(base, old, joined), img: old, want: []uint64{base}},
		{name: "without headers and file", s: newScene(4096, false).load(base, lib, small).load(base+0x4000, lib,
			small), img: lib, lost: true, want: []uint64{base, base + 0x4000}},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := someFiles{"/l.so": c.img}
			if c.lost {
				files = nil
			}
			p := open(t, c.s.core(!c.bare), files)
			checkPlaced(t, p, c.want, c.img, c.lost && !c.s.headers)
		})
	}
}

// checkPlaced checks that the modules begin where they are to, and that each byte of their segments has its
// link-time address.
func checkPlaced(t *testing.T, p *core.Process, want []uint64, data []byte, unknown bool) {
	t.Helper()
	var got []uint64
	for _, m := range p.Modules {
		got = append(got, uint64(m.Start))
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("modules begin at %#x, want %#x; %s", got, want, warnings(p))
	}
	img, err := elf.NewFile(core.Bytes(data), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range p.Modules {
		bias, _ := img.BiasAt(m.Start)
		for _, s := range img.Segments() {
			a := bias + core.Addr(s.Addr+s.FileSize/2)
			if p.Module(a) != m || p.MappedModule(a) != m {
				t.Errorf("%v is in %v", a, p.Module(a))
			}
			if p.Executable(a) != (s.Prot&core.Exec != 0) {
				t.Errorf("executable(%v) = %v", a, p.Executable(a))
			}
			if link, ok := m.LinkAddr(a); !unknown && (!ok || bias+core.Addr(link) != a) {
				t.Errorf("%v has link-time address %#x, %v: %v", a, link, ok, m.Facts().Err)
			}
			if off := m.Offset(a); off != uint64(a-m.Start) {
				t.Errorf("%v is at %#x", a, off)
			}
		}
	}
}

// TestSmallSegmentsUndumped: the segment at an address gives the protection of a mapping that gcore left out.
func TestSmallSegmentsUndumped(t *testing.T) {
	const base = 0x7f0000000000
	lib := image(stdelf.ET_DYN, 0, small)
	s := newScene(4096, true).load(base, lib, small)
	s.b = elftest.AMD64().Thread(1, 11, 0).Load(base, 0x1000, core.Read, firstPage(lib))
	p := open(t, s.core(true), someFiles{"/l.so": lib})
	checkPlaced(t, p, []uint64{base}, lib, false)
}

// TestSmallSegmentsInArchive: an image in an archive is one, too.
func TestSmallSegmentsInArchive(t *testing.T) {
	const base, path = 0x7f0000000000, "/data/app/base.apk"
	lib := image(stdelf.ET_DYN, 0, small)
	for _, headers := range []bool{true, false} {
		b := elftest.AMD64().Thread(1, 11, 0)
		var list []note.FileMapping
		for _, image := range []uint64{base, base + 0x100000} {
			for i, p := range small {
				at := image + uint64(i)*0x1000
				list = append(list, elftest.Mapped(core.Addr(at), core.Addr(at+0x1000), 0x5000, path))
				data := firstPage(lib)
				if !headers {
					data = nil
				}
				b.Load(at, 0x1000, p.prot, data)
			}
		}
		p := open(t, b.Note("CORE", elftest.NTFile, b.Files(uint64(len(list)), list...), -1).Core(), nil)
		if len(p.Modules) != 2 || p.Modules[0].Start != base || p.Modules[0].End != base+0x4000 ||
			p.Modules[1].Start != base+0x100000 {
			for _, m := range p.Modules {
				t.Logf("%s %v %v", m.Path, m.Start, m.End)
			}
			t.Errorf("headers %v: %d modules", headers, len(p.Modules))
		}
	}
}

// TestLinkers: what linkers of this machine make is laid out in memory by its program headers, as readelf prints them,
// and found again.
func TestLinkers(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles programs")
	}
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("there is no C compiler")
	}
	made := 0
	for _, flags := range []string{"-Wl,-z,noseparate-code", "-fuse-ld=lld", "-fuse-ld=mold", "-fuse-ld=gold",
		"-Wl,-z,max-page-size=65536"} {
		path := filepath.Join(t.TempDir(), "l.so")
		cmd := exec.Command(cc, strings.Fields(flags+" -shared -nostdlib -Wl,--build-id=sha1 -fPIC -xc - -o "+path)...)
		cmd.Stdin = strings.NewReader("int counter = 1; int *where = &counter; int add(int n) { return *where += n; }")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Logf("%s: not made: %v: %s", flags, err, out)
			continue
		}
		made++
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := elf.NewFile(core.Bytes(data), path)
		if err != nil {
			t.Fatal(err)
		}
		var parts []part
		for _, s := range f.Segments() {
			parts = append(parts, part{s.Off, s.Addr, s.FileSize, s.Prot})
		}
		const base = 0x7f0000000000
		p := open(t, newScene(4096, true).load(base, data, parts).core(true), someFiles{"/l.so": data})
		checkPlaced(t, p, []uint64{base}, data, false)
	}
	if made == 0 {
		t.Error("no linker made a library")
	}
}

// TestReadNear: a piece of a library that the program has mapped to read it, as libbacktrace does, is no part of the
// image, however close it lies. libgfortran's dump of the stack reads the libraries so.
func TestReadNear(t *testing.T) {
	const base = 0x7f0000000000
	parts := []part{{0, 0, 0x800, core.Read}, {0x1000, 0x1000, 0x1800, rx}, {0x2800, 0x3800, 0x200, rw}}
	lib := image(stdelf.ET_DYN, 0, parts)
	s := newScene(4096, true).load(base, lib, parts).add(base+0x6000, 0x3000, 0x1000, core.Read, lib)
	p := open(t, s.core(true), someFiles{"/l.so": lib})
	if len(p.Modules) != 1 {
		t.Fatalf("%d modules, want 1", len(p.Modules))
	}
	if m := p.Modules[0]; m.Flat || m.Start != base || m.End != base+0x4000 || p.MadeCode(base+0x1010) {
		t.Errorf("flat %v, [%v, %v), made at run time %v; want an image that ends at %#x", m.Flat, m.Start, m.End,
			p.MadeCode(base+0x1010), base+0x4000)
	}
}
