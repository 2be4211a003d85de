package inspect

import (
	"slices"
	"strconv"

	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// evaluated decodes a value that a function of the program returned, or asks to be
// printed.
func (b *tree) evaluated(m *ecma.Machine, v ecma.Value, depth int) *Value {
	switch x := v.(type) {
	case ecma.Heap:
		if o := m.Changed(layout.Tagged(x)); o != nil {
			return b.evaluated(m, o, depth)
		}
		return b.slot(object.Slot{Word: layout.Tagged(x)}, depth)
	case *ecma.Object:
		if b.left--; b.left < 0 {
			return &Value{Kind: object.KindCut}
		}
		return b.made(m, x, depth)
	case ecma.Unknown:
		return &Value{Kind: object.KindCorrupt, Err: x.Err}
	}
	b.left--
	switch x := v.(type) {
	case ecma.Null:
		return &Value{Kind: object.KindNull}
	case ecma.BigInt:
		return &Value{Kind: object.KindBigInt, Text: string(x)}
	case *ecma.Symbol:
		return &Value{Kind: object.KindSymbol, Text: x.Description}
	case bool:
		return &Value{Kind: object.KindBoolean, Text: m.Text(x)}
	case float64:
		return &Value{Kind: object.KindNumber, Number: x}
	case string:
		n := jsLength(x)
		s := &Value{Kind: object.KindString, Text: x, Length: uint64(n)}
		if n > b.o.MaxString {
			s.Text = m.Prefix(x, max(b.o.MaxString, 0))
		}
		return s
	}
	return &Value{Kind: object.KindUndefined}
}

// made decodes an object that a function made.
func (b *tree) made(m *ecma.Machine, o *ecma.Object, depth int) *Value {
	if o.Proxy != nil {
		return b.madeProxy(m, o, depth)
	}
	if b.o.Custom && !o.Buffer {
		if x := b.madeCustom(m, o, depth); x != nil {
			return x
		}
	}
	x := &Value{Kind: object.KindObject, Opened: depth <= b.o.Depth}
	b.madeKind(m, o, x, depth)
	c := b.madeClass(m, o, x)
	if x.Kind == object.KindFunction && x.FunctionType != "class" && x.Class == "Function" {
		x.Class = x.FunctionType
	}
	b.madeProperties(m, o, x, depth)
	if !x.Opened {
		return x
	}
	if first, ok := m.Prototype(o).(ecma.Heap); ok && b.o.ShowHidden && b.v.showsInherited() {
		b.inherited(x, c, layout.Tagged(first), depth)
	}
	b.madeElements(m, o, x, depth)
	return x
}

// madeKind decodes what an object is.
func (b *tree) madeKind(m *ecma.Machine, o *ecma.Object, x *Value, depth int) {
	switch {
	case o.Date != nil:
		x.Kind, x.Number = object.KindDate, *o.Date
	case o.Promise != nil:
		x.Kind, x.State = object.KindPromise, o.Promise.State
		if x.Opened && x.State != "pending" {
			x.Inner = b.evaluated(m, o.Promise.Value, depth+1)
		}
	case o.Error:
		text := func(name string) string { return m.Text(m.Get(o, ecma.Key{Name: name})) }
		x.Kind, x.Text, x.Name, x.nameKind = object.KindError, text("stack"), text("name"), object.KindString
		x.Message, x.messageKind = text("message"), object.KindString
	case o.Typed != "":
		b.madeTyped(o, x)
	case o.RegExp != nil:
		x.Kind, x.Text, x.Flags = object.KindRegExp, o.RegExp.Source, o.RegExp.Flags
	case o.Boxed != nil:
		if x.Inner = b.evaluated(m, o.Boxed, depth+1); m.IsObject(o.Boxed) {
			x.Kind = object.KindWeakRef
		} else {
			x.Kind = object.KindBoxed
		}
	case o.Yields != nil:
		x.Kind = object.KindMapIterator
	default:
		madeList(m, o, x)
	}
}

// madeList decodes what an object is that holds others, or a function.
func madeList(m *ecma.Machine, o *ecma.Object, x *Value) {
	switch {
	case o.Arguments():
		x.Kind, x.Length = object.KindArguments, uint64(len(o.List))
	case o.Array:
		x.Kind, x.Length = object.KindArray, uint64(len(o.List))
	case o.Collection != nil && o.Collection.Weak:
		if x.Kind = object.KindWeakSet; o.Collection.IsMap {
			x.Kind = object.KindWeakMap
		}
	case o.Collection != nil && o.Collection.IsMap:
		x.Kind, x.Length = object.KindMap, uint64(len(o.Collection.Entries))
	case o.Collection != nil:
		x.Kind, x.Length = object.KindSet, uint64(len(o.Collection.Entries))
	case o.Function != nil:
		x.Kind, x.Text, x.FunctionType = object.KindFunction, o.Function.Name, o.Function.Kind()
		if o.Function.Class {
			x.FunctionType = "class"
			if o.Function.Extends {
				x.Extends = m.Name(m.Prototype(o))
			}
		}
	}
}

// madeProxy decodes a Proxy.
func (b *tree) madeProxy(m *ecma.Machine, o *ecma.Object, depth int) *Value {
	x := &Value{Kind: object.KindProxy, Opened: depth <= b.o.Depth}
	if m.IsObject(o.Proxy.Handler) {
		x.Inner = b.evaluated(m, o.Proxy.Target, depth)
		if x.Opened {
			x.Handler = b.evaluated(m, o.Proxy.Handler, depth+1)
		}
	}
	return x
}

// madeTyped decodes a typed array.
func (b *tree) madeTyped(o *ecma.Object, x *Value) {
	x.Kind, x.ElementType, x.Length = object.KindTypedArray, o.Typed, uint64(len(o.List))
	if !o.Buffer {
		return
	}
	x.Opened = true
	for _, e := range o.List {
		c, _ := e.(float64)
		x.Bytes = append(x.Bytes, byte(int64(c)))
	}
}

// madeElements adds the elements of an array, and the entries of a collection.
func (b *tree) madeElements(m *ecma.Machine, o *ecma.Object, x *Value, depth int) {
	for i, e := range o.List {
		if o.Buffer || !o.Array && o.Typed == "" {
			break
		}
		if o.Arguments() {
			x.Properties = append(x.Properties, Member{Key: object.Key{Name: strconv.Itoa(i)}, Enumerable: true,
				Value: b.evaluated(m, e, depth+1)})
			continue
		}
		if len(x.Elements) >= b.o.MaxArray {
			x.MoreElements = len(o.List) - i
			break
		}
		x.Elements = append(x.Elements, Member{IsIndex: true, Index: uint64(i), Enumerable: true,
			Value: b.evaluated(m, e, depth+1)})
	}
	if o.Yields != nil {
		for _, v := range o.Yields() {
			if x.Entries = append(x.Entries, Entry{Key: b.evaluated(m, v, depth+1)}); len(x.Entries) >= b.o.MaxArray {
				return
			}
		}
	}
	if o.Collection == nil {
		return
	}
	for i, e := range o.Collection.Entries {
		if len(x.Entries) >= b.o.MaxArray {
			x.MoreEntries = len(o.Collection.Entries) - i
			return
		}
		entry := Entry{Key: b.evaluated(m, e.Key, depth+1)}
		if o.Collection.IsMap {
			entry.Value = b.evaluated(m, e.Value, depth+1)
		}
		x.Entries = append(x.Entries, entry)
	}
}

// madeCustom runs the function [util.inspect.custom] of an object that was made.
func (b *tree) madeCustom(m *ecma.Machine, o *ecma.Object, depth int) *Value {
	var p ecma.Value = o
	for range object.MaxPrototypes {
		switch x := p.(type) {
		case *ecma.Object:
			for _, k := range x.Keys {
				if k.Symbol == 0 || b.v.objects.SymbolDescription(k.Symbol) != object.CustomInspect {
					continue
				}
				if fn := m.Get(o, k); m.IsObject(fn) {
					return b.customValue(m, fn, o, depth)
				}
			}
		case ecma.Heap:
			if fn := b.customOf(layout.Tagged(x)); fn != 0 {
				return b.customValue(m, ecma.Heap(fn), o, depth)
			}
			return nil
		}
		if p = m.Prototype(p); !m.IsObject(p) {
			return nil
		}
	}
	return nil
}

// madeClasses are the classes of V8's own of which objects are made.
var madeClasses = map[object.Kind]string{object.KindDate: "Date", object.KindMap: "Map", object.KindSet: "Set",
	object.KindArray: "Array", object.KindPromise: "Promise", object.KindRegExp: "RegExp",
	object.KindFunction: "Function"}

// unread reports whether the prototype of an object that was made, or the constructor that is there, is not
// in the core.
func (b *tree) unread(m *ecma.Machine, o *ecma.Object) bool {
	p, ok := m.Prototype(o).(ecma.Heap)
	if !ok {
		_, made := m.Prototype(o).(*ecma.Object)
		return !made
	}
	c, ok := b.v.objects.OwnProperty(layout.Tagged(p), "constructor")
	return !ok || !b.v.objects.IsFunction(c.Value)
}

// madeClass finds the class of an object that was made: getConstructorName.
func (b *tree) madeClass(m *ecma.Machine, o *ecma.Object, x *Value) (class object.Class) {
	constructor, prototype := ecma.Key{Name: "constructor"}, ecma.Key{Name: "prototype"}
	x.NullProto, x.Fallback = true, "Object"
	var p ecma.Value = o
	for range object.MaxPrototypes {
		if c, ok := m.Own(p, constructor); ok && !c.Accessor && m.IsObject(c.Value) {
			if name := m.Name(c.Value); name != "" &&
				(b.v.objects.ClassByName() || m.Inherits(o, m.Get(c.Value, prototype))) {
				x.Class, x.NullProto = name, false
				if from, ok := p.(ecma.Heap); ok {
					fn, _ := c.Value.(ecma.Heap)
					class = object.Class{Name: name, From: layout.Tagged(from),
						Builtin: b.v.objects.IsBuiltinObject(layout.Tagged(fn))}
				}
				break
			}
		}
		if p = m.Prototype(p); !m.IsObject(p) {
			break
		}
	}
	if name := madeClasses[x.Kind]; name != "" && b.unread(m, o) {
		x.Class, x.NullProto, class = name, false, object.Class{}
	}
	if k, ok := m.WellKnown("toStringTag"); ok {
		if s, ok := m.Get(o, k).(string); ok && s != "" {
			x.Tag = s
		}
		if own, ok := m.Own(o, k); ok {
			x.tagIsOwn, x.tagIsEnumerable = true, !own.Hidden
		}
	}
	return class
}

func (b *tree) madeProperties(m *ecma.Machine, o *ecma.Object, x *Value, depth int) {
	for _, k := range m.OwnKeys(o) {
		p, ok := m.Own(o, k)
		if !ok || (o.Array || o.Typed != "" || o.Boxed != nil) && !slices.Contains(o.Keys, k) {
			continue
		}
		if x.HiddenKeys++; !p.Hidden {
			x.Keys++
		}
		ofError := o.Error && slices.Contains(errorKeys, k.Name)
		if !ofError && (!x.Opened || p.Hidden && !b.o.ShowHidden) {
			continue
		}
		member := Member{Enumerable: !p.Hidden, Accessor: p.Accessor}
		member.Name = k.Name
		switch {
		case k.Symbol != 0:
			member.Word, member.Symbol, member.Name = k.Symbol, true, b.v.objects.SymbolDescription(k.Symbol)
		case k.Own != nil:
			member.Symbol, member.Name = true, k.Own.Description
		}
		if p.Accessor {
			member.Getter, member.Setter = p.Get != nil, p.Set != nil
		} else {
			member.Value = b.evaluated(m, p.Value, depth+1)
		}
		x.Properties = append(x.Properties, member)
	}
}
