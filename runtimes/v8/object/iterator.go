package object

import (
	"slices"
	"strings"

	"coredbg/runtimes/v8/layout"
)

type iteratorForm uint8

const (
	iteratesKeys iteratorForm = iota
	// IteratesBoth is over entries.
	IteratesBoth
	// IteratesValues is over values.
	IteratesValues
)

// IteratorForm returns the form of an iterator by its instance type: by its
// name, or by its place among the types of the iterators in the realm of it.
func (r *Members) IteratorForm(it layout.Tagged, typ int, isMap bool) iteratorForm {
	name := r.Types.Names[typ]
	switch {
	case strings.Contains(name, "KEY_VALUE"):
		return IteratesBoth
	case strings.Contains(name, "VALUE"):
		return IteratesValues
	case strings.Contains(name, "KEY"):
		return iteratesKeys
	}
	tag, order := "Map Iterator", []iteratorForm{iteratesKeys, IteratesBoth, IteratesValues}
	if !isMap {
		tag, order = "Set Iterator", []iteratorForm{IteratesBoth, IteratesValues}
	}
	types := r.typesTagged(it, tag)
	if i := slices.Index(types, typ); i >= 0 && len(types) == len(order) {
		return order[i]
	}
	if isMap {
		return IteratesBoth
	}
	return IteratesValues
}

// typesTagged returns the instance types of the maps in the native context of
// o whose prototype has the given Symbol.toStringTag, in ascending order.
func (r *Members) typesTagged(o layout.Tagged, tag string) []int {
	native, ok := r.realmOf(o)
	if !ok {
		return nil
	}
	var types []int
	n, _ := r.ContextLength(native)
	for i := range n {
		m, ok := r.WordAt(native, i)
		if !ok || !m.IsHeap() || !r.IsMap(m) {
			continue
		}
		typ, _ := r.MapInstanceType(m)
		proto, ok := r.Field(m, r.Layout.Map.Prototype)
		if !ok || slices.Contains(types, typ) || typ < r.Types.FirstReceiver || !r.IsReceiver(proto) {
			continue
		}
		if t, _ := r.OwnTag(proto); t == tag {
			types = append(types, typ)
		}
	}
	slices.Sort(types)
	return types
}
