package object

import (
	"cmp"
	"strings"

	"coredbg/runtimes/v8/layout"
)

// A ClassReader reads the classes and kinds of objects.
type ClassReader struct{ RealmReader }

// A Class is what util.inspect says before an object.
type Class struct {
	Name string // of the constructor
	None bool   // no constructor was found
	// builtin is set if the constructor is one of V8's own.
	Builtin bool
	// From is the prototype where the constructor was found.
	From layout.Tagged
	Tag  string // Symbol.toStringTag of a prototype
	// TagOfElements is set if that is the getter of typed arrays, which is undefined for others.
	TagOfElements bool
	// Iterable is set if the object or a prototype has a property Symbol.iterator.
	Iterable bool
	// Complex is set if the name was made from a prototype's name, for want of a
	// constructor.
	Complex bool
}

// Class returns the name of the constructor of the receiver o, by the rule of
// util.inspect: the first own property "constructor" on o and its prototypes
// that is a function with a name, and has o as an instance. It is "" without
// such a property.
func (r *ClassReader) Class(o layout.Tagged) string { return r.ClassFor(o).Name }

// ClassFor finds the class of o. All objects with the same map share it, except
// objects that have a constructor of their own, and dictionaries, which may.
func (r *ClassReader) ClassFor(o layout.Tagged) Class {
	m, ok := r.MapOf(o)
	if !ok {
		return Class{None: true}
	}
	if c, ok := r.caches.classes.Load(m); ok {
		return c.(Class)
	}
	c := r.findClass(o, 0)
	if s, err := r.Shape(o); err == nil && !s.dictionary {
		if _, own := r.OwnProperty(o, "constructor"); !own {
			r.caches.classes.Store(m, c)
		}
	}
	return c
}

// IsBuiltinObject reports whether fn is a built-in constructor that a global
// names while Node starts: util.inspect takes others for a program's.
func (r *ClassReader) IsBuiltinObject(fn layout.Tagged) bool {
	if !r.IsFunction(fn) {
		return false
	}
	if names := r.caches.inspect().builtins; names != nil {
		return names[r.FunctionNameOf(fn)]
	}
	if !r.IsBuiltin(fn) {
		return false
	}
	if b, ok := r.caches.builtins.Load(fn); ok {
		return b.(bool)
	}
	b := r.namedWhileStarting(fn)
	r.caches.builtins.Store(fn, b)
	return b
}

// namedWhileStarting reports whether a global names the built-in constructor fn, and
// did so before a program ran.
func (r *ClassReader) namedWhileStarting(fn layout.Tagged) bool {
	name := r.FunctionNameOf(fn)
	if layout.IsLateGlobal(name, r.Layout.Version) {
		return false
	}
	native, ok := r.nativeOf(fn)
	if !ok {
		return true
	}
	_, p, err := r.findGlobal(native, name)
	return err == nil && !p.Accessor && !p.Native && !p.Value.Raw && p.Value.Word == fn
}

// ClassByName reports whether util.inspect only requires that a constructor has a name, as old
// releases of Node do. In others the object must be an instance of it, too.
func (r *ClassReader) ClassByName() bool {
	if s := r.caches.inspect().source; s != "" {
		return !strings.Contains(s, "isInstanceof(")
	}
	return r.Layout.Inspect.ClassByName == 1
}

// maxComplex bounds the prototypes that are named for want of a constructor.
const maxComplex = 4

func (r *ClassReader) findClass(o layout.Tagged, depth int) Class {
	c := Class{None: true}
	tagged := false
	r.Prototypes(o, func(p layout.Tagged) bool {
		s := r.symbolsAt(p)
		c.Iterable = c.Iterable || s.iterator
		if !tagged && p != o && s.tagged {
			tagged, c.Tag, c.TagOfElements = true, s.tag, s.ofElements
		}
		if !c.None {
			return !tagged || !c.Iterable
		}
		found, ok := r.OwnProperty(p, "constructor")
		if !ok || !r.IsFunction(found.Value) {
			return true
		}
		name := r.FunctionNameOf(found.Value)
		if name == "" || !r.ClassByName() && !r.instanceOf(o, found.Value) {
			return true
		}
		c.Name, c.None, c.From = name, false, p
		c.Builtin = r.IsBuiltinObject(found.Value)
		return !tagged || !c.Iterable
	})
	if first := r.PrototypeOf(o); c.None && first != 0 && depth < maxComplex {
		// As getConstructorName writes it.
		inner := r.findClass(first, depth+1)
		name := inner.Name
		if inner.None {
			name = "[" + r.ConstructorName(first) + ": null prototype]"
			if r.empty(first) {
				name += " {}"
			}
		}
		c.Name, c.None, c.Complex = r.ConstructorName(o)+" <"+name+">", false, true
	}
	return c
}

