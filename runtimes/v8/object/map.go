package object

import "coredbg/runtimes/v8/layout"

// A RawProperty is a named property of an object.
type RawProperty struct {
	Key      layout.Tagged
	Value    layout.Tagged // for accessors the AccessorPair or AccessorInfo
	DontEnum bool          // the property is not enumerable
}

// Limits for objects of a core, which may lie about their sizes.
const (
	maxProperties = 1 << 16
	MaxPrototypes = 64
)

// EachProperty calls yield for each own named property of the receiver o, fast
// or in dictionary mode, until it returns false. Elements are not among them.
func (r *MapReader) EachProperty(o layout.Tagged, yield func(RawProperty) bool) {
	m, ok := r.MapOf(o)
	if !ok || !r.IsReceiver(o) {
		return
	}
	bits, ok := r.U32Field(m, r.Layout.Map.BitField3)
	if !ok {
		return
	}
	if typ, _ := r.MapInstanceType(m); typ == r.Types.JSGlobalObject {
		list, _ := r.globalProperties(o)
		for i := range list {
			if !yield(RawProperty{Key: list[i].Word, Value: list[i].Value.Word, DontEnum: !list[i].Enumerable}) {
				return
			}
		}
		return
	}
	if bits>>uint(r.Layout.Map.DictionaryShift)&1 == 1 {
		r.dictionaryProperties(o, yield)
		return
	}
	r.fastProperties(o, m, bits, yield)
}

func (r *MapReader) fastProperties(o, m layout.Tagged, bits uint32, yield func(RawProperty) bool) {
	l, d := &r.Layout.Map, &r.Layout.DescriptorArray
	n := int(bits) & l.OwnDescriptorMask >> uint(l.OwnDescriptorShift)
	descriptors, ok := r.Field(m, l.Descriptors)
	if !ok {
		return
	}
	var shape [2]byte
	if !r.Bytes(shape[:], m.Addr().Add(int64(l.InstanceSize))) {
		return
	}
	size, start := int(shape[0]), int(shape[1])
	for i := range n {
		at := d.Header + r.Slots(d.EntryWords*i)
		key, ok1 := r.Field(descriptors, at+r.Slots(d.Key))
		details, ok2 := r.SmiField(descriptors, at+r.Slots(d.Details))
		value, ok3 := r.Field(descriptors, at+r.Slots(d.Value))
		if !ok1 || !ok2 || !ok3 {
			return
		}
		p := RawProperty{Key: key, Value: value,
			DontEnum: details&d.AttributesMask>>uint(d.AttributesShift)&d.DontEnum != 0}
		if details&d.LocationMask>>uint(d.LocationShift) == d.LocationField {
			index := r.fieldIndex(details, start, size-start)
			if p.Value, ok = r.fieldValue(o, index, start, size-start); !ok {
				continue
			}
		}
		if !yield(p) {
			return
		}
	}
}

// fieldIndex returns the index of the field that details describe. Fields in the object are counted first: it
// has room for inObject fields from the word start on.
func (r *MapReader) fieldIndex(details, start, inObject int) int {
	d := &r.Layout.DescriptorArray
	n := details & d.IndexMask >> uint(d.IndexShift)
	switch {
	case d.InObjectShift == layout.Unknown:
		return n
	case details>>uint(d.InObjectShift)&1 == 1:
		return n - start
	}
	const header = 2 // words of a PropertyArray
	return inObject + n - header
}

// fieldValue reads the property field with the given index: in the object
// itself, which has room for inObject of them from the word start on, or in
// its PropertyArray.
func (r *MapReader) fieldValue(o layout.Tagged, index, start, inObject int) (layout.Tagged, bool) {
	if index < inObject {
		return r.Field(o, r.Slots(start+index))
	}
	store, ok := r.Field(o, r.Layout.JSReceiver.Properties)
	if !ok {
		return 0, false
	}
	return r.Field(store, r.Layout.FixedArray.Data+r.Slots(index-inObject))
}

