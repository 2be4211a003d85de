package macho

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"coredbg/core"
)

// arMember is a member of an archive in BSD's form; long names are in the data.
func arMember(name string, time int, data string) string {
	if len(name) > 16 || strings.Contains(name, " ") {
		data = name + strings.Repeat("\x00", -len(name)&3) + data
		name = fmt.Sprintf("#1/%d", len(name)+(-len(name)&3))
	}
	return fmt.Sprintf("%-16s%-12d%-6d%-6d%-8o%-10d`\n%s", name, time, 0, 0, 0o644, len(data), data) + strings.Repeat("\n", len(data)&1)
}

func TestArchive(t *testing.T) {
	lib := "!<arch>\n" + arMember("__.SYMDEF", 1, "xxx") + arMember("a.o", 10, "first") + arMember("a_name_of_more_than_16_bytes.o", 20, "long one") +
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
		{"!<arch>\n" + strings.Replace(arMember("a.o", 1, "x"), " 1 ", " 99999999999999999999 ", 1), "a.o", 1, "no member"},
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
	s := imageSpec{cputype: cpuX86_64, filetype: mhExecute, uuid: 1,
		segs: []segSpec{{name: "__TEXT", addr: 0x100000000, prot: 5, data: make([]byte, 0x100),
			sections: []sectSpec{{name: "__text", size: 0x100, flags: 0x80000000}}}},
		symbols: []symSpec{
			{name: "/src/a.cc", typ: nSO}, {name: "/obj/a.o", typ: nOSO, val: 111},
			{name: "_one", typ: nFun, sect: 1, val: 0x100000800}, {typ: nFun, val: 0x20},
			{name: "_two", typ: nFun, sect: 1, val: 0x100000840}, {typ: nFun, val: 0x10}, {typ: nSO, sect: 1},
			{name: "_stray", typ: nFun, sect: 1, val: 0x100000900}, {typ: nFun, val: 0x10},
			{name: "/src/b.cc", typ: nSO}, {name: "/obj/lib.a(b.o)", typ: nOSO, val: 222},
			{name: "_three", typ: nFun, sect: 1, val: 0x100000820}, {typ: nFun, val: 0x20}, {typ: nSO, sect: 1},
			{name: "_one", typ: nSect, sect: 1, val: 0x100000800},
		}}
	return s.build()
}

func TestDebugMap(t *testing.T) {
	f, err := NewFile(core.Bytes(mappedImage()), "", cpuX86_64, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := f.DebugMap()
	if m == nil || len(m.Objects()) != 2 || m.Objects()[1] != (DebugObject{"/obj/lib.a(b.o)", 222}) {
		t.Fatalf("%+v", m)
	}
	for link, want := range map[uint64]string{0x100000800: "0 _one", 0x10000081f: "0 _one", 0x100000820: "1 _three", 0x10000084f: "0 _two",
		0x100000850: "", 0x1000007ff: "", 0x100000900: ""} {
		got := ""
		if p, ok := m.Find(link); ok {
			got = fmt.Sprintf("%d %s", p.Object, p.Name)
		}
		if got != want {
			t.Errorf("%#x: %q, want %q", link, got, want)
		}
	}
	if exe, _ := twoImages(); must(NewFile(core.Bytes(exe), "", cpuX86_64, nil)).DebugMap() != nil {
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
	obj := imageSpec{cputype: cpuX86_64, filetype: mhObject, segs: []segSpec{{name: "", data: make([]byte, 64),
		sections: []sectSpec{{name: "__text", size: 64, flags: 0x80000000}}}},
		symbols: []symSpec{{name: "_one", typ: nSect, sect: 1, val: 0}}}
	f.Add(obj.build(), "a.o")
	f.Add([]byte("!<arch>\n"+arMember("a.o", 10, string(obj.build()))), "lib.a(a.o)")
	image := must(NewFile(core.Bytes(mappedImage()), "", cpuX86_64, nil))
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