// empty reports whether an object has no properties that are enumerable.
func (r *ClassReader) empty(o layout.Tagged) bool {
	elements, ok := r.Field(o, r.Layout.JSObject.Elements)
	if n, has := r.FixedLength(elements); ok && has && n > 0 {
		return false
	}
	none := true
	r.EachProperty(o, func(p RawProperty) bool {
		k := Key{Word: p.Key}
		none = p.DontEnum || !r.NameKey(&k) || k.Private
		return none
	})
	return none
}

// ownSymbols are what the own properties of an object named by Symbol.toStringTag and
// Symbol.iterator say.
type ownSymbols struct {
	tagged, iterator bool
	// tag is a string, or the result of a getter; "" for other values. If ofElements is set, it is the type of the
	// object's elements.
	tag        string
	ofElements bool
}

func (r *ClassReader) symbolsAt(p layout.Tagged) (s ownSymbols) {
	r.EachProperty(p, func(q RawProperty) bool {
		if !r.Is(q.Key, r.Types.Symbol) {
			return true
		}
		d, ok := r.Field(q.Key, r.Layout.Symbol.Description)
		switch {
		case !ok || !r.IsString(d):
		case r.NameIs(d, "Symbol.iterator"):
			s.iterator = true
		case r.NameIs(d, "Symbol.toStringTag"):
			s.tagged = true
			s.tag, s.ofElements = r.tagValue(q.Value)
		}
		return !s.tagged || !s.iterator
	})
	return s
}

// tagValue is what a property Symbol.toStringTag with the value v is to util.inspect.
func (r *ClassReader) tagValue(v layout.Tagged) (tag string, ofElements bool) {
	switch {
	case r.IsString(v):
		return r.Text(v), false
	case !r.Is(v, r.Types.AccessorPair):
		return "", false
	}
	getter, _ := r.Field(v, r.Layout.AccessorPair.Getter)
	setter, _ := r.Field(v, r.Layout.AccessorPair.Setter)
	if tag, _ = r.literalGetter(getter); tag != "" || !r.IsBuiltin(getter) {
		return tag, false
	}
	if r.IsBuiltin(setter) {
		return "Iterator", false // only Iterator.prototype has a setter of V8's own
	}
	return "", true // %TypedArray%.prototype
}

// OwnTag returns Symbol.toStringTag of o itself, if it has one; ok is false else.
func (r *ClassReader) OwnTag(o layout.Tagged) (tag string, ok bool) {
	s := r.symbolsAt(o)
	if s.ofElements {
		s.tag = r.elementType(o)
	}
	return s.tag, s.tagged
}

// instanceOf reports whether the prototype of the function fn is on the
// prototype chain of o.
func (r *ClassReader) instanceOf(o, fn layout.Tagged) bool {
	proto, ok := r.FunctionPrototype(fn)
	if !ok {
		return false
	}
	found := false
	r.Prototypes(o, func(p layout.Tagged) bool {
		found = p == proto && p != o
		return !found
	})
	return found
}

// FunctionPrototype returns the value of a function's property "prototype":
// the prototype of its initial map, or the slot itself until objects were made. It
// fails where V8 has not made one yet, and for functions without the property.
func (r *ClassReader) FunctionPrototype(fn layout.Tagged) (layout.Tagged, bool) {
	if s, err := r.Shape(fn); err != nil || !r.hasPrototypeSlot(s) || s.Flags&mapNonInstancePrototype != 0 {
		return 0, false
	}
	t, ok := r.Field(fn, r.Layout.ObjectLayout.JSFunction.PrototypeOrInitialMap)
	if !ok || !t.IsHeap() {
		return 0, false
	}
	if r.IsMap(t) {
		t, ok = r.Field(t, r.Layout.Map.Prototype)
	}
	return t, ok && r.IsReceiver(t)
}

// hasPrototypeSlot reports whether functions of a shape have a word for their prototype: a
// bit of the map says so, or from V8 15 on the type, which has room for it before the
// properties (objects/map.tq: MapBitFields1).
func (r *ClassReader) hasPrototypeSlot(s *Shape) bool {
	if bit := r.Layout.ObjectLayout.Map.PrototypeSlotMask; bit != layout.Unknown {
		return s.Flags&bit != 0
	}
	return r.Slots(s.start) > r.Layout.ObjectLayout.JSFunction.PrototypeOrInitialMap
}

