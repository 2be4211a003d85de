package dwarf

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/dwarf/format"
)

// languageAda is DW_LANG_Ada95.
const languageAda = 0x0d

// shapedUnit returns a unit of Ada with a type of 4 bytes, "int".
func shapedUnit() *made {
	m := newMade(5)
	m.entry("unit", format.TagCompileUnit, true, field{format.AtLanguage, format.FormData1, uint64(languageAda)})
	m.entry("int", format.TagBaseType, false, field{format.AtByteSize, format.FormData1, uint64(4)},
		field{format.AtEncoding, format.FormData1, uint64(EncSigned)})
	return m
}

// shapedValue returns the value of the type with a label over bytes.
func shapedValue(t *testing.T, m *made, label string, data []byte) Value {
	t.Helper()
	m.end()
	d, err := Open(m.image(), binary.LittleEndian, nil)
	if err != nil {
		t.Fatal(err)
	}
	const at = 0x2000
	p := coretest.New(core.AMD64).Map(at, data).Process()
	f := &Frame{Arch: core.AMD64, Mem: p.Space, Regs: &core.Regs{}, Data: d}
	return f.At(d.own.typeAt(format.Offset(m.labels[label])), at)
}

// TestSparseIndex counts the elements of an array whose index is an enumeration with gaps.
func TestSparseIndex(t *testing.T) {
	for _, c := range []struct {
		values    []uint64
		low, high uint64
		want      int64
	}{
		{[]uint64{1, 2, 4, 8, 16}, 1, 16, 5},
		{[]uint64{1, 2, 4, 8, 16}, 4, 8, 2},
		{[]uint64{1, 2, 4, 8, 16}, 16, 1, 0},
		{[]uint64{0, 1, 2}, 0, 2, 3},
	} {
		m := shapedUnit()
		m.entry("day", format.TagEnumerationType, true, field{format.AtByteSize, format.FormData1, uint64(1)})
		for i, v := range c.values {
			m.entry(fmt.Sprint("v", i), format.TagEnumerator, false,
				field{format.AtName, format.FormString, fmt.Sprint("v", i)},
				field{format.AtConstValue, format.FormData1, v})
		}
		m.end()
		m.entry("array", format.TagArrayType, true, field{format.AtType, format.FormRef4, "int"})
		m.entry("dim", format.TagSubrangeType, false, field{format.AtType, format.FormRef4, "day"},
			field{format.AtLowerBound, format.FormUdata, c.low},
			field{format.AtUpperBound, format.FormUdata, c.high})
		m.end()
		if got := shapedValue(t, m, "array", make([]byte, 64)).Len(); got != c.want {
			t.Errorf("%v from %d to %d: %d elements, want %d", c.values, c.low, c.high, got, c.want)
		}
	}
}

// TestPackedRows indexes an array of two dimensions whose elements are bits.
func TestPackedRows(t *testing.T) {
	m := shapedUnit()
	m.entry("bool", format.TagBaseType, false, field{format.AtByteSize, format.FormData1, uint64(1)},
		field{format.AtEncoding, format.FormData1, uint64(EncBoolean)})
	m.entry("bits", format.TagArrayType, true, field{format.AtType, format.FormRef4, "bool"},
		field{format.AtBitStride, format.FormData1, uint64(1)})
	for _, n := range []uint64{3, 3} {
		m.entry("dim", format.TagSubrangeType, false, field{format.AtUpperBound, format.FormUdata, n})
	}
	m.end()
	v := shapedValue(t, m, "bits", []byte{0b10_100_101, 1})
	if size, ok := v.Type.Size(); !ok || size != 2 {
		t.Errorf("its size is %d, %v", size, ok)
	}
	for i, want := range []string{"101", "001", "011"} {
		row, err := v.Index(int64(i))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for k := range row.Len() {
			x, err := row.Index(k)
			if err != nil {
				t.Fatal(err)
			}
			n, err := x.Uint()
			if err != nil {
				t.Fatal(err)
			}
			got += fmt.Sprint(n)
		}
		if got != want {
			t.Errorf("row %d is %s, want %s", i, got, want)
		}
	}
}

// TestBias reads a number that is stored less a bias.
func TestBias(t *testing.T) {
	m := shapedUnit()
	m.entry("stored", format.TagBaseType, false, field{format.AtByteSize, format.FormData1, uint64(1)},
		field{format.AtEncoding, format.FormData1, uint64(EncSigned)})
	m.entry("biased", format.TagSubrangeType, false, field{format.AtType, format.FormRef4, "stored"},
		field{format.AtLowerBound, format.FormUdata, uint64(100)},
		field{format.AtGNUBias, format.FormUdata, uint64(100)})
	v := shapedValue(t, m, "biased", []byte{0xfd})
	if got, err := v.Int(); err != nil || got != 353 {
		t.Errorf("%d, %v", got, err)
	}
	v.BitSize = 3
	if got, err := v.Int(); err != nil || got != 105 {
		t.Errorf("of three bits: %d, %v", got, err)
	}
}

