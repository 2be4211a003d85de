package object

import (
	"fmt"
	"iter"
	"sync"

	"coredbg/core"
	"coredbg/runtimes/v8/code"
	"coredbg/runtimes/v8/layout"
)

// A Reader reads all objects of the heap.
type Reader struct{ Members }

// New returns a reader of the objects of mem. above may be nil: then functions without position tables have no
// positions of calls, scripts have no originals, and heaps do not show isolates.
func New(mem *layout.Memory, above Above) *Reader {
	r := &Reader{}
	r.Strings.Memory, r.Reader = mem, code.New(mem)
	r.above, r.caches, r.scripts = above, &caches{}, map[layout.Tagged]*lineTable{}
	r.caches.inspect = sync.OnceValue(r.utilInspect)
	return r
}

// Forget drops what was derived from the layout.
func (r *Reader) Forget() {
	r.caches.forget()
	r.caches.inspect = sync.OnceValue(r.utilInspect)
	r.Reader.Forget()
	r.linesMu.Lock()
	r.scripts = map[layout.Tagged]*lineTable{}
	r.linesMu.Unlock()
	r.bytecode = bytecodesOnce{}
}

// A Function describes a JSFunction.
type Function struct {
	Word   layout.Tagged
	Name   string        // the value of its property "name", or the inferred name
	Type   string        // "Function", "AsyncFunction", "GeneratorFunction", "AsyncGeneratorFunction", "class"
	Shared layout.Tagged // its SharedFunctionInfo
	// Context is what it closes over.
	Context layout.Tagged
	Script  layout.Tagged // 0 for functions of V8 and of the embedder
	File    string
	// Line and Column are the position of its first character, from 1; 0 if unknown.
	Line, Column int
	// Start and End bound its source in UTF-16 code units; -1 if unknown.
	Start, End int
	// Bytecode is its BytecodeArray, 0 if it was not compiled.
	Bytecode layout.Tagged
	// Target of a bound function, which has no source of its own.
	Target layout.Tagged
}

// Function decodes the function at o, a JSFunction or SharedFunctionInfo.
func (r *Reader) Function(o layout.Tagged) (*Function, error) {
	if r.IsSharedFunctionInfo(o) {
		return r.SharedFunction(o), nil
	}
	f := &Function{Word: o, Start: -1, End: -1, Type: "Function"}
	if r.IsBound(o) {
		f.Name = r.FunctionNameOf(o)
		f.Target, _ = r.Field(o, r.Layout.JSBoundFunction.Target)
		return f, nil
	}
	shared, ok := r.ClosureShared(o)
	if !ok {
		return nil, fmt.Errorf("v8: %v is not a function", core.Addr(o))
	}
	f.Shared = shared
	if f.Name = r.FunctionNameOf(o); f.Name == "" {
		f.Name = r.SharedName(shared)
	}
	f.Type = r.FunctionType(o)
	f.Context, _ = r.Field(o, r.Layout.JSFunction.Context)
	f.Bytecode, _ = r.BytecodeOf(shared)
	info, ok := r.SharedInfo(shared)
	if !ok || info.Script == 0 {
		return f, nil
	}
	f.Script = info.Script
	f.Start, f.End = r.textExtent(o, shared)
	loc := r.Locate(f.Script, f.Start)
	f.File, f.Line, f.Column = loc.File, loc.Line, loc.Column
	return f, nil
}

