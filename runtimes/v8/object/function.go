package object

import (
	"slices"
	"sync"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// A Functions reads functions: their names, texts and builtins.
type Functions struct {
	BytecodeReader

	builtinsOnce sync.Once
	builtinsByID []string // names of builtins by number

	above Above // nil without the rooms above
}

// Above answers questions of this room about the rooms above it.
type Above interface {
	// Heaps returns the heaps of the process, in order of their first page.
	Heaps() []core.Addr
	// CallPosition returns the script offset of the call at an offset in the bytecodes of a function, by the
	// function's text.
	CallPosition(shared layout.Tagged, offset int) (int, bool)
	// Original returns the place in the original source of a place in a script, or the place itself without a
	// source map.
	Original(script layout.Tagged, file string, line, column int) (of string, l, c int)
}

// A SharedInfo is a SharedFunctionInfo: what a function is without its closure.
type SharedInfo struct {
	shared layout.Tagged
	Script layout.Tagged // 0 for functions without a script
	Flags  uint32
}

// SharedInfo reads a SharedFunctionInfo.
func (r *Functions) SharedInfo(shared layout.Tagged) (SharedInfo, bool) {
	if !r.IsSharedFunctionInfo(shared) {
		return SharedInfo{}, false
	}
	l := &r.Layout.SharedFunctionInfo
	f := SharedInfo{shared: shared}
	f.Flags, _ = r.U32Field(shared, l.Flags)
	if s, ok := r.Field(shared, l.Script); ok {
		f.Script = r.ScriptOf(s)
	}
	return f, true
}

// ScriptOf follows a DebugInfo, which takes a Script's place while a debugger
// watches the function (until V8 11.3).
func (r *Functions) ScriptOf(s layout.Tagged) layout.Tagged {
	if r.Is(s, r.Types.DebugInfo) {
		for i := 1; i <= 6; i++ {
			if w, ok := r.Field(s, r.Slots(i)); ok && r.Is(w, r.Types.Script) {
				return w
			}
		}
	}
	if r.Is(s, r.Types.Script) {
		return s
	}
	return 0
}

// Native reports whether the function is one of V8's own that Error.stack
// shows (SharedFunctionInfo::native).
func (r *Functions) Native(f SharedInfo) bool {
	return f.Flags>>uint(r.Layout.SharedFunctionInfo.NativeShift)&1 == 1
}

// The kinds of the functions that run what a class initialises
// (objects/function-kind.h, V8 11.8 to 14.6). V8 14.6 has two kinds of each, one
// for initialisers that follow one of the other kind.
const (
	kindMask                    = 0x1f // of SharedFunctionInfo.flags
	kindClassMembersInitializer = 24
)

// initializerName names the functions that run what a class initialises. In old versions the compiler gave
// them these names itself.
func (r *Functions) initializerName(shared layout.Tagged) string {
	flags, ok := r.U32Field(shared, r.Layout.SharedFunctionInfo.Flags)
	if !ok || r.Layout.Names.Initializers == 0 {
		return ""
	}
	kinds := uint32(r.Layout.SharedFunctionInfo.Initializers)
	switch k := flags & kindMask; {
	case k < kindClassMembersInitializer || k >= kindClassMembersInitializer+2*kinds:
		return ""
	case k < kindClassMembersInitializer+kinds:
		return "<instance_members_initializer>"
	}
	return "<static_initializer>"
}

// SharedName returns SharedFunctionInfo::DebugName: a name for the kind of
// function, its own name, else what the parser inferred.
func (r *Functions) SharedName(shared layout.Tagged) string {
	name := r.initializerName(shared)
	if name == "" {
		name = r.OwnName(shared)
	}
	if name == "" {
		name = r.InferredName(shared)
	}
	return name
}

// OwnName returns SharedFunctionInfo::Name.
func (r *Functions) OwnName(shared layout.Tagged) string {
	n, ok := r.Field(shared, r.Layout.SharedFunctionInfo.Name)
	if !ok || n.IsSmi() {
		return ""
	}
	if r.IsString(n) {
		return r.Text(n)
	}
	if s, err := r.ScopeInfo(n); s != nil && err == nil && r.IsString(s.FunctionName) {
		return r.Text(s.FunctionName)
	}
	return ""
}

// InferredName returns SharedFunctionInfo::inferred_name.
func (r *Functions) InferredName(shared layout.Tagged) string {
	if n, ok := r.Field(shared, r.Layout.SharedFunctionInfo.Name); ok {
		if s, err := r.ScopeInfo(n); s != nil && err == nil {
			if r.IsString(s.InferredName) {
				return r.Text(s.InferredName)
			}
			return ""
		}
	}
	if d, ok := r.UncompiledData(shared); ok {
		if n, ok := r.Field(d, r.Layout.UncompiledData.InferredName); ok && r.IsString(n) {
			return r.Text(n)
		}
	}
	return ""
}

// UncompiledData returns what a SharedFunctionInfo has in the place of bytecodes while its function is not
// compiled; false if it is compiled, or has no source.
func (r *Functions) UncompiledData(shared layout.Tagged) (layout.Tagged, bool) {
	l := &r.Layout.SharedFunctionInfo
	for _, off := range []int{l.FunctionData, l.UntrustedData} {
		if d, ok := r.DataField(shared, off); ok && r.TypeNamed(d, "UNCOMPILED_DATA") {
			return d, true
		}
	}
	return 0, false
}

// Extent returns the source positions of a function's first and last
// character, or -1.
func (r *Functions) Extent(shared layout.Tagged) (start, end int) {
	if n, ok := r.Field(shared, r.Layout.SharedFunctionInfo.Name); ok {
		if s, err := r.ScopeInfo(n); s != nil && err == nil {
			return s.Start, s.End
		}
	}
	// A function that was not compiled has them in its UncompiledData; one
	// whose bytecode was flushed too.
	if d, ok := r.UncompiledData(shared); ok {
		a, ok1 := r.U32Field(d, r.Layout.UncompiledData.StartPosition)
		b, ok2 := r.U32Field(d, r.Layout.UncompiledData.EndPosition)
		if ok1 && ok2 {
			return int(int32(a)), int(int32(b))
		}
	}
	return -1, -1
}

// BytecodeOf returns the BytecodeArray of a function, through whatever its
// data slot holds: the array, InterpreterData, BaselineData, or baseline Code.
func (r *Functions) BytecodeOf(shared layout.Tagged) (layout.Tagged, bool) {
	d, ok := r.TrustedField(shared, r.Layout.SharedFunctionInfo.FunctionData)
	for hops := 0; ok && hops < 4; hops++ {
		typ, known := r.InstanceType(d)
		if !known {
			return 0, false
		}
		switch typ {
		case r.Types.BytecodeArray:
			return d, true
		case r.Types.InterpreterData:
			next, ok1 := r.ProtectedField(d, r.Layout.InterpreterData.BytecodeArray)
			if !ok1 || !r.Is(next, r.Types.BytecodeArray) {
				next, ok1 = r.ProtectedField(d, r.Layout.InterpreterData.BytecodeArray+r.Slots(1))
			}
			d, ok = next, ok1
		case r.Types.BaselineData:
			d, ok = r.Field(d, r.Layout.BaselineData.Data)
		case r.Types.Code:
			d, ok = r.ProtectedField(d, r.Layout.Code.DeoptData)
		default:
			if r.TypeNamed(d, "BYTECODE_WRAPPER") { // of baseline code in the main cage: V8 12.1, 12.2
				d, ok = r.TrustedField(d, r.Slots(1))
				continue
			}
			// CodeT of V8 10: its code is the second word.
			if !r.TypeNamed(d, "CODE_DATA_CONTAINER") {
				return 0, false
			}
			d, ok = r.codeOfContainer(d)
		}
	}
	return 0, false
}

// codeOfContainer finds the Code that a CodeDataContainer stands for. Where pointers are
// compressed, code may have a cage of its own (V8_EXTERNAL_CODE_SPACE): the upper half of its
// address is then the word after the lower one (objects/code.h @ 10.2).
func (r *Functions) codeOfContainer(d layout.Tagged) (layout.Tagged, bool) {
	for i := 1; i <= 4; i++ {
		if w, ok := r.Field(d, r.Slots(i)); ok && r.Is(w, r.Types.Code) {
			return w, true
		}
		low, ok := r.U32Field(d, r.Slots(i))
		upper, ok1 := r.U32Field(d, r.Slots(i+1))
		if w := layout.Tagged(upper)<<32 | layout.Tagged(low); r.Compressed() && ok && ok1 && w.IsHeap() &&
			r.Is(w, r.Types.Code) {
			return w, true
		}
	}
	return 0, false
}

// ClosureShared returns the SharedFunctionInfo of a JSFunction.
func (r *Functions) ClosureShared(fn layout.Tagged) (layout.Tagged, bool) {
	if !r.IsFunction(fn) {
		return 0, false
	}
	return r.Field(fn, r.Layout.JSFunction.Shared)
}

// ClosureName returns JSFunction::GetDebugName: the value of the property "name", its own or
// inherited, where it is a string, else the name of the shared function. In some old versions
// "displayName" comes before it.
func (r *Functions) ClosureName(fn layout.Tagged) string {
	if r.Layout.Names.DisplayName == 1 {
		if name, ok := r.nameProperty(fn, "displayName"); ok {
			return name
		}
	}
	if name, ok := r.nameProperty(fn, "name"); ok {
		return name
	}
	s, ok := r.ClosureShared(fn)
	if !ok {
		return ""
	}
	return r.SharedName(s)
}

// nameProperty is JSReceiver::GetDataProperty of a function, as far as it is a string. In later
// versions a name that V8 computes counts, too: the name of the function whose own property it is.
func (r *Functions) nameProperty(fn layout.Tagged, key string) (name string, ok bool) {
	r.Prototypes(fn, func(p layout.Tagged) bool {
		found, has := r.OwnProperty(p, key)
		switch {
		case !has:
			return !r.Is(p, r.Types.JSProxy)
		case r.IsString(found.Value):
			name, ok = r.Text(found.Value), true
		case p != fn && r.Layout.Names.Computed == 1 && r.TypeNamed(found.Value, "ACCESSOR_INFO"):
			if s, is := r.ClosureShared(p); is {
				name, ok = r.SharedName(s), true
			}
		}
		return false
	})
	return name, ok
}

// AddrOf is the address of an object in records: as V8 tags it.
func AddrOf(t layout.Tagged) core.Addr { return core.Addr(t) }

// A CodeRange is where machine code lies.
type CodeRange struct {
	Word  layout.Tagged // the Code
	Tier  string
	Start core.Addr
	Size  uint64 // bytes
}

// tierRank orders the tiers by how fast their code is.
var tierRank = []string{"", "lazy", "api", "builtin", "interpreter", "jit", "baseline", "maglev", "turbofan"}

// BestTier returns the best of the tiers that run a function.
func (r *Functions) BestTier(shared layout.Tagged, codes []CodeRange) string {
	best := r.dataTier(shared)
	for _, c := range codes {
		if slices.Index(tierRank, c.Tier) > slices.Index(tierRank, best) {
			best = c.Tier
		}
	}
	return best
}

// dataTier says by a function's data what runs it without optimised code.
func (r *Functions) dataTier(shared layout.Tagged) string {
	if _, ok := r.BytecodeOf(shared); ok {
		return "interpreter"
	}
	if _, ok := r.UncompiledData(shared); ok {
		return "lazy"
	}
	l := &r.Layout.SharedFunctionInfo
	for _, off := range []int{l.FunctionData, l.UntrustedData} {
		d, ok := r.DataField(shared, off)
		switch {
		case !ok:
		case r.Is(d, r.Types.FunctionTemplateInfo):
			return "api"
		case d.IsSmi() && d.Smi() > 0:
			return "builtin" // its number
		}
	}
	return ""
}

// textOf returns the script of a JSFunction, or 0 if there is no script, and the extent of its text.
func (r *Functions) textOf(fn layout.Tagged) (script layout.Tagged, start, end int) {
	shared, _ := r.ClosureShared(fn)
	info, ok := r.SharedInfo(shared)
	if !ok || info.Script == 0 {
		return 0, -1, -1
	}
	start, end = r.textExtent(fn, shared)
	return info.Script, start, end
}

// textExtent returns the positions of a function's text as toString gives it: from its first token, or the
// whole class (objects/js-function.cc: JSFunction::ToString).
func (r *Functions) textExtent(o, shared layout.Tagged) (start, end int) {
	r.EachProperty(o, func(p RawProperty) bool {
		if !r.TypeNamed(p.Value, "CLASS_POSITIONS") {
			return true
		}
		a, ok1 := r.SmiField(p.Value, r.Slots(1))
		b, ok2 := r.SmiField(p.Value, r.Slots(2))
		if ok1 && ok2 && a <= b {
			start, end = a, b
		}
		return false
	})
	if end > 0 {
		return start, end
	}
	start, end = r.Extent(shared)
	return r.tokenStart(shared, start), end
}

// tokenStart returns the position of a function's first token, given the position of its parameters. For a
// reader the function is defined there.
func (r *Functions) tokenStart(shared layout.Tagged, start int) int {
	off := r.Layout.ObjectLayout.SharedFunctionInfo.FunctionTokenOffset
	if start < 0 || off == layout.Unknown {
		return start
	}
	// kFunctionTokenOutOfRange says that it is too far away.
	if n, ok := r.U16(shared.Addr().Add(int64(off))); ok && n != 0xffff && int(n) <= start {
		start -= int(n)
	}
	return start
}
