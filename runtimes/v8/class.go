package v8

import (
	"math"
	"strings"
)

// A class is what util.inspect says in front of an object.
type class struct {
	name string // of the constructor
	none bool   // no constructor was found
	// builtin is set if the constructor is one of V8's own.
	builtin bool
	// from is the prototype on which the constructor was found.
	from Tagged
	tag  string // Symbol.toStringTag of a prototype
	// complex is set if name was made from that of a prototype, for want of a
	// constructor.
	complex bool
}

// Class returns the name of the constructor of the receiver o, by the rule of
// util.inspect: the first own property "constructor" on o and its prototypes
// that is a function with a name of which o is an instance. It is "" where
// there is none.
func (v *V8) Class(o Tagged) string { return v.classOf(o).name }

// classOf finds the class of o. All objects with the same map share it, but
// for those that have a constructor of their own, and dictionaries, which may.
func (v *V8) classOf(o Tagged) class {
	m, ok := v.mapOf(o)
	if !ok {
		return class{none: true}
	}
	if c, ok := v.caches.classes.Load(m); ok {
		return c.(class)
	}
	c := v.findClass(o, 0)
	if s, err := v.shape(o); err == nil && !s.dictionary {
		if _, own := v.ownProperty(o, "constructor"); !own {
			v.caches.classes.Store(m, c)
		}
	}
	return c
}

// lateGlobals are built-in constructors that V8 adds to the global object after
// its snapshot, in releases since one version and before another.
var lateGlobals = map[string][2]Version{
	"SharedArrayBuffer": {v8(8, 5)}, "WeakRef": {v8(8, 5), v8(9, 0)}, "FinalizationRegistry": {v8(8, 5), v8(9, 0)},
	"AggregateError": {v8(8, 5), v8(9, 0)}, "Float16Array": {v8(0, 0), v8(14, 6)}, "SuppressedError": {}, "DisposableStack": {},
	"AsyncDisposableStack": {}, "ShadowRealm": {},
}

// isBuiltinObject reports whether fn is a built-in constructor that a global
// names while Node starts: util.inspect takes others for a program's.
func (v *V8) isBuiltinObject(fn Tagged) bool {
	if !v.isFunction(fn) || !v.isBuiltin(fn) {
		return false
	}
	name := v.functionNameOf(fn)
	if since, ok := lateGlobals[name]; ok {
		ver := v.layout.Version
		if ver.AtLeast(since[0].Major, since[0].Minor) && (since[1] == Version{} || ver.Before(since[1].Major, since[1].Minor)) {
			return false
		}
	}
	native, ok := v.nativeOf(fn)
	if !ok {
		return true
	}
	_, p, err := v.findGlobal(native, name)
	return err == nil && !p.Accessor && !p.Native && !p.Value.Raw && p.Value.Word == fn
}

// maxComplex bounds the prototypes that are named for want of a constructor.
const maxComplex = 4

func (v *V8) findClass(o Tagged, depth int) class {
	c := class{none: true}
	v.prototypes(o, func(p Tagged) bool {
		if c.tag == "" && p != o {
			c.tag = v.tagAt(p)
		}
		if !c.none {
			return c.tag == ""
		}
		found, ok := v.ownProperty(p, "constructor")
		if !ok || !v.isFunction(found.value) {
			return true
		}
		name := v.functionNameOf(found.value)
		if name == "" || v.layout.Version.AtLeast(8, 4) && !v.instanceOf(o, found.value) {
			return true // Node 12 and 14.0 ask for the name only
		}
		c.name, c.none, c.from = name, false, p
		c.builtin = v.isBuiltinObject(found.value)
		return c.tag == ""
	})
	if first := v.prototypeOf(o); c.none && first != 0 && depth < maxComplex {
		// As much as getConstructorName says of it.
		inner := v.findClass(first, depth+1)
		name := inner.name
		if inner.none {
			name = "[" + v.fallbackClass(first) + ": null prototype] {}"
		}
		c.name, c.none, c.complex = v.fallbackClass(o)+" <"+name+">", false, true
	}
	return c
}

// tagAt returns the own Symbol.toStringTag of p: a string, or a getter that
// returns one.
func (v *V8) tagAt(p Tagged) string {
	if t, ok := v.toStringTag(p); ok {
		return t
	}
	tag := ""
	v.properties(p, func(q property) bool {
		if !v.is(q.value, v.types.accessorPair) || !v.is(q.key, v.types.symbol) ||
			v.symbolDescription(q.key) != "Symbol.toStringTag" {
			return true
		}
		getter, _ := v.field(q.value, v.layout.AccessorPair.Getter)
		setter, _ := v.field(q.value, v.layout.AccessorPair.Setter)
		if tag, _ = v.literalGetter(getter); tag == "" && v.isBuiltin(getter) && v.isBuiltin(setter) {
			tag = "Iterator" // only Iterator.prototype has a setter of V8's own
		}
		return false
	})
	return tag
}

