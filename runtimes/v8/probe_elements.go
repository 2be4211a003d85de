package v8

import (
	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// typedConstructors are those of typed arrays whose kinds of elements have consecutive numbers, in their
// order (objects/elements-kind.h: TYPED_ARRAYS).
var typedConstructors = []string{"Uint8Array", "Int8Array", "Uint16Array", "Int16Array", "Uint32Array", "Int32Array"}

const (
	// beforeTyped is how many kinds lie from DICTIONARY_ELEMENTS to UINT8_ELEMENTS: those of arguments objects and
	// of wrappers of strings, two each.
	beforeTyped = 5
	mostShift   = 3
)

// probeElementsKind corrects where bit_field2 of a map has the kind of elements, in its highest bits, and what number
// that of dictionaries has. Each realm has a map for each kind of typed arrays: how far these are apart is the unit.
func (v *V8) probeElementsKind() {
	l, k := v.Layout, &v.Layout.ElementsKind
	if v.Types.FirstReceiver == 1<<30 || l.Map.BitField2 == layout.Unknown {
		return
	}
	least := map[string]byte{} // of those of buffers that can be resized the kinds are further on
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

// elementsUnit returns where the kind of elements begins in the bit_field2 of maps of typed arrays, by constructor, and the kind
// of Uint8Array, if these maps say so.
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
