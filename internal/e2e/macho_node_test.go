package e2e

import (
	"debug/macho"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/sym"
)

// TestMachONode reads V8's constants from Node's binaries for macOS, through cores that hold only their
// data and a note with their load address. The witnesses are the standard library's reader of Mach-O
// files, for the constants, and the version that the same release prints on Linux.
func TestMachONode(t *testing.T) {
	files := coretest.Live(t)
	// Without the part after the hyphen: the pointer that leads to it is one that dyld has not mended
	// yet.
	versions := map[string]string{"26.10.0": "14.6.202.34", "18.9.0": "10.2.154.15"}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			f, err := macho.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			const slide = 0x5a8000
			search := t.TempDir()
			if err := os.Symlink(file, filepath.Join(search, "node")); err != nil {
				t.Fatal(err)
			}
			s, err := coredbg.Open(loneImage(t, f, slide), coredbg.Options{Search: []string{search}})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Process.Close()
			found := s.Runtimes()
			if len(found) != 1 || found[0].Name() != "v8" {
				t.Fatalf("%d runtimes found; %v", len(found), s.Process.Warnings)
			}
			v8, _ := found[0].(interface{ Version() string })
			release := file[strings.LastIndexByte(file, '-')+1:]
			if want := versions[release]; v8 == nil || v8.Version() != want {
				t.Errorf("V8 is %v, want %s", v8.Version(), want)
			}
			checkConstants(t, s.Process, s.Symbols, f, slide)
		})
	}
}

// loneImage writes a core with a thread, the note that lists one image, and the
// image's data as it was before anything ran.
func loneImage(t *testing.T, f *macho.File, slide uint64) string {
	t.Helper()
	load := f.Segment("__TEXT").Addr + slide
	uuid := make([]byte, 16)
	r := &rewrite{p: &core.Process{Arch: core.AMD64}, cpu: uint32(f.Cpu)}
	if f.Cpu == macho.CpuArm64 {
		r.p.Arch = core.ARM64
	}
	var data []byte
	var segs []machOSegment
	for _, l := range f.Loads {
		if raw := l.Raw(); f.ByteOrder.Uint32(raw) == 0x1b {
			uuid = raw[8:24]
		}
		if s, ok := l.(*macho.Segment); ok && s.Name == "__DATA" {
			segs = append(segs, machOSegment{addr: s.Addr + slide, size: s.Memsz, bytes: s.Memsz,
				off: uint64(len(data)), prot: core.Read | core.Write})
			b := make([]byte, s.Memsz)
			if _, err := s.ReadAt(b[:s.Filesz], 0); err != nil {
				t.Fatal(err)
			}
			data = append(data, b...)
		}
	}
	thread := r.thread(&core.Thread{}, false)
	cmds := 40 + 72*len(segs) + len(thread)
	off := uint64(32 + cmds)
	list := words(nil, 1, 1, off+24, 48, 0)
	list = words(append(words(list, off+24+48), uuid...), load, ^uint64(0), 0, 1)
	list = append(list, "/usr/local/bin/node\x00"...)
	b := words(nil, uint32(0xfeedfacf), r.cpu, 0, 4, 2+len(segs), cmds, 0, 0)
	b = words(b, 0x31, 40, "all image infos", off, uint64(len(list)))
	for _, s := range segs {
		s.off += off + uint64(len(list))
		b = append(b, s.command()...)
	}
	b = append(append(append(b, thread...), list...), data...)
	path := filepath.Join(t.TempDir(), "core")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// checkConstants compares names and values of all v8dbg_ constants.
func checkConstants(t *testing.T, p *core.Process, symbols *sym.Table, f *macho.File, slide uint64) {
	t.Helper()
	got := map[string]uint32{}
	err := symbols.Prefix(p.Modules[0], "v8dbg_", func(s sym.Symbol) bool {
		c := p.Cursor()
		got[s.Name] = c.U32(s.Addr)
		if err := c.Err(); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
		return true
	})
	if err != nil {
		t.Error(err)
	}
	n := 0
	for _, s := range f.Symtab.Syms {
		name, ok := strings.CutPrefix(s.Name, "_v8dbg_")
		if !ok || s.Sect == 0 {
			continue
		}
		n++
		section := f.Sections[s.Sect-1]
		var b [4]byte
		if section.Flags&0xff != 1 { // S_ZEROFILL: no bytes in the file
			if _, err := section.ReadAt(b[:], int64(s.Value-section.Addr)); err != nil {
				t.Fatal(err)
			}
		}
		if v, ok := got["v8dbg_"+name]; !ok || v != f.ByteOrder.Uint32(b[:]) {
			t.Errorf("v8dbg_%s is %#x known %v, the file has % x", name, v, ok, b)
		}
	}
	if n < 400 || n != len(got) {
		t.Errorf("%d constants, the file has %d", len(got), n)
	}
	t.Logf("%d constants", n)
}
