package dwarf

import (
	"iter"

	"coredbg/core"
	"coredbg/core/dwarf/encoded"
	"coredbg/core/dwarf/format"
)

// A Member is a part of a struct, class or union.
type Member struct {
	Name string // "" of one without a name
	Off  int64  // from the beginning of the whole, in bytes
	// BitSize is not 0 for a bit-field: Off and BitOff say where it begins, counted from the
	// least significant bit on machines that are little-endian, else from the most significant.
	BitOff, BitSize int64
	Inherited       bool // it is a base class
	Virtual         bool // Off is the offset of a virtual base, which expr computes
	Artificial      bool // the compiler made it: a vtable's pointer

	typ  ref
	made *Type // instead of typ, for a member that no entry has
	expr []byte
	unit *Unit
}

// Type returns the member's type; nil if it cannot be read.
func (m *Member) Type() *Type {
	if m.made != nil {
		return m.made
	}
	return m.typ.typ()
}

// A VariantPart is a part of a struct that holds one of several variants at a time: Rust's enums.
type VariantPart struct {
	Discr    *Member // nil if there is none, as where only one variant is possible
	Variants []Variant
}

// A Variant is one of a VariantPart.
type Variant struct {
	Values  []uint64    // of the discriminant
	Ranges  [][2]uint64 // of further values, first and last
	Default bool        // for all values that no other variant has
	Members []Member
}

// A TemplateParam is what a template or a generic type was made with.
type TemplateParam struct {
	Name string
	typ  ref
	// Value is set if the parameter is a number and not a type.
	Value    int64
	HasValue bool
}

// Type returns the parameter's type.
func (p *TemplateParam) Type() *Type { return p.typ.typ() }

// maxMembers bounds the members of one type.
const maxMembers = 1 << 18

// fill reads the children of a type's entry, once.
func (t *Type) fill() {
	t.full.Do(func() {
		t.d.children(t.Off, func(r *reader, e *Entry) bool {
			switch e.Tag {
			case format.TagMember, format.TagInheritance:
				if m, ok := t.member(e); ok {
					t.members = append(t.members, m)
				}
			case format.TagVariantPart:
				t.parts = append(t.parts, t.variantPart(e.clone()))
			case format.TagEnumerator:
				v, ok := e.attr(format.AtConstValue).Int()
				if b, is := e.attr(format.AtConstValue).Block(); is {
					v, ok = int64(core.Fixed(b[:min(len(b), 8)], t.d.order)), true
				}
				if ok {
					t.values = append(t.values, Enumerator{t.enumerator(e.attr(format.AtName).Text()), v})
				}
			case format.TagTemplateTypeParam, format.TagTemplateValueParam:
				t.params = append(t.params, t.param(e))
			case format.TagGNUTemplateParameterPack:
				t.packed = true
				t.d.children(e.Off, func(_ *reader, e *Entry) bool {
					t.params = append(t.params, t.param(e))
					return len(t.params) < maxMembers
				})
			case format.TagFormalParameter:
				if t.Kind == Function {
					m := Member{unit: t.u}
					m.typ, _ = e.attr(format.AtType).ref()
					t.members = append(t.members, m)
				}
			case format.TagUnspecifiedParams:
				t.members = append(t.members, Member{Name: "...", unit: t.u})
			}
			return len(t.members)+len(t.values) < maxMembers
		})
	})
}

// enumerator returns the name of an enumeration's value as the source has it.
func (t *Type) enumerator(name string) string {
	if t.Lang().Ada() {
		if text, made := encoded.GNAT(name); !made {
			return text
		}
	}
	return name
}

// param reads an entry of a template parameter.
func (t *Type) param(e *Entry) TemplateParam {
	p := TemplateParam{Name: e.attr(format.AtName).Text()}
	p.typ, _ = e.attr(format.AtType).ref()
	p.Value, p.HasValue = e.attr(format.AtConstValue).Int()
	return p
}

// member reads an entry of a member or base. Static members are not part of a value.
func (t *Type) member(e *Entry) (Member, bool) {
	m := Member{Name: e.attr(format.AtName).Text(), unit: t.u, Inherited: e.Tag == format.TagInheritance,
		Artificial: e.attr(format.AtArtificial).Flag()}
	var ok bool
	if m.typ, ok = e.attr(format.AtType).ref(); !ok || e.attr(format.AtExternal).Flag() ||
		e.attr(format.AtDeclaration).Flag() {
		return m, false
	}
	if a := e.attr(format.AtDataMemberLoc); a.Present() {
		if n, ok := a.Int(); ok {
			m.Off = n
		} else if expr, ok := a.Block(); ok {
			if n, ok := plusConst(expr); ok {
				m.Off = n
			} else {
				m.Virtual, m.expr = true, expr
			}
		}
	}
	t.bits(&m, e)
	return m, true
}

// plusConst returns the operand of an expression that is DW_OP_plus_uconst, as DWARF 2 and 3
// write the offset of a member.
func plusConst(expr []byte) (int64, bool) {
	b := core.Buf{Data: expr}
	if b.U8() != format.OpPlusUconst {
		return 0, false
	}
	n := b.ULEB()
	return int64(n), !b.Bad && !b.More()
}

