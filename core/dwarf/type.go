package dwarf

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"coredbg/core/dwarf/format"
	"coredbg/core/dwarf/index"
)

// A Kind is what a type is.
type Kind uint8

// The kinds of types. Typedef to Atomic add something to the type that Elem returns.
const (
	Void Kind = iota // also what cannot be read
	Base
	Pointer
	Reference
	RvalueReference
	MemberPointer
	Array
	Struct
	Class
	Union
	Enum
	Typedef
	Const
	Volatile
	Restrict
	Atomic
	Function
	Unspecified // decltype(nullptr), Rust's never
	String      // of bytes, as Fortran has them
	Set         // a bit for each value of the type that Elem returns, as Pascal has them
)

var kinds = map[format.Tag]Kind{
	format.TagBaseType: Base, format.TagPointerType: Pointer, format.TagReferenceType: Reference,
	format.TagRvalueReferenceType: RvalueReference,
	format.TagPtrToMemberType:     MemberPointer, format.TagArrayType: Array, format.TagStructureType: Struct,
	format.TagClassType:     Class,
	format.TagInterfaceType: Class, format.TagUnionType: Union, format.TagEnumerationType: Enum,
	format.TagTypedef:       Typedef,
	format.TagTemplateAlias: Typedef,
	format.TagConstType:     Const, format.TagVolatileType: Volatile, format.TagRestrictType: Restrict,
	format.TagAtomicType:     Atomic,
	format.TagSubroutineType: Function, format.TagUnspecifiedType: Unspecified,
	format.TagSubrangeType: Typedef, format.TagStringType: String, format.TagSetType: Set,
}

// An Encoding says what the bits of a base type mean (DWARF 5, table 7.11).
type Encoding uint8

// The encodings.
const (
	EncAddress       Encoding = 0x01
	EncBoolean       Encoding = 0x02
	EncComplexFloat  Encoding = 0x03
	EncFloat         Encoding = 0x04
	EncSigned        Encoding = 0x05
	EncSignedChar    Encoding = 0x06
	EncUnsigned      Encoding = 0x07
	EncUnsignedChar  Encoding = 0x08
	EncSignedFixed   Encoding = 0x0d
	EncUnsignedFixed Encoding = 0x0e
	EncDecimal       Encoding = 0x0f
	EncUTF           Encoding = 0x10
)

// Signed reports whether numbers of the encoding have a sign.
func (e Encoding) Signed() bool { return e == EncSigned || e == EncSignedChar || e == EncSignedFixed }

// A Type is a type of a program. Types that are the same entry are the same Type. Nil is void.
type Type struct {
	d    *part
	u    *Unit
	Off  format.Offset
	Kind Kind
	// Declared is set if the entry only says that there is such a type: see Complete.
	Declared bool
	Encoding Encoding // of Base

	own string // DW_AT_name
	// declared is the entry whose place gives the scope of the type: the declaration, if the type
	// completes one in the same unit, else Off.
	declared format.Offset
	size     int64 // in bytes; -1 if it is not given
	align    int64 // in bytes, where the source asks for one; else 0
	elem     ref   // what it adds to, points to, consists of or returns; none is void
	of       *Type // instead of elem, for a type that no entry has
	holder   ref   // of MemberPointer: the class
	dims     []dim // of Array
	// The attributes that Shaped evaluates. shaped is set if there are any.
	place, allocated, associated, rank Attr
	shaped, generic                    bool
	bitStride                          int64 // bits from an element of an array to the next; 0 if they have whole bytes
	bias                               int64 // added to the unsigned number that is stored (GNAT's biased types)
	length                             Attr  // of String
	lengthSize                         int64 // bytes of the length; 0 for as many as an address has
	full                               sync.Once
	members                            []Member
	parts                              []VariantPart
	values                             []Enumerator
	params                             []TemplateParam
	packed                             bool // it was made with a parameter pack, which may be empty
	// own with the template's arguments, once they were put together
	made atomic.Pointer[string]
}

// typeAt returns the type whose entry is at off, nil if there is none.
func (d *part) typeAt(off format.Offset) *Type {
	if off == 0 {
		return nil
	}
	if t, ok := d.types.Load(off); ok {
		return t.(*Type)
	}
	t := d.readType(off)
	if d.typeCount.Load() >= maxTypes {
		return t
	}
	old, ok := d.types.LoadOrStore(off, t)
	if !ok {
		d.typeCount.Add(1)
	}
	return old.(*Type)
}

