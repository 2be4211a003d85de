package dwarf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/dwarf/index"
	"coredbg/core/elf"
)

var errGone = errors.New("it is not there")

// A folder opens the files of a test from testdata, except for missing ones.
type folder struct {
	pkg     string // the name of the package, if there is one
	missing bool   // all are
	asked   string // the file that was asked for last
}

func (f *folder) open(name string) (core.Image, error) {
	if f.missing {
		return nil, errGone
	}
	b, err := os.ReadFile(filepath.Join("testdata", filepath.Base(name)))
	if errors.Is(err, os.ErrNotExist) {
		return nil, errGone
	}
	if err != nil {
		return nil, err
	}
	return elf.NewFile(core.Bytes(b), name)
}

func (f *folder) Split(dir, name string) (core.Image, error) {
	f.asked = dir + "/" + name
	return f.open(name)
}

func (f *folder) Package() (core.Image, error) {
	if f.pkg == "" {
		return nil, nil
	}
	return f.open(f.pkg)
}

func (f *folder) Supplement(name string, id []byte) (core.Image, error) {
	f.asked = name
	img, err := f.open(name)
	if err != nil {
		return nil, err
	}
	if e := img.(*elf.File); !bytes.Equal(e.BuildID(), id) && !bytes.Equal(Checksum(e, binary.LittleEndian), id) {
		return nil, errors.New("another file")
	}
	return img, nil
}

// program opens a program of testdata, with a frame whose memory is the program's file.
func openProgram(t *testing.T, name string, files *folder) (*Data, *Frame) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	img, err := elf.NewFile(core.Bytes(b), name)
	if err != nil {
		t.Fatal(err)
	}
	d, err := Open(img, binary.LittleEndian, files)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	p := coretest.New(core.AMD64)
	for _, s := range img.Segments() {
		p = p.Map(core.Addr(s.Addr), b[s.Off:s.Off+s.FileSize])
	}
	return d, &Frame{Arch: core.AMD64, Mem: p.Process().Space, Regs: &core.Regs{}, Data: d}
}

// forms are the kinds of debugging information that testdata's program has.
var forms = []struct{ program, pkg string }{
	{"plain4", ""}, {"plain5", ""}, // one file
	{"types4", ""}, {"types5", ""}, // with type units
	{"split4", ""}, {"split5", ""}, // with type units in .dwo files
	{"pack4", "pack4.dwp"}, {"pack5", "pack5.dwp"}, {"pack4", "gold4.dwp"}, // in a package
	{"dwz4", ""}, {"dwz5", ""}, // dwz
	{"share4", ""}, {"share5", ""}, // dwz -m, and with -5
	{"gdbindex5", ""}, {"gdbnames5", ""}, {"clangnames5", ""}, // with tables of names
}

// known is what testdata/a.cc and b.cc say.
var known = map[string]string{
	"app::shape.name": `"circle"`, "app::shape.colour": "5", "app::shape.corner[0].x": "3",
	"app::shape.corner[0].y":     "-4",
	"app::shape.corner[0].flags": "5", "app::shape.corner[0].low": "-6", "app::shape.corner[1].x": "70000",
	"app::shape.corner[1].low": "2",
	"app::shape.size.whole":    "78187493530", "app::shape.extra.bytes[2]": "3", "app::shape.extra.at.x": "70000",
	"app::shape.extra.at.y": "8",
	"app::shape.next.name":  `"square"`, "app::other.colour": "9", "app::other.corner[1].low": "-16",
	"app::other.next.name": `"circle"`, "app::other.extra.at.flags": "5",
	"app::box.list[0].x": "11", "app::box.list[1].low": "-1", "app::box.first.y": "16",
	"app::shapes.list[1].name": `"square"`,
}

// types are types by their names, and their sizes.
var types = map[string]int64{
	"app::Point": 8, "app::Named": 16, "app::Shape": 64, "app::Shape::Extra": 16, "app::Colour": 1,
	"app::Box<app::Point, 2>": 24, "app::Box<app::Shape*, 3>": 32,
}

