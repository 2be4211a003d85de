package fit

import (
	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// typedConstructors are the constructors of typed arrays whose elements kinds have consecutive numbers, in
// their order (objects/elements-kind.h: TYPED_ARRAYS).
var typedConstructors = []string{"Uint8Array", "Int8Array", "Uint16Array", "Int16Array", "Uint32Array", "Int32Array"}

const (
	// beforeTyped is the distance from DICTIONARY_ELEMENTS to UINT8_ELEMENTS. The kinds of arguments objects and
	// of string wrappers, two each, come between them.
	beforeTyped = 5
	mostShift   = 3
)

// probeElementsKind corrects the position of the elements kind in a map's bit_field2, in its highest bits, and
// the number of the dictionary kind. Each realm has a map for each kind of typed array; the distance between
// their kinds is the unit.
func (v *Candidate) probeElementsKind() {
	l, k := v.Layout, &v.Layout.ElementsKind
	if v.Types.FirstReceiver == 1<<30 || l.Map.BitField2 == layout.Unknown {
		return
	}
	least := map[string]byte{} // resizable buffers have kinds further on
	seen := map[layout.Tagged]bool{}
	v.eachReference(func(a core.Addr, m layout.Tagged) bool {
		if seen[m] {
			return true
		}
		seen[m] = true
		typ, ok := v.MapInstanceType(m)
		if !ok || typ != v.TypeNumber("JS_TYPED_ARRAY_TYPE") || !v.IsMap(m) {
			return true
		}
		var b [1]byte
		if !v.Bytes(b[:], m.Addr().Add(int64(l.Map.BitField2))) {
			return true
		}
		touch(v.Memory, a)
		name := v.constructorOfMap(m)
		if old, ok := least[name]; !ok || b[0] < old {
			least[name] = b[0]
		}
		return true
	})
	shift, first, ok := elementsUnit(least)
	if !ok {
		return
	}
	if shift != k.Shift {
		l.Probed("ElementsKind", "Shift", shift)
		l.Probed("ElementsKind", "Mask", 0xff&^(1<<shift-1))
	}
	if first-beforeTyped != k.Dictionary {
		l.Probed("ElementsKind", "Dictionary", first-beforeTyped)
	}
}

// elementsUnit returns where the kind of elements begins in the bit_field2 of maps of typed arrays, by
// constructor, and the kind of Uint8Array, if these maps say so.
func elementsUnit(least map[string]byte) (shift, first int, ok bool) {
	for shift = range mostShift + 1 {
		ok = true
		for i, name := range typedConstructors {
			b, known := least[name]
			ok = ok && known && int(b) == int(least[typedConstructors[0]])+i<<shift
		}
		if first = int(least[typedConstructors[0]]) >> shift; ok && first >= beforeTyped {
			return shift, first, true
		}
	}
	return 0, 0, false
}