func (d *part) readType(off format.Offset) *Type {
	e := d.entry(off)
	if e == nil {
		return nil
	}
	kind, ok := kinds[e.Tag]
	if !ok {
		return nil
	}
	t := &Type{d: d, u: e.u, Off: off, declared: off, Kind: kind, own: e.attr(format.AtName).Text(), size: -1,
		Declared: e.attr(format.AtDeclaration).Flag()}
	if n, ok := e.attr(format.AtByteSize).Int(); ok && n >= 0 {
		t.size = n
	}
	if n, ok := e.attr(format.AtAlignment).Int(); ok && n > 0 && n <= maxAlign {
		t.align = n
	}
	if decl, ok := e.attr(format.AtSpecification).unitRef(); ok {
		t.declared = decl
		if x := d.entry(decl); x != nil && t.own == "" {
			t.own = x.attr(format.AtName).Text()
		}
	}
	t.elem, _ = e.attr(format.AtType).ref()
	t.holder, _ = e.attr(format.AtContainingType).ref()
	if n, ok := e.attr(format.AtEncoding).Uint(); ok {
		t.Encoding = Encoding(n)
	}
	if sig, ok := e.attr(format.AtSignature).ref(); ok {
		if whole := sig.signed(); whole != nil {
			return whole
		}
	}
	switch kind {
	case Typedef:
		if n, ok := e.attr(format.AtGNUBias).Int(); ok && n != 0 {
			t.readBias(n)
		}
	case Array:
		t.readDims(e)
	case String:
		t.length, t.place = e.attr(format.AtStringLength), e.attr(format.AtDataLocation)
		t.shaped = t.length.Present() || t.place.Present()
		if t.lengthSize, _ = e.attr(format.AtStringLengthSize).Int(); t.lengthSize == 0 && t.length.Present() {
			t.lengthSize, t.size = max(t.size, 0), -1 // DWARF 4, section 5.9
		}
	}
	return t
}

// readBias makes a subrange whose numbers are stored less a bias a base type.
func (t *Type) readBias(n int64) {
	e := t.elem.entry()
	if e == nil {
		return
	}
	if size, ok := e.attr(format.AtByteSize).Int(); ok && size > 0 && size <= 8 {
		t.Kind, t.Encoding, t.size, t.bias, t.elem = Base, EncSigned, size, n, ref{}
	}
}

// typ returns the type whose entry it is; nil if there is none.
func (r ref) typ() *Type {
	if r.d == nil {
		return nil
	}
	return r.d.typeAt(r.off)
}

// signed returns the type that a type unit has, unless that is a reference itself.
func (r ref) signed() *Type {
	e := r.entry()
	if e == nil || e.attr(format.AtSignature).Present() {
		return nil
	}
	return r.typ()
}

// Elem returns the target of a pointer or reference, the elements of an array, the result of a
// function, or the type that a typedef or qualifier refers to; nil is void.
func (t *Type) Elem() *Type {
	if t.Kind == Array && len(t.dims) > 1 {
		return t.row()
	}
	if t.of != nil {
		return t.of
	}
	return t.elem.typ()
}

// PointerTo returns the type of pointers to t.
func (t *Type) PointerTo() *Type {
	return &Type{d: t.d, u: t.u, Kind: Pointer, size: int64(t.u.w.Addr), of: t}
}

// ArrayOf returns the type of arrays of n values of t.
func (t *Type) ArrayOf(n int64) *Type {
	return &Type{d: t.d, u: t.u, Kind: Array, size: -1, of: t, dims: []dim{{n: n}}}
}

// row returns the type of one row of an array of several dimensions.
func (t *Type) row() *Type {
	r := &Type{d: t.d, u: t.u, Off: t.Off, Kind: Array, size: -1, elem: t.elem, of: t.of, dims: t.dims[1:],
		bitStride: t.bitStride}
	for i := range r.dims {
		r.shaped = r.shaped || !r.dims[i].fixed()
	}
	return r
}

// Len returns the number of an array's elements; -1 if it is not known.
func (t *Type) Len() int64 {
	if t == nil || t.Kind != Array {
		return -1
	}
	return t.dims[0].n
}

// Strip returns the type without typedefs and qualifiers; nil is void.
func (t *Type) Strip() *Type {
	for range maxChain {
		if t == nil {
			return nil
		}
		switch t.Kind {
		case Typedef, Const, Volatile, Restrict, Atomic:
			t = t.Elem()
		default:
			return t
		}
	}
	return nil
}

// maxDepth bounds how deep types are in types.
const maxDepth = 64

// Size returns how many bytes a value of the type has; ok is false if that is not known.
func (t *Type) Size() (n int64, ok bool) { return t.sizeAt(0) }