// TestDiscriminants reads a list of values and ranges that a variant is for, and places a member by a procedure.
func TestDiscriminants(t *testing.T) {
	m := shapedUnit()
	m.entry("byte", format.TagBaseType, false, field{format.AtByteSize, format.FormData1, uint64(1)},
		field{format.AtEncoding, format.FormData1, uint64(EncUnsigned)})
	m.entry("procedure", format.TagDwarfProcedure, false,
		field{format.AtLocation, format.FormExprloc, []byte{format.OpPushObjectAddress, format.OpDerefSize, 1,
			format.OpPlusUconst, 3}})
	call := binary.LittleEndian.AppendUint32([]byte{format.OpCall4}, uint32(m.labels["procedure"]))
	m.entry("record", format.TagStructureType, true, field{format.AtName, format.FormString, "shape"},
		field{format.AtByteSize, format.FormData1, uint64(8)})
	m.entry("kind", format.TagMember, false, field{format.AtName, format.FormString, "kind"},
		field{format.AtType, format.FormRef4, "byte"},
		field{format.AtDataMemberLoc, format.FormData1, uint64(0)})
	m.entry("part", format.TagVariantPart, true, field{format.AtDiscr, format.FormRef4, "kind"})
	m.entry("variant", format.TagVariant, true, field{format.AtDiscrList, format.FormExprloc,
		[]byte{0, 1, 1, 4, 6, 0, 9}})
	m.entry("last", format.TagMember, false, field{format.AtName, format.FormString, "last"},
		field{format.AtType, format.FormRef4, "byte"},
		field{format.AtDataMemberLoc, format.FormExprloc, append(call, format.OpPlus)})
	m.end()
	m.end()
	m.end()
	v := shapedValue(t, m, "record", []byte{2, 0, 0, 0, 0, 77, 0, 0})
	parts := v.Type.VariantParts()
	if len(parts) != 1 || len(parts[0].Variants) != 1 {
		t.Fatalf("its parts are %+v", parts)
	}
	x := parts[0].Variants[0]
	if got := fmt.Sprint(x.Values, x.Ranges, x.Default); got != "[1 9] [[4 6]] false" {
		t.Errorf("its variant is for %s", got)
	}
	if n, err := v.Member(&x.Members[0]).Uint(); err != nil || n != 77 {
		t.Errorf("its last member is %d, %v", n, err)
	}
}

// TestCallsItself runs a procedure that calls itself: the evaluation ends.
func TestCallsItself(t *testing.T) {
	m := shapedUnit()
	at := uint32(len(m.info))
	call := binary.LittleEndian.AppendUint32([]byte{format.OpCall4}, at)
	m.entry("procedure", format.TagDwarfProcedure, false, field{format.AtLocation, format.FormExprloc, call})
	v := shapedValue(t, m, "int", make([]byte, 4))
	if _, err := v.f.value(v.Type.u, nil, call, 0); err == nil {
		t.Error("it has a value")
	}
}

// TestQuad tells binary128 from x87's format by the name of the type.
func TestQuad(t *testing.T) {
	quad := []byte{14: 0xff, 15: 0x3f, 13: 0x40} // 1.25
	x87 := []byte{7: 0xa0, 8: 0xff, 9: 0x3f, 15: 0}
	for name, data := range map[string][]byte{"real(kind=16)": quad, "_Float128": quad, "REAL(KIND=16)": quad,
		"real(kind=10)": x87, "long double": x87} {
		m := shapedUnit()
		m.entry("float", format.TagBaseType, false, field{format.AtName, format.FormString, name},
			field{format.AtByteSize, format.FormData1, uint64(16)},
			field{format.AtEncoding, format.FormData1, uint64(EncFloat)})
		if got, err := shapedValue(t, m, "float", data).Float(); err != nil || got != 1.25 {
			t.Errorf("%s: %g, %v", name, got, err)
		}
		m = shapedUnit()
		m.entry("complex", format.TagBaseType, false, field{format.AtName, format.FormString,
			strings.Replace(name, "real", "complex", 1)},
			field{format.AtByteSize, format.FormData1, uint64(32)},
			field{format.AtEncoding, format.FormData1, uint64(EncComplexFloat)})
		if re, im, err := shapedValue(t, m, "complex",
			append(append([]byte{}, data...), data...)).Complex(); err != nil || re != 1.25 || im != 1.25 {
			t.Errorf("complex of %s: %g, %g, %v", name, re, im, err)
		}
	}
}

// TestBases: a class that is its own base, twice, is looked at once.
func TestBases(t *testing.T) {
	m := shapedUnit()
	class := func(name string, bases ...string) {
		m.entry(name, format.TagClassType, true, field{format.AtName, format.FormString, name},
			field{format.AtByteSize, format.FormData1, uint64(8)})
		for i, base := range bases {
			m.entry(fmt.Sprint(name, i), format.TagInheritance, false, field{format.AtType, format.FormRef4, base},
				field{format.AtDataMemberLoc, format.FormData1, uint64(0)})
		}
		if len(bases) == 0 {
			m.entry(name+".k", format.TagVariable, false, field{format.AtName, format.FormString, "k"},
				field{format.AtConstValue, format.FormData1, uint64(7)})
		}
		m.end()
	}
	class("root")
	class("left", "root", "left", "left")
	class("right", "root")
	class("whole", "left", "right")
	whole := shapedValue(t, m, "whole", make([]byte, 8)).Type
	var names []string
	for b := range whole.Bases(IsBase) {
		names = append(names, b.Own())
	}
	if got := strings.Join(names, " "); got != "whole left right root" {
		t.Errorf("its bases are %s", got)
	}
	if n, ok := whole.Constant("k"); !ok || n != 7 {
		t.Errorf("k is %d, %v", n, ok)
	}
	if _, ok := whole.Constant("none"); ok {
		t.Error("it has a constant that no base has")
	}
}
