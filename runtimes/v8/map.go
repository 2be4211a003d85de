package v8

// A property is a named property of an object.
type property struct {
	key   Tagged
	value Tagged // for accessors the AccessorPair or AccessorInfo
	// double is set if the value is an unboxed number in the object.
	dontEnum bool
}

// Limits for objects of a core, which may lie about their sizes.
const (
	maxProperties = 1 << 16
	maxPrototypes = 64
)

// properties calls yield for each own named property of the receiver o, fast
// or in dictionary mode, until it returns false. Elements are not among them.
func (v *V8) properties(o Tagged, yield func(property) bool) {
	m, ok := v.mapOf(o)
	if !ok || !v.isReceiver(o) {
		return
	}
	bits, ok := v.u32Field(m, v.layout.Map.BitField3)
	if !ok {
		return
	}
	if bits>>uint(v.layout.Map.DictionaryShift)&1 == 1 {
		v.dictionaryProperties(o, yield)
		return
	}
	v.fastProperties(o, m, bits, yield)
}

func (v *V8) fastProperties(o, m Tagged, bits uint32, yield func(property) bool) {
	l, d := &v.layout.Map, &v.layout.DescriptorArray
	n := int(bits) & l.OwnDescriptorMask >> uint(l.OwnDescriptorShift)
	descriptors, ok := v.field(m, l.Descriptors)
	if !ok {
		return
	}
	var shape [2]byte
	if !v.bytes(shape[:], m.Addr().Add(int64(l.InstanceSize))) {
		return
	}
	size, start := int(shape[0]), int(shape[1])
	for i := range n {
		at := d.Header + 8*d.EntryWords*i
		key, ok1 := v.field(descriptors, at+8*d.Key)
		details, ok2 := v.smiField(descriptors, at+8*d.Details)
		value, ok3 := v.field(descriptors, at+8*d.Value)
		if !ok1 || !ok2 || !ok3 {
			return
		}
		p := property{key: key, value: value, dontEnum: details&d.AttributesMask>>uint(d.AttributesShift)&d.DontEnum != 0}
		if details&d.LocationMask>>uint(d.LocationShift) == d.LocationField {
			index := details & d.IndexMask >> uint(d.IndexShift)
			if p.value, ok = v.fieldValue(o, index, start, size-start); !ok {
				continue
			}
		}
		if !yield(p) {
			return
		}
	}
}

// fieldValue reads the property field with the given index: in the object
// itself, which has room for inObject of them from the word start on, or in
// its PropertyArray.
func (v *V8) fieldValue(o Tagged, index, start, inObject int) (Tagged, bool) {
	if index < inObject {
		return v.field(o, 8*(start+index))
	}
	store, ok := v.field(o, v.layout.JSReceiver.Properties)
	if !ok {
		return 0, false
	}
	return v.field(store, v.layout.FixedArray.Data+8*(index-inObject))
}

// dictionaryProperties reads a NameDictionary; objects/dictionary.h,
// objects/hash-table.h: element 2 is the capacity, the prefix follows.
func (v *V8) dictionaryProperties(o Tagged, yield func(property) bool) {
	d := &v.layout.DescriptorArray
	dict, ok := v.field(o, v.layout.JSReceiver.Properties)
	if !ok {
		return
	}
	data := v.layout.FixedArray.Data
	capacity, ok := v.smiField(dict, data+8*2)
	if !ok || capacity < 0 || capacity > maxProperties {
		return
	}
	for i := range capacity {
		at := data + 8*(3+d.DictionaryPrefix+i*d.DictionaryEntry)
		key, ok1 := v.field(dict, at)
		value, ok2 := v.field(dict, at+8)
		details, ok3 := v.smiField(dict, at+16)
		if !ok1 || !ok2 {
			return
		}
		if !ok3 || key.IsSmi() {
			continue
		}
		// PropertyDetails: kind, constness and attributes stand as in a
		// descriptor.
		p := property{key: key, value: value, dontEnum: details&d.AttributesMask>>uint(d.AttributesShift)&d.DontEnum != 0}
		if !yield(p) {
			return
		}
	}
}

// nameIs reports whether the property key is the string name.
func (v *V8) nameIs(key Tagged, name string) bool {
	n, ok := v.u32Field(key, v.layout.String.Length)
	if !ok || int(n) != len(name) || !v.IsString(key) {
		return false
	}
	s, err := v.String(key, len(name))
	return err == nil && s == name
}

// ownProperty finds an own property by its name.
func (v *V8) ownProperty(o Tagged, name string) (found property, ok bool) {
	v.properties(o, func(p property) bool {
		if v.nameIs(p.key, name) {
			found, ok = p, true
		}
		return !ok
	})
	return found, ok
}

// toStringTag finds the own data property Symbol.toStringTag.
func (v *V8) toStringTag(o Tagged) (string, bool) {
	var text string
	var ok bool
	v.properties(o, func(p property) bool {
		if v.is(p.key, v.types.symbol) && v.IsString(p.value) {
			if d, found := v.field(p.key, 16); found && v.nameIs(d, "Symbol.toStringTag") {
				text, ok = v.text(p.value), true
			}
		}
		return !ok
	})
	return text, ok
}

// prototypes calls yield for o and each object on its prototype chain.
func (v *V8) prototypes(o Tagged, yield func(Tagged) bool) {
	for range maxPrototypes {
		if !v.isReceiver(o) || !yield(o) {
			return
		}
		m, ok := v.mapOf(o)
		if !ok {
			return
		}
		if o, ok = v.field(m, v.layout.Map.Prototype); !ok {
			return
		}
	}
}

// constructorOf follows the back pointers of o's map to the constructor.
func (v *V8) constructorOf(o Tagged) (Tagged, bool) {
	m, ok := v.mapOf(o)
	if !ok {
		return 0, false
	}
	return v.mapConstructor(m)
}

// mapConstructor is constructorOf for objects with the map m.
func (v *V8) mapConstructor(m Tagged) (Tagged, bool) {
	c, ok := m, true
	for range maxProperties {
		if !ok || !v.isMap(c) {
			return c, ok
		}
		c, ok = v.field(c, v.layout.Map.Constructor)
	}
	return 0, false
}

// prototypeOf returns the prototype of o, 0 if it has none.
func (v *V8) prototypeOf(o Tagged) Tagged {
	m, ok := v.mapOf(o)
	if !ok {
		return 0
	}
	p, ok := v.field(m, v.layout.Map.Prototype)
	if !ok || !v.isReceiver(p) {
		return 0
	}
	return p
}
