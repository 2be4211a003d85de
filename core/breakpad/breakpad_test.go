package breakpad_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/breakpad"
	"coredbg/core/find"
	"coredbg/walk/cfi"
)

const symbols = `MODULE Linux x86_64 33221100554477668899AABBCCDDEEFF0 libfoo.so
INFO CODE_ID 00112233445566778899AABBCCDDEEFF01020304
FILE 0 /src/a.c
FILE 1 /src/b.h
INLINE_ORIGIN 0 inner()
INLINE_ORIGIN 1 outer()
FUNC 1000 40 0 first
INLINE 0 12 0 1 1010 20
INLINE 1 7 1 0 1018 8
1000 10 10 0
1010 8 5 1
1018 8 3 1
1020 20 13 0
FUNC m 2000 10 8 second(int)
2000 10 20 0
PUBLIC 3000 0 third
STACK CFI INIT 1000 40 .cfa: $rsp 8 + .ra: .cfa 8 - ^
STACK CFI 1001 .cfa: $rsp 16 + $rbp: .cfa -16 + ^
STACK CFI 1004 .cfa: $rbp 16 +
STACK CFI INIT 2000 10 .cfa: $rsp 15 + 16 @ 8 + .ra: $rax 8 + ^ $rbx: .undef $r12: $r13
`

func image(t *testing.T, text string) *breakpad.Image {
	t.Helper()
	f, err := breakpad.NewImage(core.Bytes(text), "libfoo.so.sym", 0x400000, 0)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestLines: truth is the text above, by Breakpad's docs/symbol_files.md.
func TestLines(t *testing.T) {
	f := image(t, symbols)
	for link, want := range map[uint64][]breakpad.Line{
		0x401005: {{Func: "first", File: "/src/a.c", Line: 10}},
		0x401012: {{Func: "outer()", File: "/src/b.h", Line: 5, Inlined: true},
			{Func: "first", File: "/src/a.c", Line: 12}},
		0x401019: {{Func: "inner()", File: "/src/b.h", Line: 3, Inlined: true},
			{Func: "outer()", File: "/src/b.h", Line: 7, Inlined: true}, {Func: "first", File: "/src/a.c", Line: 12}},
		0x402000: {{Func: "second(int)", File: "/src/a.c", Line: 20}},
		0x403000: nil, 0x400fff: nil, 0x401040: nil,
	} {
		if got := f.Lines(link); !reflect.DeepEqual(got, want) {
			t.Errorf("%#x: %+v, want %+v", link, got, want)
		}
	}
	var names []string
	f.Symbols(false, func(s core.ImageSymbol) bool { names = append(names, string(s.Name)); return true })
	if got := strings.Join(names, " "); got != "first second(int) third" {
		t.Errorf("symbols %s", got)
	}
}

func TestRules(t *testing.T) {
	s, err := image(t, symbols).Section(".debug_frame")
	if err != nil {
		t.Fatal(err)
	}
	table := cfi.New(core.AMD64, cfi.Sections{DebugFrame: s})
	mem := core.NewSpace([]core.Segment{{Start: 0x1000, End: 0x1100, Kind: core.SegCore, Src: core.Bytes(stack())}},
		nil)
	cursor := core.NewCursor(mem, core.AMD64.Order, 8)
	for _, c := range []struct {
		link     uint64
		cfa      uint64
		rbp, rip uint64
	}{
		{0x401000, 0x1018, 0x1020, 0x10}, {0x401003, 0x1020, 0x10, 0x18}, {0x401030, 0x1030, 0x20, 0x28},
		{0x402000, 0x1018, 0x1020, 0x48}, // (rsp+15)&-16 + 8; the word at rax+8
	} {
		var regs core.Regs
		for slot, v := range map[int]uint64{0: 0x1040, 3: 1, 6: 0x1020, 7: 0x1010, 12: 12, 13: 13, 16: c.link} {
			regs.Set(slot, v)
		}
		row, err := table.Row(c.link)
		if err != nil {
			t.Errorf("%#x: %v", c.link, err)
			continue
		}
		out, cfa, err := row.Apply(&regs, cursor)
		if err != nil || uint64(cfa) != c.cfa || out.Val[6] != c.rbp || out.Val[16] != c.rip {
			t.Errorf("%#x: %v, cfa %v, rbp %#x, rip %#x, want %#x %#x %#x", c.link, err, cfa, out.Val[6], out.Val[16],
				c.cfa, c.rbp, c.rip)
		}
		if c.link == 0x402000 && (out.Has(3) || out.Val[12] != 13) {
			t.Errorf("rbx %v, r12 %#x", out.Has(3), out.Val[12])
		}
	}
}

// stack is words that are their own distance from 0x1000.
func stack() []byte {
	b := make([]byte, 0x100)
	for i := 0; i < len(b); i += 8 {
		b[i] = byte(i)
	}
	return b
}

// TestWin: programs of 32-bit Windows. Truth: what each says, worked out by hand.
func TestWin(t *testing.T) {
	f := image(t, `MODULE windows x86 5A9832E5287241C1838ED98914E9B7FF1 a.pdb
STACK WIN 4 1000 10 3 0 8 4 10 0 1 $T0 $ebp = $eip $T0 4 + ^ = $ebp $T0 ^ = $esp $T0 8 + = $L $T0 .cbSavedRegs - = $ebx $T0 8 - ^ =
STACK WIN 4 2000 10 3 0 8 4 10 0 1 $T0 .raSearch = $eip $T0 ^ = $esp $T0 4 + =
STACK WIN 0 3000 10 3 0 8 4 10 0 0 1
`)
	s, err := f.Section(".debug_frame")
	if err != nil {
		t.Fatal(err)
	}
	table := cfi.New(core.I386, cfi.Sections{DebugFrame: s})
	b := make([]byte, 0x100)
	for i := 0; i < len(b); i += 4 {
		b[i] = byte(i)
	}
	cursor := core.NewCursor(core.NewSpace([]core.Segment{{Start: 0x1000, End: 0x1100, Kind: core.SegCore,
		Src: core.Bytes(b)}}, nil), core.I386.Order, 4)
	var regs core.Regs
	regs.Set(4, 0x1010)
	regs.Set(5, 0x1040)
	row, err := table.Row(0x401008)
	if err != nil {
		t.Fatal(err)
	}
	out, cfa, err := row.Apply(&regs, cursor)
	if err != nil || cfa != 0x1048 || out.Val[8] != 0x44 || out.Val[5] != 0x40 || out.Val[3] != 0x38 {
		t.Errorf("%v, cfa %v, eip %#x, ebp %#x, ebx %#x", err, cfa, out.Val[8], out.Val[5], out.Val[3])
	}
	for _, link := range []uint64{0x402008, 0x403008} {
		if _, err := table.Row(link); err == nil {
			t.Errorf("%#x has a row", link)
		}
	}
}

func TestFind(t *testing.T) {
	id := []byte{0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee,
		0xff, 1, 2, 3, 4}
	debugID := breakpad.DebugID(id, false)
	if debugID != "33221100554477668899AABBCCDDEEFF0" ||
		breakpad.DebugID(id[:16], true) != "00112233445566778899AABBCCDDEEFF0" {
		t.Errorf("debug id %s", debugID)
	}
	for place, want := range map[string]bool{"libfoo.so/" + debugID + "/libfoo.so.sym": true, "libfoo.so.sym": true,
		"other.sym": false} {
		dir := t.TempDir()
		path := filepath.Join(dir, filepath.FromSlash(place))
		os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte(symbols), 0o644); err != nil {
			t.Fatal(err)
		}
		d := &find.Disk{Search: []string{dir}}
		got := breakpad.Find(d, "/usr/lib/libfoo.so", debugID)
		if (got.Source != nil) != want {
			t.Errorf("%s: %v", place, got)
		}
		if got.Source != nil {
			got.Source.Close()
		}
		if got := breakpad.Find(d, "/usr/lib/libfoo.so", "00"+debugID[2:]); got.Source != nil ||
			want && place == "libfoo.so.sym" && len(got.Refused) == 0 {
			t.Errorf("%s: taken for another id, or not refused: %v", place, got)
		}
	}
}

