package jit_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/jit"
	"coredbg/core/sym"
	"coredbg/walk"
)

// testdata/mcjit.o is an object that LLVM 14's lli -jit-kind=mcjit had registered, copied from a core. Clang
// 14 had compiled this program to bitcode, with -g -O1 -gdwarf-4:
//
//	1 #include <stdlib.h>
//	2 struct node { int value; struct node *next; };
//	3 static int depth;
//	4 __attribute__((noinline)) int leaf(struct node *n, int k) { int local = k * 2; return n->next->value + local; }
//	5 __attribute__((noinline)) int inner(struct node *n, int k) { depth++; int r = leaf(n, k + 1); return r + depth; }
//	6 int main(int argc, char **argv) { struct node n = {7, 0}; int here = argc + 40; return inner(&n, here); }
//
// The registers and the stack come from the core, too. The program dereferenced null in leaf. GDB 13 showed
// leaf+7 at j.c:4, inner at j.c:5 and main at j.c:6, all by the object's call frame information.
const (
	textAt     = 0x7fe3a4cc1000
	objectAt   = 0x2dc46960
	entryAt    = 0x2dbd35c0
	descAt     = 0x601000
	stackAt    = 0x7ffcdd391428
	programAt  = 0x600000
	textOff    = 0x40
	textSize   = 0x6c
	descriptor = "__jit_debug_descriptor"
)

var stackWords = []uint64{0x7fe3a4cc1031, 0x2db63140, 0x7fe3a4cc1067, 7, 0, 0x7ffcdd391560, 0x7fe3a0a406b6,
	0x2dc265d0, 0x2dc265d0}

// program is the image of the process, which has the descriptor.
type program struct{}

func (program) Path() string { return "/bin/lli" }
func (program) Section(name string) (core.Section, error) {
	if name == ".strtab" {
		return core.Section{Name: name, Data: []byte("\x00main\x00" + descriptor + "\x00")}, nil
	}
	return core.Section{}, core.ErrNoSection
}
func (program) Segments() []core.ImageSegment { return nil }
func (program) Symbols(dynamic bool, yield func(core.ImageSymbol) bool) error {
	if !dynamic {
		yield(core.ImageSymbol{Name: []byte(descriptor), Value: descAt, Size: 24, Kind: core.SymObject, Global: true,
			Defined: true, Section: 1})
	}
	return nil
}

