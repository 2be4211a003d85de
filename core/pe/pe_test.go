package pe_test

import (
	"os"
	"path/filepath"
	"testing"

	"coredbg/core"
	"coredbg/core/find"
	"coredbg/core/minidump/minidumptest"
	"coredbg/core/pe"
	"coredbg/walk/cfi"
)

var guid = []byte("0123456789abcdef")

// functions are two of "x64 exception handling": one that pushes rbx, allocates 0x20
// bytes; one that pushes rbp, allocates 0x40, sets rbp to rsp+0x20 and saves rsi at 0x38;
// and a part of the second that is elsewhere, chained to it.
func image() []byte {
	second := []byte{1, 14, 5, 5 | 2<<4, 14, 6<<4 | 4, 7, 0, 10, 5<<4 | 3, 5, 7<<4 | 2, 1, 5 << 4, 0, 0}
	chained := append([]byte{1 | 4<<3, 0, 0, 0}, minidumptest.Words(minidumptest.PEText+0x100,
		minidumptest.PEText+0x140, minidumptest.PEData+0x100+8)...)
	return minidumptest.PE(make([]byte, 0x400), guid,
		minidumptest.Unwind{Off: 0, Size: 0x40, Info: []byte{1, 6, 2, 0, 6, 3<<4 | 2, 2, 3 << 4}},
		minidumptest.Unwind{Off: 0x100, Size: 0x40, Info: second},
		minidumptest.Unwind{Off: 0x200, Size: 0x20, Info: chained})
}

// TestRows checks what unwind codes say. Truth: the comment of image, worked out by hand.
func TestRows(t *testing.T) {
	f, err := pe.NewFile(core.Bytes(image()), "tiny.dll")
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.Section(".debug_frame")
	if err != nil {
		t.Fatal(err)
	}
	table := cfi.New(core.AMD64, cfi.Sections{DebugFrame: s})
	const rbx, rsi, rbp, rsp = 3, 4, 6, 7
	for _, c := range []struct {
		rva   uint64
		reg   int8
		off   int64
		saved map[int]int64 // from the CFA
	}{
		{0x1000, rsp, 8, nil}, {0x1002, rsp, 16, map[int]int64{rbx: -16}}, {0x1006, rsp, 48, map[int]int64{rbx: -16}},
		{0x103f, rsp, 48, map[int]int64{rbx: -16}},
		{0x1100, rsp, 8, nil}, {0x1101, rsp, 16, map[int]int64{rbp: -16}}, {0x1105, rsp, 80, map[int]int64{rbp: -16}},
		{0x110a, rbp, 48, map[int]int64{rbp: -16}}, {0x110e, rbp, 48, map[int]int64{rbp: -16, rsi: -24}},
		{0x1200, rbp, 48, map[int]int64{rbp: -16, rsi: -24}},
		{0x1080, rsp, 8, nil}, // a leaf
	} {
		row, err := table.Row(c.rva)
		if err != nil {
			t.Errorf("%#x: %v", c.rva, err)
			continue
		}
		if row.CFAReg != c.reg || row.CFAOff != c.off || row.Rule(16).Kind != cfi.Offset || row.Rule(16).Off != -8 {
			t.Errorf("%#x: register %d + %d, return address %+v, want %d + %d", c.rva, row.CFAReg, row.CFAOff,
				row.Rule(16), c.reg, c.off)
		}
		for _, reg := range []int{rbx, rbp, rsi} {
			rule, off := row.Rule(reg), c.saved[reg]
			if (rule.Kind == cfi.Offset) != (off != 0) || rule.Kind == cfi.Offset && rule.Off != off {
				t.Errorf("%#x: register %d: %+v, want %d", c.rva, reg, rule, off)
			}
		}
	}
	if _, err := table.Row(0x2000); err == nil {
		t.Error("data has a row")
	}
}

func TestImage(t *testing.T) {
	f, err := pe.NewFile(core.Bytes(image()), "tiny.dll")
	if err != nil {
		t.Fatal(err)
	}
	if id := f.DebugID(); id != "333231303534373638396162636465661" {
		t.Errorf("debug id %s", id)
	}
	var names []string
	f.Symbols(true, func(s core.ImageSymbol) bool { names = append(names, string(s.Name)); return s.Value == 0x1000 })
	if len(names) != 1 || names[0] != "exported" {
		t.Errorf("exports %q", names)
	}
	gap := core.Segment{Start: 0x140000000, End: 0x140003000, ProtUnknown: true, Gap: core.NotInDump}
	if g := f.Fill(gap, 0x140000000, 0x140001010); g.Kind != core.SegFile || g.Start != 0x140001000 || g.Off != 0x400 ||
		g.Prot != core.Read|core.Exec {
		t.Errorf("code: %+v", g)
	}
	if g := f.Fill(gap, 0x140000000, 0x140002010); g.Kind != core.SegGap || g.Prot != core.Read {
		t.Errorf("data: %+v", g)
	}
	for _, bad := range []string{"", "MZ", "\x7fELF", string(image()[:0x50])} {
		if _, err := pe.NewFile(core.Bytes(bad), "bad"); err == nil {
			t.Errorf("%.8q is an image", bad)
		}
	}
}

func TestDisk(t *testing.T) {
	dir := t.TempDir()
	store := filepath.Join(dir, "tiny.dll", "5CA1AB1E3000")
	if err := os.MkdirAll(store, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(store, "tiny.dll"), image(), 0o644); err != nil {
		t.Fatal(err)
	}
	d := pe.Disk{Disk: find.Disk{Search: []string{dir}}}
	want := func(id string, stamp uint32) bool {
		got := d.Find(t.Context(), pe.Want(`C:\Windows\tiny.dll`, id, stamp, 0x3000))
		if got.Source != nil {
			got.Source.Close()
		}
		return got.Source != nil
	}
	if !want("333231303534373638396162636465661", 0x5ca1ab1e) || want("333231303534373638396162636465662",
		0x5ca1ab1e) || want("", 1) {
		t.Error("the image is found by another id, or not at all")
	}
}

func FuzzFile(f *testing.F) {
	f.Add(image())
	f.Add(image()[:0x200])
	f.Fuzz(func(t *testing.T, data []byte) {
		img, err := pe.NewFile(core.Bytes(data), "fuzz")
		if err != nil || len(data) > 1<<16 {
			return
		}
		n := 0
		img.Symbols(true, func(core.ImageSymbol) bool { n++; return n < 1000 })
		img.DebugID()
		if s, err := img.Section(".debug_frame"); err == nil {
			table := cfi.New(core.AMD64, cfi.Sections{DebugFrame: s})
			for pc := uint64(0x1000); pc < 0x1400; pc += 0x33 {
				table.Row(pc)
			}
		}
	})
}
