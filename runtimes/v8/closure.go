package v8

import (
	"fmt"

	"coredbg/core"
)

// A Function is what is known of a JSFunction.
type Function struct {
	Word   Tagged
	Name   string // the value of its property "name"; inferred if it has none
	Type   string // "Function", "AsyncFunction", "GeneratorFunction", "AsyncGeneratorFunction", "class"
	Shared Tagged // its SharedFunctionInfo
	// Context is what it closes over.
	Context Tagged
	Script  Tagged // 0 for functions of V8 and of the embedder
	File    string
	// Line and Column are those of its first character, from 1; 0 if unknown.
	Line, Column int
	// Start and End bound its source in UTF-16 code units; -1 if unknown.
	Start, End int
	// Bytecode is its BytecodeArray, 0 if it was not compiled.
	Bytecode Tagged
	// Target of a bound function, which has no source of its own.
	Target Tagged
}

// Function decodes the function at o, a JSFunction or SharedFunctionInfo.
func (v *V8) Function(o Tagged) (*Function, error) {
	if v.isSharedFunctionInfo(o) {
		return v.sharedFunction(o), nil
	}
	f := &Function{Word: o, Start: -1, End: -1, Type: "Function"}
	if v.isBound(o) {
		f.Name = v.functionNameOf(o)
		f.Target, _ = v.field(o, v.layout.JSBoundFunction.Target)
		return f, nil
	}
	shared, ok := v.closureShared(o)
	if !ok {
		return nil, fmt.Errorf("v8: %v is no function", core.Addr(o))
	}
	f.Shared = shared
	if f.Name = v.functionNameOf(o); f.Name == "" {
		f.Name = v.sharedName(shared)
	}
	f.Type = v.functionType(o)
	f.Context, _ = v.field(o, v.layout.JSFunction.Context)
	f.Bytecode, _ = v.bytecodeOf(shared)
	info, ok := v.function(shared)
	if !ok || info.script == 0 {
		return f, nil
	}
	f.Script = info.script
	f.Start, f.End = v.textExtent(o, shared)
	loc := v.locate(f.Script, f.Start)
	f.File, f.Line, f.Column = loc.file, loc.line, loc.column
	return f, nil
}

// SourceLines returns the first and last line of the text of f in its script,
// from 1.
func (v *V8) SourceLines(f *Function) (first, last int, err error) {
	t := v.lines(f.Script)
	if f.Script == 0 || t == nil || f.Start < 0 {
		return 0, 0, errNoSource
	}
	a, _, ok1 := t.line(f.Start)
	b, _, ok2 := t.line(max(f.End-1, f.Start))
	if !ok1 || !ok2 {
		return 0, 0, errNoSource
	}
	return a + 1, b + 1, nil
}

// Constructor returns the function that made the object o, as its map says,
// and the name of its class.
func (v *V8) Constructor(o Tagged) (fn Tagged, class string, err error) {
	if !v.isReceiver(o) {
		return 0, "", fmt.Errorf("v8: %v is no object of JavaScript", core.Addr(o))
	}
	class = v.Class(o)
	v.prototypes(o, func(p Tagged) bool {
		c, ok := v.ownProperty(p, "constructor")
		if ok && v.isFunction(c.value) && v.functionNameOf(c.value) == class && p != o {
			fn = c.value
		}
		return fn == 0
	})
	if fn == 0 {
		if c, ok := v.constructorOf(o); ok && v.isFunction(c) {
			fn = c
		}
	}
	if class == "" {
		class = v.fallbackClass(o)
	}
	return fn, class, nil
}

// InternalFields returns the words that the embedder keeps in a JSObject,
// in front of its properties.
func (v *V8) InternalFields(o Tagged) ([]uint64, error) {
	s, err := v.shape(o)
	if err != nil {
		return nil, fmt.Errorf("v8: %v: %w", core.Addr(o), err)
	}
	header := v.layout.JSObject.InternalFields
	if v.isAPIObject(s.typ) {
		header = v.layout.JSAPIObject.InternalFields
	}
	if s.typ == v.typeNumber("JS_TYPED_ARRAY_TYPE") {
		// ArrayBufferView::kEmbedderFieldCount, include/v8-array-buffer.h: 2 behind the type's own.
		header = max(v.layout.JSTypedArray.BasePointer+8, 8*s.start-16)
	} else if v.types.names[s.typ] != "" && s.typ != v.types.jsObject || v.kindOf(o, s) != KindObject {
		return nil, nil // what stands in front of the properties are the type's own fields
	}
	var out []uint64
	for at := header; at < 8*s.start && s.typ >= v.types.firstReceiver; at += 8 {
		w, ok := v.word(o.Addr().Add(int64(at)))
		if !ok {
			return out, v.fault(o, at)
		}
		out = append(out, w)
	}
	return out, nil
}

// isAPIObject reports whether a type is JS_API_OBJECT_TYPE or
// JS_SPECIAL_API_OBJECT_TYPE.
func (v *V8) isAPIObject(typ int) bool {
	for _, name := range []string{"APIObjectType", "SpecialAPIObjectType"} {
		if n, ok := v.image.constants[name]; ok && typ == n {
			return true
		}
	}
	return false
}

// placeOf is where a function's source begins.
func (v *V8) placeOf(shared Tagged) location {
	f, ok := v.function(shared)
	if !ok || f.script == 0 {
		return location{}
	}
	start, _ := v.extent(shared)
	if start < 0 {
		return location{file: v.scriptTitle(f.script)}
	}
	return v.locate(f.script, start)
}

// sharedFunction returns what a SharedFunctionInfo tells of its function.
func (v *V8) sharedFunction(s Tagged) *Function {
	f := &Function{Word: s, Shared: s, Name: v.sharedName(s), Start: -1, End: -1, Type: "Function"}
	f.Bytecode, _ = v.bytecodeOf(s)
	if info, ok := v.function(s); ok && info.script != 0 {
		f.Script = info.script
		f.Start, f.End = v.extent(s)
		loc := v.locate(f.Script, v.tokenStart(s, f.Start))
		f.File, f.Line, f.Column = loc.file, loc.line, loc.column
	}
	return f
}
