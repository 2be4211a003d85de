package object

import "coredbg/runtimes/v8/layout"

// A FieldPlace is where the objects of a map have a property.
type FieldPlace struct {
	Name string
	// Offset is the word's offset in the object, in bytes. It is 0 if the property is in the PropertyArray, as
	// its element Index, or in the descriptor, as Constant.
	Offset, Index int
	Constant      layout.Tagged
	// Accessor is set if what is there is an AccessorPair, or computed by V8.
	Accessor bool
}

// FieldPlaces returns where o has the properties that descriptors describe, of all
// objects with its map; none for an object in dictionary mode.
func (r *MapReader) FieldPlaces(o layout.Tagged) []FieldPlace {
	s, err := r.Shape(o)
	if err != nil || s.dictionary || !r.TypeNamed(s.descriptors, "DESCRIPTOR_ARRAY") {
		return nil
	}
	d := &r.Layout.DescriptorArray
	total, _ := r.U16(s.descriptors.Addr().Add(int64(r.Slots(1))))
	var out []FieldPlace
	for i := range min(s.own, int(total)) {
		at := d.Header + r.Slots(d.EntryWords*i)
		key, ok1 := r.Field(s.descriptors, at+r.Slots(d.Key))
		details, ok2 := r.SmiField(s.descriptors, at+r.Slots(d.Details))
		if !ok1 || !ok2 {
			continue
		}
		p := FieldPlace{Name: r.keyName(key),
			Accessor: details&r.Layout.PropertyDetails.KindMask == r.Layout.PropertyDetails.KindAccessor}
		if details&d.LocationMask>>uint(d.LocationShift) == d.LocationField {
			p.Index = r.fieldIndex(details, s.start, s.size-s.start) - (s.size - s.start)
			if p.Index < 0 {
				p.Offset = r.Slots(s.size + p.Index)
			}
		} else if p.Constant, _ = r.Field(s.descriptors, at+r.Slots(d.Value)); !p.Constant.IsHeap() {
			continue
		}
		out = append(out, p)
	}
	return out
}

// keyName is the name of a key as V8's profiler has it: symbols with their description.
func (r *MapReader) keyName(key layout.Tagged) string {
	k := Key{Word: key}
	r.NameKey(&k)
	if k.Symbol && !k.Private {
		return "<symbol " + k.Name + ">"
	}
	return k.Name
}

// Entries calls visit for each property of an object that keeps them in a dictionary, including properties with
// V8's own symbols. value is the property's value, or an AccessorPair.
func (r *MapReader) Entries(o layout.Tagged, visit func(name string, accessor bool, value layout.Tagged)) {
	s, err := r.Shape(o)
	if err != nil {
		return
	}
	var list []Property
	if s.typ == r.Types.JSGlobalObject {
		list, _ = r.globalProperties(o)
	} else {
		list, _ = r.dictionaryEntries(o)
	}
	for _, p := range list {
		visit(r.keyName(p.Word), p.Accessor || p.Native, p.Value.Word)
	}
}

// Dictionary reports whether o has its properties in a dictionary.
func (r *MapReader) Dictionary(o layout.Tagged) bool {
	s, err := r.Shape(o)
	return err == nil && s.dictionary
}
