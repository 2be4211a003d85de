package dwarf

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
	expr []byte
	unit *Unit
}

// Type returns the member's type; nil if it cannot be read.
func (m *Member) Type() *Type { return m.typ.typ() }

// A VariantPart is a part of a struct that holds one of several variants at a time: Rust's enums.
type VariantPart struct {
	Discr    *Member // nil if there is none, as where only one variant is possible
	Variants []Variant
}

// A Variant is one of a VariantPart.
type Variant struct {
	Values  []uint64 // of the discriminant
	Default bool     // for all values that no other variant has
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
			case TagMember, TagInheritance:
				if m, ok := t.member(e); ok {
					t.members = append(t.members, m)
				}
			case TagVariantPart:
				t.parts = append(t.parts, t.variantPart(e.clone()))
			case TagEnumerator:
				v, ok := e.attr(atConstValue).Int()
				if b, is := e.attr(atConstValue).Block(); is {
					v, ok = int64(fixed(b[:min(len(b), 8)], t.d.order)), true
				}
				if ok {
					t.values = append(t.values, Enumerator{e.attr(atName).Text(), v})
				}
			case TagTemplateTypeParam, TagTemplateValueParam:
				t.params = append(t.params, t.param(e))
			case TagGNUTemplateParameterPack:
				t.packed = true
				t.d.children(e.Off, func(_ *reader, e *Entry) bool {
					t.params = append(t.params, t.param(e))
					return len(t.params) < maxMembers
				})
			case TagFormalParameter:
				if t.Kind == Function {
					m := Member{unit: t.u}
					m.typ, _ = e.attr(atType).ref()
					t.members = append(t.members, m)
				}
			case TagUnspecifiedParams:
				t.members = append(t.members, Member{Name: "...", unit: t.u})
			}
			return len(t.members)+len(t.values) < maxMembers
		})
	})
}

// param reads an entry of a template parameter.
func (t *Type) param(e *Entry) TemplateParam {
	p := TemplateParam{Name: e.attr(atName).Text()}
	p.typ, _ = e.attr(atType).ref()
	p.Value, p.HasValue = e.attr(atConstValue).Int()
	return p
}