func object(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/mcjit.o")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A scene is a process with an object that may be edited.
type scene struct {
	object     []byte
	version    uint32
	first      uint64
	next, size uint64
	perf       func() (*jit.Map, error)
}

func newScene(t testing.TB) *scene {
	data := object(t)
	return &scene{object: data, version: 1, first: entryAt, size: uint64(len(data))}
}

// process makes the process and returns its code.
func (s *scene) process(edit func(*core.Process)) (*core.Process, *jit.Code) {
	text := append([]byte{}, s.object[textOff:textOff+textSize]...)
	p := coretest.New(core.AMD64).
		MapProt(textAt, append(text, make([]byte, 0x1000-len(text))...), core.Read|core.Exec).
		Map(objectAt, s.object).
		Words(entryAt, s.next, 0, objectAt, s.size).
		Words(descAt, uint64(s.version), s.first, s.first).
		Words(stackAt, stackWords...).
		Module("/bin/lli", programAt, programAt+0x2000, core.ModuleFacts{Image: program{}, BiasKnown: true}).
		Thread(1, map[string]uint64{"rip": textAt + 7, "rsp": stackAt, "rbp": 0x2db6a860}).Process()
	if edit != nil {
		edit(p)
	}
	code := jit.New(p, nil, s.perf)
	p.Made = code
	return p, code
}

// TestObject: GDB shows the same names, lines and frames of registered code.
func TestObject(t *testing.T) {
	p, code := newScene(t).process(nil)
	table := sym.NewTable(p)
	target := walk.NewTarget(p, walk.Options{})
	var got []string
	for f, err := range target.Walk(context.Background(), p.Threads[0]) {
		if err != nil {
			break
		}
		y, off, _ := table.Lookup(f.LookupPC())
		line := "?"
		if l := table.Lines(f.LookupPC()); len(l) > 0 {
			line = fmt.Sprintf("%s:%d", l[len(l)-1].File, l[len(l)-1].Line)
		}
		got = append(got, fmt.Sprintf("%s+%#x %s %v", y.Name, off+uint64(f.PC-f.LookupPC()), line, f.Trust))
	}
	want := []string{"leaf+0x7 /srv/x/j.c:4 registers", "inner+0x21 /srv/x/j.c:5 cfi", "main+0x27 /srv/x/j.c:6 cfi"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if notes := code.Notes(); len(notes) > 0 {
		t.Errorf("notes %v", notes)
	}
	if y, ok := table.Find("", "inner"); !ok || y.Addr != textAt+0x10 {
		t.Errorf("inner is at %v, %v", y.Addr, ok)
	}
	if m := p.Module(textAt); m == nil || m.Path != jit.ObjectPath || m.Offset(textAt+7) != 7 {
		t.Errorf("module %+v", m)
	}
	if m := p.Module(objectAt); m != nil {
		t.Errorf("the object itself is in %v", m.Path)
	}
	if len(p.Modules) != 1 {
		t.Errorf("%d modules of files", len(p.Modules))
	}
}

// TestDescriptorDamage: what cannot be read is a note, and costs no more than itself.
func TestDescriptorDamage(t *testing.T) {
	for _, c := range []struct {
		name  string
		edit  func(*scene)
		note  string
		found bool
	}{
		{"whole", func(*scene) {}, "", true},
		{"empty", func(s *scene) { s.first = 0 }, "", false},
		{"a circle", func(s *scene) { s.next = entryAt }, "runs in a circle", true},
		{"a list that breaks", func(s *scene) { s.next = 0x10 }, "the list breaks after 1 objects", true},
		{"another version", func(s *scene) { s.version = 2 }, "version 2: not version 1", false},
		{"another version, by its number alone", func(s *scene) { s.version = 0 }, "version 0", false},
		{"no object", func(s *scene) { s.object[0] = 0 },
			"1 of 1 objects cannot be read, the first: the object at 0x2dc46960", false},
		{"another processor's words", func(s *scene) { s.object[4] = 1 }, "it is for another processor", false},
		{"a huge object", func(s *scene) { s.size = 1 << 40 }, "at most", false},
		{"sections outside", func(s *scene) { s.size = 0x800 }, "its section headers are not in it", false},
		{"an object that is cut", func(s *scene) { s.object = s.object[:0x900]; s.size = 4216 },
			"the section headers of the object", false},
	} {
		s := newScene(t)
		c.edit(s)
		_, code := s.process(nil)
		var notes []string
		for _, n := range code.Notes() {
			notes = append(notes, n.Text)
		}
		if all := strings.Join(notes, "\n"); !strings.Contains(all, c.note) || c.note == "" && all != "" {
			t.Errorf("%s: notes %q, want %q", c.name, all, c.note)
		}
		if found := code.ModuleAt(textAt) != nil; found != c.found {
			t.Errorf("%s: found %v", c.name, found)
		}
	}
}

// TestNothingMade: symbols are not read if files are behind all executable memory.
func TestNothingMade(t *testing.T) {
	_, code := newScene(t).process(func(p *core.Process) {
		for i := range p.Mappings {
			p.Mappings[i].Path = "/lib/file"
		}
	})
	if m := code.Modules(); len(m) != 0 {
		t.Errorf("%d modules", len(m))
	}
}

// TestPerfMapOfProcess: a perf map names what no object has.
func TestPerfMapOfProcess(t *testing.T) {
	s := newScene(t)
	s.perf = func() (*jit.Map, error) {
		m, err := jit.ReadMap(core.Bytes(fmt.Sprintf("%x 8 shadowed\n%x 10 stub\n", textAt, textAt+0x100)),
			"perf-1.map")
		return m, errors.Join(err, errors.New("another was refused"))
	}
	p, code := s.process(nil)
	table := sym.NewTable(p)
	for at, want := range map[core.Addr]string{textAt + 1: "leaf", textAt + 0x104: "stub", textAt + 0x110: ""} {
		if y, _, _ := table.Lookup(at); y.Name != want {
			t.Errorf("%v is %q, want %q", at, y.Name, want)
		}
	}
	if n := code.Notes(); len(n) != 1 || n[0].Text != "another was refused" {
		t.Errorf("notes %v", n)
	}
}

// FuzzObject: whatever a process has registered, it is read within bounds.
func FuzzObject(f *testing.F) {
	f.Add(object(f), uint64(0), uint64(4216), uint32(1))
	f.Add(object(f)[:200], uint64(entryAt), uint64(200), uint32(1))
	f.Add(object(f), uint64(objectAt), uint64(1<<60), uint32(1))
	f.Fuzz(func(t *testing.T, data []byte, next, size uint64, version uint32) {
		if len(data) < textOff+textSize || len(data) > 1<<16 {
			return
		}
		s := &scene{object: data, version: version, first: entryAt, next: next, size: size}
		p, code := s.process(nil)
		for _, m := range code.Modules() {
			facts := m.Facts()
			if facts.Image == nil {
				continue
			}
			facts.Image.Segments()
			facts.Image.Symbols(false, func(core.ImageSymbol) bool { return true })
			for _, name := range []string{".eh_frame", ".debug_info", ".debug_line", ".text"} {
				facts.Image.Section(name)
			}
		}
		table := sym.NewTable(p)
		table.Lookup(textAt + 7)
		table.Lines(textAt + 7)
		walk.NewTarget(p, walk.Options{MaxFrames: 8}).Walk(context.Background(),
			p.Threads[0])(func(walk.Frame, error) bool { return true })
	})
}
