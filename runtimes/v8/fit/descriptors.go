package fit

import "coredbg/runtimes/v8/layout"

// Where the details of a descriptor have the field's offset in words instead of its number,
// bit 30 says that the field is in the object itself (objects/property-details.h:
// OffsetInWordsField, InObjectField); it is zero in all details before.
const (
	fieldOffsetMask  = 0x7ff << 19
	fieldNumberMask  = 0x3ff << 19
	fieldShift       = 19
	fieldInObject    = 30
	leastFieldsShown = 8
)

// probeFieldIndex corrects what the index in the details of fields is, by the fields of
// objects.
func (v *Candidate) probeFieldIndex() {
	d := &v.Layout.DescriptorArray
	lost, inObject := 0, 0
	for _, o := range v.shapes(v.Types.JSObject) {
		m, ok := v.MapOf(o)
		if !ok {
			continue
		}
		bits, ok1 := v.U32Field(m, v.Layout.Map.BitField3)
		list, ok2 := v.Field(m, v.Layout.Map.Descriptors)
		n := int(bits) & v.Layout.Map.OwnDescriptorMask >> uint(v.Layout.Map.OwnDescriptorShift)
		if !ok1 || !ok2 || n == 0 || !v.hasDescriptors(list, d.Header, n) {
			continue
		}
		properties, _ := v.Field(o, v.Layout.JSReceiver.Properties)
		for i := range n {
			w, ok := v.SmiField(list, d.Header+v.Slots(d.EntryWords*i+d.Details))
			if !ok || w&d.LocationMask>>uint(d.LocationShift) != d.LocationField {
				continue
			}
			if inObject += w >> fieldInObject & 1; !v.TypeNamed(properties, "PROPERTY_ARRAY") {
				lost += ^w >> fieldInObject & 1 // by that bit it is outside, where the object has nothing
			}
		}
	}
	switch {
	case inObject > 0 && d.InObjectShift == layout.Unknown:
		v.Layout.Probed("DescriptorArray", "IndexMask", fieldOffsetMask)
		v.Layout.Probed("DescriptorArray", "IndexShift", fieldShift)
		v.Layout.Probed("DescriptorArray", "InObjectShift", fieldInObject)
	case inObject == 0 && lost >= leastFieldsShown && d.InObjectShift != layout.Unknown:
		v.Layout.Probed("DescriptorArray", "IndexMask", fieldNumberMask)
		v.Layout.Probed("DescriptorArray", "IndexShift", fieldShift)
		v.Layout.Probed("DescriptorArray", "InObjectShift", layout.Unknown)
	}
}

// probeDescriptors corrects where the entries of descriptor arrays begin: a name and the
// details, a Smi, of each property of the functions that are on a stack.
func (v *Candidate) probeDescriptors() {
	l, d := v.Layout, &v.Layout.DescriptorArray
	if d.Header == layout.Unknown {
		return
	}
	votes := map[int]int{}
	best := d.Header
	for _, fn := range v.sampleFunctions() {
		m, ok := v.MapOf(fn)
		bits, ok1 := v.U32Field(m, l.Map.BitField3)
		list, ok2 := v.Field(m, l.Map.Descriptors)
		n := int(bits) & l.Map.OwnDescriptorMask >> uint(l.Map.OwnDescriptorShift)
		if !ok || !ok1 || !ok2 || n < 2 {
			continue
		}
		for header := v.Slots(1); header <= v.Slots(maxDescriptorHeader); header += v.SlotSize() {
			if v.hasDescriptors(list, header, n) {
				votes[header]++
			}
		}
	}
	for header, n := range votes {
		if n > votes[best] {
			best = header
		}
	}
	if best != d.Header {
		v.Layout.Probed("DescriptorArray", "Header", best)
	}
}

// maxDescriptorHeader is more than the tagged fields before the entries.
const maxDescriptorHeader = 6

// hasDescriptors reports whether n entries of list begin at header.
func (v *Candidate) hasDescriptors(list layout.Tagged, header, n int) bool {
	d := &v.Layout.DescriptorArray
	for i := range n {
		at := header + v.Slots(d.EntryWords*i)
		key, ok := v.Field(list, at+v.Slots(d.Key))
		_, ok1 := v.SmiField(list, at+v.Slots(d.Details))
		if !ok || !ok1 || !v.Objects.IsString(key) && !v.Is(key, v.Types.Symbol) {
			return false
		}
	}
	return true
}