// TestFindNames: the name in the dump decides only about the file's name. Some letters take
// another number of bytes in lower case: U+023A two and then three, a byte that is not UTF-8
// one and then three, U+2126 three and then two.
func TestFindNames(t *testing.T) {
	const debugID = "33221100554477668899AABBCCDDEEFF0"
	for name, file := range map[string]string{
		`C:\src\app.pdb`: "app.sym", `C:\src\App.PDB`: "App.sym", "libfoo.so": "libfoo.so.sym", "x.pdbx": "x.pdbx.sym",
		"\u023a\u023a.pdb": "\u023a\u023a.sym", "a\xfe\xff\xfe.pDb": "a\xfe\xff\xfe.sym", "\u2126.pdb": "\u2126.sym",
		"\xff\xff\xff\xff.pd\xff": "\xff\xff\xff\xff.pd\xff.sym",
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, core.BaseName(name), debugID, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(symbols), 0o644); err != nil {
			t.Fatal(err)
		}
		got := breakpad.Find(&find.Disk{Search: []string{dir}}, name, debugID)
		if got.Source == nil {
			t.Errorf("%q: %v", name, got)
			continue
		}
		got.Source.Close()
	}
	for _, name := range []string{"", ".pdb", "pdb", ".", ".."} {
		if got := breakpad.Find(&find.Disk{Search: []string{t.TempDir()}}, name, debugID); got.Source != nil {
			t.Errorf("%q: %v", name, got)
		}
	}
}

// TestBad: lines that make no sense cost themselves, and a file of nothing else is refused.
func TestBad(t *testing.T) {
	f := image(t, symbols+"FUNC\nFUNC xyz 1 2 a\nINLINE 0\nSTACK\nSTACK CFI 9\nSTACK WIN 4\n1 2\nFILE x y\n")
	if len(f.Lines(0x401005)) != 1 {
		t.Error("lines are lost")
	}
	for text, want := range map[string]string{"ELF": "does not begin with a MODULE line",
		"MODULE a": "does not begin with a MODULE line",
		"MODULE Linux x86_64 0 a\n" + strings.Repeat("nonsense\n",
			1001): "libfoo.so.sym: more than 1000 lines of a symbol file that make no sense, the last one at file offset 0x"} {
		if _, err := breakpad.NewImage(core.Bytes(text), "libfoo.so.sym", 0, 0); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}

func FuzzImage(f *testing.F) {
	f.Add([]byte(symbols))
	f.Add([]byte("MODULE windows x86 0 a.pdb\nFUNC 1 2 3 a\nSTACK WIN 4 1 2 3 4 5 6 7 8 1 $T0 $ebp = $eip $T0 ^ = $esp $T0 =\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		img, err := breakpad.NewImage(core.Bytes(data), "fuzz", 0, 0)
		if err != nil {
			return
		}
		img.Lines(0x1010)
		n := 0
		img.Symbols(false, func(core.ImageSymbol) bool { n++; return n < 1000 })
		if s, err := img.Section(".debug_frame"); err == nil {
			cfi.New(core.AMD64, cfi.Sections{DebugFrame: s}).Row(0x1010)
		}
	})
}
