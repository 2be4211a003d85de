package v8

import "strings"

// errorText returns the property "name" or "message" of an error, "" if it is
// neither a string nor a getter whose value can be told.
func (v *V8) errorText(o Tagged, name string) string {
	p, ok := v.lookup(o, name)
	switch {
	case !ok:
		return ""
	case v.IsString(p.value):
		return v.text(p.value)
	case !v.is(p.value, v.types.accessorPair):
		return ""
	}
	getter, _ := v.field(p.value, v.layout.AccessorPair.Getter)
	if !v.isFunction(getter) {
		return ""
	}
	if s, ok := v.literalGetter(getter); ok {
		return s
	}
	state, ok := v.weakState(getter, o)
	if !ok {
		return ""
	}
	if p, ok = v.ownProperty(state, name); !ok || !v.IsString(p.value) {
		return ""
	}
	return v.text(p.value)
}

// maxStateScopes bounds the scopes around a getter that weakState looks in.
const maxStateScopes = 4

// weakState returns the object that a WeakMap has for o, where a variable around a
// getter holds the map: how Node's DOMException keeps its name and message
// (lib/internal/per_context/domexception.js), and how private members are written
// for engines that have none.
func (v *V8) weakState(getter, o Tagged) (Tagged, bool) {
	scope, _ := v.field(getter, v.layout.JSFunction.Context)
	for i := 0; scope != 0 && i < maxStateScopes; i++ {
		c, err := v.Context(scope)
		if err != nil {
			return 0, false
		}
		for _, x := range c.Variables {
			s, err := v.shape(x.Slot.Word)
			if x.Slot.Raw || err != nil || v.kindOf(x.Slot.Word, s) != KindWeakMap {
				continue
			}
			table, _ := v.field(x.Slot.Word, v.layout.JSCollection.Table)
			list, _, _ := v.weakEntries(table, maxDictionary)
			for _, e := range list {
				if e.key == o {
					return e.value, v.isReceiver(e.value)
				}
			}
		}
		scope = c.Previous
	}
	return 0, false
}

// nameInStack returns the name in front of the message in the stack of an error: V8
// put it there when it made the text.
func nameInStack(stack string) string {
	line, _, _ := strings.Cut(stack, "\n")
	name, _, _ := strings.Cut(line, ":")
	if !isKeyName(name) || !strings.HasSuffix(name, "Error") {
		return ""
	}
	return name
}
