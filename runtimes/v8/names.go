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
func (r *reader) callName(c call) string {
	name := r.functionName(c)
	switch {
	case c.construct:
		if name == "" {
			name = "<anonymous>"
		}
		return "new " + name
	case r.isMethodCall(c):
		return r.methodCall(c, name)
	}
	return name
}

// functionName is CallSiteInfo::GetFunctionName.
func (r *reader) functionName(c call) string {
	var name string
	if c.closure != 0 {
		name = r.closureName(c.closure)
	} else {
		name = r.sharedName(c.shared)
	}
	if name == "" {
		if f, ok := r.function(c.shared); ok && f.script != 0 && r.isEval(f.script) {
			return "eval"
		}
	}
	return name
}

// isMethodCall is CallSiteInfo::IsMethodCall: there is a receiver, and it is
// not the global one. An unknown receiver counts as none.
func (r *reader) isMethodCall(c call) bool {
	if !c.hasReceiver {
		return false
	}
	if c.receiver.IsSmi() {
		return true
	}
	typ, ok := r.instanceType(c.receiver)
	switch {
	case !ok, typ == r.types.jsGlobalProxy, typ == r.types.hole:
		return false
	case typ == r.types.oddball:
		s := r.oddball(c.receiver)
		return s == "true" || s == "false"
	}
	return true
}

