package macho

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/find"
)

// TestPointerForms has one pointer of each kind in each format, composed of the bit
// fields of mach-o/fixup-chains.h.
func TestPointerForms(t *testing.T) {
	b := func(fields ...uint64) (w uint64) { // value, width, value, width, …
		at := 0
		for i := 0; i < len(fields); i += 2 {
			w |= fields[i] << at
			at += int(fields[i+1])
		}
		if at != 64 && at != 32 {
			t.Fatalf("%d bits", at)
		}
		return w
	}
	for _, c := range []struct {
		format uint16
		raw    uint64
		want   string
	}{
		{1, b(0x123456789, 43, 0xab, 8, 3, 11, 0, 1, 0, 1), "next 3 to 0x123456789 high 0xab"},
		{9, b(0x1234, 43, 0, 8, 1, 11, 0, 1, 0, 1), "next 1 to image+0x1234"},
		{7, b(0x1234, 43, 0, 8, 1, 11, 0, 1, 0, 1), "next 1 to image+0x1234"},
		{10, b(0x1234, 43, 0, 8, 1, 11, 0, 1, 0, 1), "next 1 to 0x1234"},
		{1, b(0x1234, 32, 0xbeef, 16, 1, 1, 2, 2, 5, 11, 0, 1, 1, 1), "next 5 to image+0x1234"},
		{9, b(7, 16, 0, 16, 0x7ffff, 19, 4, 11, 1, 1, 0, 1), "next 4 import 7-1"},
		{12, b(0x20007, 24, 0, 8, 9, 19, 4, 11, 1, 1, 0, 1), "next 4 import 131079+9"},
		{9, b(0xffff, 16, 0, 16, 0xbeef, 16, 1, 1, 0, 2, 0, 11, 1, 1, 1, 1), "next 0 import 65535"},
		{12, b(0x123456, 24, 0, 8, 0xbeef, 16, 1, 1, 0, 2, 0, 11, 1, 1, 1, 1), "next 0 import 1193046"},
		{2, b(0x123456789, 36, 0x80, 8, 0, 7, 0xfff, 12, 0, 1), "next 4095 to 0x123456789 high 0x80"},
		{6, b(0x1234, 36, 0, 8, 0, 7, 2, 12, 0, 1), "next 2 to image+0x1234"},
		{2, b(0x10001, 24, 0xff, 8, 0, 19, 2, 12, 1, 1), "next 2 import 65537+255"},
		{3, b(0x123456, 26, 5, 5, 0, 1), "next 5 to 0x123456"},
		{3, b(0x12345, 20, 63, 6, 5, 5, 1, 1), "next 5 import 74565+63"},
		{4, b(0x12345678, 30, 3, 2), "next 3 to image+0x12345678"},
		{5, b(0x123456, 26, 63, 6), "next 63 to 0x123456"},
		{8, b(0x12345678, 30, 1, 2, 0xbeef, 16, 1, 1, 1, 2, 9, 12, 1, 1), "next 9 to image+0x12345678"},
		{11, b(0x12345678, 30, 0, 2, 0, 16, 0, 1, 0, 2, 9, 12, 0, 1), "next 9 to image+0x12345678"},
		{13, b(0x312345678, 34, 0x41, 8, 0, 10, 6, 11, 0, 1), "next 6 to image+0x312345678 high 0x41"},
		{13, b(0x312345678, 34, 0xbeef, 16, 1, 1, 1, 1, 6, 11, 1, 1), "next 6 to image+0x312345678"},
		{14, b(0x1234, 28, 2, 4, 0, 19, 7, 12, 0, 1), "next 7 to segment 2+0x1234"},
		{14, b(0x1234, 28, 15, 4, 0xbeef, 16, 1, 1, 3, 2, 7, 12, 1, 1), "next 7 to segment 15+0x1234"},
	} {
		p := pointerForms[c.format].decode(c.raw)
		got := fmt.Sprintf("next %d ", p.next)
		switch {
		case p.bind && p.addend != 0:
			got += fmt.Sprintf("import %d%+d", p.target, p.addend)
		case p.bind:
			got += fmt.Sprintf("import %d", p.target)
		case p.segment >= 0:
			got += fmt.Sprintf("to segment %d+%#x", p.segment, p.target)
		case p.offset:
			got += fmt.Sprintf("to image+%#x", p.target)
		default:
			got += fmt.Sprintf("to %#x", p.target)
		}
		if p.high != 0 {
			got += fmt.Sprintf(" high %#x", p.high)
		}
		if got != c.want {
			t.Errorf("format %d, %#x: %s, want %s", c.format, c.raw, got, c.want)
		}
	}
}

// someFiles is a Finder of files in memory.
type someFiles map[string][]byte

func (f someFiles) Find(_ context.Context, w find.Want) find.Found {
	b, ok := f[w.Path]
	if !ok || w.Kind != find.Image {
		return find.Found{}
	}
	if err := named(w.Path, w.Check(core.Bytes(b))); err != nil {
		return find.Found{Refused: []error{err}}
	}
	return find.Found{Source: core.Bytes(b), From: w.Path}
}

