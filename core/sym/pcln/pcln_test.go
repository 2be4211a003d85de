package pcln

import (
	"debug/gosym"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"coredbg/core"
	"coredbg/core/dwarf"
	"coredbg/core/elf"
	"coredbg/core/sym/lines"
)

// goProgram builds a program of Go.
func goProgram(t *testing.T, arch string, flags ...string) core.Image {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds programs")
	}
	dir := t.TempDir()
	source, exe := filepath.Join(dir, "main.go"), filepath.Join(dir, "program")
	text := "package main\n\nimport \"fmt\"\n\ntype T struct{}\n\n//go:noinline\nfunc (*T) leaf() { fmt.Println(1) }\n\nfunc main() { (&T{}).leaf() }\n"
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", append(append([]string{"build", "-o", exe}, flags...), source)...)
	cmd.Env = append(os.Environ(), "GOFLAGS=", "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+arch)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	data, err := os.ReadFile(exe)
	if err != nil {
		t.Fatal(err)
	}
	img, err := elf.NewFile(core.Bytes(data), exe)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// TestStripped compares the names and lines that are left in a stripped program with debug/gosym's.
func TestStripped(t *testing.T) {
	for _, flags := range [][]string{nil, {"-buildmode=pie"}} {
		img := goProgram(t, "amd64", append(flags, "-ldflags=-s -w")...)
		text, err := img.Section(".text")
		if err != nil {
			t.Fatal(err)
		}
		tab, err := img.Section(".gopclntab")
		if err != nil {
			t.Fatal(err)
		}
		want, err := gosym.NewTable(nil, gosym.NewLineTable(tab.Data, text.Addr))
		if err != nil {
			t.Fatal(err)
		}
		got, err := Open(Program{Image: img})
		if err != nil || len(want.Funcs) < 1000 {
			t.Fatalf("%v: %v, %d functions", flags, err, len(want.Funcs))
		}
		n, compared := 0, 0
		got.Functions(func(s core.ImageSymbol) bool {
			if f := want.Funcs[n]; f.Entry != s.Value || f.Name != string(s.Name) {
				t.Errorf("%v: %s at %#x is %s at %#x", flags, f.Name, f.Entry, s.Name, s.Value)
			}
			f, ok := got.find(s.Value)
			if !ok || string(f.name()) != string(s.Name) {
				t.Errorf("%v: at %#x is not %s", flags, s.Value, s.Name)
			}
			for pc := f.entry; pc < f.end; pc += 13 {
				steps := maxSteps
				file, line, _ := want.PCToLine(pc)
				if line < 0 {
					file, line = "", 0 // of no line
				}
				if l := f.place(pc, &steps); l.File != file || l.Line != line {
					t.Errorf("%v: %#x is at %s:%d, not %s:%d", flags, pc, l.File, l.Line, file, line)
				}
				compared++
			}
			n++
			return !t.Failed()
		})
		if n != len(want.Funcs) || compared < 10000 {
			t.Errorf("%v: %d functions of %d, %d places", flags, n, len(want.Funcs), compared)
		}
	}
}

// TestInlined compares inlined calls with DWARF's.
func TestInlined(t *testing.T) {
	for _, arch := range []string{"amd64", "386", "arm64"} {
		img := goProgram(t, arch)
		d, err := dwarf.Open(img, binary.LittleEndian, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := lines.Open(img, d, nil)
		got, err := Open(Program{Image: img})
		if err != nil {
			t.Fatal(err)
		}
		places, inlined, same := 0, 0, 0
		for i := uint64(0); i < got.count; i += 5 {
			f := got.function(i)
			for pc := f.entry; pc < f.end; pc += 12 {
				w := want.Find(pc)
				if len(w) == 0 || w[0].File == "" { // as of some that the compiler has made
					continue
				}
				g, err := got.Lines(pc)
				if err != nil {
					t.Fatalf("%s: %#x: %v", arch, pc, err)
				}
				places++
				if len(w) > 1 {
					inlined++
				}
				if equal(g, w) {
					same++
				} else {
					t.Errorf("%s: %#x:\n%+v, not\n%+v", arch, pc, g, w)
				}
			}
		}
		if inlined < 1000 {
			t.Errorf("%s: %d places with inlined calls", arch, inlined)
		}
		t.Logf("%s: %d of %d places, %d with inlined calls", arch, same, places, inlined)
	}
}

// equal reports whether places are the same, except for columns.
func equal(a, b []lines.Line) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Func != b[i].Func || a[i].File != b[i].File || a[i].Line != b[i].Line || a[i].Inlined != b[i].Inlined {
			return false
		}
	}
	return true
}

