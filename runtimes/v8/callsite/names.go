package callsite

import (
	"strings"
	"unicode"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A Call is the content of a line of Error.stack without the position.
type Call struct {
	Shared      layout.Tagged
	Closure     layout.Tagged // 0 if unknown
	Receiver    layout.Tagged
	HasReceiver bool
	// unmade is the map of a receiver that optimised code never made; receiver is
	// its prototype then.
	Unmade    layout.Tagged
	Construct bool
}

// CallName returns the function of a frame as Error.stack prints it
// (objects/call-site-info.cc: SerializeJSStackFrame): "new C", "C.m",
// "o.f", "C.f [as m]", or "" for an anonymous function.
func (r *Reader) CallName(c Call) string {
	name := r.functionName(c)
	switch {
	case c.Construct:
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
func (r *Reader) functionName(c Call) string {
	var name string
	if c.Closure != 0 {
		name = r.ClosureName(c.Closure)
	} else {
		name = r.SharedName(c.Shared)
	}
	if name == "" {
		if f, ok := r.SharedInfo(c.Shared); ok && f.Script != 0 && r.IsEval(f.Script) {
			return "eval"
		}
	}
	return name
}

// isMethodCall is CallSiteInfo::IsMethodCall: there is a receiver, and it is
// not the global one. An unknown receiver counts as none.
func (r *Reader) isMethodCall(c Call) bool {
	if !c.HasReceiver {
		return false
	}
	if c.Receiver.IsSmi() {
		return true
	}
	typ, ok := r.InstanceType(c.Receiver)
	switch {
	case !ok, typ == r.Types.JSGlobalProxy, typ == r.Types.Hole:
		return false
	case typ == r.Types.Oddball:
		s := r.Oddball(c.Receiver)
		return s == "true" || s == "false"
	}
	return true
}

// methodCall is AppendMethodCall. V8 9 leaves the type out where the function's
// name starts with it; later versions where the name is not an identifier or is
// the type's own. V8 12 counts "get p" as a name of p.
func (r *Reader) methodCall(c Call, name string) string {
	var typ string
	if c.Unmade != 0 {
		typ = r.ConstructorNameOf(c.Unmade, c.Receiver, false)
	} else {
		typ = r.typeName(c.Receiver)
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
	traits := &r.Layout.ErrorStack
	prefixed := typ != "" && isIdentifier(name) && name != typ
	if traits.NamesUnlessPrefix == 1 {
		prefixed = typ != "" && !strings.HasPrefix(name, typ)
	}
	if prefixed {
		out = typ + "." + name
	}
	if method == "" || name == method || strings.HasSuffix(name, "."+method) ||
		traits.SpacedMethod == 1 && strings.HasSuffix(name, " "+method) {
		return out
	}
	return out + " [as " + method + "]"
}

func isIdentifier(s string) bool {
	for i, r := range s {
		switch {
		case r == '$', r == '_', unicode.IsLetter(r):
		case i > 0 && (unicode.IsDigit(r) || r == '\u200c' || r == '\u200d' || unicode.Is(unicode.Mn, r) ||
			unicode.Is(unicode.Pc, r)):
		default:
			return false
		}
	}
	return s != ""
}

// typeName is CallSiteInfo::GetTypeName. In later versions a class as the receiver
// of its static method is named itself, and then any function.
func (r *Reader) typeName(receiver layout.Tagged) string {
	if p, ok := r.PrimitiveType(receiver); ok {
		return p
	}
	if r.Is(receiver, r.Types.JSProxy) {
		return "Proxy"
	}
	traits := &r.Layout.ErrorStack
	if traits.NamesFunctions == 1 && r.IsFunction(receiver) ||
		traits.NamesClasses == 1 && r.IsClassConstructor(receiver) {
		if n := r.ClosureName(receiver); n != "" {
			return n
		}
	}
	return r.ConstructorName(receiver)
}

// methodName is CallSiteInfo::GetMethodName: the name of the receiver's
// property that holds the function.
func (r *Reader) methodName(c Call) string {
	start := c.Receiver
	if wrapper, ok := r.PrimitiveType(start); ok {
		start = r.prototypeOfGlobal(c.Closure, wrapper)
	}
	if c.Closure == 0 || !r.IsReceiver(start) {
		return ""
	}
	name := r.OwnName(c.Shared)
	if rest, ok := strings.CutPrefix(name, "get "); ok {
		name = rest
	} else if rest, ok := strings.CutPrefix(name, "set "); ok {
		name = rest
	} else if name == "" {
		name = r.InferredName(c.Shared)
		name = name[strings.LastIndexByte(name, '.')+1:]
	}
	if name != "" {
		if p, ok := r.Lookup(start, name); ok && r.holds(p.Value, c.Closure) {
			return name
		}
	}
	return r.inferMethod(start, c.Closure)
}

// prototypeOfGlobal returns the prototype property of a global constructor in the
// realm of a closure; 0 if there is none.
func (r *Reader) prototypeOfGlobal(closure layout.Tagged, name string) layout.Tagged {
	ctx, _ := r.Field(closure, r.Layout.JSFunction.Context)
	native, err := r.NativeContext(ctx)
	if err != nil {
		return 0
	}
	s, err := r.Global(native, name)
	if err != nil {
		return 0
	}
	p, _ := r.FunctionPrototype(s.Word)
	return p
}

// holds reports whether a property's value is fn, or an accessor with it.
func (r *Reader) holds(value, fn layout.Tagged) bool {
	if value == fn {
		return true
	}
	if !r.Is(value, r.Types.AccessorPair) {
		return false
	}
	get, _ := r.Field(value, r.Layout.AccessorPair.Getter)
	set, _ := r.Field(value, r.Layout.AccessorPair.Setter)
	return get == fn || set == fn
}

// inferMethod is InferMethodName: the one name of an enumerable property
// anywhere on the chain that holds fn, or "".
func (r *Reader) inferMethod(o, fn layout.Tagged) string {
	var key layout.Tagged
	several := false
	r.Prototypes(o, func(p layout.Tagged) bool {
		typ, _ := r.InstanceType(p)
		if typ == r.Types.JSProxy || typ == r.Types.JSGlobalObject {
			return false
		}
		r.EachProperty(p, func(p object.RawProperty) bool {
			if p.DontEnum || p.Key == key || !r.holds(p.Value, fn) || !r.IsString(p.Key) {
				return true
			}
			several = several || key != 0
			key = p.Key
			return true
		})
		return true
	})
	if key == 0 || several {
		return ""
	}
	return r.Text(key)
}
