package dwarf

import (
	"slices"

	"coredbg/core/dwarf/format"
)

// A dim is one dimension of an array. Where a number is not the type's own, an attribute has an
// expression for it, or refers to a variable or a member that has it.
type dim struct {
	n      int64 // elements; -1 if that is not known
	low    int64 // index of the first element
	stride int64 // bytes from an element to the next; 0 if they lie side by side

	lower, bound, step Attr // absent where the numbers above are the type's own
	count              bool // bound is the number of elements, not the last index

	// values are the values of the enumeration that indexes the dimension, if some numbers between
	// them are not values.
	values []int64
}

// span returns the number of indexes from low to last.
func (d *dim) span(low, last int64) int64 {
	if d.values == nil {
		if last < low || last-low < 0 {
			return 0
		}
		return last - low + 1
	}
	n := int64(0)
	for _, x := range d.values {
		if low <= x && x <= last {
			n++
		}
	}
	return n
}

// fixed reports whether the type itself says all numbers of the dimension.
func (d *dim) fixed() bool { return !d.lower.Present() && !d.bound.Present() && !d.step.Present() }

// readDims reads the dimensions, the one that varies fastest last.
func (t *Type) readDims(e *Entry) {
	t.d.children(t.Off, func(_ *reader, e *Entry) bool {
		switch e.Tag {
		case format.TagGenericSubrange:
			t.generic = true
		case format.TagSubrangeType, format.TagEnumerationType:
		default:
			return true
		}
		t.dims = append(t.dims, t.readDim(e))
		if n, ok := e.attr(format.AtBitStride).Int(); ok && n > 0 && n <= maxAlign {
			t.bitStride = n // FPC's bitpacked arrays
		}
		return len(t.dims) < maxNested
	})
	if len(t.dims) == 0 {
		t.dims = []dim{{n: -1}}
	}
	if n, ok := e.attr(format.AtOrdering).Uint(); ok && n == columnMajor {
		for i, j := 0, len(t.dims)-1; i < j; i, j = i+1, j-1 {
			t.dims[i], t.dims[j] = t.dims[j], t.dims[i]
		}
	}
	last := &t.dims[len(t.dims)-1]
	if n, ok := e.attr(format.AtByteStride).Int(); ok && n > 0 && !last.step.Present() {
		last.stride = n
	}
	if n, ok := e.attr(format.AtBitStride).Int(); ok && n > 0 && n <= maxAlign {
		t.bitStride = n
	}
	t.place, t.allocated, t.associated, t.rank = e.attr(format.AtDataLocation), e.attr(format.AtAllocated),
		e.attr(format.AtAssociated), e.attr(format.AtRank)
	t.shaped = t.place.Present() || t.allocated.Present() || t.associated.Present() || t.generic
	for i := range t.dims {
		t.shaped = t.shaped || !t.dims[i].fixed()
	}
}

// columnMajor is the DW_AT_ordering of arrays whose first index varies fastest (DWARF 5, table 7.29).
const columnMajor = 1

// readDim reads a DW_TAG_subrange_type or its like.
func (t *Type) readDim(e *Entry) dim {
	d := dim{n: -1, low: t.Lang().lowest()}
	if a := e.attr(format.AtLowerBound); a.Present() {
		if n, ok := a.Int(); ok {
			d.low = n
		} else {
			d.lower = a
		}
	} else if values := enumerators(e); len(values) > 0 {
		d.low, d.n = values[0], int64(len(values)) // Ada's and Pascal's arrays over enumerations
	}
	d.values = sparse(e)
	if a := e.attr(format.AtByteStride); a.Present() {
		if n, ok := a.Int(); ok {
			d.stride = n
		} else {
			d.step = a
		}
	}
	switch count, up := e.attr(format.AtCount), e.attr(format.AtUpperBound); {
	case count.Present():
		var ok bool
		if d.n, ok = count.Int(); !ok {
			d.n, d.bound, d.count = -1, count, true
		}
	case up.Present():
		last, ok := up.Int()
		switch {
		case !ok:
			d.bound = up
		case up.Form == format.FormData4 && uint32(last) == ^uint32(0) || up.Form == format.FormData8 && last == -1:
			d.n = 0 // gcc's bound of an array of no elements
		case d.lower.Present():
			d.bound = up
		default:
			d.n = d.span(d.low, last)
		}
	}
	if d.n < -1 {
		d.n = -1
	}
	return d
}

// sparse returns the values of the enumeration that indexes a dimension, in order, if there are numbers
// between them that are not values; else nil.
func sparse(e *Entry) []int64 {
	for range maxChain {
		if e == nil || e.Tag != format.TagSubrangeType && e.Tag != format.TagTypedef {
			break
		}
		to, _ := e.attr(format.AtType).ref()
		e = to.entry()
	}
	if e == nil {
		return nil
	}
	values := enumerators(e)
	slices.Sort(values)
	for i := 1; i < len(values); i++ {
		if values[i] != values[i-1]+1 {
			return values
		}
	}
	return nil
}

// enumerators returns the values of an enumeration that a dimension is.
func enumerators(e *Entry) (values []int64) {
	if e.Tag != format.TagEnumerationType {
		return nil
	}
	e.u.d.children(e.Off, func(_ *reader, x *Entry) bool {
		if n, ok := x.attr(format.AtConstValue).Int(); ok && x.Tag == format.TagEnumerator {
			values = append(values, n)
		}
		return len(values) < maxMembers
	})
	return values
}

// elemBits returns the bits from an element of a packed array to the next; -1 if they are not known.
func (t *Type) elemBits() int64 {
	bits := t.bitStride
	for i := range t.dims[1:] {
		n := t.dims[1+i].n
		if n < 0 || n > 0 && bits > maxBytes/n {
			return -1
		}
		bits *= n
	}
	return bits
}