func u64s(v ...uint64) (b []byte) {
	for _, x := range v {
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	return b
}

// Two images: the first has constants that point into itself, to a symbol of the
// second, and to one that nobody has; and writable data.
func twoImages() (exe, lib []byte) {
	next := func(n uint64) uint64 { return n << 51 }
	bind := func(i, addend, n uint64) uint64 { return 1<<63 | next(n) | addend<<24 | i }
	e := imageSpec{cputype: cpuX86_64, filetype: mhExecute, uuid: 1, dylibs: []string{"/usr/lib/libb.dylib"},
		segs: []segSpec{
			{name: "__TEXT", addr: 0x100000000, prot: 5, data: []byte("text of the first")},
			{name: "__DATA_CONST", addr: 0x100001000, prot: 3, flags: segReadOnly, zero: 16,
				data: u64s(0x10203040, 0x800|next(4), 0x1111, bind(0, 5, 4), 0x2222, bind(1, 0, 0), 0x3333)},
			{name: "__DATA", addr: 0x100002000, prot: 3, data: []byte("data")},
		}, trie: smallTrie(map[string]uint64{"_main": 0x800}), starts: []byte{0x80, 0x10, 0},
		fixups: chainSpec(4, 1, 6, 8, 0x1000, []int{1, 1}, []string{"_value", "_absent"})}
	l := imageSpec{cputype: cpuX86_64, filetype: mhDylib, uuid: 2, id: "/usr/lib/libb.dylib",
		segs: []segSpec{{name: "__TEXT", addr: 0, prot: 5, data: []byte("text of the second")}},
		trie: smallTrie(map[string]uint64{"_value": 0x810})}
	return e.build(), l.build()
}

// loadNote is a "load binary" note.
func loadNote(uuid byte, load uint64, path string) []byte {
	return words(1, bytes.Repeat([]byte{uuid}, 16), load, absent, path, "\x00")
}

// coreOf is a core with notes and no memory but a page far away.
func coreOf(payloads ...[]byte) []byte {
	cmds := len(payloads)*noteSize + segmentSize
	off := headerSize + cmds
	var b, tail []byte
	for _, p := range payloads {
		b = append(b, noteCommand("load binary", uint64(off+len(tail)), uint64(len(p)))...)
		tail = append(tail, p...)
	}
	b = append(b, segmentCommand(0x7000_0000_0000, 0x1000, 0, 0, 3)...)
	return append(coreFile(cpuX86_64, len(payloads)+1, b), tail...)
}

// TestFill reads what a core lacks from the images' files: code as it is, constants
// as dyld left them, and of the rest says why it cannot be had.
func TestFill(t *testing.T) {
	exe, lib := twoImages()
	data := coreOf(loadNote(1, 0x500000000, "/bin/a"), loadNote(2, 0x600000000, "/usr/lib/libb.dylib"))
	p, err := Open(core.Bytes(data), "core", Options{Files: someFiles{"/bin/a": exe, "/usr/lib/libb.dylib": lib}})
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
	for a, want := range map[core.Addr]string{0x500001028: `a pointer that dyld bound to "_absent" of "libb.dylib"`, 0x500002000: "it may have been written to"} {
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
	exe, _ := twoImages()
	h := bytes.Clone(exe)
	h = bytes.Replace(h, bytes.Repeat([]byte{1}, 16), bytes.Repeat([]byte{9}, 16), 1)
	for name, files := range map[string]someFiles{"absent": {}, "another": {"/bin/a": h}} {
		p, err := Open(core.Bytes(coreOf(loadNote(1, 0x500000000, "/bin/a"))), "core", Options{Files: files})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Space.Slice(0x500000800, 17); err == nil {
			t.Errorf("%s: bytes were read", name)
		}
		if facts := p.Modules[0].Facts(); facts.Image != nil || facts.Err == nil {
			t.Errorf("%s: %+v", name, facts)
		} else if name == "another" && !strings.Contains(facts.Err.Error(), "/bin/a: another file: its UUID is 09090909-") {
			t.Errorf("%s: %v", name, facts.Err)
		}
	}
}

// TestChainsDamaged takes chains that lead out of their page, imports that are
// absent, formats that are unknown: the page is a gap that says so.
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
		s := imageSpec{cputype: cpuX86_64, filetype: mhExecute, uuid: 1, segs: []segSpec{
			{name: "__TEXT", addr: 0x100000000, prot: 5},
			{name: "__DATA_CONST", addr: 0x100001000, prot: 3, data: u64s(1, c.word, 2, 3)}},
			fixups: chainSpec(3, 1, c.format, c.first, 0x1000, nil, nil)}
		p, err := Open(core.Bytes(coreOf(loadNote(1, 0x500000000, "/bin/a"))), "core", Options{Files: someFiles{"/bin/a": s.build()}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Space.Window(0x500001000); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func FuzzFixups(f *testing.F) {
	exe, _ := twoImages()
	f.Add(exe)
	old := imageSpec{cputype: cpuX86_64, filetype: mhExecute, uuid: 1, segs: []segSpec{
		{name: "__TEXT", addr: 0x100000000, prot: 5}, {name: "__DATA_CONST", addr: 0x100001000, prot: 3, data: u64s(1, 2, 3, 4)}},
		fixups: []byte("\x11\x21\x00\x52\x11\x71\x08\x90\x60\x7f\xc0\x05\x08")}
	b := old.build()
	for i := range b { // its fixups as the opcodes of LC_DYLD_INFO_ONLY
		if le.Uint32(b[i:]) == lcChainedFixups {
			le.PutUint32(b[i:], lcDyldInfoOnly)
			break
		}
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		img, err := NewFile(core.Bytes(b), "fuzz", cpuX86_64, nil)
		if err != nil {
			return
		}
		find := func(*File, *imported) (core.Addr, error) { return 1, nil }
		for i := range min(len(img.segs), 8) {
			src := img.content(i, 0x1000, find)
			for off, n := int64(0), 0; off < src.Size() && n < 64; n++ {
				w, err := src.Window(off)
				if err != nil {
					off += 4
				} else if len(w) == 0 {
					t.Fatal("an empty window")
				}
				off += int64(len(w))
			}
		}
	})
}
