package v8

// native computes the properties that V8 computes in C++
// (builtins/accessors.cc), or returns nil.
func (b *inspector) native(x *Value, p *Property, depth int) *Value {
	v := b.v
	number := func(f float64) *Value { return &Value{Kind: KindNumber, Number: f} }
	text := func(s string) *Value { return &Value{Kind: KindString, Text: s, Length: uint64(len(s))} }
	switch {
	case p.Name == "length" && x.Kind == KindArray:
		if f, ok := v.slotNumber(x.Word, v.layout.JSArray.Length); ok {
			return number(f)
		}
	case p.Name == "length" && x.Kind == KindBoxed:
		if t, ok := v.field(x.Word, v.layout.JSPrimitiveWrapper.Value); ok {
			if info, err := v.StringInfo(t); err == nil {
				return number(float64(info.Length))
			}
		}
	case p.Name == "length" && x.Kind == KindFunction:
		if n, ok := v.functionLength(x.Word, 0); ok {
			return number(float64(n))
		}
	case (p.Name == "arguments" || p.Name == "caller") && x.Kind == KindFunction:
		// Other than null only while the function runs.
		return &Value{Kind: KindNull}
	case p.Name == "name" && x.Kind == KindFunction:
		return text(v.functionNameOf(x.Word))
	case p.Name == "prototype" && x.Kind == KindFunction:
		if t, ok := v.functionPrototype(x.Word); ok {
			return b.slot(Slot{Word: t}, depth+1)
		}
		if t, ok := v.primitivePrototype(x.Word); ok {
			return b.slot(Slot{Word: t}, depth+1)
		}
		// V8 makes it when it is first asked for.
		return &Value{Kind: KindObject, Class: "Object", HiddenKeys: 1}
	case p.Name == "stack" && x.Kind == KindError:
		if s, _ := v.ErrorStack(x.Word); s != "" {
			return text(s)
		}
		return &Value{Kind: KindUndefined}
	case x.Kind == KindArguments && p.Symbol:
		// arguments[Symbol.iterator] is Array.prototype.values.
		if t, ok := v.arrayValues(x.Word); ok {
			return b.slot(Slot{Word: t}, depth+1)
		}
	case x.Kind == KindModule:
		if t, ok := v.moduleExport(x.Word, p.Word); ok {
			return b.slot(Slot{Word: t}, depth+1)
		}
	}
	return nil
}

// proxy decodes a JSProxy; a revoked one has null as handler.
func (b *inspector) proxy(x *Value, depth int) {
	v := b.v
	target, ok1 := v.field(x.Word, v.layout.JSProxy.Target)
	handler, ok2 := v.field(x.Word, v.layout.JSProxy.Handler)
	if !ok1 || !ok2 {
		x.fail(v.fault(x.Word, v.layout.JSProxy.Handler))
		return
	}
	if v.oddballKind(handler) == KindNull {
		return
	}
	x.Inner = b.slot(Slot{Word: target}, depth)
	if depth <= b.o.Depth {
		x.Handler = b.slot(Slot{Word: handler}, depth+1)
	}
}

func (b *inspector) function(x *Value) {
	v := b.v
	x.Text = v.functionNameOf(x.Word)
	x.FunctionType = "Function"
	if v.isBound(x.Word) {
		return
	}
	x.FunctionType = v.functionType(x.Word)
	if x.FunctionType == "class" {
		if p := v.prototypeOf(x.Word); v.isFunction(p) {
			x.Extends = v.functionNameOf(p)
		}
	}
	if s, ok := v.closureShared(x.Word); ok {
		loc := v.placeOf(s)
		x.File, x.Line = loc.file, loc.line
	}
}
