package vmstructs

import (
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// Where the tables of the tests are: the symbols, strings, and the tables themselves.
const (
	symbolsAt = 0x1000
	textAt    = 0x2000
	tablesAt  = 0x3000
	valuesAt  = 0x5000
)

// find returns the addresses of the symbols.
func find(name string) (core.Addr, bool) {
	for i, n := range []string{SymStructs, SymTypes, SymInts, SymLongs} {
		if n == name {
			return symbolsAt + core.Addr(8*i), true
		}
	}
	return 0, false
}

// build makes a process with small tables, whose version is release.
func build(release string) *core.Process {
	text := []byte("Klass\x00_name\x00Symbol*\x00Abstract_VM_Version\x00_s_vm_release\x00\x00\x00\x00\x00one\x00two\x00")
	at := func(s string) uint64 { return textAt + uint64(strings.Index(string(text), s+"\x00")) }
	b := coretest.New(core.AMD64).Map(textAt, text).Map(valuesAt+0x100, append([]byte(release), 0))
	b.Words(valuesAt, valuesAt+0x100)
	b.Words(symbolsAt, tablesAt, tablesAt+0x400, tablesAt+0x800, tablesAt+0xc00)
	b.Words(tablesAt, at("Klass"), at("_name"), at("Symbol*"), 0, 24, 0,
		at("Abstract_VM_Version"), at("_s_vm_release"), 0, 1, 0, valuesAt, 0)
	b.Words(tablesAt+0x400, at("Klass"), 0, 0, 0, 200, 0)
	b.Words(tablesAt+0x800, at("one"), 0xffffffff, 0)
	b.Words(tablesAt+0xc00, at("two"), 1<<40, 0)
	return b.Process()
}

// TestRead: entries of the form that share/runtime/vmStructs.hpp of JDK 17 declares. Some fields have no type.
func TestRead(t *testing.T) {
	tables, err := Read(build("17.0.15+6"), find)
	if err != nil {
		t.Fatal(err)
	}
	if f := tables.Member("Klass._nom", "Klass._name"); f.Offset != 24 || f.Type != "Symbol*" {
		t.Errorf("Klass._name: %+v", f)
	}
	if n := tables.Size("Klass"); n != 200 {
		t.Errorf("a Klass of %d bytes", n)
	}
	for name, want := range map[string]int64{"one": -1, "two": 1 << 40} {
		if v, ok := tables.Constant("none", name); !ok || v != want {
			t.Errorf("%s: %d, %v, want %d", name, v, ok, want)
		}
	}
	if err := tables.Missing(); err != nil {
		t.Error(err)
	}
	tables.Offset("Klass._gone")
	if err := tables.Missing(); err == nil || !strings.Contains(err.Error(), "Klass._gone") {
		t.Errorf("a field that is missing: %v", err)
	}
	if _, err := Read(build(""), func(string) (core.Addr, bool) { return 0, false }); err == nil ||
		!strings.Contains(err.Error(), SymStructs) {
		t.Errorf("without symbols: %v", err)
	}
}

// TestJava: versions that virtual machines print with -version.
func TestJava(t *testing.T) {
	for release, want := range map[string]int{"17.0.15+6-Debian-1deb12u1": 17, "25.0.1+8-LTS": 25, "25.392-b08": 8,
		"11.0.2+9": 11, "21-internal": 21, "": 0, "x": 0} {
		tables, err := Read(build(release), find)
		if err != nil {
			t.Fatal(err)
		}
		if got := tables.Java(); got != want || tables.Release() != release {
			t.Errorf("%q: Java %d of %q, want %d", release, got, tables.Release(), want)
		}
	}
}

// FuzzRead wants of any bytes tables or an error.
func FuzzRead(f *testing.F) {
	f.Add([]byte("\x00\x30\x00\x00\x00\x00\x00\x00"), uint16(0))
	f.Add([]byte{0x20, 0x10, 0, 0, 0, 0, 0, 0, 0x20, 0x10}, uint16(0x20))
	f.Fuzz(func(t *testing.T, data []byte, at uint16) {
		p := coretest.New(core.AMD64).Map(symbolsAt, data).Process()
		tables, err := Read(p, func(string) (core.Addr, bool) { return symbolsAt + core.Addr(at%256), true })
		if err == nil {
			tables.Offset("Klass._name")
			tables.Java()
		}
	})
}
