package minidump

import (
	"fmt"
	"testing"

	"coredbg/core"
	"coredbg/core/minidump/minidumptest"
)

// TestPrivate: private data is found where it was put, and whatever a file claims, ranges are within
// it. Offsets of registers come from winnt.h.
func TestPrivate(t *testing.T) {
	for _, c := range []struct {
		cpu     uint16
		arch    *core.Arch
		general int64
		vectors string
		flag    int64
		bits    byte
	}{
		{minidumptest.CPUAMD64, core.AMD64, 256, "[{256 928} {1232 8}]", 48, 0x48},
		{minidumptest.CPUX86, core.I386, 28, "[{28 112} {204 520}]", 0, 0x68},
		{minidumptest.CPUARM64, core.ARM64, 272, "[{272 648}]", 0, 4},
		{minidumptest.CPUARM, core.ARM, 72, "[{72 304}]", 0, 4},
	} {
		d := minidumptest.New(c.cpu, minidumptest.Linux)
		context := append(minidumptest.Context(c.arch, core.Regs{}), make([]byte, 8)...) // of XSAVE
		d.Thread(7, context, 0, 0x1000, []byte("stack"))
		got := PrivateOf(core.Bytes(d.Bytes())).Contexts
		if len(got) != 1 {
			t.Errorf("%s: %d contexts", c.arch.Name, len(got))
			continue
		}
		at := got[0].General.Off
		for i := range got[0].Vectors {
			got[0].Vectors[i].Off -= at
		}
		if g := got[0]; g.General.Size != c.general || fmt.Sprint(g.Vectors) != c.vectors || g.Flag-at != c.flag ||
			g.Bits != c.bits {
			t.Errorf("%s: %+v", c.arch.Name, g)
		}
	}
	d := minidumptest.New(minidumptest.CPUAMD64, minidumptest.Linux)
	d.Stream(minidumptest.CmdLine, []byte("a\x00b\x00")).Stream(minidumptest.Environ,
		[]byte("C=d\x00")).Stream(minidumptest.CommentA, []byte("comment"))
	d.Module("/bin/a", 0x400000, 0x2000, nil)
	d.Crashpad([][2]string{{"one", "-x"}, {"two", "y"}}, 0, [][2]string{{"three", "--z=1"}, {"four", "4"}})
	b := d.Bytes()
	want := map[string]bool{"a\x00b\x00": true, "C=d\x00": true, "comment": true, "-x": true, "--z=1": true}
	got := PrivateOf(core.Bytes(b)).Strings
	for _, r := range got {
		if text := string(b[r.Off : r.Off+r.Size]); !want[text] {
			t.Errorf("%q is private", text)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d strings, want %d", len(got), len(want))
	}
	for _, s := range seeds() {
		for cut := 0; cut < len(s); cut += 7 {
			p := PrivateOf(core.Bytes(s[:cut]))
			for _, c := range p.Contexts {
				p.Strings = append(append(p.Strings, c.General), c.Vectors...)
			}
			for _, r := range append(p.Strings, p.Lines...) {
				if r.Off < 0 || r.Size < 0 || r.Off+r.Size > int64(cut) {
					t.Fatalf("of %d bytes: %+v", cut, r)
				}
			}
		}
	}
}
