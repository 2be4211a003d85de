package dwarf

import (
	"encoding/binary"
	"testing"
)

// TestClass: the class of a member function, unless the linker merged functions of two classes;
// constants of bases; base members that are kept; the class whose table a variable is.
func TestClass(t *testing.T) {
	for _, version := range []int{4, 5} {
		m := newMade(version)
		str := func(s string) field { return field{atName, formString, s} }
		num := func(a attr, n uint64) field { return field{a, formUdata, n} }
		code := func(low uint64) []field {
			return []field{{atLowPC, formAddr, low}, {atHighPC, formUdata, uint64(0x10)}}
		}
		m.entry("unit", TagCompileUnit, true, str("a.cc"), num(atLanguage, 4), field{atLowPC, formAddr, uint64(0x1000)},
			field{atHighPC, formUdata, uint64(0x100)})
		m.entry("char", TagBaseType, false, str("char"), num(atByteSize, 1), num(atEncoding, uint64(EncSignedChar)))
		m.entry("app", TagNamespace, true, str("app"))
		m.entry("base", TagClassType, true, str("Base"), num(atByteSize, 4))
		m.entry("k", TagVariable, false, str("local"), field{atType, formRef4, "char"},
			field{atDeclaration, formFlagPresent, nil}, num(atConstValue, 7))
		m.entry("c", TagMember, false, str("c"), field{atType, formRef4, "char"}, num(atDataMemberLoc, 0))
		m.end()
		m.entry("derived", TagClassType, true, str("Derived"), num(atByteSize, 8))
		m.entry("in", TagInheritance, false, field{atType, formRef4, "base"}, num(atDataMemberLoc, 0))
		m.entry("d", TagMember, false, str("d"), field{atType, formRef4, "char"}, num(atDataMemberLoc, 4))
		m.entry("run", TagSubprogram, false, str("run"), field{atDeclaration, formFlagPresent, nil})
		m.entry("go", TagSubprogram, false, append(code(0x1040), str("go"))...)
		m.end()
		m.entry("other", TagClassType, true, str("Other"), num(atByteSize, 1))
		m.entry("same", TagSubprogram, false, str("same"), field{atDeclaration, formFlagPresent, nil})
		m.end()
		m.entry("free", TagSubprogram, false, append(code(0x1050), str("free"))...)
		m.end()
		m.entry("run1", TagSubprogram, false, append(code(0x1010), field{atSpecification, formRef4, "run"})...)
		m.entry("run2", TagSubprogram, false, append(code(0x1020), field{atSpecification, formRef4, "run"})...)
		m.entry("same2", TagSubprogram, false, append(code(0x1020), field{atSpecification, formRef4, "same"})...)
		m.entry("tableof", TagStructureType, false, str("table"), num(atByteSize, 8),
			field{atContainingType, formRef4, "derived"})
		m.entry("tableof2", TagStructureType, false, str("table"), num(atByteSize, 8),
			field{atContainingType, formRef4, "base"})
		for i, x := range []struct {
			of string
			at uint64
		}{{"tableof", 0x2000}, {"tableof", 0x3000}, {"tableof2", 0x3000}, {"char", 0x4000}} {
			m.entry("v"+string(rune('0'+i)), TagVariable, false, str("v"+string(rune('0'+i))),
				field{atType, formRef4, x.of},
				field{atLocation, formExprloc, binary.LittleEndian.AppendUint64([]byte{OpAddr}, x.at)})
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
