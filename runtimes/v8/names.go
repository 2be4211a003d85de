package v8

import (
	"strings"
	"unicode"
)

// A call is what Error.stack tells about a frame besides its position.
type call struct {
	shared      Tagged
	closure     Tagged // 0 if unknown
	receiver    Tagged
	hasReceiver bool
	// unmade is the map of a receiver that optimised code never made; receiver is
	// its prototype then.
	unmade    Tagged
	construct bool
}

// callName returns the function of a frame as Error.stack prints it
// (objects/call-site-info.cc: SerializeJSStackFrame): "new C", "C.m",
// "o.f", "C.f [as m]", or "" for an anonymous function.
func (v *V8) callName(c call) string {
	name := v.functionName(c)
	switch {
	case c.construct:
		if name == "" {
			name = "<anonymous>"
		}
		return "new " + name
	case v.isMethodCall(c):
		return v.methodCall(c, name)
	}
	return name
}

// functionName is CallSiteInfo::GetFunctionName.
func (v *V8) functionName(c call) string {
	var name string
	if c.closure != 0 {
		name = v.closureName(c.closure)
	} else {
		name = v.sharedName(c.shared)
	}
	if name == "" {
		if f, ok := v.function(c.shared); ok && f.script != 0 && v.isEval(f.script) {
			return "eval"
		}
	}
	return name
}

// isMethodCall is CallSiteInfo::IsMethodCall: there is a receiver, and it is
// not the global one. An unknown receiver counts as none.
func (v *V8) isMethodCall(c call) bool {
	if !c.hasReceiver {
		return false
	}
	if c.receiver.IsSmi() {
		return true
	}
	typ, ok := v.instanceType(c.receiver)
	switch {
	case !ok, typ == v.types.jsGlobalProxy, typ == v.types.hole:
		return false
	case typ == v.types.oddball:
		s := v.oddball(c.receiver)
		return s == "true" || s == "false"
	}
	return true
}

// methodCall is AppendMethodCall. V8 9 leaves the type out where the function's
// name starts with it; later versions where the name is no identifier or is
// the type's own. V8 12 counts "get p" as a name of p.
func (v *V8) methodCall(c call, name string) string {
	var typ string
	if c.unmade != 0 {
		typ = v.constructorNameOf(c.unmade, c.receiver, false)
	} else {
		typ = v.typeName(c.receiver)
	}
	method := v.methodName(c)
	if name == "" {
		if method == "" {
			method = "<anonymous>"
		}
		if typ == "" {
			return method
		}
		return typ + "." + method
	}
	out := name
	ver := v.layout.Version
	prefixed := typ != "" && isIdentifier(name) && name != typ
	if ver.Before(10, 0) {
		prefixed = typ != "" && !strings.HasPrefix(name, typ)
	}
	if prefixed {
		out = typ + "." + name
	}
	if method == "" || name == method || strings.HasSuffix(name, "."+method) ||
		ver.AtLeast(12, 0) && strings.HasSuffix(name, " "+method) {
		return out
	}
	return out + " [as " + method + "]"
}

func isIdentifier(s string) bool {
	for i, r := range s {
		switch {
		case r == '$', r == '_', unicode.IsLetter(r):
		case i > 0 && (unicode.IsDigit(r) || r == '\u200c' || r == '\u200d' || unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Pc, r)):
		default:
			return false
		}
	}
	return s != ""
}

// typeName is CallSiteInfo::GetTypeName. A class as receiver of its static
// method is named itself from V8 10.2 on, any function from 13 on.
func (v *V8) typeName(receiver Tagged) string {
	if p, ok := v.primitiveType(receiver); ok {
		return p
	}
	if v.is(receiver, v.types.jsProxy) {
		return "Proxy"
	}
	ver := v.layout.Version
	if ver.AtLeast(13, 0) && v.isFunction(receiver) || ver.AtLeast(10, 2) && v.isClassConstructor(receiver) {
		if n := v.closureName(receiver); n != "" {
			return n
		}
	}
	return v.constructorName(receiver)
}

// primitiveType names the wrapper class of a primitive.
func (v *V8) primitiveType(o Tagged) (string, bool) {
	if o.IsSmi() {
		return "Number", true
	}
	typ, ok := v.instanceType(o)
	switch {
	case !ok:
		return "", true
	case typ < v.layout.String.FirstNonstringType:
		return "String", true
	case typ == v.types.heapNumber:
		return "Number", true
	case typ == v.types.symbol:
		return "Symbol", true
	case typ == v.types.oddball:
		return "Boolean", true
	case typ < v.types.firstReceiver:
		return "BigInt", true
	}
	return "", false
}

// constructorName is JSReceiver::GetConstructorName (objects/js-objects.cc).
func (v *V8) constructorName(o Tagged) string {
	m, _ := v.mapOf(o)
	return v.constructorNameOf(m, o, true)
}

