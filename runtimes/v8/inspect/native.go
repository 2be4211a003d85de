package inspect

import (
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// native computes the properties that V8 computes in C++
// (builtins/accessors.cc), or returns nil.
func (b *tree) native(x *Value, p *object.Property, depth int) *Value {
	r := b.v
	switch {
	case p.Name == "length" && (x.Kind == object.KindArray || x.Kind == object.KindBoxed ||
		x.Kind == object.KindFunction):
		if f, ok := b.length(x); ok {
			return &Value{Kind: object.KindNumber, Number: f}
		}
	case (p.Name == "arguments" || p.Name == "caller") && x.Kind == object.KindFunction:
		// Other than null only while the function runs.
		return &Value{Kind: object.KindNull}
	case p.Name == "name" && x.Kind == object.KindFunction:
		return textValue(r.objects.FunctionNameOf(x.Word))
	case p.Name == "prototype" && x.Kind == object.KindFunction:
		return b.prototype(x, depth)
	case p.Name == "stack":
		if t := r.sites.StackValue(x.Word); t != 0 {
			return b.slot(object.Slot{Word: t}, depth+1)
		}
		if s, _ := r.sites.ErrorStack(x.Word); s != "" {
			return textValue(s)
		}
		return &Value{Kind: object.KindUndefined}
	case x.Kind == object.KindArguments && p.Symbol:
		// arguments[Symbol.iterator] is Array.prototype.values.
		if t, ok := r.objects.ArrayValues(x.Word); ok {
			return b.slot(object.Slot{Word: t}, depth+1)
		}
	case x.Kind == object.KindModule:
		if t, ok := r.objects.ModuleExport(x.Word, p.Word); ok {
			return b.slot(object.Slot{Word: t}, depth+1)
		}
	case r.functions != nil:
		if s, ok := r.functions.Call("get "+p.Name, x.Word); ok {
			if s, ok := s.(string); ok {
				return textValue(s)
			}
		}
	}
	return nil
}

// prototype returns the value of a function's prototype.
func (b *tree) prototype(x *Value, depth int) *Value {
	if t, ok := b.v.objects.FunctionPrototype(x.Word); ok {
		return b.slot(object.Slot{Word: t}, depth+1)
	}
	if t, ok := b.v.objects.PrimitivePrototype(x.Word); ok {
		return b.slot(object.Slot{Word: t}, depth+1)
	}
	// V8 makes it when it is first asked for.
	return &Value{Kind: object.KindObject, Class: "Object", HiddenKeys: 1}
}

// length returns the length of an array, a function or a boxed string.
func (b *tree) length(x *Value) (float64, bool) {
	r := b.v
	switch x.Kind {
	case object.KindArray:
		return r.objects.SlotNumber(x.Word, r.Layout.JSArray.Length)
	case object.KindBoxed:
		if t, ok := r.Field(x.Word, r.Layout.JSPrimitiveWrapper.Value); ok {
			info, err := r.objects.StringInfo(t)
			return float64(info.Length), err == nil
		}
	case object.KindFunction:
		n, ok := r.objects.FunctionLength(x.Word, 0)
		return float64(n), ok
	}
	return 0, false
}

// textValue returns a string.
func textValue(s string) *Value {
	return &Value{Kind: object.KindString, Text: s, Length: uint64(jsLength(s))}
}

// proxy decodes a JSProxy; a revoked one has null as handler.
func (b *tree) proxy(x *Value, depth int) {
	r := b.v
	target, ok1 := r.Field(x.Word, r.Layout.JSProxy.Target)
	handler, ok2 := r.Field(x.Word, r.Layout.JSProxy.Handler)
	if !ok1 || !ok2 {
		x.fail(r.Fault(x.Word, r.Layout.JSProxy.Handler))
		return
	}
	if r.objects.OddballKind(handler) == object.KindNull {
		return
	}
	x.Inner = b.slot(object.Slot{Word: target}, depth)
	if depth <= b.o.Depth {
		x.Handler = b.slot(object.Slot{Word: handler}, depth+1)
	}
}

// functionName returns the property "name" of a function as text, which may be a symbol.
func (r *Inspector) functionName(fn layout.Tagged) string {
	if p, ok := r.objects.OwnProperty(fn, "name"); ok && r.Is(p.Value, r.Types.Symbol) {
		return "Symbol(" + r.objects.SymbolDescription(p.Value) + ")"
	}
	return r.objects.FunctionNameOf(fn)
}

func (b *tree) function(x *Value) {
	r := b.v
	x.Text = r.functionName(x.Word)
	x.FunctionType = "Function"
	if r.objects.IsBound(x.Word) {
		return
	}
	x.FunctionType = r.objects.FunctionType(x.Word)
	if x.FunctionType == "class" {
		x.Extends = r.objects.NameAsSuper(r.objects.PrototypeOf(x.Word))
	}
	if s, ok := r.objects.ClosureShared(x.Word); ok {
		loc := r.objects.PlaceOf(s)
		x.File, x.Line = loc.File, loc.Line
	}
}
