package layout

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// types are the instance types that the image names, with those that decoding
// asks for. A type that the image does not name is -1.
type types struct {
	Names   map[int]string // "JS_FUNCTION_TYPE"
	classes map[int]string // "JSFunction"
	Backing map[int]int    // bytes of an element of a FixedTypedArray
	numbers map[string]int // by name

	MapType, HeapNumber, Oddball, Hole, Symbol                         int
	Shared, ScopeInfo, Script, BytecodeArray, InterpreterData          int
	BaselineData, Code, InstructionStream, FeedbackVector, SharedProxy int
	JSProxy, JSGlobalProxy, JSGlobalObject, JSObject, jsFunction       int
	JSPromise, PromiseReaction, PromiseCapability, AccessorPair        int
	DebugInfo, FunctionTemplateInfo, primitiveWrapper, FirstReceiver   int
}

func newTypes(constants map[string]int) *types {
	t := &types{Names: map[int]string{}, classes: map[int]string{}, Backing: map[int]int{}}
	byName := map[string]int{}
	for _, name := range sortedNames(constants) {
		rest, ok := strings.CutPrefix(name, "type_")
		class, typ, ok2 := strings.Cut(rest, "__")
		if !ok || !ok2 {
			continue
		}
		n := constants[name]
		if _, dup := t.Names[n]; !dup {
			t.Names[n], t.classes[n] = typ, class
		}
		byName[typ] = n
	}
	t.nameRuns(byName)
	get := func(name string) int {
		if n, ok := byName[name+"_TYPE"]; ok {
			return n
		}
		return -1
	}
	t.MapType, t.HeapNumber, t.Oddball = get("MAP"), get("HEAP_NUMBER"), get("ODDBALL")
	t.Hole, t.Symbol = get("HOLE"), get("SYMBOL")
	t.Shared, t.ScopeInfo, t.Script = get("SHARED_FUNCTION_INFO"), get("SCOPE_INFO"), get("SCRIPT")
	t.BytecodeArray, t.InterpreterData = get("BYTECODE_ARRAY"), get("INTERPRETER_DATA")
	t.BaselineData, t.Code, t.InstructionStream = get("BASELINE_DATA"), get("CODE"), get("INSTRUCTION_STREAM")
	t.FeedbackVector, t.SharedProxy = get("FEEDBACK_VECTOR"), get("SHARED_FUNCTION_INFO_WRAPPER")
	t.JSProxy, t.JSGlobalProxy, t.JSGlobalObject = get("JS_PROXY"), get("JS_GLOBAL_PROXY"), get("JS_GLOBAL_OBJECT")
	t.JSObject, t.jsFunction, t.JSPromise = get("JS_OBJECT"), get("JS_FUNCTION"), get("JS_PROMISE")
	t.PromiseReaction, t.PromiseCapability = get("PROMISE_REACTION"), get("PROMISE_CAPABILITY")
	t.AccessorPair, t.DebugInfo = get("ACCESSOR_PAIR"), get("DEBUG_INFO")
	t.FunctionTemplateInfo, t.primitiveWrapper = get("FUNCTION_TEMPLATE_INFO"), get("JS_PRIMITIVE_WRAPPER")
	if t.JSProxy < 0 && t.JSGlobalObject > 0 {
		// Without a constant in V8 7.8: the type before the global
		// object's (objects/instance-type.h).
		t.JSProxy = t.JSGlobalObject - 1
	}
	// Without constants in V8 7.8, where structs are numbered by name:
	// EnumCache, FunctionTemplateInfo; PromiseReaction, PrototypeInfo, Script.
	if t.FunctionTemplateInfo < 0 && get("ENUM_CACHE") > 0 && t.Names[get("ENUM_CACHE")+1] == "" {
		t.FunctionTemplateInfo = get("ENUM_CACHE") + 1
	}
	if t.PromiseReaction < 0 && t.Script > 0 {
		t.PromiseReaction = t.Script - 2
	}
	// Nor in V8 7.7: FunctionTemplateInfo, FunctionTemplateRareData,
	// InterceptorInfo, InterpreterData.
	if n := get("INTERPRETER_DATA"); t.FunctionTemplateInfo < 0 && get("ENUM_CACHE") < 0 && n > 0 && t.Names[n-3] == "" {
		t.FunctionTemplateInfo = n - 3
	}
	// Nor: DescriptorArray, after CodeDataContainer.
	if n := get("CODE_DATA_CONTAINER"); get("DESCRIPTOR_ARRAY") < 0 && n > 0 && t.Names[n+1] == "" {
		t.Names[n+1], t.classes[n+1] = "DESCRIPTOR_ARRAY_TYPE", "DescriptorArray"
	}
	// Nor does any before V8 9: TransitionArray, the only class of WeakFixedArrays, which
	// comes after these.
	if n := get("WEAK_FIXED_ARRAY"); get("TRANSITION_ARRAY") < 0 && n > 0 && t.Names[n+1] == "" {
		t.Names[n+1], t.classes[n+1] = "TRANSITION_ARRAY_TYPE", "TransitionArray"
	}
	t.nameBacking(get("BYTECODE_ARRAY"), get("FIXED_DOUBLE_ARRAY"))
	t.numbers = make(map[string]int, len(t.Names))
	for n, name := range t.Names {
		t.numbers[name] = n
	}
	t.FirstReceiver = 1 << 30
	for _, n := range []int{t.JSProxy, t.JSGlobalObject, t.JSGlobalProxy, t.JSObject} {
		if n > 0 {
			t.FirstReceiver = min(t.FirstReceiver, n)
		}
	}
	return t
}