// instanceOf reports whether the prototype of the function fn is on the
// prototype chain of o.
func (v *V8) instanceOf(o, fn Tagged) bool {
	proto, ok := v.functionPrototype(fn)
	if !ok {
		return false
	}
	found := false
	v.prototypes(o, func(p Tagged) bool {
		found = p == proto && p != o
		return !found
	})
	return found
}

// functionPrototype returns the value of a function's property "prototype":
// that of its initial map, or the slot itself until objects were made. It
// fails where V8 has not made one yet, and for functions without the property.
func (v *V8) functionPrototype(fn Tagged) (Tagged, bool) {
	if s, err := v.shape(fn); err != nil || s.flags&mapPrototypeSlot == 0 || s.flags&mapNonInstancePrototype != 0 {
		return 0, false
	}
	t, ok := v.field(fn, v.layout.objectLayout.JSFunction.PrototypeOrInitialMap)
	if !ok || !t.IsHeap() {
		return 0, false
	}
	if v.isMap(t) {
		t, ok = v.field(t, v.layout.Map.Prototype)
	}
	return t, ok && v.isReceiver(t)
}

// primitivePrototype returns the value of a function's property "prototype" if
// that is no object: the second word of a Tuple2 where the function's map has its
// constructor, or until V8 10 that word itself (objects/js-function.cc:
// SetPrototype).
func (v *V8) primitivePrototype(fn Tagged) (Tagged, bool) {
	s, err := v.shape(fn)
	if err != nil || s.flags&mapNonInstancePrototype == 0 {
		return 0, false
	}
	t, ok := v.constructorOf(fn)
	if ok && v.typeNamed(t, "TUPLE2") {
		return v.field(t, 16)
	}
	return t, ok
}

// isBuiltin reports whether fn is a function of V8's own: its
// SharedFunctionInfo holds the number of a builtin and has no script.
func (v *V8) isBuiltin(fn Tagged) bool {
	s, ok := v.closureShared(fn)
	if !ok {
		return false
	}
	f, ok := v.function(s)
	if !ok || f.script != 0 {
		return false
	}
	l := &v.layout.SharedFunctionInfo
	for _, off := range []int{l.FunctionData, l.UntrustedData} {
		if d, ok := v.field(s, off); ok && d.IsSmi() && d != 0 {
			return true
		}
	}
	return false
}

// tagOf returns Symbol.toStringTag of o, its own or inherited, as far as it is
// data.
func (v *V8) tagOf(o Tagged) string {
	if t := v.tagAt(o); t != "" {
		return t
	}
	return v.classOf(o).tag
}

// functionNameOf returns the value of a function's property "name".
func (v *V8) functionNameOf(fn Tagged) string {
	p, ok := v.ownProperty(fn, "name")
	if !ok {
		return ""
	}
	if v.IsString(p.value) {
		return v.text(p.value)
	}
	if v.is(p.value, v.types.accessorPair) || v.isReceiver(p.value) {
		return ""
	}
	if v.isBound(fn) {
		target, _ := v.field(fn, v.layout.JSBoundFunction.Target)
		return "bound " + v.boundName(target)
	}
	if target, ok := v.wrappedTarget(fn); ok {
		return v.functionNameOf(target)
	}
	s, ok := v.closureShared(fn)
	if !ok {
		return ""
	}
	if f, ok := v.function(s); ok {
		shift := v.layout.objectLayout.SharedFunctionInfo.AnonymousShift
		if shift != Unknown && f.flags>>uint(shift)&1 == 1 {
			return "anonymous"
		}
	}
	return v.ownName(s)
}

// wrappedTarget returns the function of another realm that a function of a
// ShadowRealm stands for (objects/js-function.tq: JSWrappedFunction).
func (v *V8) wrappedTarget(fn Tagged) (Tagged, bool) {
	if !v.typeNamed(fn, "JS_WRAPPED_FUNCTION") {
		return 0, false
	}
	target, ok := v.field(fn, v.layout.JSBoundFunction.Target)
	return target, ok && v.isFunction(target)
}

func (v *V8) isBound(fn Tagged) bool { return v.typeNamed(fn, "JS_BOUND_FUNCTION") }

// boundName names the target of a bound function, through the bound functions
// in between.
func (v *V8) boundName(target Tagged) string {
	prefix := ""
	for range maxPrototypes {
		if !v.isBound(target) {
			break
		}
		prefix += "bound "
		target, _ = v.field(target, v.layout.JSBoundFunction.Target)
	}
	return prefix + v.functionNameOf(target)
}

// fallbackClass is V8's own idea of an object's class, for objects without a
// constructor (JSReceiver::GetConstructorName).
func (v *V8) fallbackClass(o Tagged) string {
	if c, ok := v.constructorOf(o); ok {
		if s, ok := v.closureShared(c); ok {
			if n := v.ownName(s); n != "" {
				return n
			}
		}
	}
	return v.className(o)
}

