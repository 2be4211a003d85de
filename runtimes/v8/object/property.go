package object

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/text"
)

// A MapReader reads maps, the properties that they describe, collections and
// contexts.
type MapReader struct {
	text.Strings
	caches *caches
}

// caches keep what decoding objects asks for again and again.
type caches struct {
	shapes   sync.Map // Tagged of a map to *shape
	oddballs sync.Map // Tagged to Kind
	classes  sync.Map // Tagged of a map to class
	infos    atomic.Pointer[[]ClassInfo]
	builtins sync.Map // Tagged of a built-in constructor to whether a global names it
	errors   sync.Map // Tagged of a map to Kind, of errors that are not JSErrors
	named    sync.Map // descriptorKey to the number of a descriptor

	node    sync.Once
	version layout.Version // of Node

	inspect func() *utilInspect // once
}

// A utilInspect describes the process's own util.inspect.
type utilInspect struct {
	source   string          // of its script; "" if that is not in the core
	builtins map[string]bool // builtInObjects: the constructors that were there when Node started
}

// forget drops what was derived from the layout.
func (o *caches) forget() {
	o.shapes.Clear()
	o.classes.Clear()
	o.infos.Store(nil)
	o.builtins.Clear()
	o.errors.Clear()
	o.named.Clear()
}

// A Slot is what a field, an element or a context slot holds: a tagged word,
// or a number that is stored there untagged.
type Slot struct {
	Word   layout.Tagged
	Double float64
	Raw    bool // Double is meant
}

// RawSlot returns a slot that holds an untagged number.
func RawSlot(f float64) Slot { return Slot{Double: f, Raw: true} }

// A Key names a property.
type Key struct {
	Word   layout.Tagged // the string or symbol
	Name   string        // its characters; a symbol's description
	Symbol bool
	// Private is set for the names of private members (#x).
	Private bool
}

// String returns the key as JSON forms write it: "name", "[Symbol(d)]", "#x".
func (k Key) String() string {
	if k.Symbol && !k.Private {
		return "[Symbol(" + k.Name + ")]"
	}
	return k.Name
}

// A Property is an own named property of an object. It is data unless it has
// a Getter or a Setter.
type Property struct {
	Key
	Enumerable bool
	Value      Slot
	Accessor   bool
	// Getter and Setter are functions, or undefined or null if absent.
	Getter, Setter layout.Tagged
	// Native is set if V8 computes the value in C++ (AccessorInfo): the length
	// of an array, the name of a function.
	Native bool
	// Place says where the property was found, for -v listings: "in-object",
	// "out-of-object", "descriptor", "dictionary".
	Place string

	order int
}

// Limits for objects of a core, which may lie about their sizes.
const MaxDictionary = 1 << 22 // entries of one dictionary

// Properties returns the own named properties of the receiver o in the order of [[OwnPropertyKeys]]: strings in
// order of insertion, then symbols, then private names. It returns neither elements nor V8's own symbols. It
// stops after max properties; more is the number left out. If some properties cannot be read, it returns the
// others with an error.
func (r *MapReader) Properties(o layout.Tagged, max int) (list []Property, more int, err error) {
	s, err := r.Shape(o)
	if err != nil {
		return nil, 0, fmt.Errorf("v8: %v: %w", core.Addr(o), err)
	}
	if s.typ < r.Types.FirstReceiver || s.typ == r.Types.JSProxy {
		return nil, 0, nil
	}
	switch {
	case s.typ == r.Types.JSGlobalObject:
		list, err = r.globalProperties(o)
	case s.dictionary:
		list, err = r.dictionaryEntries(o)
	default:
		list, err = r.fieldProperties(o, s)
	}
	kept := list[:0]
	for _, p := range list {
		if r.NameKey(&p.Key) {
			kept = append(kept, p)
		}
	}
	rank := func(p Property) int {
		switch {
		case p.Private:
			return 2
		case p.Symbol:
			return 1
		}
		return 0
	}
	slices.SortStableFunc(kept, func(a, b Property) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.order, b.order))
	})
	if len(kept) > max {
		kept, more = kept[:max], len(kept)-max
	}
	if err != nil {
		err = fmt.Errorf("v8: %v: %w", core.Addr(o), err)
	}
	return kept, more, err
}

// Bits of a symbol's flags; objects/symbol.tq.
const (
	symbolPrivate     = 1 << 0
	symbolPrivateName = 1 << 4
	symbolBrand       = 1 << 5
	// symbolName14 marks private names since V8 14, where it is alone;
	// before it was a well-known symbol's.
	symbolName14 = 1 << 1
)