// TestForms reads one program in all the forms that its debugging information can have.
func TestForms(t *testing.T) {
	for _, c := range forms {
		t.Run(c.program+c.pkg, func(t *testing.T) {
			files := &folder{pkg: c.pkg}
			d, f := openProgram(t, c.program, files)
			for name, size := range types {
				if c.program == "clangnames5" {
					name = strings.ReplaceAll(name, "Shape*", "Shape *")
				}
				list := d.FindTypes(name)
				if len(list) == 0 || list[0].Declared {
					t.Errorf("%s is not found", name)
					continue
				}
				if n, ok := list[0].Size(); n != size || !ok {
					t.Errorf("%s has %d bytes, want %d", name, n, size)
				}
				if got := list[0].Name(); got != name {
					t.Errorf("%s is called %s", name, got)
				}
				if l := list[0].Lang(); l != 0x1a && l != 0x21 && l != 0x2b && l != 4 {
					t.Errorf("%s is of language %#x", name, l)
				}
			}
			for path, want := range known {
				if got := d.read(f, path); got != want {
					t.Errorf("%s is %s, want %s", path, got, want)
				}
			}
			if err := d.Partly(); err != nil {
				t.Error(err)
			}
			checkFunction(t, d)
		})
	}
}

// checkFunction looks for the parameters and variables of twice.
func checkFunction(t *testing.T, d *Data) {
	t.Helper()
	list := d.index().refs(index.Functions, "_Z5twicePN3app5ShapeEi")
	if len(list) == 0 {
		t.Fatal("twice is not found")
	}
	scopes, err := d.Scopes(list[0].entry().codeRanges()[0][0] + 1)
	if err != nil || len(scopes) != 1 {
		t.Fatalf("scopes %v, %v", scopes, err)
	}
	var names []string
	for _, v := range scopes[0].Vars {
		names = append(names, strings.Replace(v.Type().Name(), "long int", "long", 1)+" "+v.Name)
	}
	if want := []string{"app::Shape * s", "int n", "long sum"}; !slices.Equal(names, want) {
		t.Errorf("twice has %q, want %q", names, want)
	}
}

// read returns what a path of members and elements leads to, as text.
func (d *Data) read(f *Frame, path string) string {
	words := strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' })
	list := d.FindVariables(words[0])
	if len(list) != 1 {
		return fmt.Sprintf("one of %d", len(list))
	}
	v := list[0].Value(f)
	for _, w := range words[1:] {
		if p, err := v.Deref(); err == nil {
			v = p
		}
		if m, ok := v.Type.Find(w); ok {
			v = v.Member(&m)
			continue
		}
		var i int64
		if _, err := fmt.Sscan(w, &i); err != nil {
			return v.Type.Name() + " has no " + w
		}
		var err error
		if v, err = v.Index(i); err != nil {
			return err.Error()
		}
	}
	if p, err := v.Deref(); err == nil {
		a, _ := p.Addr()
		s := core.NewCursor(f.Mem, f.Arch.Order, 8)
		return fmt.Sprintf("%q", s.CString(a, 16))
	}
	i, err := v.Int()
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(i)
}

// TestMissing: without the files that it leads to, a program has nothing, and says which are missing.
func TestMissing(t *testing.T) {
	for program, file := range map[string]string{"split4": "split4-a.dwo", "split5": "split5-a.dwo",
		"pack5": "pack5-a.dwo", "share4": "share4.sup", "share5": "share5.sup"} {
		d, _ := openProgram(t, program, &folder{missing: true, pkg: "pack5.dwp"})
		if list := d.FindTypes("app::Point"); len(list) != 0 {
			t.Errorf("%s: a type without the file that has it", program)
		}
		if err := d.Partly(); !errors.Is(err, errGone) || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v", program, err)
		}
		if _, err := d.Scopes(d.code().First()); !errors.Is(err, errGone) {
			t.Errorf("%s: scopes: %v", program, err)
		}
	}
}

// TestTables: what a table of names has is found without reading all units. gdb has a variable once,
// for the first unit that declares it.
func TestTables(t *testing.T) {
	for program, c := range map[string]struct{ types, variables []string }{
		"gdbindex5": {[]string{"app::Point", "Point", "app::Shape"}, []string{"app::shape", "shape"}},
		"gdbnames5": {[]string{"app::Point", "app::Shape"}, []string{"app::shape"}},
		"clangnames5": {[]string{"app::Point", "Point", "app::Shape"},
			[]string{"app::shape", "shape", "app::shapes", "shapes"}},
	} {
		d, _ := openProgram(t, program, nil)
		if len(d.tables()) == 0 {
			t.Errorf("%s has no table", program)
		}
		for _, name := range c.types {
			if len(d.FindTypes(name)) == 0 || d.full.Load() {
				t.Errorf("%s: %s is not found", program, name)
			}
		}
		for _, name := range c.variables {
			if len(d.FindVariables(name)) != 1 || d.full.Load() {
				t.Errorf("%s: %s is not found", program, name)
			}
		}
		if d.FindTypes("app::Absent"); !d.full.Load() || d.Partly() != nil {
			t.Errorf("%s: a name that is in no table: %v", program, d.Partly())
		}
	}
}
