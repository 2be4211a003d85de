package library

import (
	"maps"
	"math"

	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/layout"
)

func init() {
	register(map[string]ecma.Builtin{
		"Function.prototype": func(*ecma.Machine, ecma.Value, []ecma.Value) ecma.Value { return nil },
		"Function.prototype.toString": func(m *ecma.Machine, this ecma.Value,
			_ []ecma.Value) ecma.Value {
			return functionText(m, this)
		},
		"Function.prototype.call": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			return m.Call(this, ecma.Arg(args, 0), args[min(1, len(args)):])
		},
		"Function.prototype.apply": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			return m.Call(this, ecma.Arg(args, 0), appliedTo(m, ecma.Arg(args, 1)))
		},
		"Reflect.apply": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			return m.Call(ecma.Arg(args, 0), ecma.Arg(args, 1), appliedTo(m, ecma.Arg(args, 2)))
		},
		"Function.prototype.bind": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			bound, given := ecma.Arg(args, 0), args[min(1, len(args)):]
			all := func(args []ecma.Value) []ecma.Value { return append(append([]ecma.Value(nil), given...), args...) }
			return &ecma.Object{Function: &ecma.Function{Name: "bound " + m.Name(this),
				Code: func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
					return m.Call(this, bound, all(args))
				},
				Make: func(m *ecma.Machine, args []ecma.Value, _ ecma.Value) ecma.Value {
					return ecma.ConstructFor(m, this, all(args), this)
				}}}
		},
		"Function.prototype[Symbol.hasInstance]": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			return m.Inherits(ecma.Arg(args, 0), m.Get(this, ecma.Key{Name: "prototype"}))
		},
	})
}

// appliedTo are the arguments that an array-like object has.
func appliedTo(m *ecma.Machine, v ecma.Value) []ecma.Value {
	if ecma.IsNullish(v) {
		return nil
	}
	return ecma.ElementsOf(m, v)
}

func init() {
	maps.Copy(constructors, map[string]func(m *ecma.Machine, args []ecma.Value) ecma.Value{
		"Object": newObject, "Array": newArray, "Map": NewMap, "Set": newSet,
		"Number": boxed("Number"), "String": boxed("String"), "Boolean": boxed("Boolean"),
	})
	register(map[string]ecma.Builtin{
		"Array": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value { return newArray(m, args) },
	})
}

// boxed makes a constructor of objects that wrap a primitive value.
func boxed(class string) func(m *ecma.Machine, args []ecma.Value) ecma.Value {
	return func(m *ecma.Machine, args []ecma.Value) ecma.Value {
		v := intrinsics[class](m, nil, args)
		return &ecma.Object{Proto: ecma.PrototypeNamed(m, class), Boxed: v}
	}
}

func newObject(m *ecma.Machine, args []ecma.Value) ecma.Value {
	switch v := ecma.Arg(args, 0).(type) {
	case nil, ecma.Null:
		return &ecma.Object{}
	case *ecma.Object, ecma.Heap:
		if m.IsObject(v) {
			return v
		}
	}
	class := map[string]string{"string": "String", "number": "Number", "boolean": "Boolean", "bigint": "BigInt",
		"symbol": "Symbol"}[m.TypeOf(args[0])]
	return &ecma.Object{Proto: ecma.PrototypeNamed(m, class), Boxed: args[0]}
}

func newArray(m *ecma.Machine, args []ecma.Value) ecma.Value {
	if n, ok := ecma.Arg(args, 0).(float64); ok && len(args) == 1 {
		if n < 0 || n > ecma.MaxItems || n != math.Trunc(n) {
			m.Fail("an array is too long")
		}
		m.Spend(int(n))
		return ecma.Array(make([]ecma.Value, int(n))...)
	}
	return ecma.Array(args...)
}

// NewMap makes a Map of the pairs that an iterable value yields.
func NewMap(m *ecma.Machine, args []ecma.Value) ecma.Value {
	o := &ecma.Object{Proto: ecma.PrototypeNamed(m, "Map"), Collection: &ecma.Collection{IsMap: true}}
	if v := ecma.Arg(args, 0); !ecma.IsNullish(v) {
		for _, e := range m.Iterate(v) {
			o.Collection.Set(m, m.Get(e, ecma.Key{Name: "0"}), m.Get(e, ecma.Key{Name: "1"}))
		}
	}
	return o
}

func newSet(m *ecma.Machine, args []ecma.Value) ecma.Value {
	o := &ecma.Object{Proto: ecma.PrototypeNamed(m, "Set"), Collection: &ecma.Collection{}}
	if v := ecma.Arg(args, 0); !ecma.IsNullish(v) {
		for _, e := range m.Iterate(v) {
			o.Collection.Set(m, e, e)
		}
	}
	return o
}

// functionText is the source text of a function.
func functionText(m *ecma.Machine, fn ecma.Value) string {
	switch f := fn.(type) {
	case *ecma.Object:
		if f.Function == nil {
			break
		}
		if f.Function.Node != nil && f.Function.Node.Source != "" {
			return f.Function.Node.Source
		}
		return "function " + f.Function.Name + "() { [native code] }"
	case ecma.Heap:
		t := layout.Tagged(f)
		if name := m.Intrinsic(f); name != "" || m.Reader.IsBound(t) {
			name = m.Reader.FunctionNameOf(t)
			if m.Reader.IsBound(t) {
				name = ""
			}
			return "function " + name + "() { [native code] }"
		}
		if !m.Reader.IsFunction(t) {
			break
		}
		x, err := m.Reader.Function(t)
		if err != nil {
			m.Fail("%v", err)
		}
		if x.Script == 0 {
			return "function " + x.Name + "() { [native code] }"
		}
		text, err := m.Reader.Source(x.Script, x.Start, x.End, ecma.MaxText)
		if err != nil {
			m.NoSource(t, err)
		}
		return m.Bounded(text)
	}
	m.Throw("Function.prototype.toString requires that 'this' be a Function")
	return ""
}