// methodCall is AppendMethodCall. V8 9 leaves the type out where the function's
// name starts with it; later versions where the name is no identifier or is
// the type's own. V8 12 counts "get p" as a name of p.
func (r *reader) methodCall(c call, name string) string {
	var typ string
	if c.unmade != 0 {
		typ = r.constructorNameOf(c.unmade, c.receiver, false)
	} else {
		typ = r.typeName(c.receiver)
	}
	method := r.methodName(c)
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
	ver := r.layout.Version
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
func (r *reader) typeName(receiver Tagged) string {
	if p, ok := r.primitiveType(receiver); ok {
		return p
	}
	if r.is(receiver, r.types.jsProxy) {
		return "Proxy"
	}
	ver := r.layout.Version
	if ver.AtLeast(13, 0) && r.isFunction(receiver) || ver.AtLeast(10, 2) && r.isClassConstructor(receiver) {
		if n := r.closureName(receiver); n != "" {
			return n
		}
	}
	return r.constructorName(receiver)
}

// primitiveType names the wrapper class of a primitive.
func (r *reader) primitiveType(o Tagged) (string, bool) {
	if o.IsSmi() {
		return "Number", true
	}
	typ, ok := r.instanceType(o)
	switch {
	case !ok:
		return "", true
	case typ < r.layout.String.FirstNonstringType:
		return "String", true
	case typ == r.types.heapNumber:
		return "Number", true
	case typ == r.types.symbol:
		return "Symbol", true
	case typ == r.types.oddball:
		return "Boolean", true
	case typ < r.types.firstReceiver:
		return "BigInt", true
	}
	return "", false
}

// constructorName is JSReceiver::GetConstructorName (objects/js-objects.cc).
func (r *reader) constructorName(o Tagged) string {
	m, _ := r.mapOf(o)
	return r.constructorNameOf(m, o, true)
}

// constructorNameOf is constructorName of an object with the map m. The search
// for properties begins at first: the object itself, which is told by own, or its
// prototype.
func (r *reader) constructorNameOf(m, first Tagged, own bool) string {
	if n := r.constructorOfMap(m); n != "" {
		return n
	}
	var name string
	r.prototypes(first, func(p Tagged) bool {
		if t, ok := r.toStringTag(p); ok {
			name = t
			return false
		}
		if own && p == first {
			return true
		}
		if c, ok := r.ownProperty(p, "constructor"); ok && r.isFunction(c.value) {
			s, _ := r.closureShared(c.value)
			if n := r.sharedName(s); n != "" && n != "Object" {
				name = n
				return false
			}
		}
		return true
	})
	if name != "" {
		return name
	}
	return r.classNameOf(m, own && r.isFunction(first))
}

// constructorOfMap names the constructor of a map where that is exact: objects
// with it were made by it directly, and are no prototypes.
func (r *reader) constructorOfMap(m Tagged) string {
	if !r.isMap(m) {
		return ""
	}
	bits, ok1 := r.u32Field(m, r.layout.Map.BitField3)
	var b2 [1]byte
	ok2 := r.bytes(b2[:], m.Addr().Add(int64(r.layout.Map.BitField2)))
	if !ok1 || !ok2 || b2[0]>>uint(r.layout.Map.NewTargetIsBaseShift)&1 == 0 || bits>>uint(r.layout.Map.PrototypeMapShift)&1 == 1 {
		return ""
	}
	c, ok := r.mapConstructor(m)
	if !ok {
		return ""
	}
	s, ok := r.closureShared(c)
	if !ok {
		return ""
	}
	n := r.sharedName(s)
	if n == "" && r.layout.Version.AtLeast(14, 2) {
		// The name that a computed key gave to the function counts too.
		n = r.closureName(c)
	}
	if n == "Object" {
		return ""
	}
	return n
}

// methodName is CallSiteInfo::GetMethodName: the name of the receiver's
// property that holds the function.
func (r *reader) methodName(c call) string {
	start := c.receiver
	if wrapper, ok := r.primitiveType(start); ok {
		start = r.prototypeOfGlobal(c.closure, wrapper)
	}
	if c.closure == 0 || !r.isReceiver(start) {
		return ""
	}
	name := r.ownName(c.shared)
	if rest, ok := strings.CutPrefix(name, "get "); ok {
		name = rest
	} else if rest, ok := strings.CutPrefix(name, "set "); ok {
		name = rest
	} else if name == "" {
		name = r.inferredName(c.shared)
		name = name[strings.LastIndexByte(name, '.')+1:]
	}
	if name != "" {
		if p, ok := r.lookup(start, name); ok && r.holds(p.value, c.closure) {
			return name
		}
	}
	return r.inferMethod(start, c.closure)
}

// prototypeOfGlobal returns the prototype property of a global constructor in the
// realm of a closure; 0 if there is none.
func (r *reader) prototypeOfGlobal(closure Tagged, name string) Tagged {
	ctx, _ := r.field(closure, r.layout.JSFunction.Context)
	native, err := r.NativeContext(ctx)
	if err != nil {
		return 0
	}
	s, err := r.Global(native, name)
	if err != nil {
		return 0
	}
	p, _ := r.functionPrototype(s.Word)
	return p
}

// lookup finds a property on the prototype chain of o.
func (r *reader) lookup(o Tagged, name string) (found property, ok bool) {
	r.prototypes(o, func(p Tagged) bool {
		found, ok = r.ownProperty(p, name)
		return !ok
	})
	return found, ok
}

// holds reports whether a property's value is fn, or an accessor with it.
func (r *reader) holds(value, fn Tagged) bool {
	if value == fn {
		return true
	}
	if !r.is(value, r.types.accessorPair) {
		return false
	}
	get, _ := r.field(value, r.layout.AccessorPair.Getter)
	set, _ := r.field(value, r.layout.AccessorPair.Setter)
	return get == fn || set == fn
}

// inferMethod is InferMethodName: the one name of an enumerable property
// anywhere on the chain that holds fn, or "".
func (r *reader) inferMethod(o, fn Tagged) string {
	var key Tagged
	several := false
	r.prototypes(o, func(p Tagged) bool {
		typ, _ := r.instanceType(p)
		if typ == r.types.jsProxy || typ == r.types.jsGlobalObject {
			return false
		}
		r.properties(p, func(p property) bool {
			if p.dontEnum || p.key == key || !r.holds(p.value, fn) || !r.IsString(p.key) {
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
	return r.text(key)
}