// A small is a table of one function, main.f. The call of main.g in its line 7 was inlined, itself at
// line 3.
type small struct {
	magic uint32
	word  int
	order binary.AppendByteOrder
	apart bool // the tree is not in the table's section
}

const (
	smallAddr = 0x5000 // of the table
	smallText = 0x1000
	smallData = 0x9000 // of the moduledata
	smallTree = 0x8000 // of the tree, if it is apart
)

// image returns an image of the table.
func (s small) image() *image {
	var b []byte
	u32 := func(v uint32) { b = s.order.AppendUint32(b, v) }
	word := func(v uint64) {
		if s.word == 4 {
			u32(uint32(v))
		} else {
			b = s.order.AppendUint64(b, v)
		}
	}
	const names, units, files, values, funcs, inside = 96, 112, 116, 124, 144, 288
	tree := uint64(smallAddr + inside)
	if s.apart {
		tree = smallTree
	}
	u32(s.magic)
	b = append(b, 0, 0, 1, byte(s.word))
	word(1)
	word(1)
	if s.magic != go116 {
		word(smallText)
	}
	for _, v := range []uint64{names, units, files, values, funcs} {
		word(v)
	}
	pad := func(n int) { b = append(b, make([]byte, n-len(b))...) }
	pad(names)
	b = append(b, "main.f\x00main.g\x00"...)
	pad(units)
	u32(0)
	b = append(b, "main.go\x00"...)
	// From 1 on: the file, 0 to the end; the lines, 7 and then 3; which call, none and then the first.
	b = append(b, 0, 2, 32, 0, 16, 8, 7, 24, 0, 0, 8, 2, 24, 0)
	pad(funcs)
	first, entry := uint64(0), word
	if s.magic == go116 {
		first = smallText
	} else {
		entry = func(v uint64) { u32(uint32(v)) }
	}
	entry(first)
	at := uint64(32)
	entry(at)
	entry(first + 32)
	pad(funcs + int(at))
	entry(first)
	for _, v := range []uint32{0, 0, 0, 0, 1, 4, 3, 0} {
		u32(v)
	}
	if s.magic == go120 {
		u32(1)
	}
	b = append(b, 0, 0, 0, 4)
	u32(0)
	u32(0)
	u32(9)
	for len(b)&(s.word-1) != 0 && s.magic == go116 {
		b = append(b, 0)
	}
	for i := range 4 {
		switch {
		case i < 3:
			entry(0)
		case s.magic == go116:
			word(tree)
		default:
			u32(16)
		}
	}
	pad(inside)
	if s.magic == go120 {
		for _, v := range []uint32{0, 7, 0, 1} {
			u32(v)
		}
	} else {
		for _, v := range []uint32{0, 0, 7, 7, 0} {
			u32(v)
		}
	}
	img := &image{map[string]core.Section{".gopclntab": {Addr: smallAddr, Data: b}}}
	if s.apart {
		img.sections[".gopclntab"] = core.Section{Addr: smallAddr, Data: b[:inside:inside]}
		img.sections[".rodata"] = core.Section{Addr: smallTree, Data: b[inside:]}
	}
	b = nil
	for i := range 48 {
		switch gofunc := map[uint32]int{go118: gofuncWord118, go120: gofuncWord120}[s.magic]; {
		case i == 0:
			word(smallAddr)
		case i == nameWord:
			word(smallAddr + names)
		case i == nameWord+1, i == nameWord+2:
			word(16)
		case i == minpcWord, i == textWord:
			word(smallText)
		case i == gofunc && gofunc > 0:
			word(tree - 16)
		default:
			word(0)
		}
	}
	img.sections[".noptrdata"] = core.Section{Addr: smallData, Data: append(make([]byte, 16), b...)}
	return img
}

// An image is one of sections alone.
type image struct {
	sections map[string]core.Section
}

func (*image) Path() string                                    { return "" }
func (*image) Segments() []core.ImageSegment                   { return nil }
func (*image) Symbols(bool, func(core.ImageSymbol) bool) error { return nil }
func (m *image) Section(name string) (core.Section, error) {
	if s, ok := m.sections[name]; ok {
		return s, nil
	}
	return core.Section{}, core.ErrNoSection
}

