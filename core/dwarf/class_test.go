package dwarf

import (
	"coredbg/core/dwarf/format"
	"encoding/binary"
	"testing"
)

// TestClass: the class of a member function, unless the linker merged functions of two classes;
// constants of bases; base members that are kept; the class whose table a variable is.
func TestClass(t *testing.T) {
	for _, version := range []int{4, 5} {
		m := newMade(version)
		str := func(s string) field { return field{format.AtName, format.FormString, s} }
		num := func(a format.AttrName, n uint64) field { return field{a, format.FormUdata, n} }
		code := func(low uint64) []field {
			return []field{{format.AtLowPC, format.FormAddr, low}, {format.AtHighPC, format.FormUdata, uint64(0x10)}}
		}
		m.entry("unit", format.TagCompileUnit, true, str("a.cc"), num(format.AtLanguage, 4),
			field{format.AtLowPC, format.FormAddr, uint64(0x1000)},
			field{format.AtHighPC, format.FormUdata, uint64(0x100)})
		m.entry("char", format.TagBaseType, false, str("char"), num(format.AtByteSize, 1),
			num(format.AtEncoding, uint64(EncSignedChar)))
		m.entry("app", format.TagNamespace, true, str("app"))
		m.entry("base", format.TagClassType, true, str("Base"), num(format.AtByteSize, 4))
		m.entry("k", format.TagVariable, false, str("local"), field{format.AtType, format.FormRef4, "char"},
			field{format.AtDeclaration, format.FormFlagPresent, nil}, num(format.AtConstValue, 7))
		m.entry("c", format.TagMember, false, str("c"), field{format.AtType, format.FormRef4, "char"},
			num(format.AtDataMemberLoc, 0))
		m.end()
		m.entry("derived", format.TagClassType, true, str("Derived"), num(format.AtByteSize, 8))
		m.entry("in", format.TagInheritance, false, field{format.AtType, format.FormRef4, "base"},
			num(format.AtDataMemberLoc, 0))
		m.entry("d", format.TagMember, false, str("d"), field{format.AtType, format.FormRef4, "char"},
			num(format.AtDataMemberLoc, 4))
		m.entry("run", format.TagSubprogram, false, str("run"), field{format.AtDeclaration, format.FormFlagPresent,
			nil})
		m.entry("go", format.TagSubprogram, false, append(code(0x1040), str("go"))...)
		m.end()
		m.entry("other", format.TagClassType, true, str("Other"), num(format.AtByteSize, 1))
		m.entry("same", format.TagSubprogram, false, str("same"), field{format.AtDeclaration, format.FormFlagPresent,
			nil})
		m.end()
		m.entry("free", format.TagSubprogram, false, append(code(0x1050), str("free"))...)
		m.end()
		m.entry("run1", format.TagSubprogram, false, append(code(0x1010), field{format.AtSpecification, format.FormRef4,
			"run"})...)
		m.entry("run2", format.TagSubprogram, false, append(code(0x1020), field{format.AtSpecification, format.FormRef4,
			"run"})...)
		m.entry("same2", format.TagSubprogram, false, append(code(0x1020),
			field{format.AtSpecification, format.FormRef4, "same"})...)
		m.entry("tableof", format.TagStructureType, false, str("table"), num(format.AtByteSize, 8),
			field{format.AtContainingType, format.FormRef4, "derived"})
		m.entry("tableof2", format.TagStructureType, false, str("table"), num(format.AtByteSize, 8),
			field{format.AtContainingType, format.FormRef4, "base"})
		for i, x := range []struct {
			of string
			at uint64
		}{{"tableof", 0x2000}, {"tableof", 0x3000}, {"tableof2", 0x3000}, {"char", 0x4000}} {
			m.entry("v"+string(rune('0'+i)), format.TagVariable, false, str("v"+string(rune('0'+i))),
				field{format.AtType, format.FormRef4, x.of},
				field{format.AtLocation, format.FormExprloc, binary.LittleEndian.AppendUint64([]byte{format.OpAddr},
					x.at)})
		}
		m.end()
		d, err := Open(m.image(), binary.LittleEndian, nil)
		if err != nil {
			t.Fatal(err)
		}
		for pc, want := range map[uint64]string{0x1010: "app::Derived", 0x1014: "", 0x1020: "", 0x1040: "app::Derived",
			0x1050: "", 0x1060: ""} {
			if got := d.ClassAt(pc).Qualified(); got != want {
				t.Errorf("DWARF %d: the function at %#x is of %q, want %q", version, pc, got, want)
			}
		}
		for at, want := range map[uint64]string{0x2000: "app::Derived", 0x2001: "", 0x3000: "",
			0x4000: "", 0x5000: ""} {
			for _, near := range [][]uint64{nil, {0x1010}} {
				if got := d.TableOf(at, near).Qualified(); got != want {
					t.Errorf("DWARF %d: the table at %#x is of %q, want %q", version, at, got, want)
				}
			}
		}
		var none *Type
		if len(none.TemplateParams())+len(none.VariantParts())+len(none.Enumerators()) > 0 {
			t.Error("nothing was made with something")
		}
		class := d.ClassAt(0x1010)
		if n, ok := class.Constant("local"); !ok || n != 7 {
			t.Errorf("DWARF %d: the constant is %d, %v", version, n, ok)
		}
		if n, ok := class.Constant("d"); ok {
			t.Errorf("DWARF %d: a member is the constant %d", version, n)
		}
		base := class.Members()[0].Type()
		for _, x := range []struct {
			t    *Type
			want int64
		}{{class, 5}, {base, 4}} {
			if n, ok := x.t.DataSize(); !ok || n != x.want {
				t.Errorf("DWARF %d: %s has %d bytes of data, want %d", version, x.t.Name(), n, x.want)
			}
		}
	}
}
