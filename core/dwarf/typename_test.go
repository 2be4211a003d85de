package dwarf

import (
	"coredbg/core/dwarf/format"
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
	str := func(s string) field { return field{format.AtName, format.FormString, s} }
	num := func(a format.AttrName, n uint64) field { return field{a, format.FormUdata, n} }
	ref := func(to string) field { return field{format.AtType, format.FormRef4, to} }
	box := func(label, of string, attrs ...field) {
		m.entry(label, format.TagStructureType, true, append(attrs, str("Box"))...)
		m.entry(label+"T", format.TagTemplateTypeParam, false, str("T"), ref(of))
		m.entry(label+"N", format.TagTemplateValueParam, false, str("N"), ref("size"), num(format.AtConstValue, 3))
		m.end()
	}
	declared := field{format.AtDeclaration, format.FormFlagPresent, nil}
	m.entry("unit", format.TagCompileUnit, true, str("a.cc"), num(format.AtLanguage, 0x21))
	m.entry("int", format.TagBaseType, false, str("int"), num(format.AtByteSize, 4),
		num(format.AtEncoding, uint64(EncSigned)))
	m.entry("size", format.TagBaseType, false, str("unsigned long"), num(format.AtByteSize, 8),
		num(format.AtEncoding, 7))
	m.entry("pointer", format.TagPointerType, false, ref("int"))
	m.entry("app", format.TagNamespace, true, str("app"))
	box("first", "int", num(format.AtByteSize, 4))
	box("second", "pointer", num(format.AtByteSize, 8))
	box("want", "pointer", declared)
	box("lost", "size", declared)
	m.entry("outer", format.TagStructureType, true, str("Outer"), num(format.AtByteSize, 1))
	m.entry("of", format.TagTemplateTypeParam, false, ref("second"))
	m.entry("inner", format.TagStructureType, true, str("Inner"), num(format.AtByteSize, 1))
	m.end()
	m.end()
	m.entry("none", format.TagStructureType, true, str("None"), num(format.AtByteSize, 1))
	m.entry("pack", format.TagGNUTemplateParameterPack, false, str("T"))
	m.end()
	m.entry("self", format.TagStructureType, true, str("Self"), num(format.AtByteSize, 1))
	for range 3 {
		m.entry("again", format.TagTemplateTypeParam, false, ref("self"))
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
		if got := d.own.typeAt(format.Offset(m.labels[label])).Name(); got != want {
			t.Errorf("%s is a %s, want %s", label, got, want)
		}
	}
	if got := d.own.typeAt(format.Offset(m.labels["self"])).Name(); !strings.HasPrefix(got, "app::Self<") ||
		len(got) > maxName {
		t.Errorf("a template that is made with itself has a name of %d bytes", len(got))
	}
	if c := d.own.typeAt(format.Offset(m.labels["want"])).Complete(); c.Off != format.Offset(m.labels["second"]) {
		t.Errorf("the declaration means %#x, %s", c.Off, c.Name())
	}
	if c := d.own.typeAt(format.Offset(m.labels["lost"])).Complete(); !c.Declared {
		t.Errorf("what no definition is of is taken for %s", c.Name())
	}
	for name, want := range map[string][]string{
		"app::Box<int *, 3UL>": {"second"}, "Box<int, 3UL>": {"first"}, "app::Box<char, 3UL>": nil,
	} {
		var got []string
		for _, x := range d.FindTypes(name) {
			for label, off := range m.labels {
				if x.Off == format.Offset(off) {
					got = append(got, label)
				}
			}
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
}