// PrimitivePrototype returns the value of a function's property "prototype" if
// that is not an object: the second word of a Tuple2 where the function's map has its
// constructor, or until V8 10 that word itself (objects/js-function.cc:
// SetPrototype).
func (r *ClassReader) PrimitivePrototype(fn layout.Tagged) (layout.Tagged, bool) {
	s, err := r.Shape(fn)
	if err != nil || s.Flags&mapNonInstancePrototype == 0 {
		return 0, false
	}
	t, ok := r.constructorOf(fn)
	if ok && r.TypeNamed(t, "TUPLE2") {
		return r.Field(t, r.Slots(2))
	}
	return t, ok
}

// IsBuiltin reports whether fn is a function of V8's own: its
// SharedFunctionInfo holds the number of a builtin and has no script.
func (r *ClassReader) IsBuiltin(fn layout.Tagged) bool {
	s, ok := r.ClosureShared(fn)
	if !ok {
		return false
	}
	f, ok := r.SharedInfo(s)
	if !ok || f.Script != 0 {
		return false
	}
	l := &r.Layout.SharedFunctionInfo
	for _, off := range []int{l.FunctionData, l.UntrustedData} {
		if d, ok := r.DataField(s, off); ok && d.IsSmi() && d != 0 {
			return true
		}
	}
	return false
}

// tagOf returns Symbol.toStringTag of o, its own or inherited, as far as it is
// data.
func (r *ClassReader) tagOf(o layout.Tagged) string {
	if t, ok := r.OwnTag(o); ok {
		return t
	}
	return r.ClassFor(o).Tag
}

// elementType names the typed array that o is, or "": the constructor that
// its map leads to, which for a subclass is the class of V8; else the name of
// a constructor on the prototype chain.
func (r *ClassReader) elementType(o layout.Tagged) string {
	if n := r.MadeBy(o); ElementSizes[n] > 0 {
		return n
	}
	found := ""
	r.Prototypes(o, func(p layout.Tagged) bool {
		if c, ok := r.OwnProperty(p, "constructor"); ok && r.IsFunction(c.Value) {
			if n := r.FunctionNameOf(c.Value); ElementSizes[n] > 0 {
				found = n
			}
		}
		return found == ""
	})
	return found
}

// ElementSizes are the bytes of an element of each typed array.
var ElementSizes = map[string]int{
	"Int8Array": 1, "Uint8Array": 1, "Uint8ClampedArray": 1, "Int16Array": 2, "Uint16Array": 2,
	"Float16Array": 2, "Int32Array": 4, "Uint32Array": 4, "Float32Array": 4, "Float64Array": 8,
	"BigInt64Array": 8, "BigUint64Array": 8,
}

// returned is what the body of a getter returns, if it does nothing else.
func (r *ClassReader) returned(getter layout.Tagged) (string, bool) {
	const longest = 200
	script, start, end := r.textOf(getter)
	if script == 0 || start < 0 || end-start > longest {
		return "", false
	}
	text, err := r.Source(script, start, end, longest)
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
func (r *ClassReader) literalGetter(getter layout.Tagged) (string, bool) {
	s, ok := r.returned(getter)
	if !ok || len(s) < 2 || s[0] != '\'' && s[0] != '"' || s[len(s)-1] != s[0] {
		return "", false
	}
	s = s[1 : len(s)-1]
	return s, !strings.ContainsAny(s, "'\"\\")
}

// MadeBy names the constructor that an object's map leads to. It is the maker of objects that have lost
// their constructor, and of prototypes.
func (r *ClassReader) MadeBy(o layout.Tagged) string {
	if c, ok := r.constructorOf(o); ok {
		if s, ok := r.ClosureShared(c); ok {
			if n := cmp.Or(r.OwnName(s), r.SharedName(s)); n != "" {
				return n
			}
		}
	}
	if r.IsFunction(o) {
		return "Function"
	}
	return "Object"
}

// IsClassConstructor knows a class by its instance type, which V8 names from
// 8.9 on, or by the flag of its shared function.
func (r *ClassReader) IsClassConstructor(o layout.Tagged) bool {
	s, ok := r.ClosureShared(o)
	if !ok {
		return false
	}
	f, ok := r.SharedInfo(s)
	// SharedFunctionInfo::IsClassConstructorBit.
	return ok && f.Flags>>uint(r.Layout.SharedFunctionInfo.ClassConstructorShift)&1 == 1
}
