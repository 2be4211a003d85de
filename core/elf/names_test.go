package elf

import (
	"errors"
	"io"
	"testing"

	"coredbg/core"
	"coredbg/core/elf/format"
)

// pieced is a source whose dots stand for missing bytes.
type pieced string

func (p pieced) Size() int64 { return int64(len(p)) }

func (p pieced) Window(off int64) ([]byte, error) {
	if off < 0 || off >= p.Size() {
		return nil, io.EOF
	}
	start, end := p.Data(off)
	if start > off {
		return nil, &core.GapError{Gap: core.LeftOut, Detail: "a dot"}
	}
	return []byte(p[off:min(end, off+3)]), nil // no more, so that windows are joined
}

func (p pieced) Data(off int64) (start, end int64) {
	for start = off; start < p.Size() && p[start] == '.'; start++ {
	}
	for end = start; end < p.Size() && p[end] != '.'; end++ {
	}
	return start, end
}

func (p pieced) Close() error { return nil }

// TestNamePieces: in a string table in pieces the names present are read, in any order, and the others
// are missing for the source's reason.
func TestNamePieces(t *testing.T) {
	src := pieced("head\x00first\x00.......last\x00..cut...")
	f := &File{exec: executionView{src: src}, unpacked: map[*format.Section]core.Section{},
		cutNames: map[*format.Section]*nameTable{}}
	table := &format.Section{Name: ".strtab", Off: 4, Size: uint64(len(src)) - 4}
	for range 2 { // read, and kept
		names, err := f.namesIn(table)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []struct {
			off  uint32
			want string
		}{{14, "last"}, {1, "first"}, {3, "rst"}, {0, ""}, {16, "st"}} {
			if got, err := names.name(at.off); string(got) != at.want || err != nil {
				t.Errorf("%d: %q, %v, want %q", at.off, got, err, at.want)
			}
		}
		for _, off := range []uint32{7, 13, 19, 21, 24} {
			var gap *core.GapError
			if got, err := names.name(off); got != nil || !errors.As(err, &gap) || gap.Gap != core.LeftOut {
				t.Errorf("%d: %q, %v", off, got, err)
			}
		}
		if got, err := names.name(1000); got != nil || err != nil {
			t.Errorf("after the table: %q, %v", got, err)
		}
	}
	// All of it, none of it, and one that ends too early.
	for text, want := range map[pieced]string{"\x00a\x00": "a", ".....": "", "\x00a\x00.": "a"} {
		f := &File{exec: executionView{src: text}, unpacked: map[*format.Section]core.Section{},
			cutNames: map[*format.Section]*nameTable{}}
		names, _ := f.namesIn(&format.Section{Name: ".strtab", Size: uint64(len(text))})
		if got, _ := names.name(1); string(got) != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