// SourceLines returns the first and last line of the text of f in its script,
// from 1.
func (r *Reader) SourceLines(f *Function) (first, last int, err error) {
	t := r.lines(f.Script)
	if f.Script == 0 || t == nil || f.Start < 0 {
		return 0, 0, r.noSource(f.Script)
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
func (r *Reader) Constructor(o layout.Tagged) (fn layout.Tagged, class string, err error) {
	if !r.IsReceiver(o) {
		return 0, "", fmt.Errorf("v8: %v is not an object of JavaScript", core.Addr(o))
	}
	class = r.Class(o)
	r.Prototypes(o, func(p layout.Tagged) bool {
		c, ok := r.OwnProperty(p, "constructor")
		if ok && r.IsFunction(c.Value) && r.FunctionNameOf(c.Value) == class && p != o {
			fn = c.Value
		}
		return fn == 0
	})
	if fn == 0 {
		if c, ok := r.constructorOf(o); ok && r.IsFunction(c) {
			fn = c
		}
	}
	if class == "" {
		class = r.MadeBy(o)
	}
	return fn, class, nil
}

// InternalFields returns the words that the embedder keeps in a JSObject,
// before its properties.
func (r *Reader) InternalFields(o layout.Tagged) ([]uint64, error) {
	first, end, err := r.internalFields(o)
	if err != nil {
		return nil, err
	}
	var out []uint64
	for at := first; at < end; at += internalField {
		w, ok := r.Word(o.Addr().Add(int64(at)))
		if !ok {
			return out, r.Fault(o, at)
		}
		out = append(out, w)
	}
	return out, nil
}

// internalField is the size of an internal field, also where pointers are compressed
// (objects/embedder-data-slot.h: kEmbedderDataSlotSize).
const internalField = 8

// internalFields returns where the internal fields of o begin and end.
func (r *Reader) internalFields(o layout.Tagged) (first, end int, err error) {
	s, err := r.Shape(o)
	if err != nil {
		return 0, 0, fmt.Errorf("v8: %v: %w", core.Addr(o), err)
	}
	header := r.Layout.JSObject.InternalFields
	api := r.IsAPIObject(s.typ)
	if api {
		header = r.Layout.JSAPIObject.InternalFields
	}
	if s.typ == r.TypeNumber("JS_TYPED_ARRAY_TYPE") {
		// ArrayBufferView::kEmbedderFieldCount, include/v8-array-buffer.h: 2 after the type's own.
		header = max(r.Layout.JSTypedArray.BasePointer+r.Slots(1), r.Slots(s.start)-2*internalField)
	} else if !api && r.Types.Names[s.typ] != "" && s.typ != r.Types.JSObject || r.KindOf(o, s) != KindObject {
		return 0, 0, nil // what comes before the properties are the type's own fields
	}
	if s.typ < r.Types.FirstReceiver || header < r.Slots(1) { // or it is Unknown where they begin
		return 0, 0, nil
	}
	return header, r.Slots(s.start), nil
}

// InternalPointers yields the possible addresses in the internal fields of o. With the sandbox one half of a
// field is a handle, and only the memory at the address can tell the table.
func (r *Reader) InternalPointers(o layout.Tagged) iter.Seq[core.Addr] {
	return func(yield func(core.Addr) bool) {
		first, end, err := r.internalFields(o)
		if err != nil {
			return
		}
		step := internalField
		if r.Sandbox != nil || len(r.Early.Tables) > 0 {
			step /= 2
		}
		for at := first; at < end; at += step {
			for a := range r.ExternalPointers(o, at) {
				if !yield(a) {
					return
				}
			}
		}
	}
}

// IsAPIObject reports whether a type is JS_API_OBJECT_TYPE or
// JS_SPECIAL_API_OBJECT_TYPE.
func (r *Reader) IsAPIObject(typ int) bool {
	for _, name := range []string{"APIObjectType", "SpecialAPIObjectType"} {
		if n, ok := r.Image.Constants.Values[name]; ok && typ == n {
			return true
		}
	}
	return false
}

// OriginalOf is where a function's source begins in what its script was made from.
func (r *Reader) OriginalOf(f *Function) location {
	return r.original(f.Script, location{f.File, f.Line, f.Column})
}

// PlaceOf is where a function's source begins, in what its script was made from.
func (r *Reader) PlaceOf(shared layout.Tagged) location {
	f, ok := r.SharedInfo(shared)
	if !ok || f.Script == 0 {
		return location{}
	}
	start, _ := r.Extent(shared)
	if start < 0 {
		return location{File: r.ScriptTitle(f.Script)}
	}
	return r.LocateOriginal(f.Script, start)
}

// SharedFunction returns the function that a SharedFunctionInfo describes.
func (r *Reader) SharedFunction(s layout.Tagged) *Function {
	f := &Function{Word: s, Shared: s, Name: r.SharedName(s), Start: -1, End: -1, Type: "Function"}
	f.Bytecode, _ = r.BytecodeOf(s)
	if info, ok := r.SharedInfo(s); ok && info.Script != 0 {
		f.Script = info.Script
		f.Start, f.End = r.Extent(s)
		loc := r.Locate(f.Script, r.tokenStart(s, f.Start))
		f.File, f.Line, f.Column = loc.File, loc.Line, loc.Column
	}
	return f
}
