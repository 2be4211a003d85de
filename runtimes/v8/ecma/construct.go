package ecma

import (
	"strings"

	"coredbg/runtimes/v8/layout"
)

// ConstructNew is the operator new.
func ConstructNew(m *Machine, class Value, args []Value) Value {
	return ConstructFor(m, class, args, class)
}

// ConstructFor makes an object with a constructor; target is the class that it is made for.
func ConstructFor(m *Machine, fn Value, args []Value, target Value) Value {
	m.Step()
	if m.Calls++; m.Calls > MaxCalls {
		m.Fail("its calls are nested too deep")
	}
	defer func() { m.Calls-- }()
	if inner, handler, ok := ProxyParts(m, fn); ok {
		if trap := trapOf(m, handler, "construct"); trap != nil {
			return m.Call(trap, handler, []Value{inner, Array(args...), target})
		}
		return ConstructFor(m, inner, args, inner)
	}
	switch f := fn.(type) {
	case *Object:
		switch x := f.Function; {
		case x == nil:
		case x.Make != nil:
			return adopted(m, x.Make(m, args, target), fn, target)
		case x.Body != nil, x.Node != nil && !x.Node.Arrow && !x.Method && x.Kind() == "Function":
			return m.code.Construct(m, f, args, target)
		}
		m.Throw("%s is not a constructor", nameOr(m, fn, "what follows new"))
	case Heap:
		return constructHeap(m, layout.Tagged(f), args, target)
	}
	m.Throw("%s is not a constructor", ShownValue(m, fn))
	return nil
}

// constructHeap makes an object with a function of the heap.
func constructHeap(m *Machine, fn layout.Tagged, args []Value, target Value) Value {
	r := m.Reader
	if r.IsBound(fn) {
		inner, ok := r.Field(fn, r.Layout.JSBoundFunction.Target)
		if !ok {
			m.Fail("a bound function cannot be read")
		}
		if target == Value(Heap(fn)) {
			target = Heap(inner)
		}
		return ConstructFor(m, Heap(inner), append(boundArguments(m, fn), args...), target)
	}
	if name := m.Intrinsic(Heap(fn)); name != "" {
		if code := m.Library.Constructors[name]; code != nil {
			return adopted(m, code(m, args), Heap(fn), target)
		}
		m.Fail("%s is a class that V8 has and coredbg lacks", strings.TrimPrefix(name, "the builtin "))
	}
	return m.code.Construct(m, Heap(fn), args, target)
}

// adopted gives an object that a builtin made the prototype of the class that it is made for.
func adopted(m *Machine, v, fn, target Value) Value {
	if o, ok := v.(*Object); ok && target != fn && target != nil {
		o.Proto = m.Get(target, Key{Name: "prototype"})
	}
	return v
}

// Ordinary makes an object for a function that is no class.
func Ordinary(m *Machine, target Value, body func(o Value) Value) Value {
	o := &Object{Proto: PrototypeFor(m, target)}
	if v := body(o); m.IsObject(v) {
		return v
	}
	return o
}

// PrototypeFor is the prototype of the objects that a class makes.
func PrototypeFor(m *Machine, target Value) Value {
	if p := m.Get(target, Key{Name: "prototype"}); m.IsObject(p) {
		return p
	}
	return PrototypeNamed(m, "Object")
}
