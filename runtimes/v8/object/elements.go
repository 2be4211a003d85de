package object

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// elements is the store of an object's indexed properties; objects/elements-kind.h.
type elements struct {
	store  layout.Tagged
	Length uint64 // of a JSArray; for other objects the room in the store
	array  bool   // length is the JSArray's
	form   elementsForm
}

type elementsForm uint8

const (
	noElements elementsForm = iota
	taggedElements
	doubleElements
	dictionaryElements
	mappedArguments   // fast, some entries live in a context
	mappedSlowSlots   // mappedArguments over a dictionary
	stringElements    // of a wrapped string, after its characters
	slowStringElement // stringElements in a dictionary
)

// holeNaN marks a hole in a FixedDoubleArray; common/globals.h: kHoleNanInt64.
const holeNaN = 0xfff7_ffff_fff7_ffff

// ElementsOf finds the elements of the receiver o. Typed arrays keep theirs in an ArrayBuffer, so it returns an
// empty store for them.
func (r *Members) ElementsOf(o layout.Tagged, s *Shape) (elements, error) {
	k := &r.Layout.ElementsKind
	e := elements{}
	switch d := s.Elements - k.Dictionary; {
	case s.Elements == k.FirstDouble, s.Elements == k.FirstDouble+1:
		e.form = doubleElements
	case d < 0:
		e.form = taggedElements
	case d == 0:
		e.form = dictionaryElements
	case d == 1:
		e.form = mappedArguments
	case d == 2:
		e.form = mappedSlowSlots
	case d == 3:
		e.form = stringElements
	case d == 4:
		e.form = slowStringElement
	default:
		return e, nil
	}
	var ok bool
	if e.store, ok = r.Field(o, r.Layout.JSObject.Elements); !ok {
		return elements{}, r.Fault(o, r.Layout.JSObject.Elements)
	}
	if !e.store.IsHeap() {
		return elements{}, fmt.Errorf("corrupt: its elements are a number")
	}
	n, ok := r.FixedLength(e.store)
	if !ok {
		return elements{}, fmt.Errorf("corrupt: its elements have no length")
	}
	e.Length = uint64(n)
	// The empty FixedArray stands in for an empty FixedDoubleArray.
	if s.typ == r.TypeNumber("JS_ARRAY_TYPE") {
		e.array = true
		f, ok := r.SlotNumber(o, r.Layout.JSArray.Length)
		if !ok || f < 0 || f >= 1<<32 || f != math.Trunc(f) {
			return elements{}, fmt.Errorf("corrupt: array without a length")
		}
		e.Length = uint64(f)
	}
	return e, nil
}

// SlotNumber reads a field that holds a Smi or HeapNumber.
func (r *Members) SlotNumber(o layout.Tagged, off int) (float64, bool) {
	t, ok := r.Field(o, off)
	if !ok {
		return 0, false
	}
	return r.Number(t)
}

// EachElement calls yield for each element that is there, by index, until it
// returns false. Holes are left out. The error says why some could not be
// read.
func (r *Members) EachElement(e elements, yield func(index uint64, p Property) bool) error {
	switch e.form {
	case taggedElements, stringElements:
		return r.eachTagged(e.store, e.Length, yield)
	case doubleElements:
		return r.eachDouble(e, yield)
	case dictionaryElements, slowStringElement:
		return r.eachNumbered(e.store, yield)
	case mappedArguments, mappedSlowSlots:
		return r.eachArgument(e, yield)
	}
	return nil
}

func (r *Members) eachTagged(store layout.Tagged, length uint64, yield func(uint64, Property) bool) error {
	room, ok := r.FixedLength(store)
	if !ok {
		return fmt.Errorf("corrupt: elements %v have no length", core.Addr(store))
	}
	for i := range min(length, uint64(room)) {
		w, ok := r.WordAt(store, int(i))
		if !ok {
			return r.Fault(store, r.Layout.FixedArray.Data+r.Slots(int(i)))
		}
		if w.IsHeap() && r.IsHole(w) {
			continue
		}
		if !yield(i, Property{Value: Slot{Word: w}, Enumerable: true}) {
			return nil
		}
	}
	return nil
}

// doublesAt is where the elements of a FixedDoubleArray begin, in bytes: they are aligned
// to their size where tagged fields are shorter (objects/fixed-array.h).
func (r *Members) doublesAt() int { return (r.Layout.FixedArray.Data + 7) &^ 7 }

func (r *Members) eachDouble(e elements, yield func(uint64, Property) bool) error {
	room, ok := r.FixedLength(e.store)
	if !ok {
		return fmt.Errorf("corrupt: elements %v have no length", core.Addr(e.store))
	}
	for i := range min(e.Length, uint64(room)) {
		at := r.doublesAt() + 8*int(i)
		w, ok := r.Word(e.store.Addr().Add(int64(at)))
		if !ok {
			return r.Fault(e.store, at)
		}
		if w == holeNaN {
			continue
		}
		if !yield(i, Property{Value: RawSlot(math.Float64frombits(w)), Enumerable: true}) {
			return nil
		}
	}
	return nil
}

