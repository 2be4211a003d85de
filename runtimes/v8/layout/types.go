package layout

import (
	"fmt"
	"strings"
)

// types are the instance types known by name, including the types that decoding needs. A type without a number
// is
// -1.
type types struct {
	Names   map[int]string // "JS_FUNCTION_TYPE"
	classes map[int]string // "JSFunction"
	Backing map[int]int    // bytes of an element of a FixedTypedArray
	numbers map[string]int // by name

	MapType, HeapNumber, BigInt, Oddball, Hole, Symbol                 int
	Shared, ScopeInfo, Script, BytecodeArray, InterpreterData          int
	BaselineData, Code, InstructionStream, FeedbackVector, SharedProxy int
	JSProxy, JSGlobalProxy, JSGlobalObject, JSObject, jsFunction       int
	JSPromise, PromiseReaction, PromiseCapability, AccessorPair        int
	DebugInfo, FunctionTemplateInfo, primitiveWrapper, FirstReceiver   int
}

// newTypes returns the types that constants name, and the types in names, by number, that constants leave out.
func newTypes(constants map[string]int, names map[int]string) *types {
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
	classes := classesByType(constants)
	for n, name := range names {
		if _, known := byName[name]; !known && t.Names[n] == "" {
			t.Names[n], byName[name] = name, n
			if c := classes[plainName(strings.TrimSuffix(name, "_TYPE"))]; c != "" {
				t.classes[n] = c
			}
		}
	}
	get := func(name string) int {
		if n, ok := byName[name+"_TYPE"]; ok {
			return n
		}
		return -1
	}
	t.MapType, t.HeapNumber, t.Oddball = get("MAP"), get("HEAP_NUMBER"), get("ODDBALL")
	t.Hole, t.Symbol, t.BigInt = get("HOLE"), get("SYMBOL"), max(get("BIGINT"), get("BIG_INT_BASE"))
	t.Shared, t.ScopeInfo, t.Script = get("SHARED_FUNCTION_INFO"), get("SCOPE_INFO"), get("SCRIPT")
	t.BytecodeArray, t.InterpreterData = get("BYTECODE_ARRAY"), get("INTERPRETER_DATA")
	t.BaselineData, t.Code, t.InstructionStream = get("BASELINE_DATA"), get("CODE"), get("INSTRUCTION_STREAM")
	t.FeedbackVector, t.SharedProxy = get("FEEDBACK_VECTOR"), get("SHARED_FUNCTION_INFO_WRAPPER")
	t.JSProxy, t.JSGlobalProxy, t.JSGlobalObject = get("JS_PROXY"), get("JS_GLOBAL_PROXY"), get("JS_GLOBAL_OBJECT")
	t.JSObject, t.jsFunction, t.JSPromise = get("JS_OBJECT"), get("JS_FUNCTION"), get("JS_PROMISE")
	t.PromiseReaction, t.PromiseCapability = get("PROMISE_REACTION"), get("PROMISE_CAPABILITY")
	t.AccessorPair, t.DebugInfo = get("ACCESSOR_PAIR"), get("DEBUG_INFO")
	t.FunctionTemplateInfo, t.primitiveWrapper = get("FUNCTION_TEMPLATE_INFO"), get("JS_PRIMITIVE_WRAPPER")
	for name, bytes := range typedBacking {
		if n := get(name); n >= 0 {
			t.Backing[n] = bytes
		}
	}
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

// classesByType returns the classes whose fields or parents are among constants, by their plain names.
func classesByType(constants map[string]int) map[string]string {
	out := map[string]string{}
	for name := range constants {
		for _, prefix := range []string{"class_", "parent_"} {
			if rest, ok := strings.CutPrefix(name, prefix); ok {
				class, _, _ := strings.Cut(rest, "__")
				out[plainName(class)] = class
			}
		}
	}
	return out
}

// typedBacking are the bytes of an element of the arrays that keep the elements of typed
// arrays until V8 7.5 (objects/fixed-array.h @ 7.4).
var typedBacking = map[string]int{
	"FIXED_INT8_ARRAY": 1, "FIXED_UINT8_ARRAY": 1, "FIXED_INT16_ARRAY": 2, "FIXED_UINT16_ARRAY": 2,
	"FIXED_INT32_ARRAY": 4, "FIXED_UINT32_ARRAY": 4, "FIXED_FLOAT32_ARRAY": 4, "FIXED_FLOAT64_ARRAY": 8,
	"FIXED_UINT8_CLAMPED_ARRAY": 1, "FIXED_BIGUINT64_ARRAY": 8, "FIXED_BIGINT64_ARRAY": 8,
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
