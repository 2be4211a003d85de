package object

import (
	"math"

	"coredbg/runtimes/v8/layout"
)

// FunctionNameOf returns the value of a function's property "name".
func (r *ClassReader) FunctionNameOf(fn layout.Tagged) string {
	p, ok := r.OwnProperty(fn, "name")
	if !ok {
		return ""
	}
	if r.IsString(p.Value) {
		return r.Text(p.Value)
	}
	if f, ok := r.Number(p.Value); ok {
		return layout.FormatNumber(f)
	}
	if r.Is(p.Value, r.Types.AccessorPair) || r.IsReceiver(p.Value) {
		return ""
	}
	if r.IsBound(fn) {
		target, _ := r.Field(fn, r.Layout.JSBoundFunction.Target)
		return "bound " + r.boundName(target)
	}
	if target, ok := r.wrappedTarget(fn); ok {
		return r.FunctionNameOf(target)
	}
	s, ok := r.ClosureShared(fn)
	if !ok {
		return ""
	}
	if f, ok := r.SharedInfo(s); ok {
		shift := r.Layout.ObjectLayout.SharedFunctionInfo.AnonymousShift
		if shift != layout.Unknown && f.Flags>>uint(shift)&1 == 1 {
			return "anonymous"
		}
	}
	return r.OwnName(s)
}

// NameAsSuper returns the property "name" of the class that a class extends: its own, or one of its
// prototypes'.
func (r *ClassReader) NameAsSuper(o layout.Tagged) string {
	name := ""
	r.Prototypes(o, func(p layout.Tagged) bool {
		if r.IsFunction(p) {
			name = r.FunctionNameOf(p)
			return false
		}
		x, ok := r.OwnProperty(p, "name")
		if ok && r.IsString(x.Value) {
			name = r.Text(x.Value)
		}
		return !ok
	})
	return name
}

// wrappedTarget returns the function of another realm that a function of a
// ShadowRealm stands for (objects/js-function.tq: JSWrappedFunction).
func (r *ClassReader) wrappedTarget(fn layout.Tagged) (layout.Tagged, bool) {
	if !r.TypeNamed(fn, "JS_WRAPPED_FUNCTION") {
		return 0, false
	}
	target, ok := r.Field(fn, r.Layout.JSBoundFunction.Target)
	return target, ok && r.IsFunction(target)
}

// IsBound reports whether fn is a bound function.
func (r *ClassReader) IsBound(fn layout.Tagged) bool { return r.TypeNamed(fn, "JS_BOUND_FUNCTION") }

// boundName names the target of a bound function, through the bound functions
// in between.
func (r *ClassReader) boundName(target layout.Tagged) string {
	prefix := ""
	for range MaxPrototypes {
		if !r.IsBound(target) {
			break
		}
		prefix += "bound "
		target, _ = r.Field(target, r.Layout.JSBoundFunction.Target)
	}
	return prefix + r.FunctionNameOf(target)
}

// FunctionType returns what kind of function fn is.
func (r *ClassReader) FunctionType(fn layout.Tagged) string {
	if r.isClass(fn) {
		return "class"
	}
	switch t := r.tagOf(fn); t {
	case "AsyncFunction", "GeneratorFunction", "AsyncGeneratorFunction":
		return t
	}
	return "Function"
}

// isClass reports whether fn is a class: by its flag, or by the positions of
// its source that V8 keeps with classes only.
func (r *ClassReader) isClass(fn layout.Tagged) bool {
	if r.IsClassConstructor(fn) {
		return true
	}
	found := false
	r.EachProperty(fn, func(p RawProperty) bool {
		found = r.TypeNamed(p.Value, "CLASS_POSITIONS")
		return !found
	})
	return found
}

// FunctionLength returns the value of a function's property "length"; depth
// counts the bound functions around it.
func (r *ClassReader) FunctionLength(fn layout.Tagged, depth int) (int, bool) {
	if r.IsBound(fn) {
		target, ok1 := r.Field(fn, r.Layout.JSBoundFunction.Target)
		args, ok2 := r.Field(fn, r.Layout.JSBoundFunction.Arguments)
		n, ok3 := r.FixedLength(args)
		if !ok1 || !ok2 || !ok3 || depth > MaxPrototypes {
			return 0, false
		}
		length, ok := r.FunctionLength(target, depth+1)
		return max(length-n, 0), ok
	}
	if target, ok := r.wrappedTarget(fn); ok && depth < MaxPrototypes {
		return r.FunctionLength(target, depth+1)
	}
	s, ok := r.ClosureShared(fn)
	if !ok {
		return 0, false
	}
	n, ok := r.U16(s.Addr().Add(int64(r.Layout.ObjectLayout.SharedFunctionInfo.Length)))
	// kInvalidLength: the function was never compiled.
	return int(n), ok && n != math.MaxUint16
}
