package dwarf

import (
	"encoding/binary"
	"errors"
	"testing"

	"coredbg/core"
)

// TestSectionErrors: an error says which section is damaged, and where. The offsets are counted by hand: the header of
// a unit has 11 bytes in DWARF 4 and 12 in DWARF 5, its first entry begins after it, and the first number of a
// table of line numbers after its size is its version.
func TestSectionErrors(t *testing.T) {
	opened := func(change func(image)) error {
		img := program(5).image()
		change(img)
		d, err := Open(img, binary.LittleEndian, nil)
		if err != nil {
			return err
		}
		for u := range d.Units() {
			if err := u.Lost(); err != nil {
				return err
			}
		}
		return d.Broken()
	}
	line := func(table []byte) error {
		_, err := NewLineProgram(LineSections{Line: table, Order: binary.LittleEndian}, 0, "")
		return err
	}
	whole := lineTable5("\x01a.c\x00\x00", lineOps)
	for _, c := range []struct {
		what, section string
		off           uint64
		err           error
	}{
		{"a unit longer than its section", ".debug_info", 4,
			opened(func(i image) { binary.LittleEndian.PutUint32(i[".debug_info"], 1<<20) })},
		{"a unit that ends in its header", ".debug_info", 12,
			opened(func(i image) { i[".debug_info"] = i[".debug_info"][:12]; i[".debug_info"][0] = 7 })},
		{"a unit without an entry", ".debug_info", 12,
			opened(func(i image) { i[".debug_info"] = i[".debug_info"][:12]; i[".debug_info"][0] = 8 })},
		{"a first entry that is cut off", ".debug_info", 13,
			opened(func(i image) { i[".debug_info"] = i[".debug_info"][:15]; i[".debug_info"][0] = 11 })},
		{"no abbreviations", ".debug_abbrev", 0,
			opened(func(i image) { delete(i, ".debug_abbrev") })},
		{"abbreviations that are cut off", ".debug_abbrev", 3,
			opened(func(i image) { i[".debug_abbrev"] = i[".debug_abbrev"][:3] })},
		{"line numbers that are cut off", ".debug_line", 4, line(whole[:len(whole)-1])},
		{"line numbers of an unknown version", ".debug_line", 6,
			line(append(append([]byte{}, whole[:4]...), append([]byte{9}, whole[5:]...)...))},
	} {
		var at *core.SectionError
		if !errors.As(c.err, &at) || at.Section != c.section || at.Off != c.off {
			t.Errorf("%s: %v, want %s at %#x", c.what, c.err, c.section, c.off)
		}
	}
}
