package dwarf

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/dwarf/format"
	"coredbg/core/elf"
)

// itself is a set of files that are all the same one.
type itself struct{ image }

func (i itself) Split(string, string) (core.Image, error)      { return i.image, nil }
func (i itself) Package() (core.Image, error)                  { return i.image, nil }
func (i itself) Supplement(string, []byte) (core.Image, error) { return i.image, nil }

// FuzzData: whatever the sections hold, every query ends, and without a panic. The image also stands
// for the files that it leads to.
func FuzzData(f *testing.F) {
	for _, version := range []int{4, 5} {
		i := program(version).image()
		f.Add(i[".debug_info"], i[".debug_abbrev"], []byte(nil), []byte(nil), []byte(nil))
	}
	seeds, err := filepath.Glob("testdata/*[45].*")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range append(seeds, "testdata/types4", "testdata/types5", "testdata/split4", "testdata/pack5",
		"testdata/share4", "testdata/share5", "testdata/dwz5", "testdata/gdbindex5", "testdata/gdbnames5",
		"testdata/clangnames5") {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		img, err := elf.NewFile(core.Bytes(b), name)
		if err != nil {
			f.Fatal(err)
		}
		part := func(names ...string) []byte {
			for _, n := range names {
				if s, err := format.JoinedSection(img, n); err == nil && len(s.Data) > 0 {
					return s.Data
				}
			}
			return nil
		}
		f.Add(part(".debug_info", ".debug_info.dwo"), part(".debug_abbrev", ".debug_abbrev.dwo"),
			part(".debug_types", ".debug_types.dwo"),
			part(".gnu_debugaltlink", ".debug_sup"), part(".debug_tu_index", ".gdb_index", ".debug_names",
				".debug_aranges"))
	}
	f.Fuzz(func(t *testing.T, info, abbrev, types, link, rows []byte) {
		if len(info) > 1<<14 || len(abbrev) > 1<<12 || len(types) > 1<<12 || len(link) > 1<<8 || len(rows) > 1<<14 {
			return
		}
		i := image{".debug_str": []byte("a\x00b\x00"), ".gnu_debugaltlink": link, ".debug_sup": link,
			".debug_cu_index": rows, ".debug_tu_index": rows,
			".debug_aranges": rows, ".gdb_index": rows, ".debug_names": rows}
		for name, b := range map[string][]byte{".debug_info": info, ".debug_abbrev": abbrev, ".debug_types": types} {
			i[name], i[name+".dwo"] = b, b
		}
		checkAll(i, itself{i})
		delete(i, ".gnu_debugaltlink")
		checkAll(i, itself{i})
		checkAll(i, nil)
	})
}

// checkAll asks for all there is.
func checkAll(i image, files Files) {
	if d, err := Open(i, binary.LittleEndian, files); err == nil {
		ask(d)
	}
}

// ask asks for all that d has.
func ask(d *Data) {
	for _, at := range []uint64{0x1010, 0x2000, 0x400000} {
		d.TableOf(at, []uint64{at})
		if t := d.ClassAt(at); t != nil {
			t.Constant("a")
			t.DataSize()
		}
	}
	for _, name := range []string{"app::Point", "Point", "shape", "app::shape", "a", ""} {
		d.FindTypes(name)
		d.FindVariables(name)
	}
	p := coretest.New(core.AMD64).Words(0x7000, 1, 2, 3).Process()
	frame := &Frame{Arch: core.AMD64, Mem: p.Space, Regs: &core.Regs{}, CFA: 0x7010, Data: d, PC: 0x1018}
	scopes, _ := d.Scopes(0x1018)
	for _, s := range scopes {
		for _, v := range s.Vars {
			x := v.Value(frame)
			x.Int()
			x.Deref()
			v.Type().Name()
		}
	}
	d.TypeNames(func(name string) bool {
		for _, x := range d.FindTypes(name) {
			x.Size()
			x.Members()
			x.VariantParts()
			x.Find("x")
			x.Lang()
			x.GoConstants()
		}
		return true
	})
	d.VariableAt(0x2004)
	_ = d.Partly()
}
