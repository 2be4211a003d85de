package v8

import "coredbg/core"

// A function is a SharedFunctionInfo: what a function is without its closure.
type function struct {
	shared Tagged
	script Tagged // 0 if it has none
	flags  uint32
}

func (v *V8) function(shared Tagged) (function, bool) {
	if !v.isSharedFunctionInfo(shared) {
		return function{}, false
	}
	l := &v.layout.SharedFunctionInfo
	f := function{shared: shared}
	f.flags, _ = v.u32Field(shared, l.Flags)
	if s, ok := v.field(shared, l.Script); ok {
		f.script = v.scriptOf(s)
	}
	return f, true
}

// scriptOf follows a DebugInfo, which takes a Script's place while a debugger
// watches the function (until V8 11.3).
func (v *V8) scriptOf(s Tagged) Tagged {
	if v.is(s, v.types.debugInfo) {
		for off := 8; off <= 48; off += 8 {
			if w, ok := v.field(s, off); ok && v.is(w, v.types.script) {
				return w
			}
		}
	}
	if v.is(s, v.types.script) {
		return s
	}
	return 0
}

// native reports whether the function is one of V8's own that Error.stack
// shows (SharedFunctionInfo::native).
func (v *V8) native(f function) bool {
	return f.flags>>uint(v.layout.SharedFunctionInfo.NativeShift)&1 == 1
}

// The kinds of the functions that run what a class initialises
// (objects/function-kind.h, V8 11.8 to 14.6). V8 14.6 tells those that stand
// behind one of the other kind apart: two kinds each.
const (
	kindMask                    = 0x1f // of SharedFunctionInfo.flags
	kindClassMembersInitializer = 24
)

// initializerName names the functions that run what a class initialises. Until V8 11 the compiler gave them these names itself.
func (v *V8) initializerName(shared Tagged) string {
	flags, ok := v.u32Field(shared, v.layout.SharedFunctionInfo.Flags)
	if !ok || v.layout.Version.Before(11, 8) {
		return ""
	}
	kinds := uint32(1)
	if v.layout.Version.AtLeast(14, 6) {
		kinds = 2
	}
	switch k := flags & kindMask; {
	case k < kindClassMembersInitializer || k >= kindClassMembersInitializer+2*kinds:
		return ""
	case k < kindClassMembersInitializer+kinds:
		return "<instance_members_initializer>"
	}
	return "<static_initializer>"
}

// sharedName returns SharedFunctionInfo::DebugName: a name for the kind of
// function, its own name, else what the parser inferred.
func (v *V8) sharedName(shared Tagged) string {
	name := v.initializerName(shared)
	if name == "" {
		name = v.ownName(shared)
	}
	if name == "" {
		name = v.inferredName(shared)
	}
	return name
}

// ownName returns SharedFunctionInfo::Name.
func (v *V8) ownName(shared Tagged) string {
	n, ok := v.field(shared, v.layout.SharedFunctionInfo.Name)
	if !ok || n.IsSmi() {
		return ""
	}
	if v.IsString(n) {
		return v.text(n)
	}
	if s, err := v.ScopeInfo(n); s != nil && err == nil && v.IsString(s.FunctionName) {
		return v.text(s.FunctionName)
	}
	return ""
}

// inferredName returns SharedFunctionInfo::inferred_name.
func (v *V8) inferredName(shared Tagged) string {
	if n, ok := v.field(shared, v.layout.SharedFunctionInfo.Name); ok {
		if s, err := v.ScopeInfo(n); s != nil && err == nil {
			if v.IsString(s.InferredName) {
				return v.text(s.InferredName)
			}
			return ""
		}
	}
	if d, ok := v.uncompiledData(shared); ok {
		if n, ok := v.field(d, v.layout.UncompiledData.InferredName); ok && v.IsString(n) {
			return v.text(n)
		}
	}
	return ""
}

func (v *V8) uncompiledData(shared Tagged) (Tagged, bool) {
	l := &v.layout.SharedFunctionInfo
	for _, off := range []int{l.FunctionData, l.UntrustedData} {
		if d, ok := v.field(shared, off); ok && v.typeNamed(d, "UNCOMPILED_DATA") {
			return d, true
		}
	}
	return 0, false
}

// extent returns the source positions of a function's first and last
// character, or -1.
func (v *V8) extent(shared Tagged) (start, end int) {
	if n, ok := v.field(shared, v.layout.SharedFunctionInfo.Name); ok {
		if s, err := v.ScopeInfo(n); s != nil && err == nil {
			return s.Start, s.End
		}
	}
	// A function that was not compiled has them in its UncompiledData; one
	// whose bytecode was flushed too.
	if d, ok := v.uncompiledData(shared); ok {
		a, ok1 := v.u32Field(d, v.layout.UncompiledData.StartPosition)
		b, ok2 := v.u32Field(d, v.layout.UncompiledData.EndPosition)
		if ok1 && ok2 {
			return int(int32(a)), int(int32(b))
		}
	}
	return -1, -1
}

// bytecodeOf returns the BytecodeArray of a function, through whatever its
// data slot holds: the array, InterpreterData, BaselineData, or baseline Code.
func (v *V8) bytecodeOf(shared Tagged) (Tagged, bool) {
	d, ok := v.field(shared, v.layout.SharedFunctionInfo.FunctionData)
	for hops := 0; ok && hops < 4; hops++ {
		typ, known := v.instanceType(d)
		if !known {
			return 0, false
		}
		switch typ {
		case v.types.bytecodeArray:
			return d, true
		case v.types.interpreterData:
			next, ok1 := v.field(d, v.layout.InterpreterData.BytecodeArray)
			if !ok1 || !v.is(next, v.types.bytecodeArray) {
				next, ok1 = v.field(d, v.layout.InterpreterData.BytecodeArray+8)
			}
			d, ok = next, ok1
		case v.types.baselineData:
			d, ok = v.field(d, v.layout.BaselineData.Data)
		case v.types.code:
			d, ok = v.field(d, v.layout.Code.DeoptData)
		default:
			// CodeT of V8 10: its code is the second word.
			if !v.typeNamed(d, "CODE_DATA_CONTAINER") {
				return 0, false
			}
			d, ok = v.codeOfContainer(d)
		}
	}
	return 0, false
}

// codeOfContainer finds the Code that a CodeDataContainer stands for.
func (v *V8) codeOfContainer(d Tagged) (Tagged, bool) {
	for off := 8; off <= 32; off += 8 {
		if w, ok := v.field(d, off); ok && v.is(w, v.types.code) {
			return w, true
		}
	}
	return 0, false
}

// closureShared returns the SharedFunctionInfo of a JSFunction.
func (v *V8) closureShared(fn Tagged) (Tagged, bool) {
	if !v.isFunction(fn) {
		return 0, false
	}
	return v.field(fn, v.layout.JSFunction.Shared)
}

// closureName returns JSFunction::GetDebugName: the value of the own property
// "name" where it is a string, else the name of the shared function.
func (v *V8) closureName(fn Tagged) string {
	if p, ok := v.ownProperty(fn, "name"); ok && v.IsString(p.value) {
		return v.text(p.value)
	}
	s, ok := v.closureShared(fn)
	if !ok {
		return ""
	}
	return v.sharedName(s)
}

// addrOf is the address by which records name an object: as V8 tags it.
func addrOf(t Tagged) core.Addr { return core.Addr(t) }
