package hprof

import "coredbg/runtimes/heap/hprof/format"

// sizes are the sizes of HotSpot's layout.
type sizes struct {
	reference   uint64 // of a reference in an object
	header      uint64 // of an object
	arrayHeader uint64 // of an array: its header with the length
}

// sizeIn returns the bytes of a value in an object.
func (d *Dump) sizeIn(t format.BasicType) int {
	if t == format.TypeObject && d.idSize == 8 && d.sizes.reference == 4 {
		return 4
	}
	return t.Size(d.idSize)
}

func align(n uint64) uint64 { return alignTo(n, alignment) }

func alignTo(n, to uint64) uint64 { return (n + to - 1) &^ (to - 1) }

// size returns the bytes of an object.
func (d *Dump) size(n int32, c *cursor) uint64 {
	o := d.objects.at(int(n))
	if d.android {
		return d.androidSize(n, &o, c)
	}
	switch k := &d.kinds[o.kind]; {
	case o.kind == kindClass:
		return d.mirrorSize(int(n), &o)
	case o.kind < firstKind:
		return align(d.sizes.arrayHeader + uint64(d.length(&o, c))*uint64(format.BasicType(o.kind).Size(8)))
	case k.array:
		return align(d.sizes.arrayHeader + uint64(d.length(&o, c))*d.sizes.reference)
	}
	return d.known[o.kind]
}

// androidSize returns the bytes of an object in the Android Runtime's memory, including objects that
// were folded into it.
func (d *Dump) androidSize(number int32, o *object, c *cursor) uint64 {
	k := &d.kinds[o.kind]
	switch {
	case o.kind == kindClass:
		return align(d.classes[o.id].staticSize(4) + d.foldedInto(number))
	case o.kind < firstKind:
		n := uint64(format.BasicType(o.kind).Size(4))
		return align(alignTo(androidElement, n) + uint64(d.length(o, c))*n)
	case k.array:
		return align(androidElement + uint64(d.length(o, c))*4)
	case k.name == stringClass && d.foldedInto(number) > 0:
		return align(stringData + d.foldedInto(number))
	case k.class == nil || k.class.instance == 0:
		return align(androidHeader + uint64(d.length(o, c)))
	}
	return align(uint64(k.class.instance))
}

// gap returns the bytes from an object to the next one: an upper bound for the object's size.
func (d *Dump) gap(i int) (uint64, bool) {
	if i+1 >= d.objects.len() {
		return 0, false
	}
	return d.objects.id(i+1) - d.objects.id(i), true
}

// inferLayout finds out how large references and headers are: as large as all arrays have
// room for. Identifiers of HotSpot are addresses.
func (r *reader) inferLayout() {
	s := &r.sizes
	*s = sizes{reference: uint64(r.idSize), arrayHeader: 24, header: 16}
	if r.idSize == 4 {
		s.arrayHeader, s.header = 12, 8
	}
	c := newCursor(r.src, r.idSize, 0, r.end)
	for i := range r.objects.len() {
		if !r.kinds[r.objects.kindOf(i)].array {
			continue
		}
		o := r.objects.at(i)
		if g, ok := r.gap(i); ok && g < 12+uint64(r.length(&o, &c))*s.reference {
			s.reference = 4
			break
		}
	}
	// Arrays of bytes show it best: there is one for each length.
	for i := range r.objects.len() {
		o := r.objects.at(i)
		g, ok := r.gap(i)
		if !ok || s.arrayHeader <= 12 || o.kind >= firstKind || o.kind == kindClass {
			continue
		}
		n := uint64(r.length(&o, &c)) * uint64(format.BasicType(o.kind).Size(8))
		for s.arrayHeader > 12 && align(s.arrayHeader+n) > g {
			s.arrayHeader -= 4
		}
	}
	if r.idSize == 8 {
		s.header = s.arrayHeader - 4 // 24 has four bytes of padding in front of its elements
		if s.arrayHeader == 24 {
			s.header = 16
		}
	}
}

// inferInstances returns the sizes of instances by kind: the least that one has room for, if
// that is about what the fields need.
func (r *reader) inferInstances() []uint64 {
	least := make([]uint64, len(r.kinds))
	for i := range r.objects.len() {
		kind := r.objects.kindOf(i)
		if g, ok := r.gap(i); ok && kind >= firstKind && (least[kind] == 0 || g < least[kind]) {
			least[kind] = g
		}
	}
	for i := range least {
		k := r.kinds[i].class
		fields := uint64(0)
		k.chain(func(f *field, _ uint32) bool { fields += uint64(r.sizeIn(f.typ)); return fields < 1<<24 })
		want := align(r.sizes.header + fields)
		slack := uint64(alignment)
		if k != nil {
			slack *= uint64(k.depth + 1) // each class may leave a hole, and have fields that are not Java's
		}
		if least[i] < want || least[i] > want+slack {
			least[i] = want
		}
	}
	return least
}

// mirrorSize returns the bytes of a class: its java.lang.Class, with static fields at its end.
func (d *Dump) mirrorSize(i int, o *object) uint64 {
	want := d.sizes.header
	d.meta.chain(func(f *field, _ uint32) bool { want += uint64(d.sizeIn(f.typ)); return want < 1<<24 })
	want = align(want + d.classes[o.id].staticSize(d.sizes.reference))
	if g, ok := d.gap(i); ok && g >= want && g <= want+maxInjected {
		return g
	}
	return want
}

// maxInjected bounds what HotSpot adds to a java.lang.Class.
const maxInjected = 64
