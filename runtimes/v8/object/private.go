package object

import "coredbg/runtimes/v8/layout"

// FirstPrivate returns the value of the first own property of an object whose name is a private symbol of
// V8's own: 0 if there is none. A dictionary has its properties in no order, but they have numbers.
func (r *MapReader) FirstPrivate(o layout.Tagged) (value layout.Tagged) {
	if r.Dictionary(o) {
		list, _ := r.dictionaryEntries(o)
		first := -1
		for i := range list {
			if p := &list[i]; r.isPrivateSymbol(p.Word) && (first < 0 || p.order < list[first].order) {
				first = i
			}
		}
		if first >= 0 {
			value = list[first].Value.Word
		}
		return value
	}
	r.EachProperty(o, func(p RawProperty) bool {
		if r.isPrivateSymbol(p.Key) {
			value = p.Value
		}
		return value == 0
	})
	return value
}

// isPrivateSymbol reports whether a key is a symbol of V8's own. Those that
// the heap is born with, error_stack_symbol among them, have no description; an embedder's have.
func (r *MapReader) isPrivateSymbol(key layout.Tagged) bool {
	if !r.Is(key, r.Types.Symbol) || r.SymbolDescription(key) != "" {
		return false
	}
	flags, ok := r.U32Field(key, r.Layout.Symbol.Flags)
	return ok && flags&symbolPrivate != 0 && flags&symbolPrivateName == 0
}