// NameKey reads the name of a key. It refuses what is not a name, and V8's own
// private symbols.
func (r *MapReader) NameKey(k *Key) bool {
	typ, ok := r.InstanceType(k.Word)
	if !ok {
		return false
	}
	if typ < r.Layout.String.FirstNonstringType {
		k.Name, _ = r.Characters(k.Word, text.MaxText)
		return true
	}
	if typ != r.Types.Symbol {
		return false
	}
	k.Symbol = true
	flags, ok := r.U32Field(k.Word, r.Layout.Symbol.Flags)
	if !ok {
		return false
	}
	k.Name = r.SymbolDescription(k.Word)
	switch {
	case flags&symbolPrivate == 0:
		k.Private = flags&symbolName14 != 0 && strings.HasPrefix(k.Name, "#")
	case flags&symbolPrivateName == 0 || flags&symbolBrand != 0:
		return false
	default:
		k.Private = true
	}
	return true
}

// SymbolDescription returns what a symbol was made with, "" if with nothing.
func (r *MapReader) SymbolDescription(o layout.Tagged) string {
	d, ok := r.Field(o, r.Layout.Symbol.Description)
	if !ok || !r.IsString(d) {
		return ""
	}
	text, _ := r.Characters(d, text.MaxText)
	return text
}

// fieldProperties reads the properties that descriptors describe
// (objects/descriptor-array.h, objects/property-details.h).
func (r *MapReader) fieldProperties(o layout.Tagged, s *Shape) ([]Property, error) {
	d := &r.Layout.DescriptorArray
	if s.own == 0 {
		return nil, nil
	}
	if !r.TypeNamed(s.descriptors, "DESCRIPTOR_ARRAY") {
		return nil, fmt.Errorf("corrupt: its %d properties have no descriptors", s.own)
	}
	n := s.own
	if total, ok := r.U16(s.descriptors.Addr().Add(int64(r.Slots(1)))); !ok || n > int(total) {
		n = int(total)
	}
	list := make([]Property, 0, n)
	for i := range n {
		at := d.Header + r.Slots(d.EntryWords*i)
		key, ok1 := r.Field(s.descriptors, at+r.Slots(d.Key))
		details, ok2 := r.SmiField(s.descriptors, at+r.Slots(d.Details))
		value, ok3 := r.Field(s.descriptors, at+r.Slots(d.Value))
		if !ok1 || !ok2 || !ok3 {
			return list, fmt.Errorf("corrupt: descriptor %d of %d cannot be read", i, n)
		}
		p := Property{Key: Key{Word: key}, Value: Slot{Word: value}, Place: "descriptor", order: i}
		if details&d.LocationMask>>uint(d.LocationShift) == d.LocationField {
			if err := r.readField(o, s, details, &p); err != nil {
				return list, err
			}
		}
		r.describe(&p, details)
		list = append(list, p)
	}
	if n < s.own {
		return list, fmt.Errorf("corrupt: %d of its %d descriptors exist", n, s.own)
	}
	return list, nil
}

// readField reads the field that details describe: in the object, or in its
// PropertyArray after those.
func (r *MapReader) readField(o layout.Tagged, s *Shape, details int, p *Property) error {
	bits := &r.Layout.PropertyDetails
	inObject := s.size - s.start
	index := r.fieldIndex(details, s.start, inObject)
	if index < inObject {
		p.Place = "in-object"
		at := r.Slots(s.start + index)
		if details&bits.RepresentationMask>>uint(bits.RepresentationShift) == bits.RepresentationDouble &&
			r.rawDouble(s, index) {
			w, ok := r.Word(o.Addr().Add(int64(at)))
			if !ok {
				return r.Fault(o, at)
			}
			p.Value = RawSlot(math.Float64frombits(w))
			return nil
		}
		var ok bool
		if p.Value.Word, ok = r.Field(o, at); !ok {
			return r.Fault(o, at)
		}
		return nil
	}
	p.Place = "out-of-object"
	store, ok := r.Field(o, r.Layout.JSReceiver.Properties)
	if !ok || !store.IsHeap() {
		return fmt.Errorf("corrupt: property %d lies in no PropertyArray", index)
	}
	// PropertyArray: the length shares its Smi with the identity hash.
	n, ok := r.SmiField(store, r.Layout.FixedArray.Length)
	if !ok || index-inObject >= n&0x3ff {
		return fmt.Errorf("corrupt: property %d lies past the end of the PropertyArray", index)
	}
	if p.Value.Word, ok = r.WordAt(store, index-inObject); !ok {
		return r.Fault(store, r.Layout.FixedArray.Data+r.Slots(index-inObject))
	}
	return nil
}

// describe sets what the PropertyDetails of p say, and resolves accessors.
func (r *MapReader) describe(p *Property, details int) {
	d, k := &r.Layout.DescriptorArray, &r.Layout.PropertyDetails
	p.Enumerable = details&d.AttributesMask>>uint(d.AttributesShift)&d.DontEnum == 0
	if details&k.KindMask != k.KindAccessor || p.Value.Raw {
		return
	}
	if r.Is(p.Value.Word, r.Types.AccessorPair) {
		p.Accessor = true
		p.Getter, _ = r.Field(p.Value.Word, r.Layout.AccessorPair.Getter)
		p.Setter, _ = r.Field(p.Value.Word, r.Layout.AccessorPair.Setter)
		return
	}
	p.Native = true
}
