package sym

import (
	"debug/gosym"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
)

// goProgram builds a Go program without symbols.
func goProgram(t *testing.T, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	source, exe := filepath.Join(dir, "main.go"), filepath.Join(dir, "program")
	text := "package main\n\nimport \"fmt\"\n\ntype T struct{}\n\n//go:noinline\nfunc (*T) leaf() { fmt.Println(1) }\n\nfunc main() { (&T{}).leaf() }\n"
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CGO_ENABLED", "0")
	t.Setenv("GOOS", "linux")
	t.Setenv("GOARCH", "amd64")
	run(t, "go", append(append([]string{"build", "-ldflags=-s -w", "-o", exe}, flags...), source)...)
	return exe
}

// TestGoFunctions holds the names that are left in a stripped Go program to
// those that debug/gosym finds.
func TestGoFunctions(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	for _, flags := range [][]string{nil, {"-buildmode=pie"}} {
		img := openImage(t, goProgram(t, flags...))
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
		x := newIndex(&files{image: img, tables: []symbols{{img, false}, {img, true}}}, false, nil)
		if x.err != nil || len(want.Funcs) < 1000 {
			t.Fatalf("%v: %v, %d functions", flags, x.err, len(want.Funcs))
		}
		for _, f := range want.Funcs {
			e := x.lookup(f.Entry)
			if e == nil || e.addr != f.Entry || string(e.name) != f.Name {
				t.Errorf("%v: %s at %#x is %+v", flags, f.Name, f.Entry, e)
			}
		}
		if e := x.lookup(want.LookupFunc("main.(*T).leaf").Entry + 1); e == nil || string(e.name) != "main.(*T).leaf" {
			t.Errorf("%v: inside leaf: %+v", flags, e)
		}
	}
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

// TestModuleOf: the runtime's description of a program says where its code starts, unless a loader has
// still to write it.
func TestModuleOf(t *testing.T) {
	words := make([]uint64, 30)
	words[0], words[20], words[22] = 0x4bc910, 0x402400, 0x402300
	little, _ := binary.Append(nil, binary.LittleEndian, words)
	big, _ := binary.Append(nil, binary.BigEndian, words)
	for _, data := range [][]byte{little, big} {
		if m := moduleOf(data, 0x4bc910); m == nil || *m != (moduledata{0x402400, 0x402300}) {
			t.Errorf("%+v", m)
		}
		if m := moduleOf(data, 0x4bc918); m != nil {
			t.Errorf("of another table: %+v", m)
		}
	}
	for _, data := range [][]byte{nil, little[:20], make([]byte, 240)} {
		if m := moduleOf(data, 0x4bc910); m != nil {
			t.Errorf("%d bytes: %+v", len(data), m)
		}
	}
	header := binary.LittleEndian.AppendUint32(nil, pclntab120)
	header = append(header, 0, 0, 1, 8)
	for _, v := range []uint64{1, 0, 0, 72, 0, 0, 0, 80} {
		header = binary.LittleEndian.AppendUint64(header, v)
	}
	header = append(header, "main.f\x00\x00"...)
	for _, v := range []uint32{0x100, 12, 0x116, 0, 0} {
		header = binary.LittleEndian.AppendUint32(header, v)
	}
	p, err := newPclntab(header, span{addr: 0x402000, size: 0x9000, module: moduleOf(little, 0x4bc910)})
	if err != nil || p.text != 0x402300 {
		t.Errorf("%+v, %v", p, err)
	}
}

func FuzzGoFunctions(f *testing.F) {
	header := binary.LittleEndian.AppendUint32(nil, pclntab120)
	header = append(header, 0, 0, 1, 8)
	for _, v := range []uint64{1, 0, 0x1000, 72, 0, 0, 0, 80} {
		header = binary.LittleEndian.AppendUint64(header, v)
	}
	header = append(header, "main.f\x00\x00"...)
	for _, v := range []uint32{0, 12, 16, 0, 0} {
		header = binary.LittleEndian.AppendUint32(header, v)
	}
	f.Add(header)
	f.Add(header[:40])
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := newPclntab(b, span{addr: 0x1000, size: 32})
		if err != nil {
			return
		}
		for i := range p.count {
			p.name(p.u32(p.funcs + p.u32(p.funcs+8*i+4) + 4))
		}
	})
}
