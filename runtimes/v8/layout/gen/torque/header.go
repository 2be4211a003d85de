package torque

import (
	"fmt"
	"strings"

	"coredbg/runtimes/v8/layout/gen/cxx"
)

// Sizes are the bytes of fields whose size depends on how V8 is built.
type Sizes struct {
	Tagged   int // a tagged field
	External int // ExternalPointer
	CppHeap  int // CppHeapPointer
	Trusted  int // TrustedPointer and IndirectPointer
}

// machine has the sizes in bytes of the machine's own types.
var machine = map[string]int{
	"void": 0, "bool": 1, "int8": 1, "uint8": 1, "char8": 1, "int16": 2, "uint16": 2, "char16": 2, "int31": 4,
	"uint31": 4, "int32": 4, "uint32": 4,
	"float32": 4, "float64": 8, "float64_or_hole": 8, "float64_or_undefined_or_hole": 8, "int64": 8, "uint64": 8,
	"intptr": 8, "uintptr": 8, "RawPtr": 8,
	"DispatchHandle": 4, "InstructionStreamPointer": 8,
}

// sizeOf returns the bytes of a field's type, and whether it is tagged.
func (p *Program) sizeOf(t []cxx.Token, s Sizes, depth int) (size int, tagged bool) {
	if len(t) == 0 || depth > 30 {
		return s.Tagged, true
	}
	name := t[0].Text
	if len(t) > 1 && t[1].Text == "|" {
		return s.Tagged, true
	}
	if n, ok := machine[name]; ok {
		return n, false
	}
	switch name {
	case "ExternalPointer":
		return s.External, false
	case "CppHeapPointer":
		return s.CppHeap, false
	case "TrustedPointer", "IndirectPointer":
		return s.Trusted, s.Trusted == s.Tagged
	case "SmiTagged", "Weak", "Smi", "ProtectedPointer":
		return s.Tagged, true
	}
	if p.byName[name] != nil {
		return s.Tagged, true
	}
	if st := p.Structs[name]; st != nil {
		sum, all := 0, true
		for _, f := range st.Fields {
			n, tagged := p.sizeOf(f.Type, s, depth+1)
			sum, all = sum+n, all && tagged
		}
		return sum, all
	}
	if a := p.Aliases[name]; a != nil {
		return p.sizeOf(a, s, depth+1)
	}
	if e := p.Extends[name]; e != "" {
		return p.sizeOf([]cxx.Token{{Kind: cxx.Ident, Text: e}}, s, depth+1)
	}
	return s.Tagged, true
}

// Files returns the headers that Torque makes, by the names that they are included by,
// of the .tq files with the given names.
func (p *Program) Files(s Sizes) map[string]string {
	out := map[string]string{
		"torque-generated/instance-types.h": p.instanceTypes(),
		"torque-generated/bit-fields.h":     p.bitFields(),
	}
	classes := map[string]*strings.Builder{}
	var all, offsets strings.Builder // until V8 9.0 in one file each, and fields as macros
	for _, c := range p.Classes {
		p.cxxClass(&all, c, s)
		p.fieldOffsets(&offsets, c, s)
		name := "torque-generated/" + strings.TrimSuffix(c.Pos.File, ".tq") + "-tq.inc"
		if classes[name] == nil {
			classes[name] = &strings.Builder{}
		}
		if c.HasBody && c.Extern && !c.CxxLayout {
			p.cxxClass(classes[name], c, s)
		}
	}
	for name, b := range classes {
		out[name] = b.String()
	}
	out["torque-generated/class-definitions.h"], out["torque-generated/field-offsets.h"] = all.String(),
		offsets.String()
	return out
}

