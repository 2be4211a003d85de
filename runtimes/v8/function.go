package v8

import (
	"coredbg/core"
	"sync"
)

// A codeReader reads functions, scripts, bytecode and machine code.
type codeReader struct {
	shapeReader

	mu       sync.Mutex
	codes    []*code // found so far, in no order
	scripts  map[Tagged]*lineTable
	sizes    []byte // bytecode sizes, rows for no prefix, wide and extra wide
	sizesErr error
	sizesGot bool
	bytecode bytecodesOnce
	copies   blobCopies

	builtinsOnce sync.Once
	heapsOf      func() []core.Addr // the heaps of the process, in order of their first page
	builtinsByID []string           // names of builtins by number
}

// A function is a SharedFunctionInfo: what a function is without its closure.
type function struct {
	shared Tagged
	script Tagged // 0 if it has none
	flags  uint32
}

func (r *codeReader) function(shared Tagged) (function, bool) {
	if !r.isSharedFunctionInfo(shared) {
		return function{}, false
	}
	l := &r.layout.SharedFunctionInfo
	f := function{shared: shared}
	f.flags, _ = r.u32Field(shared, l.Flags)
	if s, ok := r.field(shared, l.Script); ok {
		f.script = r.scriptOf(s)
	}
	return f, true
}

// scriptOf follows a DebugInfo, which takes a Script's place while a debugger
// watches the function (until V8 11.3).
func (r *codeReader) scriptOf(s Tagged) Tagged {
	if r.is(s, r.types.debugInfo) {
		for off := 8; off <= 48; off += 8 {
			if w, ok := r.field(s, off); ok && r.is(w, r.types.script) {
				return w
			}
		}
	}
	if r.is(s, r.types.script) {
		return s
	}
	return 0
}

// native reports whether the function is one of V8's own that Error.stack
// shows (SharedFunctionInfo::native).
func (r *codeReader) native(f function) bool {
	return f.flags>>uint(r.layout.SharedFunctionInfo.NativeShift)&1 == 1
}

// The kinds of the functions that run what a class initialises
// (objects/function-kind.h, V8 11.8 to 14.6). V8 14.6 tells those that stand
// behind one of the other kind apart: two kinds each.
const (
	kindMask                    = 0x1f // of SharedFunctionInfo.flags
	kindClassMembersInitializer = 24
)