// member reads an entry of a member or base. Static members are not part of a value.
func (t *Type) member(e *Entry) (Member, bool) {
	m := Member{Name: e.attr(atName).Text(), unit: t.u, Inherited: e.Tag == TagInheritance, Artificial: e.attr(atArtificial).Flag()}
	var ok bool
	if m.typ, ok = e.attr(atType).ref(); !ok || e.attr(atExternal).Flag() || e.attr(atDeclaration).Flag() {
		return m, false
	}
	if a := e.attr(atDataMemberLoc); a.present() {
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
	b := buf{data: expr}
	if b.u8() != OpPlusUconst {
		return 0, false
	}
	n := b.uleb()
	return int64(n), !b.bad && !b.more()
}

// bits says where a bit-field is. DWARF 4 counts from the start of the whole; before, from
// the most significant bit of a unit of storage that has the size of the member or of its
// type (DWARF 3, section 5.6.6).
func (t *Type) bits(m *Member, e *Entry) {
	size, ok := e.attr(atBitSize).Int()
	if !ok || size <= 0 || size > 1<<16 {
		return
	}
	m.BitSize = size
	if off, ok := e.attr(atDataBitOffset).Int(); ok && off >= 0 {
		m.Off += off / 8
		m.BitOff = off % 8
		return
	}
	off, ok := e.attr(atBitOffset).Int()
	if !ok {
		return
	}
	storage, ok := e.attr(atByteSize).Int()
	if !ok {
		storage, _ = m.Type().Size()
	}
	if bigEndian(t.d.order) {
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
	discr, _ := part.attr(atDiscr).ref()
	t.d.children(part.Off, func(_ *reader, e *Entry) bool {
		switch e.Tag {
		case TagMember:
			if m, ok := t.member(e); ok && e.ref() == discr {
				p.Discr = &m
			}
		case TagVariant:
			v := Variant{}
			if n, ok := e.attr(atDiscrValue).Uint(); ok {
				v.Values = append(v.Values, n)
			} else if b, ok := e.attr(atDiscrValue).Block(); ok && len(b) >= 8 {
				v.Values = append(v.Values, fixed(b[:8], t.d.order))
			} else {
				v.Default = true
			}
			t.d.children(e.Off, func(_ *reader, e *Entry) bool {
				if e.Tag == TagMember {
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
		if e := discr.entry(); e != nil && e.Tag == TagMember {
			if m, ok := t.member(e); ok {
				p.Discr = &m
			}
		}
	}
	return p
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

// A dim is one dimension of an array. Where a number is not the type's own, an attribute has an
// expression for it, or refers to a variable or a member that has it.
type dim struct {
	n      int64 // elements; -1 if that is not known
	low    int64 // index of the first element
	stride int64 // bytes from an element to the next; 0 if they lie side by side

	lower, bound, step Attr // absent where the numbers above are the type's own
	count              bool // bound is the number of elements, not the last index
}

// fixed reports whether the type itself says all numbers of the dimension.
func (d *dim) fixed() bool { return !d.lower.present() && !d.bound.present() && !d.step.present() }

// readDims reads the dimensions, the one that varies fastest last.
func (t *Type) readDims(e *Entry) {
	t.d.children(t.Off, func(_ *reader, e *Entry) bool {
		switch e.Tag {
		case TagGenericSubrange:
			t.generic = true
		case TagSubrangeType, TagEnumerationType:
		default:
			return true
		}
		t.dims = append(t.dims, t.readDim(e))
		return len(t.dims) < maxNested
	})
	if len(t.dims) == 0 {
		t.dims = []dim{{n: -1}}
	}
	if n, ok := e.attr(atOrdering).Uint(); ok && n == columnMajor {
		for i, j := 0, len(t.dims)-1; i < j; i, j = i+1, j-1 {
			t.dims[i], t.dims[j] = t.dims[j], t.dims[i]
		}
	}
	last := &t.dims[len(t.dims)-1]
	if n, ok := e.attr(atByteStride).Int(); ok && n > 0 && !last.step.present() {
		last.stride = n
	}
	if n, ok := e.attr(atBitStride).Int(); ok && n > 0 {
		t.bitStride = n
	}
	t.place, t.allocated, t.associated, t.rank = e.attr(atDataLocation), e.attr(atAllocated), e.attr(atAssociated), e.attr(atRank)
	t.shaped = t.place.present() || t.allocated.present() || t.associated.present() || t.generic
	for i := range t.dims {
		t.shaped = t.shaped || !t.dims[i].fixed()
	}
}

// columnMajor is the DW_AT_ordering of arrays whose first index varies fastest (DWARF 5, table 7.29).
const columnMajor = 1

// readDim reads a DW_TAG_subrange_type or its like.
func (t *Type) readDim(e *Entry) dim {
	d := dim{n: -1, low: t.Lang().lowest()}
	if a := e.attr(atLowerBound); a.present() {
		if n, ok := a.Int(); ok {
			d.low = n
		} else {
			d.lower = a
		}
	} else if values := enumerators(e); len(values) > 0 {
		d.low, d.n = values[0], int64(len(values)) // Ada's and Pascal's arrays over enumerations
	}
	if a := e.attr(atByteStride); a.present() {
		if n, ok := a.Int(); ok {
			d.stride = n
		} else {
			d.step = a
		}
	}
	switch count, up := e.attr(atCount), e.attr(atUpperBound); {
	case count.present():
		var ok bool
		if d.n, ok = count.Int(); !ok {
			d.n, d.bound, d.count = -1, count, true
		}
	case up.present():
		last, ok := up.Int()
		switch {
		case !ok:
			d.bound = up
		case up.form == formData4 && uint32(last) == ^uint32(0) || up.form == formData8 && last == -1:
			d.n = 0 // gcc's bound of an array of no elements
		case d.lower.present():
			d.bound = up
		default:
			d.n = max(last-d.low+1, 0)
		}
	}
	if d.n < -1 {
		d.n = -1
	}
	return d
}

// enumerators returns the values of an enumeration that a dimension is.
func enumerators(e *Entry) (values []int64) {
	if e.Tag != TagEnumerationType {
		return nil
	}
	e.u.d.children(e.Off, func(_ *reader, x *Entry) bool {
		if n, ok := x.attr(atConstValue).Int(); ok && x.Tag == TagEnumerator {
			values = append(values, n)
		}
		return len(values) < maxMembers
	})
	return values
}