// eachNumbered reads a NumberDictionary in order of index.
func (r *Members) eachNumbered(dict layout.Tagged, yield func(uint64, Property) bool) error {
	d := &r.Layout.NumberDictionary
	t, err := r.hashTable(dict, d.Prefix, d.Entry)
	if err != nil {
		return err
	}
	type entry struct {
		index uint64
		p     Property
	}
	var list []entry
	for i := range t.capacity {
		key, ok := r.tableKey(t, i)
		if !ok {
			continue
		}
		f, ok := r.Number(key)
		if !ok || f < 0 || f >= 1<<32 {
			continue
		}
		at := t.first + i*t.entry
		value, ok1 := r.WordAt(dict, at+1)
		details, ok2 := r.WordAt(dict, at+2)
		if !ok1 || !ok2 {
			return r.Fault(dict, r.Layout.FixedArray.Data+r.Slots(at+1))
		}
		p := Property{Value: Slot{Word: value}, Place: "dictionary"}
		r.describe(&p, int(details.Smi()))
		list = append(list, entry{uint64(f), p})
	}
	slices.SortFunc(list, func(a, b entry) int { return cmp.Compare(a.index, b.index) })
	for _, e := range list {
		if !yield(e.index, e.p) {
			return nil
		}
	}
	return nil
}

// eachArgument reads SloppyArgumentsElements: entries that are not the hole name
// the context slot that the parameter lives in; the others are in a second
// store (objects/arguments.h).
func (r *Members) eachArgument(e elements, yield func(uint64, Property) bool) error {
	l := &r.Layout.SloppyArguments
	context, ok1 := r.Field(e.store, l.Context)
	store, ok2 := r.Field(e.store, l.Arguments)
	if !ok1 || !ok2 || !store.IsHeap() {
		return fmt.Errorf("corrupt: arguments without a store")
	}
	mapped := map[uint64]Slot{}
	header := l.Header
	if !r.TypeNamed(e.store, "SLOPPY_ARGUMENTS") {
		header = 2
	}
	for i := range max(int(e.Length)-header, 0) {
		w, ok := r.Field(e.store, l.Mapped+r.Slots(i))
		if !ok {
			return r.Fault(e.store, l.Mapped+r.Slots(i))
		}
		if !w.IsSmi() {
			continue
		}
		if slot, err := r.ContextSlot(context, int(w.Smi())); err == nil {
			mapped[uint64(i)] = slot
		}
	}
	found := map[uint64]Property{}
	collect := func(i uint64, p Property) bool {
		if w, ok := r.Field(p.Value.Word, r.Slots(1)); ok && w.IsSmi() &&
			r.TypeNamed(p.Value.Word, "ALIASED_ARGUMENTS_ENTRY") {
			p.Value, _ = r.ContextSlot(context, int(w.Smi()))
		}
		found[i] = p
		return len(found) < MaxDictionary
	}
	var err error
	if e.form == mappedSlowSlots {
		err = r.eachNumbered(store, collect)
	} else {
		err = r.eachTagged(store, MaxFixedArray, collect)
	}
	// A mapped entry is a hole in the second store.
	for i, slot := range mapped {
		found[i] = Property{Value: slot, Enumerable: true}
	}
	for _, i := range slices.Sorted(maps.Keys(found)) {
		if !yield(i, found[i]) {
			return nil
		}
	}
	return err
}

// Elements calls yield for each existing element of the object o, by index, until it returns false. The
// elements of an ordinary object are its indexed properties; arrays and typed arrays work too. Accessors are
// left out.
func (r *Members) Elements(o layout.Tagged, yield func(index uint64, s Slot) bool) error {
	if w, err := r.View(o); err == nil && w.ElementType != "" {
		for i := range w.Length / uint64(max(ElementSizes[w.ElementType], 1)) {
			s, ok := r.typedSlot(w, i)
			if !ok {
				return fmt.Errorf("v8: element %d of %v cannot be read", i, core.Addr(o))
			}
			if !yield(i, s) {
				return nil
			}
		}
		return nil
	}
	s, err := r.Shape(o)
	if err == nil && s.typ < r.Types.FirstReceiver {
		err = fmt.Errorf("no object of JavaScript")
	}
	if err != nil {
		return fmt.Errorf("v8: %v: %w", core.Addr(o), err)
	}
	e, err := r.ElementsOf(o, s)
	if err != nil {
		return fmt.Errorf("v8: %v: %w", core.Addr(o), err)
	}
	return r.EachElement(e, func(i uint64, p Property) bool { return p.Accessor || yield(i, p.Value) })
}