func (p *Program) instanceTypes() string {
	var all, list, single, several strings.Builder
	for _, t := range p.InstanceTypes() {
		fmt.Fprintf(&all, " V(%s, %d)", t.Name, t.Value)
		if !t.Own {
			continue
		}
		fmt.Fprintf(&list, " V(%s)", t.Name)
		if t.Class.HasBody {
			b := &several
			if t.One {
				b = &single
			}
			fmt.Fprintf(b, " V(%s, %s)", t.Class.Name, t.Name)
		}
	}
	return "#define TORQUE_ASSIGNED_INSTANCE_TYPES(V)" + all.String() +
		"\n#define TORQUE_ASSIGNED_INSTANCE_TYPE_LIST(V)" + list.String() +
		"\n#define TORQUE_INSTANCE_CHECKERS_SINGLE_FULLY_DEFINED(V)" + single.String() +
		"\n#define TORQUE_INSTANCE_CHECKERS_MULTIPLE_FULLY_DEFINED(V)" + several.String() + "\n"
}

func (p *Program) bitFields() string {
	var b strings.Builder
	for _, s := range p.Bits {
		fmt.Fprintf(&b, "#define DEFINE_TORQUE_GENERATED_%s()", Capify(s.Name))
		base := s.Base + "_t"
		if s.Base == "uint31" || s.Base == "uint32" {
			base = "uint32_t"
		}
		at := 0
		for _, f := range s.Fields {
			suffix := "Bits"
			if f.Bits == 1 {
				suffix = "Bit"
			}
			fmt.Fprintf(&b, " using %s%s = base::BitField<uint32_t, %d, %d, %s>;", Camelify(f.Name), suffix,
				at, f.Bits, base)
			at += f.Bits
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// offsets calls f for each field of a class that has one: with its name as in C++, and its bytes.
func (p *Program) offsets(c *Class, s Sizes, f func(name string, size int, tagged bool, array bool)) {
	for _, field := range c.Fields {
		size, tagged := p.sizeOf(field.Type, s, 0)
		f("k"+Camelify(field.Name)+"Offset", size, tagged, field.Array)
		if field.Array {
			return
		}
	}
}

// fieldOffsets writes the macro that DEFINE_FIELD_OFFSET_CONSTANTS takes for a class.
func (p *Program) fieldOffsets(b *strings.Builder, c *Class, s Sizes) {
	fmt.Fprintf(b, "#define TORQUE_GENERATED_%s_FIELDS(V) V(kStartOfStrongFieldsOffset, 0)", Capify(c.Name))
	array := false
	p.offsets(c, s, func(name string, size int, _ bool, isArray bool) {
		if array = isArray; array {
			b.WriteString(" V(kHeaderSize, 0)")
			size = 0
		}
		fmt.Fprintf(b, " V(%s, %d)", name, size)
	})
	if !array {
		b.WriteString(" V(kHeaderSize, 0) V(kSize, 0)")
	}
	b.WriteByte('\n')
}

// cxxClass writes the constants of class TorqueGenerated<Name>.
func (p *Program) cxxClass(b *strings.Builder, c *Class, s Sizes) {
	fmt.Fprintf(b, "template <class D, class P>\nclass TorqueGenerated%s : public P {\n public:\n", c.Name)
	at, strong, array := "P::kHeaderSize", "P::kHeaderSize", false
	header := at
	p.offsets(c, s, func(name string, size int, _ bool, isArray bool) {
		fmt.Fprintf(b, "  static constexpr int %s = %s;\n", name, at)
		if isArray {
			array, header = true, name
			return
		}
		fmt.Fprintf(b, "  static constexpr int %sEnd = %s + %d;\n", name, name, size-1)
		at = fmt.Sprintf("%sEnd + 1", name)
		header = at
	})
	fmt.Fprintf(b, "  static constexpr int kStartOfStrongFieldsOffset = %s;\n  static constexpr int kHeaderSize = %s;\n", strong, header)
	if !array {
		fmt.Fprintf(b, "  static constexpr int kSize = %s;\n", header)
	}
	b.WriteString("};\n")
}
