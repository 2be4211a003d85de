package dwarf

import (
	"encoding/binary"

	"coredbg/core"
)

// image is an image that has only sections.
type image map[string][]byte

func (image) Path() string { return "made" }

func (i image) Section(name string) (core.Section, error) {
	b, ok := i[name]
	if !ok {
		return core.Section{}, core.ErrNoSection
	}
	return core.Section{Name: name, Data: b}, nil
}

func (image) Segments() []core.ImageSegment                   { return nil }
func (image) Symbols(bool, func(core.ImageSymbol) bool) error { return nil }

// made writes debugging information by hand, with strings in place and references of 4 bytes.
type made struct {
	info, abbrev []byte
	codes        uint64
	labels       map[string]uint64
	fixups       map[int]string
}

// field is an attribute with its form and the value to write.
type field struct {
	name  attr
	form  form
	value any // a uint64, a string, bytes; the label of an entry for formRef4
}

func newMade(version int) *made {
	m := &made{labels: map[string]uint64{}, fixups: map[int]string{}}
	m.info = append(m.info, 0, 0, 0, 0, byte(version), 0)
	if version >= 5 {
		m.info = append(m.info, utCompile, 8, 0, 0, 0, 0)
	} else {
		m.info = append(m.info, 0, 0, 0, 0, 8)
	}
	return m
}

// entry writes an entry with a shape of its own.
func (m *made) entry(label string, tag Tag, children bool, attrs ...field) {
	m.codes++
	m.labels[label] = uint64(len(m.info))
	m.info = binary.AppendUvarint(m.info, m.codes)
	m.abbrev = binary.AppendUvarint(m.abbrev, m.codes)
	m.abbrev = binary.AppendUvarint(m.abbrev, uint64(tag))
	m.abbrev = append(m.abbrev, 0)
	if children {
		m.abbrev[len(m.abbrev)-1] = 1
	}
	for _, a := range attrs {
		m.abbrev = binary.AppendUvarint(m.abbrev, uint64(a.name))
		m.abbrev = binary.AppendUvarint(m.abbrev, uint64(a.form))
		m.value(a)
	}
	m.abbrev = append(m.abbrev, 0, 0)
}

func (m *made) value(a field) {
	switch a.form {
	case formString:
		m.info = append(append(m.info, a.value.(string)...), 0)
	case formRef4:
		m.fixups[len(m.info)] = a.value.(string)
		m.info = append(m.info, 0, 0, 0, 0)
	case formExprloc:
		b := a.value.([]byte)
		m.info = append(binary.AppendUvarint(m.info, uint64(len(b))), b...)
	case formAddr:
		m.info = binary.LittleEndian.AppendUint64(m.info, a.value.(uint64))
	case formData1:
		m.info = append(m.info, byte(a.value.(uint64)))
	case formUdata:
		m.info = binary.AppendUvarint(m.info, a.value.(uint64))
	case formFlagPresent:
	}
}

func (m *made) end() { m.info = append(m.info, 0) }

func (m *made) image() image { return joined(m) }

// joined is the image of several units, whose labels stay offsets from the start of each.
func joined(units ...*made) image {
	out := image{}
	for _, m := range units {
		info := append([]byte(nil), m.info...)
		binary.LittleEndian.PutUint32(info, uint32(len(info)-4))
		abbrev := info[6:]
		if info[4] >= 5 {
			abbrev = info[8:]
		}
		binary.LittleEndian.PutUint32(abbrev, uint32(len(out[".debug_abbrev"])))
		for where, label := range m.fixups {
			binary.LittleEndian.PutUint32(info[where:], uint32(m.labels[label]))
		}
		out[".debug_info"] = append(out[".debug_info"], info...)
		out[".debug_abbrev"] = append(append(out[".debug_abbrev"], m.abbrev...), 0)
	}
	return out
}

// program is a unit with the types and variables of
//
//	struct point { int x; unsigned y : 3; };
//	struct point origin;
//	namespace app { int f(int n) { struct point p; int lost; … } }
func program(version int) *made {
	m := newMade(version)
	str := func(s string) field { return field{atName, formString, s} }
	m.entry("unit", TagCompileUnit, true, str("a.c"), field{atLanguage, formData1, uint64(2)},
		field{atLowPC, formAddr, uint64(0x1000)}, field{atHighPC, formUdata, uint64(0x100)})
	m.entry("int", TagBaseType, false, str("int"), field{atByteSize, formData1, uint64(4)},
		field{atEncoding, formData1, uint64(EncSigned)})
	m.entry("point", TagStructureType, true, str("point"), field{atByteSize, formData1, uint64(8)})
	m.entry("x", TagMember, false, str("x"), field{atType, formRef4, "int"},
		field{atDataMemberLoc, formData1, uint64(0)})
	m.entry("y", TagMember, false, str("y"), field{atType, formRef4, "int"}, field{atBitSize, formData1, uint64(3)},
		field{atDataBitOffset, formUdata, uint64(34)})
	m.end()
	m.entry("pointer", TagPointerType, false, field{atByteSize, formData1, uint64(8)}, field{atType, formRef4, "point"})
	m.entry("array", TagArrayType, true, field{atType, formRef4, "pointer"})
	m.entry("bound", TagSubrangeType, false, field{atUpperBound, formData1, uint64(3)})
	m.end()
	m.entry("origin", TagVariable, false, str("origin"), field{atType, formRef4, "point"},
		field{atLocation, formExprloc, append([]byte{OpAddr}, 0, 0x20, 0, 0, 0, 0, 0, 0)})
	m.entry("app", TagNamespace, true, str("app"))
	m.entry("f", TagSubprogram, true, str("f"), field{atLowPC, formAddr, uint64(0x1010)},
		field{atHighPC, formUdata, uint64(0x20)},
		field{atFrameBase, formExprloc, []byte{OpCallFrameCFA}})
	m.entry("n", TagFormalParameter, false, str("n"), field{atType, formRef4, "int"},
		field{atLocation, formExprloc, []byte{OpReg0 + 3}})
	m.entry("p", TagVariable, false, str("p"), field{atType, formRef4, "point"},
		field{atLocation, formExprloc, []byte{OpFbreg, 0x70}})
	m.entry("lost", TagVariable, false, str("lost"), field{atType, formRef4, "int"})
	m.entry("inner", TagStructureType, true, str("inner"), field{atByteSize, formData1, uint64(0)})
	m.end()
	m.end()
	m.end()
	m.end()
	return m
}