// typedBacking are the types between those of BytecodeArray and
// FixedDoubleArray until V8 7.5, and the bytes of an element of the arrays
// among them, which keep the elements of typed arrays (objects/instance-type.h,
// objects/fixed-array.h @ 7.4).
var typedBacking = []struct {
	name  string
	bytes int
}{
	{"FREE_SPACE", 0}, {"FIXED_INT8_ARRAY", 1}, {"FIXED_UINT8_ARRAY", 1}, {"FIXED_INT16_ARRAY", 2}, {"FIXED_UINT16_ARRAY", 2},
	{"FIXED_INT32_ARRAY", 4}, {"FIXED_UINT32_ARRAY", 4}, {"FIXED_FLOAT32_ARRAY", 4}, {"FIXED_FLOAT64_ARRAY", 8},
	{"FIXED_UINT8_CLAMPED_ARRAY", 1}, {"FIXED_BIGUINT64_ARRAY", 8}, {"FIXED_BIGINT64_ARRAY", 8},
}

// nameBacking names types that the image does not, if they are as many as there
// were until V8 7.5; after that FREE_SPACE is left, until these types are numbered by
// name in V8 7.9 (objects/instance-type.h @ 7.8).
func (t *types) nameBacking(bytecodes, doubles int) {
	backing := typedBacking
	if doubles == bytecodes+2 && t.Names[bytecodes+1] == "" {
		backing = typedBacking[:1]
	}
	if bytecodes < 0 || doubles != bytecodes+len(backing)+1 {
		return
	}
	for i, b := range backing {
		t.Names[bytecodes+1+i] = b.name + "_TYPE"
		if b.bytes > 0 {
			t.Backing[bytecodes+1+i] = b.bytes
		}
	}
	t.Names[doubles+1], t.Names[doubles+2] = "FEEDBACK_METADATA_TYPE", "FILLER_TYPE"
}

// Name returns the name of an instance type, or its number.
func (t *types) Name(n int) string {
	if s, ok := t.Names[n]; ok {
		return s
	}
	return fmt.Sprintf("instance type %d", n)
}

// An InstanceType is a row of the image's list of types.
type InstanceType struct {
	Number int
	Name   string // "JS_FUNCTION_TYPE"
	Class  string // "JSFunction"
}

// InstanceTypes returns the instance types that the image names, by number.
func (mem *Memory) InstanceTypes() []InstanceType {
	var out []InstanceType
	for n, name := range mem.Types.Names {
		out = append(out, InstanceType{n, name, mem.Types.classes[n]})
	}
	slices.SortFunc(out, func(a, b InstanceType) int { return cmp.Compare(a.Number, b.Number) })
	return out
}

// TypeOf returns the instance type of the object at o.
func (mem *Memory) TypeOf(o Tagged) (InstanceType, error) {
	n, ok := mem.InstanceType(o)
	if !ok {
		return InstanceType{}, fmt.Errorf("v8: %#x is not an object: its first word is not a map", uint64(o))
	}
	return InstanceType{n, mem.Types.Name(n), mem.Types.classes[n]}, nil
}

// Is reports whether o is an object of the given instance type, which is negative where it
// is not known.
func (mem *Memory) Is(o Tagged, typ int) bool {
	n, ok := mem.InstanceType(o)
	return ok && n == typ && typ >= 0
}

// IsReceiver reports whether o is any object of JavaScript, proxies included.
func (mem *Memory) IsReceiver(o Tagged) bool {
	n, ok := mem.InstanceType(o)
	return ok && n >= mem.Types.FirstReceiver
}

// IsSharedFunctionInfo reports whether o is a SharedFunctionInfo.
func (mem *Memory) IsSharedFunctionInfo(o Tagged) bool { return mem.Is(o, mem.Types.Shared) }

// IsFunction reports whether o is a JSFunction of any kind. The constants of
// V8 10 and 11 do not name the last function type, so it asks for the shape: a
// receiver whose shared slot holds a SharedFunctionInfo.
func (mem *Memory) IsFunction(o Tagged) bool {
	if !mem.IsReceiver(o) {
		return false
	}
	s, ok := mem.Field(o, mem.Layout.JSFunction.Shared)
	return ok && mem.IsSharedFunctionInfo(s)
}

// TypeNamed reports whether the type of o has a name that contains part.
func (mem *Memory) TypeNamed(o Tagged, part string) bool {
	n, ok := mem.InstanceType(o)
	return ok && strings.Contains(mem.Types.Names[n], part)
}

// FrameTypes maps the markers of frames to the names of their types, without
// the word Frame: "Entry", "BuiltinExit".
type FrameTypes map[int]string

func newFrameTypes(constants map[string]int) FrameTypes {
	t := FrameTypes{}
	for _, name := range sortedNames(constants) {
		if rest, ok := strings.CutPrefix(name, "frametype_"); ok {
			t[constants[name]] = strings.TrimSuffix(rest, "Frame")
		}
	}
	return t
}
