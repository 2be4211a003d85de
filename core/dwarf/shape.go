package dwarf

import (
	"errors"
	"fmt"

	"coredbg/core"
	"coredbg/core/dwarf/format"
)

// maxRank bounds the dimensions of an array of assumed rank. Fortran 2018 allows 15.
const maxRank = 15

// ErrNotAllocated and ErrNotAssociated say that an array has no elements, as its program has
// given it none.
var (
	ErrNotAllocated  = errors.New("not allocated")
	ErrNotAssociated = errors.New("not associated")
)

// Shaped returns an array or a string whose type says how many elements it has, and which begins
// where its elements lie. Fortran, Ada, Pascal and others keep that as data, which the type's
// attributes compute. Other values are returned as they are.
func (v Value) Shaped() (Value, error) {
	t := v.Type.Strip()
	if t != nil && t.Kind == Struct {
		switch l := t.Lang(); {
		case l.Ada():
			if a, ok, err := v.unconstrained(t); ok || err != nil {
				return a, err
			}
		case l == LangD:
			if a, ok := v.slice(t); ok {
				return a, nil
			}
		}
	}
	if t == nil || !t.shaped {
		return v, nil
	}
	if t.Kind == String {
		return v.shapedString(t)
	}
	for _, a := range []struct {
		Attr
		absent error
	}{{t.allocated, ErrNotAllocated}, {t.associated, ErrNotAssociated}} {
		if n, err := v.number(t, a.Attr, 1); err != nil {
			return v, err
		} else if n == 0 {
			return v, a.absent
		}
	}
	s := &Type{d: t.d, u: t.u, Kind: Array, own: t.own, size: -1, elem: t.elem, of: t.of, bitStride: t.bitStride}
	rank := int64(len(t.dims))
	if t.generic {
		n, err := v.number(t, t.rank, rank)
		if err != nil || n < 0 || n > maxRank {
			return v, fmt.Errorf("the number of its dimensions is not known: %w", errors.Join(err, errExpression))
		}
		rank = n
	}
	for i := range rank {
		d, first := t.dims[min(i, int64(len(t.dims))-1)], []uint64(nil)
		// the number of the dimension is on the stack (DWARF 5, section 5.13), the first one varies fastest
		if t.generic {
			first = []uint64{uint64(rank - 1 - i)}
		}
		if err := v.shape(t, &d, first); err != nil {
			return v, err
		}
		s.dims = append(s.dims, d)
	}
	if rank == 0 { // a scalar of assumed rank
		s.dims = []dim{{n: 1, low: 1}}
	}
	at, err := v.placed(t)
	at.Type = s
	return at, err
}

// slice returns the array that a record of a length and an address stands for: D's dynamic arrays.
func (v Value) slice(t *Type) (Value, bool) {
	list := t.Members()
	if len(list) != 2 || list[0].Name != "length" || list[1].Name != "ptr" {
		return v, false
	}
	p := v.Member(&list[1])
	pointer := p.Type.Strip()
	n, err1 := v.Member(&list[0]).Int()
	at, err2 := p.Pointer()
	if err1 != nil || err2 != nil || pointer == nil || pointer.Kind != Pointer || pointer.Elem() == nil ||
		n < 0 || n > maxBytes {
		return v, false
	}
	return v.To(pointer.Elem().ArrayOf(n), at), true
}

// unconstrained returns the array that a record of an address and bounds stands for: the way in
// which GNAT passes arrays whose bounds their type leaves open.
func (v Value) unconstrained(t *Type) (Value, bool, error) {
	var array, bounds *Member
	for i := range t.Members() {
		switch m := &t.Members()[i]; m.Name {
		case "P_ARRAY":
			array = m
		case "P_BOUNDS":
			bounds = m
		default:
			return v, false, nil
		}
	}
	record, ok := v.Addr()
	if array == nil || bounds == nil || !ok {
		return v, false, nil
	}
	p := v.Member(array)
	at, err := p.Pointer()
	pointer := p.Type.Strip()
	switch {
	case err != nil:
		return v, false, err
	case pointer == nil || pointer.Kind != Pointer:
		return v, false, nil
	case at == 0:
		return v, false, ErrNotAllocated
	}
	a := v.To(pointer.Elem(), at)
	a.in, a.object = v.in, record
	a, err = a.Shaped()
	return a, true, err
}

// shape computes what the attributes of a dimension say.
func (v Value) shape(t *Type, d *dim, first []uint64) (err error) {
	if d.low, err = v.number(t, d.lower, d.low, first...); err != nil {
		return fmt.Errorf("its lower bound is not known: %w", err)
	}
	if d.bound.Present() {
		n, err := v.number(t, d.bound, 0, first...)
		if err != nil {
			return fmt.Errorf("its upper bound is not known: %w", err)
		}
		if d.n = n; !d.count {
			d.n = d.span(d.low, n)
		}
		if d.n = max(d.n, 0); d.n > maxBytes {
			d.n = -1
		}
	}
	if d.stride, err = v.number(t, d.step, d.stride, first...); err != nil {
		return fmt.Errorf("the distance of its elements is not known: %w", err)
	}
	d.lower, d.bound, d.step = Attr{}, Attr{}, Attr{}
	return nil
}

// placed returns the value where its elements lie.
func (v Value) placed(t *Type) (Value, error) {
	if !t.place.Present() {
		return v, nil
	}
	a, err := v.number(t, t.place, 0)
	if err != nil {
		return v, fmt.Errorf("where its elements lie is not known: %w", err)
	}
	at := v.f.At(t, core.Addr(a)&v.f.Arch.AddrMask())
	at.fn, at.in = v.fn, v.in
	return at, nil
}

