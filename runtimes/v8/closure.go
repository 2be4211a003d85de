package v8

import (
	"errors"
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

// textExtent returns the positions of a function's text as toString gives it:
// from its first token, or those of the whole class (objects/js-function.cc:
// JSFunction::ToString).
func (v *V8) textExtent(o, shared Tagged) (start, end int) {
	v.properties(o, func(p property) bool {
		if !v.typeNamed(p.value, "CLASS_POSITIONS") {
			return true
		}
		a, ok1 := v.smiField(p.value, 8)
		b, ok2 := v.smiField(p.value, 16)
		if ok1 && ok2 && a <= b {
			start, end = a, b
		}
		return false
	})
	if end > 0 {
		return start, end
	}
	start, end = v.extent(shared)
	return v.tokenStart(shared, start), end
}

// tokenStart returns the position of a function's first token, where that of its
// parameters is start: there it is defined, for a reader.
func (v *V8) tokenStart(shared Tagged, start int) int {
	off := v.layout.objectLayout.SharedFunctionInfo.FunctionTokenOffset
	if start < 0 || off == Unknown {
		return start
	}
	// kFunctionTokenOutOfRange says that it is too far away.
	if n, ok := v.u16(shared.Addr().Add(int64(off))); ok && n != 0xffff && int(n) <= start {
		start -= int(n)
	}
	return start
}

// errNoSource says that a function is not written in JavaScript, or that its
// text is not in the core.
var errNoSource = errors.New("v8: the function has no source")

// Source returns the text of the script from one position to another, in
// UTF-16 code units, of at most max of them.
func (v *V8) Source(script Tagged, start, end, max int) (string, error) {
	src, ok := v.field(script, v.layout.Script.Source)
	if !ok || !v.IsString(src) {
		return "", errNoSource
	}
	info, err := v.StringInfo(src)
	if err != nil {
		return "", err
	}
	if start < 0 || start > end || end > int(info.Length) {
		return "", fmt.Errorf("corrupt: source [%d, %d) of a script of %d characters", start, end, info.Length)
	}
	b := &flattener{v: v, left: max}
	reason := b.flatten(src, uint32(start), uint32(end))
	text := b.text()
	if reason != "" && b.left > 0 {
		return text, &StringError{Length: uint32(end - start), Got: max - b.left, Reason: reason}
	}
	return text, nil
}

// Lines returns the lines first to last of a script, both from 1, and the
// number of the first one that there is.
func (v *V8) Lines(script Tagged, first, last int) (lines []string, from int, err error) {
	t := v.lines(script)
	if t == nil {
		return nil, 0, errNoSource
	}
	from = max(first, 1)
	for n := from; n <= min(last, len(t.ends)); n++ {
		start := 0
		if n > 1 {
			start = t.ends[n-2] + 1
		}
		const longest = 1 << 12
		text, err := v.Source(script, start, max(t.ends[n-1], start), longest)
		if err != nil {
			return lines, from, err
		}
		lines = append(lines, text)
	}
	return lines, from, nil
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

// Contexts returns the chain of contexts that o, a function or a context,
// sees: its own first, without the native context.
func (v *V8) Contexts(o Tagged) ([]*Context, error) {
	if v.isFunction(o) {
		c, ok := v.field(o, v.layout.JSFunction.Context)
		if !ok {
			return nil, v.fault(o, v.layout.JSFunction.Context)
		}
		o = c
	}
	var out []*Context
	for o != 0 && len(out) < maxContexts {
		c, err := v.Context(o)
		if err != nil {
			return out, err
		}
		if c.Native {
			break
		}
		out = append(out, c)
		o = c.Previous
	}
	return out, nil
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
