package elfcore_test

import (
	stdelf "debug/elf"
	"fmt"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/elf/elftest"
)

func TestScalable(t *testing.T) {
	b := elftest.ARM64()
	const fpsimd = 528
	for _, c := range []struct {
		name     string
		sve      []byte
		ssve, za []byte
		want     string // registers by name
		lacks    string
		vg       uint64
	}{
		{"none", nil, nil, nil, "", "vl svl svcr z0 p0", 0},
		{"only the lengths", b.VectorNote(32, 0, fpsimd), nil, nil, "vl=0x20", "z0 svcr", 4},
		{"vectors of 16 bytes", b.VectorNote(16, 1, elftest.SVESize(16)), nil, nil,
			"vl=0x10 z0=000102030405060708090a0b0c0d0e0f p0=0x100 p15=0x1f1e ffr=0x2120", "svcr", 2},
		{"predicates of 6 bytes", b.VectorNote(48, 1, elftest.SVESize(48)), nil, nil,
			"p0=000102030405 ffr=606162636465", "", 6},
		{"streaming", b.VectorNote(64, 0, fpsimd), b.VectorNote(16, 1, elftest.SVESize(16)), b.VectorNote(16, 0, 0),
			"vl=0x40 svl=0x10 svcr=0x1 z1=101112131415161718191a1b1c1d1e1f", "za[0]", 2},
		{"a matrix", b.VectorNote(32, 1, elftest.SVESize(32)), b.VectorNote(16, 0, 0), b.VectorNote(16, 0, 256),
			"vl=0x20 svl=0x10 svcr=0x2 za[0]=000102030405060708090a0b0c0d0e0f za[15]=f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
			"za[16]", 4},
		{"cut", b.VectorNote(64, 1, 200), nil, nil, "vl=0x40 z0 z2", "z3 p0 ffr", 8},
		{"a matrix that is cut", nil, b.VectorNote(32, 0, 0), b.VectorNote(32, 0, 70), "za[0] za[1]", "za[2]", 0},
		{"of no length", b.VectorNote(0, 1, 2000), nil, nil, "", "vl z0", 0},
		{"of an odd length", b.VectorNote(17, 1, 2000), nil, nil, "", "vl z0", 0},
		{"of a huge length", b.VectorNote(0xfff0, 1, 2000), nil, b.VectorNote(0xfff0, 1, 2000), "", "vl z0 za[0]", 0},
		{"shorter than its header", []byte{1, 2, 3}, []byte{}, []byte{4}, "", "vl svl svcr", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := elftest.ARM64().Thread(1, 11, 0x1000)
			for i, d := range [][]byte{c.sve, c.ssve, c.za} {
				if d != nil {
					b.Note("LINUX", []uint32{elftest.NTARMSVE, elftest.NTARMSSVE, elftest.NTARMZA}[i], d, -1)
				}
			}
			p := open(t, b.Core(), nil)
			have := map[string]string{}
			for _, r := range p.Threads[0].Registers() {
				if have[r.Name] = fmt.Sprintf("%#x", r.Value); r.Bytes != nil {
					have[r.Name] = fmt.Sprintf("%x", r.Bytes)
				}
			}
			for want := range strings.FieldsSeq(c.want) {
				name, value, _ := strings.Cut(want, "=")
				if got, ok := have[name]; !ok || value != "" && got != value {
					t.Errorf("%s is %q, not %s", name, got, value)
				}
			}
			for name := range strings.FieldsSeq(c.lacks) {
				if got, ok := have[name]; ok {
					t.Errorf("there is %s: %s", name, got)
				}
			}
			if vg, _ := p.Threads[0].Regs.Get(core.VG); vg != c.vg {
				t.Errorf("vg is %d, not %d", vg, c.vg)
			}
			if lies := c.vg == 0 && c.sve != nil; lies != strings.Contains(warnings(p), "NT_ARM_SVE") {
				t.Errorf("warnings: %s", warnings(p))
			}
		})
	}
}

// taggedCore has tags of the pages at 0x10000 and 0x20000; memsz and filesz are the sizes of the
// latter's segment.
func taggedCore(memsz, filesz uint64) []byte {
	b := elftest.ARM64().Thread(1, 11, 0x1000)
	tags := make([]byte, 4096/32)
	for i := range tags {
		tags[i] = byte(2*i&15 | (2*i+1)&15<<4)
	}
	b.Load(0x10000, 0, core.Read|core.Write, make([]byte, 4096)).Load(0x20000, 0, core.Read|core.Write,
		make([]byte, 4096))
	const memTag stdelf.ProgType = 0x70000002 // PT_AARCH64_MEMTAG_MTE
	b.Segment(memTag, 0x20000, memsz, 0, tags[:min(len(tags), int(filesz))], filesz)
	b.Segment(memTag, 0x10000, 4096, 0, tags, uint64(len(tags)))
	return b.Core()
}

func TestTags(t *testing.T) {
	for _, c := range []struct {
		name          string
		memsz, filesz uint64
		runs          int
		at            core.Addr
		tag           uint8
		err           string
	}{
		{"the first page", 4096, 128, 2, 0x10050, 5, ""},
		{"a pointer with a tag", 4096, 128, 2, 0x0b00_0000_0002_00ff, 15, ""},
		{"the last granule", 4096, 128, 2, 0x20fff, 15, ""},
		{"no tags there", 4096, 128, 2, 0x21000, 0, "no run"},
		{"none were dumped", 4096, 0, 2, 0x20000, 0, "not dumped"},
		{"fewer than there is memory", 1 << 30, 128, 2, 0x2f000, 0, "not dumped"},
		{"beyond the end of the file", 1 << 30, 1 << 24, 2, 0x2000_0000, 0, "truncated"},
		{"around the end of the address space", 1<<64 - 0x10000, 128, 1, 0x20000, 0, "no run"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := open(t, taggedCore(c.memsz, c.filesz), nil)
			if len(p.Tags) != c.runs {
				t.Fatalf("%d runs: %+v", len(p.Tags), p.Tags)
			}
			run, ok := p.TagRun(c.at)
			if !ok {
				if c.err != "no run" {
					t.Error("no run")
				}
				return
			}
			tag, err := run.Tag(c.at)
			if tag != c.tag || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("tag %d, %v; not %d, %s", tag, err, c.tag, c.err)
			}
		})
	}
}

// TestTaggedPointer: what a tagged pointer refers to is read; pointers of the kernel and
// other architectures have no tags.
func TestTaggedPointer(t *testing.T) {
	p := open(t, taggedCore(4096, 128), nil)
	var b [1]byte
	for a, ok := range map[core.Addr]bool{0x10000: true, 0x0500_0000_0001_0000: true, 0xb400_0000_0002_0fff: true,
		0x0500_0000_0002_1000: false, 0xff80_0000_0001_0000: false} {
		if _, err := p.Space.ReadAt(b[:], a); (err == nil) != ok {
			t.Errorf("%v: %v", a, err)
		}
	}
	p = open(t, elftest.AMD64().Thread(1, 11, 0).Load(0x10000, 0, core.Read, make([]byte, 64)).Core(), nil)
	if _, err := p.Space.ReadAt(b[:], 0x0500_0000_0001_0000); err == nil {
		t.Error("x86-64 ignores no bits")
	}
}