var smalls = []small{
	{go116, 8, binary.LittleEndian, true}, {go116, 4, binary.LittleEndian, false}, {go116, 8, binary.BigEndian, true},
	{go118, 8, binary.LittleEndian, true}, {go118, 4, binary.BigEndian, false},
	{go120, 8, binary.LittleEndian, false}, {go120, 4, binary.LittleEndian, true}, {go120, 8, binary.BigEndian, false},
}

// TestLayouts reads a call that was inlined by each layout.
func TestLayouts(t *testing.T) {
	for _, s := range smalls {
		img := s.image()
		p, err := Open(Program{Image: img})
		if err != nil {
			t.Errorf("%+v: %v", s, err)
			continue
		}
		f := lines.Line{Func: "main.f", File: "main.go", Line: 7}
		g := lines.Line{Func: "main.g", File: "main.go", Line: 3, Inlined: true}
		for pc, want := range map[uint64][]lines.Line{
			smallText - 1: nil, smallText: {f}, smallText + 7: {f}, smallText + 8: {g, f}, smallText + 31: {g, f},
			smallText + 32: nil,
		} {
			if got, err := p.Lines(pc); err != nil || !equal(got, want) {
				t.Errorf("%+v: at %#x is %+v, %v", s, pc, got, err)
			}
		}
		trees := map[uint64]uint64{}
		p.Trees(func(link, size uint64) bool {
			trees[link] = size
			return true
		})
		if n := uint64(len(img.sections[".rodata"].Data)); len(trees) != int(min(n, 1)) || trees[smallTree] != n {
			t.Errorf("%+v: trees are %v", s, trees)
		}
		if s.magic != go116 { // as from Go 1.26 on: the table does not say where code is
			clear(img.sections[".gopclntab"].Data[8+2*s.word : 8+3*s.word])
			if p, err = Open(Program{Image: img}); err != nil || p.text != smallText {
				t.Errorf("%+v: code is at %#x, %v", s, p.text, err)
			}
		}
		// Where it is not known what was inlined, the function is.
		delete(img.sections, ".noptrdata")
		if s.magic == go116 {
			continue // it has addresses
		}
		img.sections[".text"] = core.Section{Addr: smallText, Data: make([]byte, 32)}
		if p, err = Open(Program{Image: img}); err != nil {
			t.Errorf("%+v without a moduledata: %v", s, err)
			continue
		}
		if got, err := p.Lines(smallText + 8); err == nil || !equal(got, []lines.Line{{Func: "main.f"}}) {
			t.Errorf("%+v without a moduledata: %+v, %v", s, got, err)
		}
	}
}

func FuzzLines(f *testing.F) {
	for _, s := range smalls {
		img := s.image()
		f.Add(img.sections[".gopclntab"].Data, img.sections[".noptrdata"].Data)
	}
	f.Fuzz(func(t *testing.T, table, data []byte) {
		p, err := Open(Program{Image: &image{map[string]core.Section{
			".gopclntab": {Addr: smallAddr, Data: table}, ".noptrdata": {Addr: smallData, Data: data},
			".text": {Addr: smallText, Data: make([]byte, 32)},
		}}})
		if err != nil || p == nil {
			return
		}
		n := 0
		p.Trees(func(_, size uint64) bool { return size > 0 })
		p.Functions(func(s core.ImageSymbol) bool {
			p.Lines(s.Value)
			p.Frame(s.Value)
			n++
			return n < 16
		})
		for pc := uint64(smallText); pc < smallText+32; pc += 5 {
			p.Lines(pc)
		}
	})
}

// TestTextStart: .text by itself, and at the end of its segment.
func TestTextStart(t *testing.T) {
	for _, c := range []struct {
		code span
		end  uint64
		want uint64
	}{
		{span{addr: 0x401000, size: 0x89191}, 0x89191, 0x401000},
		{span{addr: 0x401000, size: 0x89191}, 0x89180, 0x401000},
		{span{addr: 0x400000, size: 0x8a191}, 0x89191, 0x401000},
		{span{addr: 0x400000, size: 0x8a191}, 0x89180, 0x401000},
		{span{addr: 0x401000, size: 0x99191}, 0x89180, 0}, // other code is there too
		{span{addr: 0x401000, size: 0x1000}, 0x89191, 0},
	} {
		if got, err := textStart(c.code, c.end); got != c.want || (err != nil) != (c.want == 0) {
			t.Errorf("%#x+%#x, %#x: %#x, %v", c.code.addr, c.code.size, c.end, got, err)
		}
	}
}
