package hprof

import "coredbg/runtimes/heap/hprof/format"

// sizes are those of HotSpot's layout.
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

// measure gives all objects their sizes.
func (r *reader) measure() {
	if r.android {
		for i := range r.objects {
			o := &r.objects[i]
			o.size = r.androidSize(o)
		}
		return
	}
	r.inferLayout()
	known := r.inferInstances()
	for i := range r.objects {
		o := &r.objects[i]
		switch k := &r.kinds[o.kind]; {
		case o.kind == kindClass:
			o.size = r.mirrorSize(i)
		case o.kind < firstKind:
			o.size = align(r.sizes.arrayHeader + uint64(o.n)*uint64(format.BasicType(o.kind).Size(8)))
		case k.array:
			o.size = align(r.sizes.arrayHeader + uint64(o.n)*r.sizes.reference)
		default:
			o.size = known[o.kind]
		}
	}
}

// androidSize returns the bytes of an object as the Android Runtime has it in memory. What was
// folded into it is in its size.
func (r *reader) androidSize(o *object) uint64 {
	k := &r.kinds[o.kind]
	switch {
	case o.kind == kindClass:
		return align(r.classes[o.id].staticSize(4) + o.size)
	case o.kind < firstKind:
		n := uint64(format.BasicType(o.kind).Size(4))
		return align(alignTo(androidElement, n) + uint64(o.n)*n)
	case k.array:
		return align(androidElement + uint64(o.n)*4)
	case k.name == stringClass && o.size > 0:
		return align(stringData + o.size)
	case k.class == nil || k.class.instance == 0:
		return align(androidHeader + uint64(o.n))
	}
	return align(uint64(k.class.instance))
}

// gap returns the bytes from an object to the next one, of which it can have no more.
func (r *reader) gap(i int) (uint64, bool) {
	if i+1 >= len(r.objects) {
		return 0, false
	}
	return r.objects[i+1].id - r.objects[i].id, true
}

// inferLayout finds out how large references and headers are: as large as all arrays have
// room for. Identifiers of HotSpot are addresses.
func (r *reader) inferLayout() {
	s := &r.sizes
	*s = sizes{reference: uint64(r.idSize), arrayHeader: 24, header: 16}
	if r.idSize == 4 {
		s.arrayHeader, s.header = 12, 8
	}
	for i := range r.objects {
		o := &r.objects[i]
		if g, ok := r.gap(i); ok && r.kinds[o.kind].array && g < 12+uint64(o.n)*s.reference {
			s.reference = 4
			break
		}
	}
	// Arrays of bytes show it best: there is one for each length.
	for i := range r.objects {
		o := &r.objects[i]
		g, ok := r.gap(i)
		if !ok || o.kind >= firstKind || o.kind == kindClass {
			continue
		}
		n := uint64(o.n) * uint64(format.BasicType(o.kind).Size(8))
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
	for i := range r.objects {
		o := &r.objects[i]
		if g, ok := r.gap(i); ok && o.kind >= firstKind && (least[o.kind] == 0 || g < least[o.kind]) {
			least[o.kind] = g
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
func (r *reader) mirrorSize(i int) uint64 {
	o := &r.objects[i]
	want := r.sizes.header
	r.meta.chain(func(f *field, _ uint32) bool { want += uint64(r.sizeIn(f.typ)); return want < 1<<24 })
	want = align(want + r.classes[o.id].staticSize(r.sizes.reference))
	if g, ok := r.gap(i); ok && g >= want && g <= want+maxInjected {
		return g
	}
	return want
}

// maxInjected bounds what HotSpot adds to a java.lang.Class.
const maxInjected = 64
