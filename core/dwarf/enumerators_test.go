package dwarf

import (
	"encoding/binary"
	"testing"
)

// TestEnumerator: values by their names and scopes; an enumeration with a class needs its name. Truth: [dcl.enum] of
// C++17. Function has the variables of all blocks, and its type.
func TestEnumerator(t *testing.T) {
	m := newMade(5)
	str := func(s string) field { return field{atName, formString, s} }
	num := func(a attr, n uint64) field { return field{a, formUdata, n} }
	m.entry("unit", TagCompileUnit, true, str("a.cc"), num(atLanguage, 4), field{atLowPC, formAddr, uint64(0x1000)},
		field{atHighPC, formUdata, uint64(0x100)}, field{atProducer, formString, "maker 1"},
		field{atCompDir, formString, "/src"})
	m.entry("int", TagBaseType, false, str("int"), num(atByteSize, 4), num(atEncoding, uint64(EncSigned)))
	m.entry("app", TagNamespace, true, str("app"))
	m.entry("kind", TagEnumerationType, true, str("Kind"), num(atByteSize, 4), field{atEnumClass, formFlagPresent, nil})
	m.entry("round", TagEnumerator, false, str("Round"), num(atConstValue, 7))
	m.end()
	m.entry("open", TagEnumerationType, true, str("Open"), num(atByteSize, 4))
	m.entry("yes", TagEnumerator, false, str("Yes"), num(atConstValue, 1))
	m.end()
	m.end()
	m.entry("f", TagSubprogram, true, str("f"), field{atLowPC, formAddr, uint64(0x1010)},
		field{atHighPC, formUdata, uint64(0x20)}, field{atType, formRef4, "int"})
	m.entry("n", TagFormalParameter, false, str("n"), field{atType, formRef4, "int"})
	m.entry("block", TagLexicalBlock, true, field{atLowPC, formAddr, uint64(0x1018)},
		field{atHighPC, formUdata, uint64(4)})
	m.entry("deep", TagVariable, false, str("deep"), field{atType, formRef4, "int"})
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
