package machocore_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/find"
	"coredbg/core/macho"
	"coredbg/core/macho/format"
	"coredbg/core/macho/machocore"
	"coredbg/core/macho/machotest"
)

// someFiles is a Finder of files in memory.
type someFiles map[string][]byte

func (f someFiles) Find(_ context.Context, w find.Want) find.Found {
	b, ok := f[w.Path]
	if !ok || w.Kind != find.Image {
		return find.Found{}
	}
	if err := w.Check(core.Bytes(b)); err != nil {
		if other := new(macho.MismatchError); errors.As(err, &other) {
			other.Path = w.Path
		}
		return find.Found{Refused: []error{err}}
	}
	return find.Found{Source: core.Bytes(b), From: w.Path}
}

// TestFill reads what a core lacks from the images' files: code as it is, constants
// as dyld left them, and of the rest says why it cannot be had.
func TestFill(t *testing.T) {
	exe, lib := machotest.TwoImages()
	data := machotest.CoreOf(machotest.LoadNote(1, 0x500000000, "/bin/a"),
		machotest.LoadNote(2, 0x600000000, "/usr/lib/libb.dylib"))
	p, err := machocore.Open(core.Bytes(data), "core",
		machocore.Options{Files: someFiles{"/bin/a": exe, "/usr/lib/libb.dylib": lib}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := p.Space.Slice(0x500000800, 17)
	if string(text) != "text of the first" {
		t.Errorf("text %q, %v", text, err)
	}
	c := p.Cursor()
	for a, want := range map[core.Addr]uint64{0x500001000: 0x10203040, 0x500001008: 0x500000800, 0x500001010: 0x1111,
		0x500001018: 0x600000815, 0x500001020: 0x2222, 0x500001030: 0x3333, 0x500001038: 0} {
		if v := c.U64(a); v != want || c.Err() != nil {
			t.Errorf("%v: %#x, %v, want %#x", a, v, c.Reset(), want)
		}
	}
	for a, want := range map[core.Addr]string{0x500001028: `a pointer that dyld bound to "_absent" of "libb.dylib"`,
		0x500002000: "it may have been written to"} {
		if c.U64(a); c.Err() == nil || !strings.Contains(c.Reset().Error(), want) {
			t.Errorf("%v: %v, want %s", a, c.Err(), want)
		}
	}
	if g, ok := p.Mapping(0x500001000); !ok || g.Prot.String() != "r--" || g.Path != "/bin/a" || g.Dumped != 0 {
		t.Errorf("mapping %+v", g)
	}
}

// TestFillRefuses takes no byte of a file with another UUID.
func TestFillRefuses(t *testing.T) {
	exe, _ := machotest.TwoImages()
	h := bytes.Clone(exe)
	h = bytes.Replace(h, bytes.Repeat([]byte{1}, 16), bytes.Repeat([]byte{9}, 16), 1)
	for name, files := range map[string]someFiles{"absent": {}, "another": {"/bin/a": h}} {
		p, err := machocore.Open(core.Bytes(machotest.CoreOf(machotest.LoadNote(1, 0x500000000, "/bin/a"))), "core",
			machocore.Options{Files: files})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Space.Slice(0x500000800, 17); err == nil {
			t.Errorf("%s: bytes were read", name)
		}
		if facts := p.Modules[0].Facts(); facts.Image != nil || facts.Err == nil {
			t.Errorf("%s: %+v", name, facts)
		} else if name == "another" && !strings.Contains(facts.Err.Error(),
			"/bin/a: another file: its UUID is 09090909-") {
			t.Errorf("%s: %v", name, facts.Err)
		}
	}
}

// TestChainsDamaged takes chains that lead out of their page, imports that are
// ^uint64(0), formats that are unknown: the page is a gap that says so.
func TestChainsDamaged(t *testing.T) {
	for _, c := range []struct {
		format, first int
		word          uint64
		want          string
	}{
		{6, 8, 4095 << 51, "leads out"},
		{6, 0xff0, 4 << 51, "leads out"},
		{6, 8, 1<<63 | 77, "no import 77"},
		{99, 8, 0, "unknown format 99"},
		{14, 8, 15 << 28, "no segment 15"},
		{6, 0x8001, 0, "starts of chains are cut off"},
	} {
		s := machotest.Image{CPUType: format.CPUX86_64, FileType: format.MHExecute, UUID: 1, Segs: []machotest.Seg{
			{Name: "__TEXT", Addr: 0x100000000, Prot: 5},
			{Name: "__DATA_CONST", Addr: 0x100001000, Prot: 3, Data: machotest.U64s(1, c.word, 2, 3)}},
			Fixups: machotest.Chains(3, 1, c.format, c.first, 0x1000, nil, nil)}
		p, err := machocore.Open(core.Bytes(machotest.CoreOf(machotest.LoadNote(1, 0x500000000, "/bin/a"))), "core",
			machocore.Options{Files: someFiles{"/bin/a": s.Build()}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Space.Window(0x500001000); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
