package dwarf

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
)

// lineTable5 is a table of DWARF 5, as made by hand from section 6.2.4: two folders, files in each,
// and a program.
func lineTable5(files, lineOps string) []byte {
	// line base -5, range 14, opcode base 13
	head := "\x01\x01\x01\xfb\x0e\x0d" + "\x00\x01\x01\x01\x01\x00\x00\x00\x01\x00\x00\x01" +
		"\x01\x01\x08" + "\x02" + "/src\x00lib\x00" + // folders: a path each, by DW_FORM_string
		"\x02\x01\x08\x02\x0b" + files // files: a path, and its folder by DW_FORM_data1
	body := "\x05\x00\x08\x00" + length(len(head)) + head + lineOps
	return []byte(length(len(body)) + body)
}

func length(n int) string { return string(binary.LittleEndian.AppendUint32(nil, uint32(n))) }

// lineTable4 is a table of DWARF 4: one folder, one file in it and one in the compilation's.
func lineTable4(lineOps string) []byte {
	head := "\x01\x01\x01\xfb\x0e\x0d" + "\x00\x01\x01\x01\x01\x00\x00\x00\x01\x00\x00\x01" +
		"lib\x00\x00" + "a.c\x00\x00\x00\x00" + "b.h\x00\x01\x00\x00" + "/abs.h\x00\x01\x00\x00" + "\x00"
	body := "\x04\x00" + length(len(head)) + head + lineOps
	return []byte(length(len(body)) + body)
}

// lineOps sets the address 0x1000, makes a row of line 7, one by a special opcode (2 bytes and a
// line on), one in file 2, and ends the sequence.
const lineOps = "\x00\x09\x02\x00\x10\x00\x00\x00\x00\x00\x00" + "\x03\x06\x01" + "\x2f" + "\x04\x02\x05\x09\x01" +
	"\x02\x04\x00\x01\x01"

func TestLineProgram(t *testing.T) {
	want := []LineRow{{0x1000, 1, 7, 0, false}, {0x1002, 1, 8, 0, false}, {0x1002, 2, 8, 9, false},
		{0x1006, 2, 8, 9, true}}
	for _, c := range []struct {
		what  string
		table []byte
		files map[int]string
	}{
		{"DWARF 5", lineTable5("\x04a.c\x00\x00b.h\x00\x01/abs.h\x00\x01c.h\x00\x07", lineOps),
			map[int]string{0: "/src/a.c", 1: "lib/b.h", 2: "/abs.h", 3: "c.h", 4: "", -1: ""}},
		{"DWARF 4", lineTable4(lineOps), map[int]string{0: "", 1: "/cwd/a.c", 2: "/cwd/lib/b.h", 3: "/abs.h", 4: ""}},
	} {
		p, err := NewLineProgram(LineSections{Line: c.table, Order: binary.LittleEndian}, 0, "/cwd")
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		var got []LineRow
		if err := p.Rows(func(r LineRow) { got = append(got, r) }); err != nil || len(got) != len(want) {
			t.Errorf("%s: %+v, %v", c.what, got, err)
			continue
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: row %d is %+v, want %+v", c.what, i, got[i], want[i])
			}
		}
		for i, name := range c.files {
			if got := p.File(i); got != name {
				t.Errorf("%s: file %d is %q, want %q", c.what, i, got, name)
			}
		}
	}
}

// TestLineProgramLies: what cannot be is refused before anything is made of its size.
func TestLineProgramLies(t *testing.T) {
	whole := lineTable5("\x01a.c\x00\x00", lineOps)
	change := func(old, to string) []byte {
		b := bytes.Replace(whole, []byte(old), []byte(to), 1)
		return append([]byte(length(len(b)-4)), b[4:]...)
	}
	for _, c := range []struct {
		what, want string
		table      []byte
	}{
		{"cut", "cut short", whole[:len(whole)-1]},
		{"version 6", "version 6 is not known", change("\x05\x00\x08", "\x06\x00\x08")},
		{"no range", "has a zero", change("\xfb\x0e\x0d", "\xfb\x00\x0d")},
		{"an opcode with operands", "opcode 1 has 9 operands", change("\x0d\x00\x01\x01", "\x0d\x09\x01\x01")},
		{"many folders", "as large as it says", change("\x02/src", "\xff\xff\xff\xff\x0f/src")},
		{"folders without names", "without a name", change("\x01\x01\x08\x02/src", "\x01\x02\x08\x02/src")},
		{"a form", "form 0x7f", change("\x02\x01\x08\x02\x0b", "\x02\x01\x7f\x02\x0b")},
	} {
		if _, err := NewLineProgram(LineSections{Line: c.table, Order: binary.LittleEndian}, 0, ""); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.what, err, c.want)
		}
	}
	if _, err := NewLineProgram(LineSections{Line: whole, Order: binary.LittleEndian}, 1<<40, ""); err == nil {
		t.Error("a table after the section's end is read")
	}
}

func FuzzLineProgram(f *testing.F) {
	f.Add(lineTable5("\x02a.c\x00\x00b.h\x00\x01", lineOps), []byte("x\x00"), false)
	f.Add(lineTable4(lineOps), []byte{}, true)
	f.Fuzz(func(t *testing.T, line, str []byte, big bool) {
		var order binary.ByteOrder = binary.LittleEndian
		if big {
			order = binary.BigEndian
		}
		p, err := NewLineProgram(LineSections{Line: line, LineStr: str, Str: str, Order: order}, 0, "/dir")
		if err != nil {
			return
		}
		rows := 0
		p.Rows(func(r LineRow) {
			rows++
			if r.Line < 0 || r.Column < 0 || rows > len(line) {
				t.Fatalf("row %d: %+v", rows, r)
			}
			if rows < 100 {
				p.File(r.File)
			}
		})
	})
}
