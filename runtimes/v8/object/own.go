package object

import (
	"errors"
	"math"
	"strconv"

	"coredbg/runtimes/v8/layout"
)

// ErrNoProperty says that a value has no own property of a name whose value can be had
// without running the program.
var ErrNoProperty = errors.New("v8: no such own property")

// Own returns an own property or element of a value by its name, as Key.String writes it. Accessors do not run,
// so their values are missing, except for the lengths of arrays and strings, and the sizes of Maps and Sets. A
// proxy stands for its target.
func (r *Members) Own(s Slot, name string) (Slot, error) {
	if s.Raw || !s.Word.IsHeap() {
		return Slot{}, ErrNoProperty
	}
	if r.IsString(s.Word) {
		if n, ok := r.U32Field(s.Word, r.Layout.String.Length); ok && name == "length" {
			return RawSlot(float64(n)), nil
		}
		return Slot{}, ErrNoProperty
	}
	if !r.IsReceiver(s.Word) {
		return Slot{}, ErrNoProperty
	}
	o := r.throughProxies(s.Word)
	if i, err := strconv.ParseUint(name, 10, 32); err == nil && i < math.MaxUint32 &&
		strconv.FormatUint(i, 10) == name {
		if found, ok := r.ElementAt(o, i); ok {
			return found, nil
		}
		return Slot{}, ErrNoProperty
	}
	shape, err := r.Shape(o)
	if err != nil {
		return Slot{}, err
	}
	p, err := r.ownNamed(o, shape, name)
	switch {
	case err != nil:
		return Slot{}, err
	case p == nil:
		return r.sizeOf(o, shape, name)
	case p.Accessor:
		return Slot{}, ErrNoProperty
	case p.Native:
		if v, err := r.nativeSlot(o, p); err == nil {
			return v, nil
		}
		return Slot{}, ErrNoProperty
	case p.Value.Word.IsHeap() && !p.Value.Raw && r.IsHole(p.Value.Word):
		return Slot{}, ErrNoProperty // of an object that was just being made
	}
	return p.Value, nil
}

// sizeOf is the length of a typed array or the size of a Map or Set, which accessors of
// their prototypes compute.
func (r *Members) sizeOf(o layout.Tagged, s *Shape, name string) (Slot, error) {
	switch name {
	case "length":
		if w, err := r.View(o); err == nil && w.ElementType != "" {
			return RawSlot(float64(w.Length / uint64(max(ElementSizes[w.ElementType], 1)))), nil
		}
	case "byteLength":
		if b, err := r.ArrayBuffer(o); err == nil {
			return RawSlot(float64(b.Length)), nil
		}
	case "size":
		if k := r.KindOf(o, s); k != KindMap && k != KindSet {
			break
		}
		if t, ok := r.Field(o, r.Layout.JSCollection.Table); ok {
			if n, ok := r.WordAt(t, 0); ok && n.IsSmi() {
				return Slot{Word: n}, nil
			}
		}
	}
	return Slot{}, ErrNoProperty
}

// HasOwn reports whether o has an own named property, of whichever kind.
func (r *MapReader) HasOwn(o layout.Tagged, name string) bool {
	s, err := r.Shape(o)
	if err != nil {
		return false
	}
	p, _ := r.ownNamed(o, s, name)
	return p != nil
}

// ownNamed finds an own named property; nil if there is none.
func (r *MapReader) ownNamed(o layout.Tagged, s *Shape, name string) (*Property, error) {
	switch {
	case s.typ == r.Types.JSGlobalObject:
		list, err := r.globalProperties(o)
		for i := range list {
			if r.NameKey(&list[i].Key) && list[i].Key.String() == name {
				return &list[i], nil
			}
		}
		return nil, err
	case s.dictionary:
		return r.inDictionary(o, name), nil
	}
	i := r.descriptorOf(s, name)
	if i < 0 {
		return nil, nil
	}
	d := &r.Layout.DescriptorArray
	at := d.Header + r.Slots(d.EntryWords*i)
	details, ok1 := r.SmiField(s.descriptors, at+r.Slots(d.Details))
	value, ok2 := r.Field(s.descriptors, at+r.Slots(d.Value))
	if !ok1 || !ok2 {
		return nil, r.Fault(s.descriptors, at)
	}
	p := &Property{Key: Key{Name: name}, Value: Slot{Word: value}}
	p.Word, _ = r.Field(s.descriptors, at+r.Slots(d.Key))
	if details&d.LocationMask>>uint(d.LocationShift) == d.LocationField {
		if err := r.readField(o, s, details, p); err != nil {
			return nil, err
		}
	}
	r.describe(p, details)
	return p, nil
}

// inDictionary finds a property of an object in dictionary mode.
func (r *MapReader) inDictionary(o layout.Tagged, name string) (found *Property) {
	r.EachProperty(o, func(x RawProperty) bool {
		if !r.NameIs(x.Key, name) {
			k := Key{Word: x.Key}
			if r.IsString(x.Key) || !r.NameKey(&k) || k.String() != name {
				return true
			}
		}
		found = &Property{Key: Key{Word: x.Key, Name: name}, Value: Slot{Word: x.Value}}
		found.Accessor = r.Is(x.Value, r.Types.AccessorPair)
		found.Native = !found.Accessor && r.TypeNamed(x.Value, "ACCESSOR_INFO")
		return false
	})
	return found
}

// A descriptorKey is a name in the descriptors of a map.
type descriptorKey struct {
	descriptors layout.Tagged
	own         int
	name        string
}

// descriptorOf returns the number of a property's descriptor, or -1 if the shape has no property of that name.
// It caches its results.
func (r *MapReader) descriptorOf(s *Shape, name string) int {
	key := descriptorKey{s.descriptors, s.own, name}
	if i, ok := r.caches.named.Load(key); ok {
		return i.(int)
	}
	found := -1
	if r.TypeNamed(s.descriptors, "DESCRIPTOR_ARRAY") {
		d := &r.Layout.DescriptorArray
		total, _ := r.U16(s.descriptors.Addr().Add(int64(r.Slots(1))))
		for i := range min(s.own, int(total)) {
			k := Key{}
			var ok bool
			if k.Word, ok = r.Field(s.descriptors, d.Header+r.Slots(d.EntryWords*i+d.Key)); ok && r.NameKey(&k) &&
				k.String() == name {
				found = i
				break
			}
		}
	}
	r.caches.named.Store(key, found)
	return found
}