// dictionaryProperties reads a NameDictionary of either kind.
func (r *MapReader) dictionaryProperties(o layout.Tagged, yield func(RawProperty) bool) {
	dict, ok := r.Field(o, r.Layout.JSReceiver.Properties)
	if !ok || !dict.IsHeap() {
		return
	}
	d := &r.Layout.DescriptorArray
	if r.TypeNamed(dict, "SWISS_NAME_DICTIONARY") {
		list, _ := r.swissEntries(dict)
		for _, p := range list {
			if !yield(RawProperty{Key: p.Word, Value: p.Value.Word, DontEnum: !p.Enumerable}) {
				return
			}
		}
		return
	}
	t, err := r.hashTable(dict, d.DictionaryPrefix, d.DictionaryEntry)
	if err != nil {
		return
	}
	for i := range t.capacity {
		key, ok := r.tableKey(t, i)
		if !ok || !key.IsHeap() {
			continue
		}
		at := t.first + i*t.entry
		value, ok1 := r.WordAt(dict, at+1)
		details, ok2 := r.WordAt(dict, at+2)
		if !ok1 || !ok2 {
			return
		}
		if !details.IsSmi() {
			continue
		}
		// PropertyDetails: kind, constness and attributes are as in a
		// descriptor.
		p := RawProperty{Key: key, Value: value,
			DontEnum: int(details.Smi())&d.AttributesMask>>uint(d.AttributesShift)&d.DontEnum != 0}
		if !yield(p) {
			return
		}
	}
}

// NameIs reports whether the property key is the string name.
func (r *MapReader) NameIs(key layout.Tagged, name string) bool {
	n, ok := r.U32Field(key, r.Layout.String.Length)
	if !ok || int(n) != len(name) || !r.IsString(key) {
		return false
	}
	s, err := r.String(key, len(name))
	return err == nil && s == name
}

// OwnProperty finds an own property by its name.
func (r *MapReader) OwnProperty(o layout.Tagged, name string) (found RawProperty, ok bool) {
	r.EachProperty(o, func(p RawProperty) bool {
		if r.NameIs(p.Key, name) {
			found, ok = p, true
		}
		return !ok
	})
	return found, ok
}

// Lookup finds a property on the prototype chain of o.
func (r *MapReader) Lookup(o layout.Tagged, name string) (found RawProperty, ok bool) {
	r.Prototypes(o, func(p layout.Tagged) bool {
		found, ok = r.OwnProperty(p, name)
		return !ok
	})
	return found, ok
}

// toStringTag finds the own data property Symbol.toStringTag.
func (r *MapReader) toStringTag(o layout.Tagged) (string, bool) {
	var text string
	var ok bool
	r.EachProperty(o, func(p RawProperty) bool {
		if r.Is(p.Key, r.Types.Symbol) && r.IsString(p.Value) {
			if d, found := r.Field(p.Key, r.Layout.Symbol.Description); found && r.NameIs(d, "Symbol.toStringTag") {
				text, ok = r.Text(p.Value), true
			}
		}
		return !ok
	})
	return text, ok
}

// Prototypes calls yield for o and each object on its prototype chain.
func (r *MapReader) Prototypes(o layout.Tagged, yield func(layout.Tagged) bool) {
	for range MaxPrototypes {
		if !r.IsReceiver(o) || !yield(o) {
			return
		}
		m, ok := r.MapOf(o)
		if !ok {
			return
		}
		if o, ok = r.Field(m, r.Layout.Map.Prototype); !ok {
			return
		}
	}
}

// constructorOf follows the back pointers of o's map to the constructor.
func (r *MapReader) constructorOf(o layout.Tagged) (layout.Tagged, bool) {
	m, ok := r.MapOf(o)
	if !ok {
		return 0, false
	}
	return r.mapConstructor(m)
}

// mapConstructor is constructorOf for objects with the map m.
func (r *MapReader) mapConstructor(m layout.Tagged) (layout.Tagged, bool) {
	c, ok := m, true
	for range maxProperties {
		if !ok || !r.IsMap(c) {
			return c, ok
		}
		c, ok = r.Field(c, r.Layout.Map.Constructor)
	}
	return 0, false
}

// PrototypeOf returns the prototype of o, or 0 if it is null.
func (r *MapReader) PrototypeOf(o layout.Tagged) layout.Tagged {
	m, ok := r.MapOf(o)
	if !ok {
		return 0
	}
	p, ok := r.Field(m, r.Layout.Map.Prototype)
	if !ok || !r.IsReceiver(p) {
		return 0
	}
	return p
}
