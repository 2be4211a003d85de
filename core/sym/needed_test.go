package sym

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/core/sym/lines"
)

var errLeftOut = &core.GapError{Gap: core.LeftOut}

// gappy is an image without some ranges of its sections.
type gappy struct {
	core.Image
	out []lines.SectionRange
}

func (g gappy) Section(name string) (core.Section, error) {
	s, err := g.Image.Section(name)
	s.Data = slices.Clone(s.Data)
	for _, r := range g.out {
		if r.Section == name {
			clear(s.Data[r.Off:r.End])
			s.Gaps = append(s.Gaps, core.SectionGap{Off: r.Off, End: r.End, Err: errLeftOut})
		}
	}
	return s, err
}

// TestUnneededLines: without the unneeded parts, the lines of main are the same, and the lines of
// another unit are missing with the reason.
func TestUnneededLines(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"main.c":  "int other(int);\nstatic inline int half(int x) { return x / 2; }\nint main(int argc, char **argv) { return other(half(argc)); }\n",
		"other.c": "int other(int x) {\n  return x * 7;\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "two")
	cmd := exec.Command("gcc", "-g", "-O1", "-o", out, "main.c", "other.c")
	cmd.Dir = dir
	if msg, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("gcc: %v\n%s", err, msg)
	}
	whole := openStd(t, out)
	p, m := process(whole, 0x5000000)
	table := NewTable(p)
	main, _ := table.Find("", "main")
	other, ok := table.Find("", "other")
	if !ok {
		t.Fatal("no symbols")
	}
	want := lineString(table.Lines(main.Addr))
	if want == "" || len(table.Lines(other.Addr)) == 0 || table.LinesError(m) != nil {
		t.Fatalf("lines %q, %v", want, table.LinesError(m))
	}
	gaps := lines.Unneeded(whole, []uint64{uint64(main.Addr - 0x5000000)})
	for _, name := range []string{".debug_info", ".debug_line"} {
		if !slices.ContainsFunc(gaps, func(r lines.SectionRange) bool { return r.Section == name }) {
			t.Errorf("%s is needed whole: %v", name, gaps)
		}
	}
	p, m = process(gappy{whole, gaps}, 0x5000000)
	table = NewTable(p)
	if got := lineString(table.Lines(main.Addr)); got != want || table.LinesError(m) != nil {
		t.Errorf("lines of main %q, want %q; %v", got, want, table.LinesError(m))
	}
	if got := table.Lines(other.Addr); got != nil || !errors.Is(table.LinesError(m), errLeftOut) ||
		!errors.Is(table.LeftOut(m), errLeftOut) {
		t.Errorf("lines of other %v, %v, %v", got, table.LinesError(m), table.LeftOut(m))
	}
	// From an image with gaps no more is left out than from the original.
	for _, r := range lines.Unneeded(gappy{whole, gaps}, []uint64{uint64(main.Addr - 0x5000000)}) {
		if !slices.ContainsFunc(gaps, func(g lines.SectionRange) bool {
			return g.Section == r.Section &&
				g.Off <= r.Off && r.End <= g.End
		}) {
			t.Errorf("left out later: %v, at first %v", r, gaps)
		}
	}
}

// TestUnnamed: a function whose name was left out covers its addresses, so that no other
// one does, and is found by no name.
func TestUnnamed(t *testing.T) {
	lost := fn("", 0x1100, 0x20)
	lost.NameErr = errLeftOut
	alias := fn("", 0x2000, 0x10)
	alias.NameErr = errLeftOut
	img := &fake{static: []core.ImageSymbol{fn("before", 0x1000, 0), lost, alias, fn("after", 0x2000, 0x10)}}
	p, m := process(img, 0x5000000)
	table := NewTable(p)
	for at, want := range map[core.Addr]string{0x50010ff: "before", 0x5001100: "", 0x5001110: "", 0x5002004: "after"} {
		s, _, ok := table.Lookup(at)
		if s.Name != want || ok != (want != "") {
			t.Errorf("%v: %q, %t, want %q", at, s.Name, ok, want)
		}
	}
	if s, off, ok := table.Cover(0x5001110); !ok || off != 0x10 || s.Size != 0x20 || s.Name != "" {
		t.Errorf("covered by %+v at %#x, %t", s, off, ok)
	}
	var names []string
	err := table.Module(m, func(s Symbol) bool { names = append(names, s.Name); return true })
	if !slices.Equal(names, []string{"before", "after"}) || !errors.Is(err, errLeftOut) {
		t.Errorf("symbols %q, %v", names, err)
	}
	for range 2 * fewNames { // with the table of all names, too
		if s, ok := table.Exact(m, ""); ok {
			t.Fatalf("the empty name is that of %+v", s)
		}
		_, _ = table.Exact(m, "absent"+string(rune('a'+len(names))))
		names = append(names, "")
	}
	if err := table.Prefix(m, "", func(s Symbol) bool {
		if s.Name == "" {
			t.Error("a prefix finds what has no name")
		}
		return true
	}); err != nil {
		t.Error(err)
	}
	if err := table.Unnamed(m); !errors.Is(err, errLeftOut) {
		t.Errorf("unnamed: %v", err)
	}
}

// TestRecord: what was found since Record is known, and nothing else.
func TestRecord(t *testing.T) {
	img := &fake{static: []core.ImageSymbol{fn("a", 0x1000, 8), fn("b", 0x1100, 8), fn("c", 0x1200, 8),
		fn("d", 0x1300, 8)}}
	p, m := process(img, 0x5000000)
	table := NewTable(p)
	table.Find("", "d")
	table.Record()
	table.Lookup(0x5001004)
	table.Exact(m, "b")
	table.Prefix(m, "c", func(Symbol) bool { return true })
	table.Find("", "absent")
	if got := table.Recorded(); !slices.Equal(got, []core.Addr{0x5001000, 0x5001100, 0x5001200}) {
		t.Errorf("recorded %v", got)
	}
}
