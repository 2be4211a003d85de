package v8

// native computes the properties that V8 computes in C++
// (builtins/accessors.cc), or returns nil.
func (b *inspector) native(x *Value, p *Property, depth int) *Value {
	r := b.v
	number := func(f float64) *Value { return &Value{Kind: KindNumber, Number: f} }
	text := func(s string) *Value { return &Value{Kind: KindString, Text: s, Length: uint64(len(s))} }
	switch {
	case p.Name == "length" && x.Kind == KindArray:
		if f, ok := r.objects.slotNumber(x.Word, r.Layout.JSArray.Length); ok {
			return number(f)
		}
	case p.Name == "length" && x.Kind == KindBoxed:
		if t, ok := r.Field(x.Word, r.Layout.JSPrimitiveWrapper.Value); ok {
			if info, err := r.objects.StringInfo(t); err == nil {
				return number(float64(info.Length))
			}
		}
	case p.Name == "length" && x.Kind == KindFunction:
		if n, ok := r.objects.functionLength(x.Word, 0); ok {
			return number(float64(n))
		}
	case (p.Name == "arguments" || p.Name == "caller") && x.Kind == KindFunction:
		// Other than null only while the function runs.
		return &Value{Kind: KindNull}
	case p.Name == "name" && x.Kind == KindFunction:
		return text(r.objects.functionNameOf(x.Word))
	case p.Name == "prototype" && x.Kind == KindFunction:
		if t, ok := r.objects.functionPrototype(x.Word); ok {
			return b.slot(Slot{Word: t}, depth+1)
		}
		if t, ok := r.objects.primitivePrototype(x.Word); ok {
			return b.slot(Slot{Word: t}, depth+1)
		}
		// V8 makes it when it is first asked for.
		return &Value{Kind: KindObject, Class: "Object", HiddenKeys: 1}
	case p.Name == "stack" && x.Kind == KindError:
		if s, _ := r.objects.ErrorStack(x.Word); s != "" {
			return text(s)
		}
		return &Value{Kind: KindUndefined}
	case x.Kind == KindArguments && p.Symbol:
		// arguments[Symbol.iterator] is Array.prototype.values.
		if t, ok := r.objects.arrayValues(x.Word); ok {
			return b.slot(Slot{Word: t}, depth+1)
		}
	case x.Kind == KindModule:
		if t, ok := r.objects.moduleExport(x.Word, p.Word); ok {
			return b.slot(Slot{Word: t}, depth+1)
		}
	}
	return nil
}

// proxy decodes a JSProxy; a revoked one has null as handler.
func (b *inspector) proxy(x *Value, depth int) {
	r := b.v
	target, ok1 := r.Field(x.Word, r.Layout.JSProxy.Target)
	handler, ok2 := r.Field(x.Word, r.Layout.JSProxy.Handler)
	if !ok1 || !ok2 {
		x.fail(r.Fault(x.Word, r.Layout.JSProxy.Handler))
		return
	}
	if r.objects.oddballKind(handler) == KindNull {
		return
	}
	x.Inner = b.slot(Slot{Word: target}, depth)
	if depth <= b.o.Depth {
		x.Handler = b.slot(Slot{Word: handler}, depth+1)
	}
}

func (b *inspector) function(x *Value) {
	r := b.v
	x.Text = r.objects.functionNameOf(x.Word)
	x.FunctionType = "Function"
	if r.objects.isBound(x.Word) {
		return
	}
	x.FunctionType = r.objects.functionType(x.Word)
	if x.FunctionType == "class" {
		if p := r.objects.prototypeOf(x.Word); r.IsFunction(p) {
			x.Extends = r.objects.functionNameOf(p)
		}
	}
	if s, ok := r.objects.closureShared(x.Word); ok {
		loc := r.objects.placeOf(s)
		x.File, x.Line = loc.file, loc.line
	}
}
