package inspect

import (
	"errors"
	"fmt"
	"slices"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// Inspect decodes the value t and the values it refers to. It never fails: a value that cannot be decoded has
// KindCorrupt and the reason.
func (r *Inspector) Inspect(t layout.Tagged, o InspectOptions) *Value {
	return r.InspectSlot(object.Slot{Word: t}, o)
}

// InspectSlot is Inspect for a slot, which may hold a raw number.
func (r *Inspector) InspectSlot(s object.Slot, o InspectOptions) *Value {
	if o.Depth < 0 || o.Depth > maxDepth {
		o.Depth = maxDepth
	}
	b := &tree{v: r, o: o, left: max(o.MaxValues, 1), steps: maxSteps}
	return b.slot(s, 0)
}

func (b *tree) slot(s object.Slot, depth int) *Value {
	b.left--
	if s.Raw {
		return &Value{Kind: object.KindNumber, Number: s.Double}
	}
	if b.left < 0 {
		return &Value{Kind: object.KindCut, Word: s.Word}
	}
	if x := b.primitive(s.Word); x != nil {
		return x
	}
	return b.object(s.Word, depth)
}

// primitive decodes what is not an object; it returns nil for objects.
func (b *tree) primitive(t layout.Tagged) *Value {
	r := b.v
	switch {
	case t.IsSmi():
		return &Value{Kind: object.KindNumber, Word: t, Number: float64(t.Smi())}
	case t == layout.ClearedWeak:
		return &Value{Kind: object.KindUndefined, Word: t}
	}
	typ, ok := r.InstanceType(t)
	if !ok {
		if err := r.Fault(t, 0); err != nil {
			return &Value{Kind: object.KindCorrupt, Word: t, Err: err}
		}
		return corrupt(t, "corrupt: no object at %v: %w", t.Addr(), object.ErrNoObject)
	}
	switch {
	case typ < r.Layout.String.FirstNonstringType:
		return b.str(t)
	case typ == r.Types.HeapNumber:
		f, ok := r.Number(t)
		if !ok {
			return &Value{Kind: object.KindCorrupt, Word: t, Err: r.Fault(t, r.Layout.HeapNumber.Value)}
		}
		return &Value{Kind: object.KindNumber, Word: t, Number: f}
	case typ == r.Types.Symbol:
		return &Value{Kind: object.KindSymbol, Word: t, Text: r.objects.SymbolDescription(t)}
	case typ == r.Types.BigInt:
		text, err := r.objects.BigInt(t)
		var long *object.LongBigIntError
		if err != nil && !errors.As(err, &long) {
			return &Value{Kind: object.KindCorrupt, Word: t, Err: err}
		}
		return &Value{Kind: object.KindBigInt, Word: t, Text: text, Err: err}
	}
	if k := r.objects.OddballKind(t); k != "" {
		x := &Value{Kind: k, Word: t}
		if k == object.KindBoolean {
			x.Text = r.objects.Oddball(t)
		}
		return x
	}
	if typ < r.Types.FirstReceiver {
		return b.internal(t, typ)
	}
	return nil
}

func (b *tree) str(t layout.Tagged) *Value {
	x := &Value{Kind: object.KindString, Word: t}
	info, err := b.v.objects.StringInfo(t)
	if err != nil {
		return &Value{Kind: object.KindCorrupt, Word: t, Err: err}
	}
	x.Length = uint64(info.Length)
	x.Text, err = b.v.objects.Characters(t, b.o.MaxString)
	var cut *object.StringError
	switch {
	case err == nil:
		x.Length = uint64(jsLength(x.Text)) // marks for redacted characters have another length
	case errors.As(err, &cut) && cut.Got < b.o.MaxString:
		x.Err = err
	}
	return x
}

// internal stands for an object of V8's own; the content of a ContextCell or
// Cell is what a program would see.
func (b *tree) internal(t layout.Tagged, typ int) *Value {
	return &Value{Kind: object.KindInternal, Word: t, Text: b.v.Types.Name(typ)}
}

// object decodes an object, and opens it if it is not too deep.
func (b *tree) object(t layout.Tagged, depth int) *Value {
	r := b.v
	// Programs see the proxy only, so it is the object: globalThis.global is circular.
	if r.Is(t, r.Types.JSGlobalProxy) {
		if g, ok := r.objects.GlobalOf(t); ok {
			t = g
		}
	}
	s, err := r.objects.Shape(t)
	if err != nil {
		return corrupt(t, "corrupt: %w", err)
	}
	kind := r.objects.KindOf(t, s)
	var shown *Value
	if b.o.Custom && !slices.Contains(b.running, t) {
		b.running = append(b.running, t)
		shown = b.custom(t, depth)
		b.running = b.running[:len(b.running)-1]
	}
	if shown != nil && b.machine != nil {
		return &Value{Kind: kind, Word: t, Shown: shown} // it is for a text
	}
	if slices.Contains(b.path, t) {
		return &Value{Kind: object.KindRef, Word: t, Shown: shown}
	}
	x := &Value{Kind: kind, Word: t, Opened: depth <= b.o.Depth, Shown: shown, maxArray: b.o.MaxArray}
	b.path = append(b.path, t)
	defer func() { b.path = b.path[:len(b.path)-1] }()
	if x.Kind == object.KindProxy {
		b.proxy(x, depth)
		return x
	}
	c := r.objects.ClassFor(t)
	x.Class, x.NullProto, x.Tag = c.Name, c.None, c.Tag
	x.notIterable = !c.Iterable && !c.None
	x.errorLike = kind != object.KindError && kind != object.KindFunction && !c.None && r.objects.ErrorLike(t)
	switch {
	case c.None:
		x.Fallback = r.objects.ConstructorName(t)
	case c.Complex && !x.Opened:
		x.Class = r.objects.ConstructorName(t) + " <Complex prototype>"
	}
	x.Intercepted = s.Flags&(object.MapNamedInterceptor|object.MapIndexedInterceptor) != 0
	within := depth
	if kind == object.KindTypedArray && x.Class == "Buffer" {
		within, x.Opened = 0, true // its function has util.inspect begin anew
	}
	b.properties(x, s, c, within)
	if x.Intercepted && b.v.functions != nil {
		b.answers(x)
	}
	if b.contents(x, depth); x.errorLike {
		b.err(x, depth)
	}
	return x
}

// contents decodes the contents of an object of a special kind, other than properties.
func (b *tree) contents(x *Value, depth int) {
	switch x.Kind {
	case object.KindFunction:
		b.function(x)
	case object.KindDate:
		b.date(x)
	case object.KindRegExp:
		b.regexp(x)
	case object.KindError:
		b.err(x, depth)
	case object.KindMap, object.KindSet, object.KindWeakMap, object.KindWeakSet, object.KindMapIterator,
		object.KindSetIterator:
		b.collection(x, depth)
	case object.KindWeakRef:
		if t, ok := b.v.Field(x.Word, b.v.Layout.JSWeakRef.Target); ok && x.Opened {
			x.Inner = b.slot(object.Slot{Word: t}, depth+1)
		}
	case object.KindArrayBuffer:
		b.buffer(x)
	case object.KindTypedArray, object.KindDataView:
		b.view(x, depth)
	case object.KindPromise:
		b.promise(x, depth)
	case object.KindGenerator:
		b.generator(x)
	case object.KindBoxed:
		if t, ok := b.v.Field(x.Word, b.v.Layout.JSPrimitiveWrapper.Value); ok {
			x.Inner = b.slot(object.Slot{Word: t}, depth+1)
			if x.Inner.Object() {
				// No primitive: a wrapper that V8 keeps for itself.
				x.Kind, x.Inner = object.KindObject, nil
			}
		}
	}
}

// properties decodes the own properties of an object, named and indexed.
func (b *tree) properties(x *Value, s *object.Shape, c object.Class, depth int) {
	r := b.v
	list, _, err := r.objects.Properties(x.Word, object.MaxDictionary)
	if err != nil {
		x.fail(err)
	}
	b.indexed(x, s, depth)
	for i := range list {
		p := &list[i]
		if p.Symbol && p.Name == "Symbol.toStringTag" {
			x.tagIsOwn, x.tagIsEnumerable = true, p.Enumerable
			x.Tag, _ = r.objects.OwnTag(x.Word)
		}
		x.HiddenKeys++
		if p.Enumerable || p.Private {
			x.Keys++
		}
		if p.Private {
			x.PrivateKeys++
		}
		ofError := x.Error() && !p.Symbol && slices.Contains(errorKeys, p.Name)
		switch {
		case !ofError && (!x.Opened || !p.Enumerable && !p.Private && !b.o.ShowHidden):
		case len(x.Properties) >= b.o.MaxProperties, b.left <= 0:
			x.MoreProperties++
		case p.Private && b.machine != nil: // it is for a text
		default:
			x.Properties = append(x.Properties, b.member(x, p, depth))
		}
	}
	if b.o.ShowHidden && x.Opened && !c.None && x.Kind != object.KindModule && r.showsInherited() {
		b.inherited(x, c, r.objects.PrototypeOf(x.Word), depth)
	}
}

// errorKeys are the properties that decide an error's appearance, however deep it is.
var errorKeys = []string{"cause", "errors", "error", "suppressed", "message", "name", "stack"}

// member decodes the value of a property.
func (b *tree) member(x *Value, p *object.Property, depth int) Member {
	m := Member{Key: p.Key, Enumerable: p.Enumerable, Accessor: p.Accessor, Place: p.Place}
	switch {
	case p.Accessor:
		m.Getter, m.Setter = b.present(p.Getter), b.present(p.Setter)
	case p.Native:
		m.Value = b.native(x, p, depth)
		if m.Value == nil {
			m.Accessor, m.Getter = true, true
		}
	default:
		m.Value = b.slot(p.Value, depth+1)
	}
	return m
}

// present reports whether half of an accessor is there: it is undefined or
// null if it is not, a function or a FunctionTemplateInfo if it is.
func (b *tree) present(t layout.Tagged) bool {
	return t.IsHeap() && b.v.objects.OddballKind(t) == ""
}

// indexed decodes the elements of an object: Elements of an array, properties
// of anything else.
func (b *tree) indexed(x *Value, s *object.Shape, depth int) {
	r := b.v
	e, err := r.objects.ElementsOf(x.Word, s)
	if err != nil {
		x.fail(err)
		return
	}
	array := x.Kind == object.KindArray
	if array {
		x.Length = e.Length
	}
	limit := b.o.MaxProperties
	if array && !x.notIterable {
		limit = b.o.MaxArray
	}
	err = r.objects.EachElement(e, func(i uint64, p object.Property) bool {
		if !array {
			x.HiddenKeys++
			if p.Enumerable {
				x.Keys++
			}
		}
		if !x.Opened {
			return !array && x.HiddenKeys < limit
		}
		if len(x.Elements)+len(x.Properties) >= limit || b.left <= 0 {
			x.MoreElements++
			return !array && x.MoreElements < object.MaxFixedArray
		}
		m := b.member(x, &p, depth)
		m.IsIndex, m.Index, m.Name = true, i, fmt.Sprint(i)
		if array {
			x.Elements = append(x.Elements, m)
		} else {
			x.Properties = append(x.Properties, m)
		}
		return true
	})
	if err != nil {
		x.fail(err)
	}
}