// constructorNameOf is constructorName of an object with the map m. The search
// for properties begins at first: the object itself, which is told by own, or its
// prototype.
func (v *V8) constructorNameOf(m, first Tagged, own bool) string {
	if n := v.constructorOfMap(m); n != "" {
		return n
	}
	var name string
	v.prototypes(first, func(p Tagged) bool {
		if t, ok := v.toStringTag(p); ok {
			name = t
			return false
		}
		if own && p == first {
			return true
		}
		if c, ok := v.ownProperty(p, "constructor"); ok && v.isFunction(c.value) {
			s, _ := v.closureShared(c.value)
			if n := v.sharedName(s); n != "" && n != "Object" {
				name = n
				return false
			}
		}
		return true
	})
	if name != "" {
		return name
	}
	return v.classNameOf(m, own && v.isFunction(first))
}

// constructorOfMap names the constructor of a map where that is exact: objects
// with it were made by it directly, and are no prototypes.
func (v *V8) constructorOfMap(m Tagged) string {
	if !v.isMap(m) {
		return ""
	}
	bits, ok1 := v.u32Field(m, v.layout.Map.BitField3)
	var b2 [1]byte
	ok2 := v.bytes(b2[:], m.Addr().Add(int64(v.layout.Map.BitField2)))
	if !ok1 || !ok2 || b2[0]>>uint(v.layout.Map.NewTargetIsBaseShift)&1 == 0 || bits>>uint(v.layout.Map.PrototypeMapShift)&1 == 1 {
		return ""
	}
	c, ok := v.mapConstructor(m)
	if !ok {
		return ""
	}
	s, ok := v.closureShared(c)
	if !ok {
		return ""
	}
	n := v.sharedName(s)
	if n == "" && v.layout.Version.AtLeast(14, 2) {
		// The name that a computed key gave to the function counts too.
		n = v.closureName(c)
	}
	if n == "Object" {
		return ""
	}
	return n
}

// methodName is CallSiteInfo::GetMethodName: the name of the receiver's
// property that holds the function.
func (v *V8) methodName(c call) string {
	start := c.receiver
	if wrapper, ok := v.primitiveType(start); ok {
		start = v.prototypeOfGlobal(c.closure, wrapper)
	}
	if c.closure == 0 || !v.isReceiver(start) {
		return ""
	}
	name := v.ownName(c.shared)
	if rest, ok := strings.CutPrefix(name, "get "); ok {
		name = rest
	} else if rest, ok := strings.CutPrefix(name, "set "); ok {
		name = rest
	} else if name == "" {
		name = v.inferredName(c.shared)
		name = name[strings.LastIndexByte(name, '.')+1:]
	}
	if name != "" {
		if p, ok := v.lookup(start, name); ok && v.holds(p.value, c.closure) {
			return name
		}
	}
	return v.inferMethod(start, c.closure)
}

// prototypeOfGlobal returns the prototype property of a global constructor in the
// realm of a closure; 0 if there is none.
func (v *V8) prototypeOfGlobal(closure Tagged, name string) Tagged {
	ctx, _ := v.field(closure, v.layout.JSFunction.Context)
	native, err := v.NativeContext(ctx)
	if err != nil {
		return 0
	}
	s, err := v.Global(native, name)
	if err != nil {
		return 0
	}
	p, _ := v.functionPrototype(s.Word)
	return p
}

// lookup finds a property on the prototype chain of o.
func (v *V8) lookup(o Tagged, name string) (found property, ok bool) {
	v.prototypes(o, func(p Tagged) bool {
		found, ok = v.ownProperty(p, name)
		return !ok
	})
	return found, ok
}

// holds reports whether a property's value is fn, or an accessor with it.
func (v *V8) holds(value, fn Tagged) bool {
	if value == fn {
		return true
	}
	if !v.is(value, v.types.accessorPair) {
		return false
	}
	get, _ := v.field(value, v.layout.AccessorPair.Getter)
	set, _ := v.field(value, v.layout.AccessorPair.Setter)
	return get == fn || set == fn
}

// inferMethod is InferMethodName: the one name of an enumerable property
// anywhere on the chain that holds fn, or "".
func (v *V8) inferMethod(o, fn Tagged) string {
	var key Tagged
	several := false
	v.prototypes(o, func(p Tagged) bool {
		typ, _ := v.instanceType(p)
		if typ == v.types.jsProxy || typ == v.types.jsGlobalObject {
			return false
		}
		v.properties(p, func(p property) bool {
			if p.dontEnum || p.key == key || !v.holds(p.value, fn) || !v.IsString(p.key) {
				return true
			}
			several = several || key != 0
			key = p.key
			return true
		})
		return true
	})
	if key == 0 || several {
		return ""
	}
	return v.text(key)
}
