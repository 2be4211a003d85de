package object

import (
	"errors"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// A Shape is what a Map says about its instances; objects/map.h. Sizes and
// places of fields are in words.
type Shape struct {
	typ        int
	size       int // 0 if instances have no fixed size
	start      int // of the in-object properties
	own        int // descriptors that belong to this map
	dictionary bool
	Elements   int // ElementsKind
	// flags are the bits of bit_field.
	Flags int

	prototype, constructor, descriptors layout.Tagged
	// layout is the LayoutDescriptor, 0 where no field holds a raw double.
	layout layout.Tagged
}

// Bits of Map::bit_field, which have not moved since V8 7.4; objects/map.h,
// objects/map.tq: MapBitFields1.
const (
	mapNonInstancePrototype = 1 << 0 // a function's prototype is not an object
	MapNamedInterceptor     = 1 << 2
	MapIndexedInterceptor   = 1 << 3
)

// ErrNoObject says that a word leads to no object.
var ErrNoObject = errors.New("its first word is not a map")

// Shape returns the shape of the receiver o.
func (r *MapReader) Shape(o layout.Tagged) (*Shape, error) {
	m, ok := r.MapOf(o)
	if !ok {
		return nil, ErrNoObject
	}
	if s, ok := r.caches.shapes.Load(m); ok {
		return s.(*Shape), nil
	}
	s, err := r.readShape(m)
	if err != nil {
		return nil, err
	}
	r.caches.shapes.Store(m, s)
	return s, nil
}

func (r *MapReader) readShape(m layout.Tagged) (*Shape, error) {
	if !r.IsMap(m) {
		return nil, ErrNoObject
	}
	l := &r.Layout.Map
	var head [24]byte
	if !r.Bytes(head[:], m.Addr()) {
		return nil, errors.New("its map cannot be read")
	}
	b3, ok := r.U32Field(m, l.BitField3)
	if !ok || l.InstanceSize >= len(head) || l.InObjectStart >= len(head) || l.BitField2 >= len(head) ||
		l.BitField >= len(head) {
		return nil, errors.New("its map cannot be read")
	}
	bits := int(b3)
	e := &r.Layout.ElementsKind
	s := &Shape{
		size:       int(head[l.InstanceSize]),
		start:      int(head[l.InObjectStart]),
		own:        bits & l.OwnDescriptorMask >> uint(l.OwnDescriptorShift),
		dictionary: bits>>uint(l.DictionaryShift)&1 == 1,
		Elements:   int(head[l.BitField2]) & e.Mask >> uint(e.Shift),
		Flags:      int(head[l.BitField]) << max(r.Layout.ObjectLayout.Map.FlagsShift, 0),
	}
	s.typ, _ = r.MapInstanceType(m)
	s.prototype, _ = r.Field(m, l.Prototype)
	s.constructor, _ = r.Field(m, l.Constructor)
	s.descriptors, _ = r.Field(m, l.Descriptors)
	if d, ok := r.Field(m, r.Layout.ObjectLayout.Map.LayoutDescriptor); ok {
		s.layout = d
	}
	return s, nil
}

// rawDouble reports whether the in-object field at the given index, counted
// from the first one, holds a raw double: its bit is set in the layout
// descriptor, which is a Smi or a ByteArray (objects/layout-descriptor.h @ 7.8).
func (r *MapReader) rawDouble(s *Shape, index int) bool {
	if s.layout == 0 || index < 0 {
		return false
	}
	if s.layout.IsSmi() {
		return index < 32 && s.layout.Smi()>>uint(index)&1 == 1
	}
	if !r.TypeNamed(s.layout, "BYTE_ARRAY") {
		return false
	}
	n, ok := r.ArrayLength(s.layout)
	if !ok || index/32*4+4 > n {
		return false
	}
	word, ok := r.U32(s.layout.Addr().Add(int64(r.Layout.FixedArray.Data + index/32*4)))
	return ok && word>>uint(index%32)&1 == 1
}

// IsHole reports whether t is a hole, in one of its kinds. Until V8 11 a hole is an oddball. Later it is an
// object of its own type, and only its map word may be readable.
func (r *MapReader) IsHole(t layout.Tagged) bool {
	k := r.OddballKind(t)
	return k == KindHole
}

// OddballKind returns the kind of an undefined, null, boolean or hole, and ""
// for everything else. There are few of them, and they never move.
func (r *MapReader) OddballKind(t layout.Tagged) Kind {
	if !t.IsHeap() {
		return ""
	}
	typ, ok := r.InstanceType(t)
	if !ok {
		return ""
	}
	switch typ {
	case r.Types.Oddball:
	case r.Types.Hole:
		return KindHole
	default:
		return ""
	}
	if k, ok := r.caches.oddballs.Load(t); ok {
		return k.(Kind)
	}
	k := KindHole
	switch r.Oddball(t) {
	case "undefined":
		k = KindUndefined
	case "null":
		k = KindNull
	case "true", "false":
		k = KindBoolean
	}
	r.caches.oddballs.Store(t, k)
	return k
}

// FixedLength returns the length of a FixedArray or of one of its kin.
func (r *MapReader) FixedLength(o layout.Tagged) (int, bool) {
	n, ok := r.ArrayLength(o)
	return n, ok && n >= 0 && n <= MaxFixedArray
}

// WordAt returns word i of an array without a look at its length.
func (r *MapReader) WordAt(o layout.Tagged, i int) (layout.Tagged, bool) {
	return r.Field(o, r.Layout.FixedArray.Data+r.Slots(i))
}

// MaxFixedArray is FixedArray::kMaxLength of 64-bit builds.
const MaxFixedArray = 1 << 27

// Oddball returns what an oddball prints as: "undefined", "true", "null".
func (r *MapReader) Oddball(o layout.Tagged) string {
	for i := 1; i <= 4; i++ { // the number, which comes first with compressed pointers, is no string
		if s, ok := r.Field(o, r.Slots(i)); ok && r.IsString(s) {
			return r.Text(s)
		}
	}
	return ""
}

// taggedList reads at most n tagged fields from at on. It stops at the end of memory.
func (r *MapReader) taggedList(at core.Addr, n int) []layout.Tagged {
	size := r.SlotSize()
	b, _ := r.Space.Slice(at, size*n)
	out := make([]layout.Tagged, 0, len(b)/size)
	for ; len(b) >= size; b, at = b[size:], at+core.Addr(size) {
		out = append(out, r.Tagged(b, at))
	}
	return out
}