func (t *Type) sizeAt(depth int) (int64, bool) {
	if t == nil || depth > maxDepth {
		return 0, false
	}
	if t.size >= 0 {
		return t.size, true
	}
	switch t.Kind {
	case Pointer, Reference, RvalueReference, MemberPointer:
		return int64(t.u.w.Addr), true
	case Typedef, Const, Volatile, Restrict, Atomic:
		return t.Elem().sizeAt(depth + 1)
	case Array:
		if t.Len() < 0 {
			return 0, false
		}
		n, ok := t.Elem().sizeAt(depth + 1)
		if s := t.dims[0].stride; s != 0 {
			n, ok = max(s, -s), true
		}
		if t.bitStride > 0 {
			bits := t.elemBits()
			if bits < 0 || bits > 0 && t.Len() > maxBytes/bits {
				return 0, false
			}
			return (bits*t.Len() + 7) / 8, true
		}
		if !ok || n > 0 && t.Len() > maxBytes/n {
			return 0, false
		}
		return n * t.Len(), true
	case Struct, Class, Union:
		if c := t.Complete(); c != t {
			return c.sizeAt(depth + 1)
		}
	case Enum:
		return t.Elem().sizeAt(depth + 1)
	}
	return 0, false
}

// maxBytes bounds the size of one value.
const maxBytes = 1 << 40

// maxAlign bounds the alignment of a type, in bytes.
const maxAlign = 1 << 29

// Align returns the alignment that the source asks for (DW_AT_alignment), in bytes; 0 if it asks for none.
func (t *Type) Align() int64 { return t.align }

// Complete returns the definition of a type that is only declared, or t itself if it is not
// found.
func (t *Type) Complete() *Type {
	if t == nil || !t.Declared || t.own == "" {
		return t
	}
	var found *Type
	for _, name := range t.indexNames() {
		t.d.root.indexFor(name, func(x *indexed) bool {
			found = t.definition(x.refs(index.Types, name))
			return found != nil
		})
		if found == nil {
			found = t.definition(t.d.root.index().refs(index.Types, name))
		}
		if found != nil {
			return found
		}
	}
	return t
}

// indexNames returns the names that an index can have for a type: the name of its own entry, and the
// names that entries of other units would use, with or without the template's arguments.
func (t *Type) indexNames() []string {
	names := []string{t.u.qualify(t.declared, t.own)}
	if full := t.Qualified(); full != names[0] {
		return append(names, full)
	}
	if i := strings.IndexByte(names[0], '<'); i > 0 && strings.HasSuffix(names[0], ">") && t.Lang().CPlusPlus() {
		names = append(names, names[0][:i])
	}
	return names
}

// simple reports whether names of templates in the unit leave out what these were made with.
func (u *Unit) simple() bool { u.namedScopes(); return u.named.simple }

// definition returns the first type in a list that defines t; nil if there is no definition.
func (t *Type) definition(list []ref) *Type {
	for _, r := range list {
		c := r.typ()
		if c == nil || c.Declared || c.Kind != t.Kind && !(c.composite() && t.composite()) {
			continue
		}
		if (t.u.simple() || c.u.simple()) && c.Qualified() != t.Qualified() {
			continue // the index has the template's name
		}
		return c
	}
	return nil
}

// Undefined says why what a declared type has is not known.
func (t *Type) Undefined() error {
	err := fmt.Errorf("what a %s has is not in the debugging information", t.Name())
	if why := t.d.root.Partly(); why != nil {
		err = fmt.Errorf("%w: %w", err, why)
	}
	return err
}

func (t *Type) composite() bool { return t.Kind == Struct || t.Kind == Class || t.Kind == Union }

// Composite reports whether the type, without typedefs and qualifiers, has members.
func (t *Type) Composite() bool { s := t.Strip(); return s != nil && s.composite() }

// Beside returns the type with members that has a name of its own in the unit of t, in a function too; nil if there
// is no such type.
func (t *Type) Beside(name string) *Type {
	for _, s := range t.u.namedScopes() {
		if s.name != name {
			continue
		}
		if x := t.u.d.typeAt(s.start); x != nil && x.composite() && !x.Declared && x.own == name {
			return x
		}
	}
	return nil
}

// Interface reports whether the type is an interface whose values are addresses, as Pascal's are.
func (t *Type) Interface() bool {
	if t.Kind != Class || t.size != 0 {
		return false
	}
	e := t.d.entry(t.Off)
	return e != nil && e.Tag == format.TagInterfaceType && e.attr(format.AtDataLocation).Present()
}

// Lang returns the language of the type's unit.
func (t *Type) Lang() Language { return t.u.Lang() }

// signed reports whether the numbers of a base type or enumeration have a sign.
func (t *Type) signed() bool {
	s := t.Strip()
	switch {
	case s == nil:
		return false
	case s.Kind == Base:
		return s.Encoding.Signed()
	case s.Kind != Enum:
		return false
	case s.elem.d != nil:
		return s.Elem().signed()
	}
	for _, e := range s.Enumerators() {
		if e.Value < 0 {
			return true
		}
	}
	return false
}
