package hprof

import (
	"cmp"
	"slices"
	"sort"
)

// An object is an object's record. Its other data is read on demand.
type object struct {
	id   uint64
	off  int64 // of the data after its identifier
	kind int32
}

// Bounds for the columns of objects.
const (
	maxOffset = 1 << 40
	maxKinds  = 1 << 24
)

// objects are the objects of a dump, in columns: four bytes of each identifier, four of its place and
// two of its kind, and one more of each if they are large.
type objects struct {
	whole    column[uint64] // identifiers, until they are packed
	low      column[uint32] // the lower halves of identifiers, in order
	upper    []upper
	off      column[uint32]
	offHigh  column[uint8]
	kind     column[uint16]
	kindHigh column[uint8]
}

// An upper is the upper half of the identifiers of objects from a number on.
type upper struct {
	first int32
	half  uint32
}

func (x *objects) len() int { return x.off.n }

func (x *objects) add(o object) {
	x.whole.add(o.id)
	x.off.add(uint32(o.off))
	x.offHigh.add(uint8(o.off >> 32))
	x.kind.add(uint16(o.kind))
	x.kindHigh.add(uint8(o.kind >> 16))
}

func (x *objects) set(i int, o object) {
	x.whole.set(i, o.id)
	x.off.set(i, uint32(o.off))
	x.offHigh.set(i, uint8(o.off>>32))
	x.kind.set(i, uint16(o.kind))
	x.kindHigh.set(i, uint8(o.kind>>16))
}

// at returns an object.
func (x *objects) at(i int) object {
	return object{id: x.id(i), off: int64(x.off.at(i)) | int64(x.offHigh.at(i))<<32, kind: x.kindOf(i)}
}

func (x *objects) kindOf(i int) int32 { return int32(x.kind.at(i)) | int32(x.kindHigh.at(i))<<16 }

// id returns an object's identifier.
func (x *objects) id(i int) uint64 {
	if x.whole.n > 0 {
		return x.whole.at(i)
	}
	if len(x.upper) == 1 {
		return uint64(x.upper[0].half)<<32 | uint64(x.low.at(i))
	}
	k := sort.Search(len(x.upper), func(k int) bool { return int(x.upper[k].first) > i })
	return uint64(x.upper[k-1].half)<<32 | uint64(x.low.at(i))
}

// cut leaves the first n objects.
func (x *objects) cut(n int) {
	x.whole.cut(n)
	x.off.cut(n)
	x.offHigh.cut(n)
	x.kind.cut(n)
	x.kindHigh.cut(n)
}

// keep leaves the objects that is says yes to, in one pass from the first on; it is told how
// many were kept before.
func (x *objects) keep(is func(o object, kept int) bool) {
	kept := 0
	for i := range x.len() {
		if o := x.at(i); is(o, kept) {
			x.set(kept, o)
			kept++
		}
	}
	x.cut(kept)
}

// sort sorts objects by identifier. If several have the same identifier, the first in the file stays.
func (x *objects) sort() {
	s := sorter{x}
	ordered := x.len() - 1 // from here on they are in order
	for ordered > 0 && !s.Less(ordered, ordered-1) {
		ordered--
	}
	switch {
	case ordered <= 0:
	case ordered <= x.len()/mergedPart:
		x.merge(ordered)
	default:
		sort.Sort(s)
	}
	last := uint64(0)
	x.keep(func(o object, kept int) bool {
		first := kept == 0 || o.id != last
		last = o.id
		return first
	})
}

// mergedPart is the part of the objects that are merged with others rather than sorted with
// them: HotSpot writes classes first, and then all objects in order.
const mergedPart = 8

// merge sorts the first n objects and merges them with the others, which are in order.
func (x *objects) merge(n int) {
	first := make([]object, n)
	for i := range first {
		first[i] = x.at(i)
	}
	before := func(a, b object) int { return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.off, b.off)) }
	slices.SortFunc(first, before)
	for to, from := 0, n; len(first) > 0; to++ {
		if from < x.len() {
			if o := x.at(from); before(o, first[0]) < 0 {
				x.set(to, o)
				from++
				continue
			}
		}
		x.set(to, first[0])
		first = first[1:]
	}
}

// pack splits identifiers, which are in order by now.
func (x *objects) pack() {
	for i := range x.len() {
		id := x.whole.at(i)
		if half := uint32(id >> 32); len(x.upper) == 0 || x.upper[len(x.upper)-1].half != half {
			x.upper = append(x.upper, upper{int32(i), half})
		}
		x.low.add(uint32(id))
		x.whole.drop(i)
	}
	x.whole = column[uint64]{}
}

// A sorter sorts objects in place.
type sorter struct{ x *objects }

func (s sorter) Len() int { return s.x.len() }

func (s sorter) Less(i, j int) bool {
	a, b := s.x.whole.at(i), s.x.whole.at(j)
	return a < b || a == b && cmp.Less(s.x.at(i).off, s.x.at(j).off)
}

func (s sorter) Swap(i, j int) {
	a, b := s.x.at(i), s.x.at(j)
	s.x.set(i, b)
	s.x.set(j, a)
}

// A column is numbers in pieces, so that it is never copied while it grows. A piece of zeros
// takes no memory.
type column[T uint8 | uint16 | uint32 | uint64] struct {
	pieces [][]T
	n      int
}

const (
	pieceBits = 16
	pieceMask = 1<<pieceBits - 1
)

func (c *column[T]) add(v T) {
	if c.n>>pieceBits == len(c.pieces) {
		c.pieces = append(c.pieces, nil)
	}
	c.n++
	if v != 0 {
		c.set(c.n-1, v)
	}
}

func (c *column[T]) at(i int) T {
	if p := c.pieces[i>>pieceBits]; i&pieceMask < len(p) {
		return p[i&pieceMask]
	}
	return 0
}

func (c *column[T]) set(i int, v T) {
	p := &c.pieces[i>>pieceBits]
	k := i & pieceMask
	if v == 0 && k >= len(*p) {
		return
	}
	if k >= cap(*p) { // no more than a whole piece, as append might
		*p = append(make([]T, 0, min(max(k+1, 2*len(*p)), 1<<pieceBits)), *p...)
	}
	for k >= len(*p) {
		*p = append(*p, 0)
	}
	(*p)[k] = v
}

// cut leaves the first n numbers.
func (c *column[T]) cut(n int) {
	c.n = min(c.n, n)
	c.pieces = c.pieces[:(c.n+pieceMask)>>pieceBits]
	if k := c.n & pieceMask; k > 0 {
		if p := &c.pieces[c.n>>pieceBits]; len(*p) > k {
			*p = (*p)[:k]
		}
	}
}

// drop forgets the piece that ends with a number.
func (c *column[T]) drop(i int) {
	if i&pieceMask == pieceMask {
		c.pieces[i>>pieceBits] = nil
	}
}
