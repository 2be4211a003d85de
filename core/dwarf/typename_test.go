package dwarf

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"
)

// TestSimpleNames: names of templates, and which definition a declaration means, where entries have the
// template's name alone, as clang -gsimple-template-names writes them; templates that are made with
// themselves or each other.
func TestSimpleNames(t *testing.T) {
	m := newMade(5)
	str := func(s string) field { return field{atName, formString, s} }
	num := func(a attr, n uint64) field { return field{a, formUdata, n} }
	ref := func(to string) field { return field{atType, formRef4, to} }
	box := func(label, of string, attrs ...field) {
		m.entry(label, TagStructureType, true, append(attrs, str("Box"))...)
		m.entry(label+"T", TagTemplateTypeParam, false, str("T"), ref(of))
		m.entry(label+"N", TagTemplateValueParam, false, str("N"), ref("size"), num(atConstValue, 3))
		m.end()
	}
	declared := field{atDeclaration, formFlagPresent, nil}
	m.entry("unit", TagCompileUnit, true, str("a.cc"), num(atLanguage, 0x21))
	m.entry("int", TagBaseType, false, str("int"), num(atByteSize, 4), num(atEncoding, uint64(EncSigned)))
	m.entry("size", TagBaseType, false, str("unsigned long"), num(atByteSize, 8), num(atEncoding, 7))
	m.entry("pointer", TagPointerType, false, ref("int"))
	m.entry("app", TagNamespace, true, str("app"))
	box("first", "int", num(atByteSize, 4))
	box("second", "pointer", num(atByteSize, 8))
	box("want", "pointer", declared)
	box("lost", "size", declared)
	m.entry("outer", TagStructureType, true, str("Outer"), num(atByteSize, 1))
	m.entry("of", TagTemplateTypeParam, false, ref("second"))
	m.entry("inner", TagStructureType, true, str("Inner"), num(atByteSize, 1))
	m.end()
	m.end()
	m.entry("none", TagStructureType, true, str("None"), num(atByteSize, 1))
	m.entry("pack", TagGNUTemplateParameterPack, false, str("T"))
	m.end()
	m.entry("self", TagStructureType, true, str("Self"), num(atByteSize, 1))
	for range 3 {
		m.entry("again", TagTemplateTypeParam, false, ref("self"))
	}
	m.end()
	m.end()
	m.end()
	d, err := Open(m.image(), binary.LittleEndian, nil)
	if err != nil {
		t.Fatal(err)
	}
	for label, want := range map[string]string{
		"first": "app::Box<int, 3UL>", "second": "app::Box<int *, 3UL>", "outer": "app::Outer<app::Box<int *, 3UL> >",
		"inner": "app::Outer<app::Box<int *, 3UL> >::Inner", "none": "app::None<>",
	} {
		if got := d.own.typeAt(Offset(m.labels[label])).Name(); got != want {
			t.Errorf("%s is a %s, want %s", label, got, want)
		}
	}
	if got := d.own.typeAt(Offset(m.labels["self"])).Name(); !strings.HasPrefix(got, "app::Self<") ||
		len(got) > maxName {
		t.Errorf("a template that is made with itself has a name of %d bytes", len(got))
	}
	if c := d.own.typeAt(Offset(m.labels["want"])).Complete(); c.Off != Offset(m.labels["second"]) {
		t.Errorf("the declaration means %#x, %s", c.Off, c.Name())
	}
	if c := d.own.typeAt(Offset(m.labels["lost"])).Complete(); !c.Declared {
		t.Errorf("what no definition is of is taken for %s", c.Name())
	}
	for name, want := range map[string][]string{
		"app::Box<int *, 3UL>": {"second"}, "Box<int, 3UL>": {"first"}, "app::Box<char, 3UL>": nil,
	} {
		var got []string
		for _, x := range d.FindTypes(name) {
			for label, off := range m.labels {
				if x.Off == Offset(off) {
					got = append(got, label)
				}
			}
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
}
