package object

import "coredbg/runtimes/v8/layout"

// A FieldPlace is where the objects of a map have a property.
type FieldPlace struct {
	Name string
	// Offset is that of the word in the object, in bytes; 0 if the property is in the
	// PropertyArray, as its element Index.
	Offset, Index int
}

// FieldPlaces returns where o has the properties that descriptors describe, of all
// objects with its map; none for an object in dictionary mode.
func (r *Shapes) FieldPlaces(o layout.Tagged) []FieldPlace {
	s, err := r.Shape(o)
	if err != nil || s.dictionary || !r.TypeNamed(s.descriptors, "DESCRIPTOR_ARRAY") {
		return nil
	}
	d := &r.Layout.DescriptorArray
	total, _ := r.U16(s.descriptors.Addr() + 8)
	var out []FieldPlace
	for i := range min(s.own, int(total)) {
		at := d.Header + 8*d.EntryWords*i
		key, ok1 := r.Field(s.descriptors, at+8*d.Key)
		details, ok2 := r.SmiField(s.descriptors, at+8*d.Details)
		if !ok1 || !ok2 || details&d.LocationMask>>uint(d.LocationShift) != d.LocationField {
			continue
		}
		p := FieldPlace{Index: details&d.IndexMask>>uint(d.IndexShift) - (s.size - s.start)}
		if p.Index < 0 {
			p.Offset = 8 * (s.size + p.Index)
		}
		k := Key{Word: key}
		r.NameKey(&k)
		if p.Name = k.Name; k.Symbol && !k.Private {
			p.Name = "<symbol " + k.Name + ">"
		}
		out = append(out, p)
	}
	return out
}

// Dictionary reports whether o has its properties in a dictionary.
func (r *Shapes) Dictionary(o layout.Tagged) bool {
	s, err := r.Shape(o)
	return err == nil && s.dictionary
}
