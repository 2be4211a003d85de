package macho

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/macho/format"
	"coredbg/core/macho/machotest"
)

// arMember is a member of an archive in BSD's form; long names are in the data.
func arMember(name string, time int, data string) string {
	if len(name) > 16 || strings.Contains(name, " ") {
		data = name + strings.Repeat("\x00", -len(name)&3) + data
		name = fmt.Sprintf("#1/%d", len(name)+(-len(name)&3))
	}
	return fmt.Sprintf("%-16s%-12d%-6d%-6d%-8o%-10d`\n%s", name, time, 0, 0, 0o644, len(data), data) +
		strings.Repeat("\n", len(data)&1)
}

func TestArchive(t *testing.T) {
	lib := "!<arch>\n" + arMember("__.SYMDEF", 1, "xxx") + arMember("a.o", 10, "first") +
		arMember("a_name_of_more_than_16_bytes.o", 20, "long one") +
		arMember("a.o", 30, "second")
	for _, c := range []struct {
		lib, member string
		time        uint64
		want        string
	}{
		{lib, "a.o", 10, "first"},
		{lib, "a.o", 30, "second"},
		{lib, "a.o", 99, "first"},
		{lib, "a_name_of_more_than_16_bytes.o", 20, "long one"},
		{lib, "b.o", 0, `no member "b.o"`},
		{lib[:len(lib)-3], "a.o", 30, "sec"},
		{"text", "a.o", 0, "not an archive"},
		{"!<arch>\n" + strings.Replace(arMember("a.o", 1, "x"), " 1 ", " 99999999999999999999 ", 1), "a.o",
			1, "no member"},
		{"!<arch>\n" + arMember("#1/999", 1, "x"), "a.o", 1, "no member"},
	} {
		src, _, err := archiveMember(core.Bytes(c.lib), "lib.a", c.member, c.time)
		got := fmt.Sprint(err)
		if err == nil {
			b, err := core.SourceSlice(src, 0, int(src.Size()))
			if err != nil && err != io.EOF {
				t.Error(err)
			}
			got = string(b)
		}
		if got != c.want && !(err != nil && strings.Contains(got, c.want)) {
			t.Errorf("%q at %d: %q, want %q", c.member, c.time, got, c.want)
		}
	}
}

// mappedImage is an image with a debug map of two object files.
func mappedImage() []byte {
	s := machotest.Image{CPUType: format.CPUX86_64, FileType: format.MHExecute, UUID: 1,
		Segs: []machotest.Seg{{Name: "__TEXT", Addr: 0x100000000, Prot: 5, Data: make([]byte, 0x100),
			Sections: []machotest.Sect{{Name: "__text", Size: 0x100, Flags: 0x80000000}}}},
		Symbols: []machotest.Sym{
			{Name: "/src/a.cc", Typ: nSO}, {Name: "/obj/a.o", Typ: nOSO, Val: 111},
			{Name: "_one", Typ: nFun, Sect: 1, Val: 0x100000800}, {Typ: nFun, Val: 0x20},
			{Name: "_two", Typ: nFun, Sect: 1, Val: 0x100000840}, {Typ: nFun, Val: 0x10}, {Typ: nSO, Sect: 1},
			{Name: "_stray", Typ: nFun, Sect: 1, Val: 0x100000900}, {Typ: nFun, Val: 0x10},
			{Name: "/src/b.cc", Typ: nSO}, {Name: "/obj/lib.a(b.o)", Typ: nOSO, Val: 222},
			{Name: "_three", Typ: nFun, Sect: 1, Val: 0x100000820}, {Typ: nFun, Val: 0x20}, {Typ: nSO, Sect: 1},
			{Name: "_one", Typ: nSect, Sect: 1, Val: 0x100000800},
		}}
	return s.Build()
}

func TestDebugMap(t *testing.T) {
	f, err := NewFile(core.Bytes(mappedImage()), "", format.CPUX86_64, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := f.DebugMap()
	if m == nil || len(m.Objects()) != 2 || m.Objects()[1] != (DebugObject{"/obj/lib.a(b.o)", 222}) {
		t.Fatalf("%+v", m)
	}
	for link, want := range map[uint64]string{0x100000800: "0 _one", 0x10000081f: "0 _one", 0x100000820: "1 _three",
		0x10000084f: "0 _two",
		0x100000850: "", 0x1000007ff: "", 0x100000900: ""} {
		got := ""
		if p, ok := m.Find(link); ok {
			got = fmt.Sprintf("%d %s", p.Object, p.Name)
		}
		if got != want {
			t.Errorf("%#x: %q, want %q", link, got, want)
		}
	}
	if exe, _ := machotest.TwoImages(); must(NewFile(core.Bytes(exe), "", format.CPUX86_64, nil)).DebugMap() != nil {
		t.Error("a debug map where none is")
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func FuzzObject(f *testing.F) {
	obj := machotest.Image{CPUType: format.CPUX86_64, FileType: format.MHObject,
		Segs: []machotest.Seg{{Name: "", Data: make([]byte, 64),
			Sections: []machotest.Sect{{Name: "__text", Size: 64, Flags: 0x80000000}}}},
		Symbols: []machotest.Sym{{Name: "_one", Typ: nSect, Sect: 1, Val: 0}}}
	f.Add(obj.Build(), "a.o")
	f.Add([]byte("!<arch>\n"+arMember("a.o", 10, string(obj.Build()))), "lib.a(a.o)")
	image := must(NewFile(core.Bytes(mappedImage()), "", format.CPUX86_64, nil))
	m := image.DebugMap()
	f.Fuzz(func(t *testing.T, b []byte, path string) {
		o, err := NewObject(core.Bytes(b), "fuzz", DebugObject{Path: path}, 0)
		if err != nil {
			return
		}
		if p, ok := m.Find(0x100000801); ok {
			_, _ = o.Place(m, p, 0x100000801)
		}
	})
}