// number returns the number that an attribute of a value's type has, or otherwise if it is absent.
func (v Value) number(t *Type, a Attr, otherwise int64, first ...uint64) (int64, error) {
	if !a.Present() {
		return otherwise, nil
	}
	if n, ok := a.Int(); ok {
		return n, nil
	}
	if at, ok := a.ref(); ok {
		return v.referred(at)
	}
	expr, ok := a.Block()
	if !ok {
		return 0, errExpression
	}
	object, known := v.object, v.object != 0
	if !known {
		object, known = v.Addr()
	}
	x := &evaluator{f: v.f, u: t.u, fn: v.fn, depth: 1, cur: core.NewCursor(v.f.Mem, v.f.Arch.Order, v.f.Arch.PtrSize)}
	if n := uint64(object); known {
		x.object = &n
	}
	for _, n := range first {
		x.push(n)
	}
	pieces, err := x.run(expr)
	if err != nil {
		return 0, err
	}
	u, err := v.f.numberOf(pieces)
	if v.f.Arch.PtrSize == 4 {
		return int64(int32(u)), err
	}
	return int64(u), err
}

// referred returns the number that another entry has: a variable of the function, or a member of
// the record that the value is in, such as the discriminant of a type of Ada.
func (v Value) referred(r ref) (int64, error) {
	e := r.entry()
	if e == nil {
		return 0, errExpression
	}
	if e.Tag == format.TagMember {
		if v.in == nil {
			return 0, errors.New("the record that it depends on is not known")
		}
		w := *v.in
		t := w.Type.Strip()
		if t == nil || !t.composite() {
			return 0, errExpression
		}
		m, ok := t.member(e)
		if !ok {
			return 0, errExpression
		}
		return w.Member(&m).Int()
	}
	x := Variable{e: e, fn: v.fn}
	return x.value(v.f, 1).Int()
}

// shapedString returns a string whose type says how long it is.
func (v Value) shapedString(t *Type) (Value, error) {
	s := &Type{d: t.d, u: t.u, Kind: String, own: t.own, size: -1}
	n, err := v.stringLength(t)
	if err != nil {
		return v, fmt.Errorf("its length is not known: %w", err)
	}
	if n < 0 || n > maxBytes {
		return v, fmt.Errorf("its length, %d, cannot be", n)
	}
	s.size = n
	at, err := v.placed(t)
	at.Type = s
	return at, err
}

// stringLength returns how many bytes a string has. DW_AT_string_length is an expression for where
// the length lies, or an entry that has it (DWARF 5, section 5.11).
func (v Value) stringLength(t *Type) (int64, error) {
	if at, ok := t.length.ref(); ok {
		return v.referred(at)
	}
	a, err := v.number(t, t.length, 0)
	if err != nil {
		return 0, err
	}
	size := t.lengthSize
	if size <= 0 || size > 8 {
		size = int64(v.f.Arch.PtrSize)
	}
	b, err := core.ReadBytes(v.f.Mem, core.Addr(a)&v.f.Arch.AddrMask(), uint64(size))
	if err != nil {
		return 0, err
	}
	return int64(core.Fixed(b, v.f.Arch.Order)), nil
}

// Index returns element i of an array, counted from 0, without looking at how many it has.
func (v Value) Index(i int64) (Value, error) {
	v, err := v.Shaped()
	if err != nil {
		return Value{}, err
	}
	t := v.Type.Strip()
	if t == nil || t.Kind != Array {
		return Value{}, errors.New("not an array")
	}
	e := t.Elem()
	if t.bitStride > 0 {
		return v.indexBits(t, i)
	}
	size, ok := e.Size()
	if !ok { // strings whose length is data
		if first, err := v.part(e, 0).Shaped(); err == nil {
			size, ok = first.Type.Size()
		}
	}
	if n := t.dims[0].stride; n != 0 {
		size, ok = n, true
	}
	if !ok || size > 0 && (i > maxBytes/size || i < -maxBytes/size) {
		return Value{}, errors.New("the size of its elements is not known")
	}
	x := v.part(e, i*size)
	x.in = v.in
	return x, nil
}

// indexBits is Index for an array whose elements need not have whole bytes.
func (v Value) indexBits(t *Type, i int64) (Value, error) {
	bits, e := t.elemBits(), t.Elem()
	if bits <= 0 || i < 0 || i > maxBytes/bits {
		return Value{}, errors.New("the size of its elements is not known")
	}
	at := v.BitOff + i*bits
	x := v.part(e, at/8)
	x.BitOff, x.in = at%8, v.in
	if size, ok := e.Size(); len(t.dims) == 1 && (x.BitOff != 0 || bits%8 != 0 || !ok || 8*size > bits) {
		x.BitSize = bits
	}
	return x, nil
}

// Len returns how many elements an array has. It is -1 if that is not known.
func (v Value) Len() int64 {
	v, err := v.Shaped()
	if err != nil {
		return -1
	}
	return v.Type.Strip().Len()
}

// First returns the index of an array's first element: 0 in C, 1 in Fortran where the program
// says nothing else.
func (v Value) First() int64 {
	t := v.Type.Strip()
	if t == nil || t.Kind != Array {
		return 0
	}
	if s, err := v.Shaped(); err == nil {
		t = s.Type.Strip()
	}
	return t.dims[0].low
}
