package dex

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coredbg/core"
)

func load(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// parse returns a file that must be good.
func parse(t testing.TB, b []byte) *File {
	t.Helper()
	f, err := Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// method finds a method of a file's only class by its name.
func method(t testing.TB, f *File, name string) (MethodDef, Method) {
	t.Helper()
	c, err := f.ClassDef(0)
	if err != nil {
		t.Fatal(err)
	}
	data, err := f.ClassData(c.ClassData)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range append(data.DirectMethods, data.VirtualMethods...) {
		m, err := f.Method(d.Index)
		if err != nil {
			t.Fatal(err)
		}
		if m.Name == name {
			return d, m
		}
	}
	t.Fatalf("no method %s", name)
	return MethodDef{}, Method{}
}

func TestNames(t *testing.T) {
	f := parse(t, load(t, "debug.dex"))
	if f.VersionString() != "039" || f.Compact || int(f.FileSize) != len(load(t, "debug.dex")) {
		t.Errorf("version %s, size %d", f.VersionString(), f.FileSize)
	}
	d, m := method(t, f, "mixed")
	if got, want := m.Pretty(), "int sample.Debug.mixed(int, long, java.util.List)"; got != want {
		t.Errorf("Pretty() = %q, want %q", got, want)
	}
	if got, want := m.String(), "sample.Debug.mixed"; got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
	if m.Proto.Shorty != "IIJL" || d.AccessFlags != 1 {
		t.Errorf("shorty %q, access flags %#x", m.Proto.Shorty, d.AccessFlags)
	}
	if s, err := f.SourceFile(0); s != "Debug.java" || err != nil {
		t.Errorf("SourceFile(0) = %q, %v", s, err)
	}
	if i, err := f.FindClass("Lsample/Debug;"); i != 0 || err != nil {
		t.Errorf("FindClass = %d, %v", i, err)
	}
	if _, err := f.FindClass("Lother;"); err == nil {
		t.Error("FindClass finds a class that is not there")
	}
	c, _ := f.ClassDef(0)
	if super, err := f.Type(c.Superclass); super != "Ljava/lang/Object;" || err != nil {
		t.Errorf("superclass %q, %v", super, err)
	}
}

func TestTypeName(t *testing.T) {
	for in, want := range map[string]string{
		"I": "int", "[[J": "long[][]", "Ljava/lang/String;": "java.lang.String", "[LA$B;": "A$B[]",
		"": "", "L;": "L;", "Lopen": "Lopen", "[": "[", "X": "X", "V": "void",
	} {
		if got := TypeName(in); got != want {
			t.Errorf("TypeName(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestLine checks the line of a pc between and before positions; the table is
// dexdump's (testdata/debug.dexdump).
func TestLine(t *testing.T) {
	f := parse(t, load(t, "debug.dex"))
	d, _ := method(t, f, "mixed")
	code, err := f.CodeAt(d.Code, d.Index)
	if err != nil {
		t.Fatal(err)
	}
	for pc, want := range map[uint32]int{0: 100, 1: 101, 2: 99, 3: 3000, 9: 3000, 10: 20, 16: 23, 1 << 31: 23} {
		if got, err := f.Line(code, pc); got != want || err != nil {
			t.Errorf("Line(%d) = %d, %v; want %d", pc, got, err, want)
		}
	}
	d, _ = method(t, f, "bare")
	code, err = f.CodeAt(d.Code, d.Index)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := f.Line(code, 0); got != -1 || err != nil {
		t.Errorf("Line of a method without debug info = %d, %v", got, err)
	}
	if pc, ok := code.DexPC(code.Insns + 1); pc != 0 || !ok {
		t.Errorf("DexPC = %d, %v", pc, ok)
	}
	if _, ok := code.DexPC(code.Insns + 2); ok {
		t.Error("an address after the instructions has a dex pc")
	}
}

// put changes words of a copy of b.
func put(b []byte, words map[int]uint32) []byte {
	b = slices.Clone(b)
	for at, v := range words {
		binary.LittleEndian.PutUint32(b[at:], v)
	}
	return b
}

func TestBadHeader(t *testing.T) {
	good := load(t, "debug.dex")
	magic := func(s string) []byte { return append([]byte(s), good[len(s):]...) }
	tests := []struct {
		name, want string
		in         []byte
	}{
		{"empty", "not mapped", nil},
		{"cut", "not mapped", good[:100]},
		{"magic", "not a dex file", magic("dey\n")},
		{"version", "not a dex file", magic("dex\n03x\x00")},
		{"old version", "version 013 is not known", magic("dex\n013\x00")},
		{"compact version", "compact dex version 002", magic("cdex002\x00")},
		{"byte order", "endian_tag is 0x78563412", put(good, map[int]uint32{40: 0x78563412})},
		{"header size", "header_size is 0x10", put(good, map[int]uint32{36: 0x10})},
		{"container header", "header_size is 0x70", magic("dex\n041\x00")},
	}
	for _, tt := range tests {
		if _, err := Parse(tt.in); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
	if _, err := Parse(magic("dey\n")); !errors.Is(err, ErrNotDex) {
		t.Errorf("error %v is not ErrNotDex", err)
	}
}

// TestOutside requests items outside the header's limits.
func TestOutside(t *testing.T) {
	good := load(t, "debug.dex")
	f := parse(t, good)
	errOf := func(_ any, err error) error { return err }
	strings0 := int(f.StringIDs.Off)
	for _, tt := range []struct {
		name, want string
		err        error
	}{
		{"string", "string_ids[99]: the file has", errOf(f.String(99))},
		{"type", "type_ids[4294967295]", errOf(f.Type(NoIndex))},
		{"method", "method_ids[65535]", errOf(f.Method(65535))},
		{"field", "field_ids[0]: the file has 0", errOf(f.Field(0))},
		{"class", "class_defs[1]: the file has 1", errOf(f.ClassDef(1))},
		{"class data", "class_data: offset 0xffffff is outside", errOf(f.ClassData(0xffffff))},
		{"code", "code_item: offset 0xffffff is outside", errOf(f.CodeAt(0xffffff, 0))},
		{"type list", "type_list: offset", errOf(f.TypeList(0xffffff))},
		{"table", "string_ids[0]: offset 0xfffffff0 is outside",
			errOf(parse(t, put(good, map[int]uint32{60: 0xfffffff0})).String(0))},
		{"string data", "offset 0x7fffffff is outside",
			errOf(parse(t, put(good, map[int]uint32{strings0: 0x7fffffff})).String(0))},
		{"length", "characters of UTF-16", errOf(parse(t, put(good, map[int]uint32{strings0: f.MapOff})).String(0))},
	} {
		if tt.err == nil || !strings.Contains(tt.err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, tt.err, tt.want)
		}
	}
}

// TestPartly checks that a file with a missing page answers from the others, with the address of the missing
// memory.
func TestPartly(t *testing.T) {
	b := load(t, "debug.dex")
	f := parse(t, b)
	d, _ := method(t, f, "mixed")
	const base = 0x10000
	mem := core.NewSpace([]core.Segment{
		{Start: base, End: base + core.Addr(d.Code), Kind: core.SegCore, Src: core.Bytes(b)},
		{Start: base + core.Addr(d.Code), End: base + core.Addr(len(b)), Gap: core.NotDumped},
	}, nil)
	part, err := Open(mem, base)
	if err != nil {
		t.Fatal(err)
	}
	if id, err := part.MethodID(d.Index); err != nil || id.Class == NoIndex {
		t.Errorf("MethodID: %v, %v", id, err)
	}
	_, err = part.CodeAt(d.Code, d.Index)
	if fault := core.Fault(err); fault == nil || fault.Gap != core.NotDumped || fault.Addr != base+core.Addr(d.Code) {
		t.Errorf("code item that was not dumped: %v", err)
	}
}

// TestContainer lays a file out as the second of a container of version 041,
// whose offsets count from the container's beginning.
func TestContainer(t *testing.T) {
	b := load(t, "debug.dex")
	f := parse(t, b)
	// The file itself is the first; a header after it with the same tables is
	// the second.
	container := slices.Clone(b)
	header := slices.Clone(b[:headerSize41])
	copy(header, "dex\n041\x00")
	binary.LittleEndian.PutUint32(header[36:], headerSize41)
	binary.LittleEndian.PutUint32(header[112:], uint32(len(b)+headerSize41))
	binary.LittleEndian.PutUint32(header[116:], uint32(len(b)))
	container = append(container, header...)
	second, err := Open(Image(container), core.Addr(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	if second.Version != 41 || second.Data != 0 || second.DataLimit != uint32(len(container)) {
		t.Errorf("version %d, data at %v, %#x bytes", second.Version, second.Data, second.DataLimit)
	}
	for i := range f.MethodIDs.Size {
		want, _ := f.Method(i)
		if got, err := second.Method(i); got.Pretty() != want.Pretty() || err != nil {
			t.Errorf("method %d is %q, %v; want %q", i, got.Pretty(), err, want.Pretty())
		}
	}
}
