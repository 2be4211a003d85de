package v8

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// types are the instance types that the image names, with those that decoding
// asks for. A type that the image does not name is -1.
type types struct {
	names   map[int]string // "JS_FUNCTION_TYPE"
	classes map[int]string // "JSFunction"
	backing map[int]int    // bytes of an element of a FixedTypedArray
	numbers map[string]int // by name

	mapType, heapNumber, oddball, hole, symbol                         int
	shared, scopeInfo, script, bytecodeArray, interpreterData          int
	baselineData, code, instructionStream, feedbackVector, sharedProxy int
	jsProxy, jsGlobalProxy, jsGlobalObject, jsObject, jsFunction       int
	jsPromise, promiseReaction, promiseCapability, accessorPair        int
	debugInfo, functionTemplateInfo, primitiveWrapper, firstReceiver   int
}

func newTypes(constants map[string]int) *types {
	t := &types{names: map[int]string{}, classes: map[int]string{}, backing: map[int]int{}}
	byName := map[string]int{}
	for _, name := range sortedNames(constants) {
		rest, ok := strings.CutPrefix(name, "type_")
		class, typ, ok2 := strings.Cut(rest, "__")
		if !ok || !ok2 {
			continue
		}
		n := constants[name]
		if _, dup := t.names[n]; !dup {
			t.names[n], t.classes[n] = typ, class
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
	t.mapType, t.heapNumber, t.oddball = get("MAP"), get("HEAP_NUMBER"), get("ODDBALL")
	t.hole, t.symbol = get("HOLE"), get("SYMBOL")
	t.shared, t.scopeInfo, t.script = get("SHARED_FUNCTION_INFO"), get("SCOPE_INFO"), get("SCRIPT")
	t.bytecodeArray, t.interpreterData = get("BYTECODE_ARRAY"), get("INTERPRETER_DATA")
	t.baselineData, t.code, t.instructionStream = get("BASELINE_DATA"), get("CODE"), get("INSTRUCTION_STREAM")
	t.feedbackVector, t.sharedProxy = get("FEEDBACK_VECTOR"), get("SHARED_FUNCTION_INFO_WRAPPER")
	t.jsProxy, t.jsGlobalProxy, t.jsGlobalObject = get("JS_PROXY"), get("JS_GLOBAL_PROXY"), get("JS_GLOBAL_OBJECT")
	t.jsObject, t.jsFunction, t.jsPromise = get("JS_OBJECT"), get("JS_FUNCTION"), get("JS_PROMISE")
	t.promiseReaction, t.promiseCapability = get("PROMISE_REACTION"), get("PROMISE_CAPABILITY")
	t.accessorPair, t.debugInfo = get("ACCESSOR_PAIR"), get("DEBUG_INFO")
	t.functionTemplateInfo, t.primitiveWrapper = get("FUNCTION_TEMPLATE_INFO"), get("JS_PRIMITIVE_WRAPPER")
	if t.jsProxy < 0 && t.jsGlobalObject > 0 {
		// Without a constant in V8 7.8: the type in front of the global
		// object's (objects/instance-type.h).
		t.jsProxy = t.jsGlobalObject - 1
	}
	// Without constants in V8 7.8, where structs are numbered by name:
	// EnumCache, FunctionTemplateInfo; PromiseReaction, PrototypeInfo, Script.
	if t.functionTemplateInfo < 0 && get("ENUM_CACHE") > 0 && t.names[get("ENUM_CACHE")+1] == "" {
		t.functionTemplateInfo = get("ENUM_CACHE") + 1
	}
	if t.promiseReaction < 0 && t.script > 0 {
		t.promiseReaction = t.script - 2
	}
	// Nor in V8 7.7: FunctionTemplateInfo, FunctionTemplateRareData,
	// InterceptorInfo, InterpreterData.
	if n := get("INTERPRETER_DATA"); t.functionTemplateInfo < 0 && get("ENUM_CACHE") < 0 && n > 0 && t.names[n-3] == "" {
		t.functionTemplateInfo = n - 3
	}
	// Nor: DescriptorArray, behind CodeDataContainer.
	if n := get("CODE_DATA_CONTAINER"); get("DESCRIPTOR_ARRAY") < 0 && n > 0 && t.names[n+1] == "" {
		t.names[n+1], t.classes[n+1] = "DESCRIPTOR_ARRAY_TYPE", "DescriptorArray"
	}
	t.nameBacking(get("BYTECODE_ARRAY"), get("FIXED_DOUBLE_ARRAY"))
	t.numbers = make(map[string]int, len(t.names))
	for n, name := range t.names {
		t.numbers[name] = n
	}
	t.firstReceiver = 1 << 30
	for _, n := range []int{t.jsProxy, t.jsGlobalObject, t.jsGlobalProxy, t.jsObject} {
		if n > 0 {
			t.firstReceiver = min(t.firstReceiver, n)
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
	if doubles == bytecodes+2 && t.names[bytecodes+1] == "" {
		backing = typedBacking[:1]
	}
	if bytecodes < 0 || doubles != bytecodes+len(backing)+1 {
		return
	}
	for i, b := range backing {
		t.names[bytecodes+1+i] = b.name + "_TYPE"
		if b.bytes > 0 {
			t.backing[bytecodes+1+i] = b.bytes
		}
	}
	t.names[doubles+1], t.names[doubles+2] = "FEEDBACK_METADATA_TYPE", "FILLER_TYPE"
}

// name returns the name of an instance type, or its number.
func (t *types) name(n int) string {
	if s, ok := t.names[n]; ok {
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

// Types returns the instance types that the image names, by number.
func (mem *memory) Types() []InstanceType {
	var out []InstanceType
	for n, name := range mem.types.names {
		out = append(out, InstanceType{n, name, mem.types.classes[n]})
	}
	slices.SortFunc(out, func(a, b InstanceType) int { return cmp.Compare(a.Number, b.Number) })
	return out
}

// TypeOf returns the instance type of the object at o.
func (mem *memory) TypeOf(o Tagged) (InstanceType, error) {
	n, ok := mem.instanceType(o)
	if !ok {
		return InstanceType{}, fmt.Errorf("v8: %#x: no object: its first word is not a map", uint64(o))
	}
	return InstanceType{n, mem.types.name(n), mem.types.classes[n]}, nil
}

func (mem *memory) is(o Tagged, typ int) bool {
	n, ok := mem.instanceType(o)
	return ok && n == typ && typ >= 0
}

// isReceiver reports whether o is any object of JavaScript, proxies included.
func (mem *memory) isReceiver(o Tagged) bool {
	n, ok := mem.instanceType(o)
	return ok && n >= mem.types.firstReceiver
}

func (mem *memory) isSharedFunctionInfo(o Tagged) bool { return mem.is(o, mem.types.shared) }

// isFunction reports whether o is a JSFunction of any kind. The constants of
// V8 10 and 11 do not tell the last function type, so it asks for the shape: a
// receiver whose shared slot holds a SharedFunctionInfo.
func (mem *memory) isFunction(o Tagged) bool {
	if !mem.isReceiver(o) {
		return false
	}
	s, ok := mem.field(o, mem.layout.JSFunction.Shared)
	return ok && mem.isSharedFunctionInfo(s)
}

// typeNamed reports whether the type of o has a name that contains part.
func (mem *memory) typeNamed(o Tagged, part string) bool {
	n, ok := mem.instanceType(o)
	return ok && strings.Contains(mem.types.names[n], part)
}

// frameTypes maps the markers of frames to the names of their types, without
// the word Frame: "Entry", "BuiltinExit".
type frameTypes map[int]string

func newFrameTypes(constants map[string]int) frameTypes {
	t := frameTypes{}
	for _, name := range sortedNames(constants) {
		if rest, ok := strings.CutPrefix(name, "frametype_"); ok {
			t[constants[name]] = strings.TrimSuffix(rest, "Frame")
		}
	}
	return t
}
