package inspect

import (
	"cmp"
	"slices"

	"coredbg/runtimes/v8/object"
)

// plain reports whether an object of a special kind looks like any other, or like an error: an array
// or a collection that cannot be iterated, and others that come after such in formatRaw.
func (x *Value) plain() bool {
	ordinary := x.Class == "Object" && !x.NullProto
	switch x.Kind {
	case object.KindArray, object.KindTypedArray, object.KindMap, object.KindSet, object.KindMapIterator,
		object.KindSetIterator:
		return x.notIterable
	case object.KindRegExp, object.KindDate, object.KindError:
		return ordinary
	case object.KindArrayBuffer, object.KindSharedBuffer, object.KindDataView, object.KindPromise, object.KindWeakSet,
		object.KindWeakMap,
		object.KindBoxed:
		return ordinary || x.errorLike
	}
	return false
}

// plainObject is x as one without a special kind.
func (x *Value) plainObject() *Value {
	y := *x
	if y.Kind = object.KindObject; x.errorLike && (x.Class != "Object" || x.NullProto) {
		y.Kind = object.KindError
	}
	if x.Kind == object.KindArray || x.Kind == object.KindTypedArray {
		y.Properties = slices.Concat(x.Elements, x.Properties)
		y.MoreProperties += x.MoreElements
		y.Keys, y.HiddenKeys = y.Keys+int(x.Length), y.HiddenKeys+int(x.Length)
	}
	return &y
}

// known counts the decoded properties that may be shown.
func (x *Value) known(hidden bool) int {
	n := 0
	for i := range x.Properties {
		if m := &x.Properties[i]; m.Enumerable || hidden {
			n++
		}
	}
	return n
}

// keys are the own properties that are shown.
func (f *formatter) keys(x *Value) []*Member {
	var keys, causes []*Member
	for i := range x.Properties {
		m := &x.Properties[i]
		switch {
		case m.Private:
			if f.o.Exact {
				continue
			}
		case !m.Enumerable && !f.o.ShowHidden:
			if x.Kind != object.KindError || m.Accessor || !f.o.Dialect.showsHidden(m.Name) {
				continue
			}
			causes = append(causes, m) // after the others
			continue
		case x.Kind == object.KindError && !f.o.ShowHidden && f.inStack(x, m):
			continue
		}
		keys = append(keys, m)
	}
	slices.SortStableFunc(causes, func(a, b *Member) int {
		return cmp.Compare(slices.Index(hiddenOfErrors, a.Name), slices.Index(hiddenOfErrors, b.Name))
	})
	return append(keys, causes...)
}

// hiddenOfErrors are the members of errors that are shown although they are not enumerable, in their order.
var hiddenOfErrors = []string{"cause", "errors", "error", "suppressed"}