// bits says where a bit-field is. DWARF 4 counts from the start of the whole; before, from
// the most significant bit of a unit of storage that has the size of the member or of its
// type (DWARF 3, section 5.6.6).
func (t *Type) bits(m *Member, e *Entry) {
	size, ok := e.attr(format.AtBitSize).Int()
	if !ok || size <= 0 || size > 1<<16 {
		return
	}
	m.BitSize = size
	if off, ok := e.attr(format.AtDataBitOffset).Int(); ok && off >= 0 {
		m.Off += off / 8
		m.BitOff = off % 8
		return
	}
	off, ok := e.attr(format.AtBitOffset).Int()
	if !ok {
		return
	}
	storage, ok := e.attr(format.AtByteSize).Int()
	if !ok {
		storage, _ = m.Type().Size()
	}
	if format.BigEndian(t.d.order) {
		m.Off += off / 8
		m.BitOff = off % 8
		return
	}
	start := storage*8 - off - size
	if start < 0 {
		return
	}
	m.Off += start / 8
	m.BitOff = start % 8
}

// variantPart reads the variants of a part (DWARF 5, section 5.7.10).
func (t *Type) variantPart(part *Entry) VariantPart {
	var p VariantPart
	discr, _ := part.attr(format.AtDiscr).ref()
	t.d.children(part.Off, func(_ *reader, e *Entry) bool {
		switch e.Tag {
		case format.TagMember:
			if m, ok := t.member(e); ok && e.ref() == discr {
				p.Discr = &m
			}
		case format.TagVariant:
			v := Variant{}
			if n, ok := e.attr(format.AtDiscrValue).Uint(); ok {
				v.Values = append(v.Values, n)
			} else if b, ok := e.attr(format.AtDiscrValue).Block(); ok && len(b) >= 8 {
				v.Values = append(v.Values, core.Fixed(b[:8], t.d.order))
			} else if b, ok := e.attr(format.AtDiscrList).Block(); ok {
				v.Values, v.Ranges = t.discrList(b, discr)
			} else {
				v.Default = true
			}
			t.d.children(e.Off, func(_ *reader, e *Entry) bool {
				if e.Tag == format.TagMember {
					if m, ok := t.member(e); ok {
						v.Members = append(v.Members, m)
					}
				}
				return len(v.Members) < maxMembers
			})
			p.Variants = append(p.Variants, v)
		}
		return len(p.Variants) < maxMembers
	})
	if p.Discr == nil && discr.d == t.d { // a member of the record itself
		if e := discr.entry(); e != nil && e.Tag == format.TagMember {
			if m, ok := t.member(e); ok {
				p.Discr = &m
			}
		}
	}
	return p
}

// discrList reads a DW_AT_discr_list: values and ranges of a discriminant (DWARF 5, section 7.5.10).
func (t *Type) discrList(list []byte, discr ref) (values []uint64, ranges [][2]uint64) {
	signed := false
	if e := discr.entry(); e != nil {
		to, _ := e.attr(format.AtType).ref()
		signed = to.typ().signed()
	}
	b := core.Buf{Data: list, Order: t.d.order}
	number := func() uint64 {
		if signed {
			return uint64(b.SLEB())
		}
		return b.ULEB()
	}
	for b.More() && len(values)+len(ranges) < maxMembers {
		const label, span = 0, 1 // DW_DSC_label, DW_DSC_range
		switch b.U8() {
		case label:
			values = append(values, number())
		case span:
			ranges = append(ranges, [2]uint64{number(), number()})
		default:
			return values, ranges
		}
	}
	return values, ranges
}

// Members returns the parts of a struct, class or union, bases included, in the order of its
// source, and of a function type the parameters.
func (t *Type) Members() []Member {
	if t == nil {
		return nil
	}
	t = t.Complete()
	t.fill()
	return t.members
}

// VariantParts returns the variant parts of a struct; t may be nil.
func (t *Type) VariantParts() []VariantPart {
	if t == nil {
		return nil
	}
	t = t.Complete()
	t.fill()
	return t.parts
}

// Enumerators returns the names of an enumeration; none of nil.
func (t *Type) Enumerators() []Enumerator {
	if t == nil {
		return nil
	}
	t = t.Complete()
	t.fill()
	return t.values
}

// TemplateParams returns what the type was made with; none of nil.
func (t *Type) TemplateParams() []TemplateParam {
	if t == nil {
		return nil
	}
	t = t.Complete()
	t.fill()
	return t.params
}

// Find returns the member with a name, of the type itself, of its members without a name, or
// of its bases, the nearest first, with its offset from the start of t. Members of virtual
// bases, whose places depend on the object, are not among them.
func (t *Type) Find(name string) (Member, bool) {
	type part struct {
		t   *Type
		off int64
	}
	level := []part{{t, 0}}
	for depth := 0; len(level) > 0 && depth < maxDepth; depth++ {
		var next []part
		for _, p := range level {
			for _, m := range p.t.Members() {
				if m.Name == name && !m.Inherited {
					m.Off += p.off
					return m, true
				}
				if (m.Name == "" || m.Inherited) && !m.Virtual && m.Type().Composite() && len(next) < maxMembers {
					next = append(next, part{m.Type().Strip(), p.off + m.Off})
				}
			}
		}
		level = next
	}
	return Member{}, false
}

// Bases yields the class t, its bases, their bases and so on, each once, the nearest first. follow reports whether a
// member leads to a base.
func (t *Type) Bases(follow func(*Member) bool) iter.Seq[*Type] {
	return func(yield func(*Type) bool) {
		list := []*Type{t.Strip().Complete()}
		seen := map[ref]bool{}
		for i := 0; i < len(list) && list[i] != nil; i++ {
			if !yield(list[i]) {
				return
			}
			members := list[i].Members()
			for k := range members {
				if !follow(&members[k]) {
					continue
				}
				base := members[k].Type().Strip().Complete()
				if base == nil || seen[ref{base.d, base.Off}] || len(list) >= maxMembers {
					continue
				}
				seen[ref{base.d, base.Off}] = true
				list = append(list, base)
			}
		}
	}
}

// IsBase reports whether a member is a base class.
func IsBase(m *Member) bool { return m.Inherited }
