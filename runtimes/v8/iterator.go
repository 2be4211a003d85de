package v8

import (
	"slices"
	"strings"
)

type iteratorForm uint8

const (
	iteratesKeys iteratorForm = iota
	iteratesBoth
	iteratesValues
)

// iteratorForm tells the form of an iterator by its instance type: by its
// name, or by its place among the types of the iterators in the realm of it.
func (v *V8) iteratorForm(it Tagged, typ int, isMap bool) iteratorForm {
	name := v.types.names[typ]
	switch {
	case strings.Contains(name, "KEY_VALUE"):
		return iteratesBoth
	case strings.Contains(name, "VALUE"):
		return iteratesValues
	case strings.Contains(name, "KEY"):
		return iteratesKeys
	}
	tag, order := "Map Iterator", []iteratorForm{iteratesKeys, iteratesBoth, iteratesValues}
	if !isMap {
		tag, order = "Set Iterator", []iteratorForm{iteratesBoth, iteratesValues}
	}
	types := v.typesTagged(it, tag)
	if i := slices.Index(types, typ); i >= 0 && len(types) == len(order) {
		return order[i]
	}
	if isMap {
		return iteratesBoth
	}
	return iteratesValues
}

// typesTagged returns the instance types of the maps in the native context of
// o whose prototype has the given Symbol.toStringTag, in ascending order.
func (v *V8) typesTagged(o Tagged, tag string) []int {
	native, ok := v.realmOf(o)
	if !ok {
		return nil
	}
	var types []int
	n, _ := v.contextLength(native)
	for i := range n {
		m, ok := v.wordAt(native, i)
		if !ok || !m.IsHeap() || !v.isMap(m) {
			continue
		}
		typ, _ := v.mapInstanceType(m)
		proto, ok := v.field(m, v.layout.Map.Prototype)
		if !ok || slices.Contains(types, typ) || typ < v.types.firstReceiver || !v.isReceiver(proto) {
			continue
		}
		if v.tagAt(proto) == tag {
			types = append(types, typ)
		}
	}
	slices.Sort(types)
	return types
}
