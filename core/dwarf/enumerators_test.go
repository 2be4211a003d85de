package dwarf

import (
	"encoding/binary"
	"testing"

	"coredbg/core/dwarf/format"
)

// TestEnumerator: values by their names and scopes; an enumeration with a class needs its name. Truth: [dcl.enum] of
// C++17. Function has the variables of all blocks, and its type.
func TestEnumerator(t *testing.T) {
	m := newMade(5)
	str := func(s string) field { return field{format.AtName, format.FormString, s} }
	num := func(a format.AttrName, n uint64) field { return field{a, format.FormUdata, n} }
	m.entry("unit", format.TagCompileUnit, true, str("a.cc"), num(format.AtLanguage, 4),
		field{format.AtLowPC, format.FormAddr, uint64(0x1000)},
		field{format.AtHighPC, format.FormUdata, uint64(0x100)}, field{format.AtProducer, format.FormString, "maker 1"},
		field{format.AtCompDir, format.FormString, "/src"})
	m.entry("int", format.TagBaseType, false, str("int"), num(format.AtByteSize, 4),
		num(format.AtEncoding, uint64(EncSigned)))
	m.entry("app", format.TagNamespace, true, str("app"))
	m.entry("kind", format.TagEnumerationType, true, str("Kind"), num(format.AtByteSize, 4),
		field{format.AtEnumClass, format.FormFlagPresent, nil})
	m.entry("round", format.TagEnumerator, false, str("Round"), num(format.AtConstValue, 7))
	m.end()
	m.entry("open", format.TagEnumerationType, true, str("Open"), num(format.AtByteSize, 4))
	m.entry("yes", format.TagEnumerator, false, str("Yes"), num(format.AtConstValue, 1))
	m.end()
	m.end()
	m.entry("f", format.TagSubprogram, true, str("f"), field{format.AtLowPC, format.FormAddr, uint64(0x1010)},
		field{format.AtHighPC, format.FormUdata, uint64(0x20)}, field{format.AtType, format.FormRef4, "int"})
	m.entry("n", format.TagFormalParameter, false, str("n"), field{format.AtType, format.FormRef4, "int"})
	m.entry("block", format.TagLexicalBlock, true, field{format.AtLowPC, format.FormAddr, uint64(0x1018)},
		field{format.AtHighPC, format.FormUdata, uint64(4)})
	m.entry("deep", format.TagVariable, false, str("deep"), field{format.AtType, format.FormRef4, "int"})
	m.end()
	m.end()
	m.end()
	d, err := Open(m.image(), binary.LittleEndian, nil)
	if err != nil {
		t.Fatal(err)
	}
	u := d.UnitAt(0x1010)
	for name, want := range map[string]int64{"app::Kind::Round": 7, "Yes": 1, "app::Yes": 1, "app::Open::Yes": 1} {
		if of, v, ok := u.Enumerator(name); !ok || v != want || of == nil {
			t.Errorf("%s: %v %d %v, want %d", name, of, v, ok, want)
		}
	}
	for _, name := range []string{"Round", "app::Round", "Kind::Yes", "No", ""} {
		if of, v, ok := u.Enumerator(name); ok {
			t.Errorf("%q: %s %d", name, of.Name(), v)
		}
	}
	if name, dir, maker := u.Source(); name != "a.cc" || dir != "/src" || maker != "maker 1" {
		t.Errorf("source %q %q %q", name, dir, maker)
	}
	f, err := d.Function(0x1010)
	if err != nil || f == nil || len(f.Vars) != 2 || f.Vars[1].Name != "deep" {
		t.Fatalf("%+v %v", f, err)
	}
	if got := f.Type().Name(); got != "int (int)" {
		t.Errorf("type %s", got)
	}
	if f, err := d.Function(0x1080); f != nil || err != nil {
		t.Errorf("no function: %+v %v", f, err)
	}
}