// elementType names the typed array that o is, or "": the constructor that
// its map leads to, which for a subclass is the class of V8; else the name of
// a constructor on the prototype chain.
func (v *V8) elementType(o Tagged) string {
	if n := v.fallbackClass(o); elementSizes[n] > 0 {
		return n
	}
	found := ""
	v.prototypes(o, func(p Tagged) bool {
		if c, ok := v.ownProperty(p, "constructor"); ok && v.isFunction(c.value) {
			if n := v.functionNameOf(c.value); elementSizes[n] > 0 {
				found = n
			}
		}
		return found == ""
	})
	return found
}

// functionType tells what kind of function fn is.
func (v *V8) functionType(fn Tagged) string {
	if v.isClass(fn) {
		return "class"
	}
	switch t := v.tagOf(fn); t {
	case "AsyncFunction", "GeneratorFunction", "AsyncGeneratorFunction":
		return t
	}
	return "Function"
}

// isClass reports whether fn is a class: by its flag, or by the positions of
// its source that V8 keeps with classes only.
func (v *V8) isClass(fn Tagged) bool {
	if v.isClassConstructor(fn) {
		return true
	}
	found := false
	v.properties(fn, func(p property) bool {
		found = v.typeNamed(p.value, "CLASS_POSITIONS")
		return !found
	})
	return found
}

// functionLength returns the value of a function's property "length"; depth
// counts the bound functions around it.
func (v *V8) functionLength(fn Tagged, depth int) (int, bool) {
	if v.isBound(fn) {
		target, ok1 := v.field(fn, v.layout.JSBoundFunction.Target)
		args, ok2 := v.field(fn, v.layout.JSBoundFunction.Arguments)
		n, ok3 := v.fixedLength(args)
		if !ok1 || !ok2 || !ok3 || depth > maxPrototypes {
			return 0, false
		}
		length, ok := v.functionLength(target, depth+1)
		return max(length-n, 0), ok
	}
	if target, ok := v.wrappedTarget(fn); ok && depth < maxPrototypes {
		return v.functionLength(target, depth+1)
	}
	s, ok := v.closureShared(fn)
	if !ok {
		return 0, false
	}
	n, ok := v.u16(s.Addr().Add(int64(v.layout.objectLayout.SharedFunctionInfo.Length)))
	// kInvalidLength: the function was never compiled.
	return int(n), ok && n != math.MaxUint16
}

// elementSizes are the bytes of an element of each typed array.
var elementSizes = map[string]int{
	"Int8Array": 1, "Uint8Array": 1, "Uint8ClampedArray": 1, "Int16Array": 2, "Uint16Array": 2,
	"Float16Array": 2, "Int32Array": 4, "Uint32Array": 4, "Float32Array": 4, "Float64Array": 8,
	"BigInt64Array": 8, "BigUint64Array": 8,
}

// returned is what the body of a getter returns, if it does nothing else.
func (v *V8) returned(getter Tagged) (string, bool) {
	const longest = 200
	script, start, end := v.textOf(getter)
	if script == 0 || start < 0 || end-start > longest {
		return "", false
	}
	text, err := v.Source(script, start, end, longest)
	if err != nil {
		return "", false
	}
	_, body, ok := strings.Cut(text, "{")
	body, rest, ok2 := strings.Cut(body, "}")
	value, ok3 := strings.CutPrefix(strings.TrimSpace(body), "return ")
	return strings.TrimSpace(strings.TrimSuffix(value, ";")), ok && ok2 && ok3 && rest == ""
}

// literalGetter returns the string that a getter returns if it is a literal
// without escapes.
func (v *V8) literalGetter(getter Tagged) (string, bool) {
	s, ok := v.returned(getter)
	if !ok || len(s) < 2 || s[0] != '\'' && s[0] != '"' || s[len(s)-1] != s[0] {
		return "", false
	}
	s = s[1 : len(s)-1]
	return s, !strings.ContainsAny(s, "'\"\\")
}

// className is JSReceiver::class_name.
func (v *V8) className(o Tagged) string {
	m, _ := v.mapOf(o)
	return v.classNameOf(m, v.isFunction(o))
}

// classNameOf is className of an object with the map m.
func (v *V8) classNameOf(m Tagged, function bool) string {
	if function {
		return "Function"
	}
	if c, ok := v.mapConstructor(m); ok {
		if s, ok := v.closureShared(c); ok {
			if n := v.sharedName(s); n != "" {
				return n
			}
		}
	}
	return "Object"
}

// isClassConstructor knows a class by its instance type, which V8 names from
// 8.9 on, or by the flag of its shared function.
func (v *V8) isClassConstructor(o Tagged) bool {
	s, ok := v.closureShared(o)
	if !ok {
		return false
	}
	f, ok := v.function(s)
	// SharedFunctionInfo::IsClassConstructorBit.
	return ok && f.flags>>uint(v.layout.SharedFunctionInfo.ClassConstructorShift)&1 == 1
}
