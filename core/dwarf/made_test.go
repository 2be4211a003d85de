package dwarf

import (
	"encoding/binary"

	"coredbg/core"
	"coredbg/core/dwarf/format"
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
	name  format.AttrName
	form  format.Form
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
func (m *made) entry(label string, tag format.Tag, children bool, attrs ...field) {
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
	case format.FormString:
		m.info = append(append(m.info, a.value.(string)...), 0)
	case format.FormRef4:
		m.fixups[len(m.info)] = a.value.(string)
		m.info = append(m.info, 0, 0, 0, 0)
	case format.FormExprloc:
		b := a.value.([]byte)
		m.info = append(binary.AppendUvarint(m.info, uint64(len(b))), b...)
	case format.FormAddr:
		m.info = binary.LittleEndian.AppendUint64(m.info, a.value.(uint64))
	case format.FormData1:
		m.info = append(m.info, byte(a.value.(uint64)))
	case format.FormUdata:
		m.info = binary.AppendUvarint(m.info, a.value.(uint64))
	case format.FormFlagPresent:
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
	str := func(s string) field { return field{format.AtName, format.FormString, s} }
	m.entry("unit", format.TagCompileUnit, true, str("a.c"), field{format.AtLanguage, format.FormData1, uint64(2)},
		field{format.AtLowPC, format.FormAddr, uint64(0x1000)}, field{format.AtHighPC, format.FormUdata, uint64(0x100)})
	m.entry("int", format.TagBaseType, false, str("int"), field{format.AtByteSize, format.FormData1, uint64(4)},
		field{format.AtEncoding, format.FormData1, uint64(EncSigned)})
	m.entry("point", format.TagStructureType, true, str("point"), field{format.AtByteSize, format.FormData1, uint64(8)})
	m.entry("x", format.TagMember, false, str("x"), field{format.AtType, format.FormRef4, "int"},
		field{format.AtDataMemberLoc, format.FormData1, uint64(0)})
	m.entry("y", format.TagMember, false, str("y"), field{format.AtType, format.FormRef4, "int"},
		field{format.AtBitSize, format.FormData1, uint64(3)},
		field{format.AtDataBitOffset, format.FormUdata, uint64(34)})
	m.end()
	m.entry("pointer", format.TagPointerType, false, field{format.AtByteSize, format.FormData1, uint64(8)},
		field{format.AtType, format.FormRef4, "point"})
	m.entry("array", format.TagArrayType, true, field{format.AtType, format.FormRef4, "pointer"})
	m.entry("bound", format.TagSubrangeType, false, field{format.AtUpperBound, format.FormData1, uint64(3)})
	m.end()
	m.entry("origin", format.TagVariable, false, str("origin"), field{format.AtType, format.FormRef4, "point"},
		field{format.AtLocation, format.FormExprloc, append([]byte{format.OpAddr}, 0, 0x20, 0, 0, 0, 0, 0, 0)})
	m.entry("app", format.TagNamespace, true, str("app"))
	m.entry("f", format.TagSubprogram, true, str("f"), field{format.AtLowPC, format.FormAddr, uint64(0x1010)},
		field{format.AtHighPC, format.FormUdata, uint64(0x20)},
		field{format.AtFrameBase, format.FormExprloc, []byte{format.OpCallFrameCFA}})
	m.entry("n", format.TagFormalParameter, false, str("n"), field{format.AtType, format.FormRef4, "int"},
		field{format.AtLocation, format.FormExprloc, []byte{format.OpReg0 + 3}})
	m.entry("p", format.TagVariable, false, str("p"), field{format.AtType, format.FormRef4, "point"},
		field{format.AtLocation, format.FormExprloc, []byte{format.OpFbreg, 0x70}})
	m.entry("lost", format.TagVariable, false, str("lost"), field{format.AtType, format.FormRef4, "int"})
	m.entry("inner", format.TagStructureType, true, str("inner"), field{format.AtByteSize, format.FormData1, uint64(0)})
	m.end()
	m.end()
	m.end()
	m.end()
	return m
}
