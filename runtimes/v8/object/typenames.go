package object

import (
	"cmp"

	"coredbg/runtimes/v8/layout"
)

// ConstructorName is JSReceiver::GetConstructorName (objects/js-objects.cc).
func (r *ClassReader) ConstructorName(o layout.Tagged) string {
	m, _ := r.MapOf(o)
	return r.ConstructorNameOf(m, o, true)
}

// ConstructorNameOf is ConstructorName of an object with the map m. The search
// for properties begins at first: the object itself, which is known by own, or its
// prototype. In old versions the tag of any prototype counts before the constructor, and
// only the nearest constructor does.
func (r *ClassReader) ConstructorNameOf(m, first layout.Tagged, own bool) string {
	if n := r.constructorOfMap(m); n != "" {
		return n
	}
	old := r.Layout.Names.TagFirst == 1
	var tag, name string
	tagged, decided := false, false
	r.Prototypes(first, func(p layout.Tagged) bool {
		if t, ok := r.toStringTag(p); ok {
			tag, tagged = t, true
			return false
		}
		if own && p == first || decided {
			return true
		}
		if c, ok := r.OwnProperty(p, "constructor"); ok {
			name, decided = r.nameAsConstructor(c.Value), old
		}
		return name == "" || old
	})
	switch {
	case tagged:
		return tag
	case name != "":
		return name
	}
	return r.class(m, first, own)
}

// nameAsConstructor is the name of a function that objects may be called by; "" for Object.
func (r *ClassReader) nameAsConstructor(c layout.Tagged) string {
	if !r.IsFunction(c) {
		return ""
	}
	s, _ := r.ClosureShared(c)
	if n := r.SharedName(s); n != "Object" {
		return n
	}
	return ""
}

// innerClasses are the classes of objects by the names of their types.
var innerClasses = map[string]string{
	"JS_ARGUMENTS_OBJECT_TYPE": "Arguments", "JS_ARGUMENTS_TYPE": "Arguments",
	"JS_ARRAY_TYPE": "Array", "JS_ARRAY_BUFFER_TYPE": "ArrayBuffer", "JS_DATE_TYPE": "Date", "JS_ERROR_TYPE": "Error",
	"JS_REG_EXP_TYPE": "RegExp", "JS_REGEXP_TYPE": "RegExp",
	"JS_MAP_TYPE": "Map", "JS_SET_TYPE": "Set", "JS_WEAK_MAP_TYPE": "WeakMap", "JS_WEAK_SET_TYPE": "WeakSet",
	"JS_MAP_KEY_ITERATOR_TYPE": "Map Iterator", "JS_MAP_KEY_VALUE_ITERATOR_TYPE": "Map Iterator",
	"JS_MAP_VALUE_ITERATOR_TYPE": "Map Iterator",
	"JS_SET_VALUE_ITERATOR_TYPE": "Set Iterator", "JS_SET_KEY_VALUE_ITERATOR_TYPE": "Set Iterator",
	"JS_GENERATOR_OBJECT_TYPE": "Generator", "JS_ASYNC_GENERATOR_OBJECT_TYPE": "Generator",
	"JS_ASYNC_FUNCTION_OBJECT_TYPE": "Generator",
	"JS_BOUND_FUNCTION_TYPE":        "Function", "JS_WRAPPED_FUNCTION_TYPE": "Function",
}

// class returns JSReceiver::class_name, V8's own class for an object with the map m. For an object without a
// class of its own it is the class of the embedder's template, or "Object". The object is first if own is set;
// otherwise no object exists.
func (r *ClassReader) class(m, first layout.Tagged, own bool) string {
	typ, _ := r.MapInstanceType(m)
	name := r.Types.Names[typ]
	if c := innerClasses[name]; c != "" {
		return c
	}
	switch {
	case !own:
	case r.IsFunction(first):
		return "Function"
	case kindOfName[name] == KindTypedArray:
		if c := r.elementType(first); c != "" {
			return c
		}
	case kindOfName[name] == KindBoxed:
		if value, ok := r.Field(first, r.Layout.JSPrimitiveWrapper.Value); ok {
			if c, ok := r.PrimitiveType(value); ok && c != "" {
				return c
			}
		}
	}
	if c, ok := r.mapConstructor(m); ok {
		if s, ok := r.ClosureShared(c); ok && r.dataTier(s) == "api" {
			return cmp.Or(r.SharedName(s), "Object")
		}
	}
	return "Object"
}

// constructorOfMap names the constructor of a map where that is exact: objects
// with it were made by it directly, and are not prototypes.
func (r *ClassReader) constructorOfMap(m layout.Tagged) string {
	if !r.IsMap(m) {
		return ""
	}
	bits, ok1 := r.U32Field(m, r.Layout.Map.BitField3)
	var b2 [1]byte
	ok2 := r.Bytes(b2[:], m.Addr().Add(int64(r.Layout.Map.BitField2)))
	if !ok1 || !ok2 || b2[0]>>uint(r.Layout.Map.NewTargetIsBaseShift)&1 == 0 ||
		bits>>uint(r.Layout.Map.PrototypeMapShift)&1 == 1 {
		return ""
	}
	c, ok := r.mapConstructor(m)
	if !ok {
		return ""
	}
	s, ok := r.ClosureShared(c)
	if !ok {
		return ""
	}
	n := r.SharedName(s)
	if r.Layout.Names.Computed == 1 { // JSFunction::GetDebugName: a name that was given to it counts
		n = r.ClosureName(c)
	}
	if n == "Object" {
		return ""
	}
	return n
}

// PrimitiveType names the wrapper class of a primitive.
func (r *ClassReader) PrimitiveType(o layout.Tagged) (string, bool) {
	if o.IsSmi() {
		return "Number", true
	}
	typ, ok := r.InstanceType(o)
	switch {
	case !ok:
		return "", true
	case typ < r.Layout.String.FirstNonstringType:
		return "String", true
	case typ == r.Types.HeapNumber:
		return "Number", true
	case typ == r.Types.Symbol:
		return "Symbol", true
	case typ == r.Types.Oddball:
		return "Boolean", true
	case typ < r.Types.FirstReceiver:
		return "BigInt", true
	}
	return "", false
}