// initializerName names the functions that run what a class initialises. Until V8 11 the compiler gave them these names itself.
func (r *codeReader) initializerName(shared Tagged) string {
	flags, ok := r.u32Field(shared, r.layout.SharedFunctionInfo.Flags)
	if !ok || r.layout.Version.Before(11, 8) {
		return ""
	}
	kinds := uint32(1)
	if r.layout.Version.AtLeast(14, 6) {
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
func (r *codeReader) sharedName(shared Tagged) string {
	name := r.initializerName(shared)
	if name == "" {
		name = r.ownName(shared)
	}
	if name == "" {
		name = r.inferredName(shared)
	}
	return name
}

// ownName returns SharedFunctionInfo::Name.
func (r *codeReader) ownName(shared Tagged) string {
	n, ok := r.field(shared, r.layout.SharedFunctionInfo.Name)
	if !ok || n.IsSmi() {
		return ""
	}
	if r.IsString(n) {
		return r.text(n)
	}
	if s, err := r.ScopeInfo(n); s != nil && err == nil && r.IsString(s.FunctionName) {
		return r.text(s.FunctionName)
	}
	return ""
}

// inferredName returns SharedFunctionInfo::inferred_name.
func (r *codeReader) inferredName(shared Tagged) string {
	if n, ok := r.field(shared, r.layout.SharedFunctionInfo.Name); ok {
		if s, err := r.ScopeInfo(n); s != nil && err == nil {
			if r.IsString(s.InferredName) {
				return r.text(s.InferredName)
			}
			return ""
		}
	}
	if d, ok := r.uncompiledData(shared); ok {
		if n, ok := r.field(d, r.layout.UncompiledData.InferredName); ok && r.IsString(n) {
			return r.text(n)
		}
	}
	return ""
}

func (r *codeReader) uncompiledData(shared Tagged) (Tagged, bool) {
	l := &r.layout.SharedFunctionInfo
	for _, off := range []int{l.FunctionData, l.UntrustedData} {
		if d, ok := r.field(shared, off); ok && r.typeNamed(d, "UNCOMPILED_DATA") {
			return d, true
		}
	}
	return 0, false
}

// extent returns the source positions of a function's first and last
// character, or -1.
func (r *codeReader) extent(shared Tagged) (start, end int) {
	if n, ok := r.field(shared, r.layout.SharedFunctionInfo.Name); ok {
		if s, err := r.ScopeInfo(n); s != nil && err == nil {
			return s.Start, s.End
		}
	}
	// A function that was not compiled has them in its UncompiledData; one
	// whose bytecode was flushed too.
	if d, ok := r.uncompiledData(shared); ok {
		a, ok1 := r.u32Field(d, r.layout.UncompiledData.StartPosition)
		b, ok2 := r.u32Field(d, r.layout.UncompiledData.EndPosition)
		if ok1 && ok2 {
			return int(int32(a)), int(int32(b))
		}
	}
	return -1, -1
}

// bytecodeOf returns the BytecodeArray of a function, through whatever its
// data slot holds: the array, InterpreterData, BaselineData, or baseline Code.
func (r *codeReader) bytecodeOf(shared Tagged) (Tagged, bool) {
	d, ok := r.field(shared, r.layout.SharedFunctionInfo.FunctionData)
	for hops := 0; ok && hops < 4; hops++ {
		typ, known := r.instanceType(d)
		if !known {
			return 0, false
		}
		switch typ {
		case r.types.bytecodeArray:
			return d, true
		case r.types.interpreterData:
			next, ok1 := r.field(d, r.layout.InterpreterData.BytecodeArray)
			if !ok1 || !r.is(next, r.types.bytecodeArray) {
				next, ok1 = r.field(d, r.layout.InterpreterData.BytecodeArray+8)
			}
			d, ok = next, ok1
		case r.types.baselineData:
			d, ok = r.field(d, r.layout.BaselineData.Data)
		case r.types.code:
			d, ok = r.field(d, r.layout.Code.DeoptData)
		default:
			// CodeT of V8 10: its code is the second word.
			if !r.typeNamed(d, "CODE_DATA_CONTAINER") {
				return 0, false
			}
			d, ok = r.codeOfContainer(d)
		}
	}
	return 0, false
}

// codeOfContainer finds the Code that a CodeDataContainer stands for.
func (r *codeReader) codeOfContainer(d Tagged) (Tagged, bool) {
	for off := 8; off <= 32; off += 8 {
		if w, ok := r.field(d, off); ok && r.is(w, r.types.code) {
			return w, true
		}
	}
	return 0, false
}

// closureShared returns the SharedFunctionInfo of a JSFunction.
func (r *codeReader) closureShared(fn Tagged) (Tagged, bool) {
	if !r.isFunction(fn) {
		return 0, false
	}
	return r.field(fn, r.layout.JSFunction.Shared)
}

// closureName returns JSFunction::GetDebugName: the value of the own property
// "name" where it is a string, else the name of the shared function.
func (r *codeReader) closureName(fn Tagged) string {
	if p, ok := r.ownProperty(fn, "name"); ok && r.IsString(p.value) {
		return r.text(p.value)
	}
	s, ok := r.closureShared(fn)
	if !ok {
		return ""
	}
	return r.sharedName(s)
}

// addrOf is the address by which records name an object: as V8 tags it.
func addrOf(t Tagged) core.Addr { return core.Addr(t) }
