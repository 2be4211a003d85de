package sym

import (
	"os"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/elf"
	"coredbg/core/file"
)

// nodeBinary returns the Node that a live core was made with.
func nodeBinary(b testing.TB) string {
	path, err := os.ReadFile(coretest.Live(b)[0])
	if err != nil {
		b.Fatal(err)
	}
	return strings.TrimSpace(string(path))
}

// BenchmarkFirst does what the first frame of a Node stack asks for: the name
// of an address, by core/elf, and V8's constants.
func BenchmarkFirst(b *testing.B) {
	src, err := file.Map(nodeBinary(b))
	if err != nil {
		b.Fatal(err)
	}
	defer src.Close()
	b.ReportAllocs()
	for b.Loop() {
		img, err := elf.NewFile(src, "node")
		if err != nil {
			b.Fatal(err)
		}
		p, m := process(img, 0)
		t := NewTable(p)
		n := 0
		t.Prefix(m, "v8dbg_", func(Symbol) bool { n++; return true })
		if _, _, ok := t.Lookup(core.Addr(img.Entry())); !ok || n < 100 {
			b.Fatal("not found")
		}
	}
}

// BenchmarkIndex builds the index of a program with 110,000 symbols.
func BenchmarkIndex(b *testing.B) {
	f := &files{image: openStd(b, nodeBinary(b))}
	f.tables = []symbols{{f.image, false}, {f.image, true}}
	var held []core.ImageSymbol
	f.image.Symbols(false, func(s core.ImageSymbol) bool { held = append(held, s); return true })
	f.image.Symbols(true, func(s core.ImageSymbol) bool { held = append(held, s); return true })
	f.tables = []symbols{{lent{f.image, held}, false}}
	b.ReportAllocs()
	for b.Loop() {
		newIndex(f, false, nil)
	}
}

type lent struct {
	core.Image
	syms []core.ImageSymbol
}

func (l lent) Symbols(dynamic bool, yield func(core.ImageSymbol) bool) error {
	for _, s := range l.syms {
		if !yield(s) {
			break
		}
	}
	return nil
}

func BenchmarkNames(b *testing.B) {
	p, m := process(openStd(b, nodeBinary(b)), 0)
	x := NewTable(p).module(m).index()
	b.ReportAllocs()
	for b.Loop() {
		newNames(x).fill()
	}
}

func BenchmarkPrefix(b *testing.B) {
	p, m := process(openStd(b, nodeBinary(b)), 0)
	t := NewTable(p)
	for b.Loop() {
		n := 0
		t.Prefix(m, "v8dbg_", func(Symbol) bool { n++; return true })
		if n < 100 {
			b.Fatalf("%d symbols", n)
		}
	}
}

func BenchmarkFindDemangled(b *testing.B) {
	p, _ := process(openStd(b, nodeBinary(b)), 0)
	t := NewTable(p)
	for b.Loop() {
		if _, ok := t.Find("", "v8::internal::Heap::CollectAllGarbage"); !ok {
			b.Fatal("not found")
		}
	}
}

func BenchmarkLookup(b *testing.B) {
	p, m := process(openStd(b, nodeBinary(b)), 0)
	t := NewTable(p)
	var at []core.Addr
	t.Module(m, func(s Symbol) bool {
		if s.Kind == core.SymFunc {
			at = append(at, s.Addr+1)
		}
		return true
	})
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i = (i + 7919) % len(at)
		t.Lookup(at[i])
	}
}

// BenchmarkLines opens the line information of a small C++ program and asks
// for one place; BenchmarkLinesAgain asks on.
func BenchmarkLines(b *testing.B) {
	img := openStd(b, coretest.Live(b)[0])
	p, _ := process(img, 0)
	b.ReportAllocs()
	for b.Loop() {
		t := NewTable(p)
		s, ok := t.Find("", "main")
		if !ok || t.Lines(s.Addr+8) == nil {
			b.Fatal("no lines")
		}
	}
}
