package object

import (
	"strings"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/text"
)

// ErrorText returns the property "name" or "message" of an error as text. It is "" if the property is missing,
// or is a getter whose value is unknown.
func (r *Reader) ErrorText(o layout.Tagged, name string) string {
	text, _ := r.ErrorProperty(o, name)
	return text
}

// ErrorProperty is ErrorText with the kind of the value: KindUndefined if there is no such property,
// KindInternal of a getter whose value cannot be known.
func (r *Reader) ErrorProperty(o layout.Tagged, name string) (string, Kind) {
	p, ok := r.Lookup(o, name)
	switch {
	case !ok:
		return "", KindUndefined
	case r.IsString(p.Value):
		text, _ := r.Characters(p.Value, text.MaxText)
		return text, KindString
	case !r.Is(p.Value, r.Types.AccessorPair):
		return r.primitiveText(p.Value)
	}
	getter, _ := r.Field(p.Value, r.Layout.AccessorPair.Getter)
	if !r.IsFunction(getter) {
		return "", KindUndefined
	}
	if s, ok := r.literalGetter(getter); ok {
		return s, KindString
	}
	state, ok := r.weakState(getter, o)
	if !ok {
		return "", KindInternal
	}
	if p, ok = r.OwnProperty(state, name); !ok || !r.IsString(p.Value) {
		return "", KindInternal
	}
	return r.Text(p.Value), KindString
}

// primitiveText is String() of a value that is not a string.
func (r *Reader) primitiveText(t layout.Tagged) (string, Kind) {
	if f, ok := r.Number(t); ok {
		return layout.FormatNumber(f), KindNumber
	}
	switch k := r.OddballKind(t); {
	case k == KindUndefined:
		return "", k
	case k != "":
		return r.Oddball(t), k
	case r.IsReceiver(t):
		return "[object Object]", KindObject
	}
	return "", KindInternal
}

// maxStateScopes bounds the scopes around a getter that weakState looks in.
const maxStateScopes = 4

// weakState returns an object's value in a WeakMap that is a variable around a getter. Node's DOMException
// keeps its name and message this way (lib/internal/per_context/domexception.js), and private members are
// compiled to it for engines without them.
func (r *Reader) weakState(getter, o layout.Tagged) (layout.Tagged, bool) {
	scope, _ := r.Field(getter, r.Layout.JSFunction.Context)
	for i := 0; scope != 0 && i < maxStateScopes; i++ {
		c, err := r.Context(scope)
		if err != nil {
			return 0, false
		}
		for _, x := range c.Variables {
			s, err := r.Shape(x.Slot.Word)
			if x.Slot.Raw || err != nil || r.KindOf(x.Slot.Word, s) != KindWeakMap {
				continue
			}
			table, _ := r.Field(x.Slot.Word, r.Layout.JSCollection.Table)
			list, _, _ := r.WeakEntries(table, MaxDictionary)
			for _, e := range list {
				if e.Key == o {
					return e.Value, r.IsReceiver(e.Value)
				}
			}
		}
		scope = c.Previous
	}
	return 0, false
}

// NameInStack returns the name before the message in the stack of an error: V8
// put it there when it made the text.
func NameInStack(stack string) string {
	line, _, _ := strings.Cut(stack, "\n")
	name, _, _ := strings.Cut(line, ":")
	if !IsKeyName(name) || !strings.HasSuffix(name, "Error") {
		return ""
	}
	return name
}
