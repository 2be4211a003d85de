package eval

import (
	"maps"
	"math"

	"coredbg/runtimes/v8/layout"
)

func init() {
	register(map[string]builtin{
		"Function.prototype":          func(*Machine, Value, []Value) Value { return nil },
		"Function.prototype.toString": func(m *Machine, this Value, _ []Value) Value { return functionText(m, this) },
		"Function.prototype.call": func(m *Machine, this Value, args []Value) Value {
			return m.call(this, arg(args, 0), args[min(1, len(args)):])
		},
		"Function.prototype.apply": func(m *Machine, this Value, args []Value) Value {
			return m.call(this, arg(args, 0), appliedTo(m, arg(args, 1)))
		},
		"Reflect.apply": func(m *Machine, _ Value, args []Value) Value {
			return m.call(arg(args, 0), arg(args, 1), appliedTo(m, arg(args, 2)))
		},
		"Function.prototype.bind": func(m *Machine, this Value, args []Value) Value {
			bound, given := arg(args, 0), args[min(1, len(args)):]
			all := func(args []Value) []Value { return append(append([]Value(nil), given...), args...) }
			fn := m.Native("bound "+m.Name(this), func(m *Machine, _ Value, args []Value) Value {
				return m.call(this, bound, all(args))
			})
			fn.Function.make = func(m *Machine, args []Value, _ Value) Value {
				return constructFor(m, this, all(args), this)
			}
			return fn
		},
		"Function.prototype[Symbol.hasInstance]": func(m *Machine, this Value, args []Value) Value {
			return m.inherits(arg(args, 0), m.get(this, Key{Name: "prototype"}))
		},
	})
}

// appliedTo are the arguments that an array-like object has.
func appliedTo(m *Machine, v Value) []Value {
	if isNullish(v) {
		return nil
	}
	return elementsOf(m, v)
}

func init() {
	maps.Copy(constructors, map[string]func(m *Machine, args []Value) Value{
		"Object": newObject, "Array": newArray, "Map": newMap, "Set": newSet,
		"Number": boxed("Number"), "String": boxed("String"), "Boolean": boxed("Boolean"),
	})
	register(map[string]builtin{
		"Array": func(m *Machine, _ Value, args []Value) Value { return newArray(m, args) },
	})
}

// boxed makes a constructor of objects that wrap a primitive value.
func boxed(class string) func(m *Machine, args []Value) Value {
	return func(m *Machine, args []Value) Value {
		v := intrinsics[class](m, nil, args)
		return &Object{Proto: prototypeNamed(m, class), Boxed: v}
	}
}

func newObject(m *Machine, args []Value) Value {
	switch v := arg(args, 0).(type) {
	case nil, Null:
		return &Object{}
	case *Object, Heap:
		if m.IsObject(v) {
			return v
		}
	}
	class := map[string]string{"string": "String", "number": "Number", "boolean": "Boolean", "bigint": "BigInt",
		"symbol": "Symbol"}[m.typeOf(args[0])]
	return &Object{Proto: prototypeNamed(m, class), Boxed: args[0]}
}

func newArray(m *Machine, args []Value) Value {
	if n, ok := arg(args, 0).(float64); ok && len(args) == 1 {
		if n < 0 || n > maxItems || n != math.Trunc(n) {
			m.Fail("an array is too long")
		}
		m.spend(int(n))
		return array(make([]Value, int(n))...)
	}
	return array(args...)
}

func newMap(m *Machine, args []Value) Value {
	o := &Object{Proto: prototypeNamed(m, "Map"), Collection: &Collection{IsMap: true}}
	if v := arg(args, 0); !isNullish(v) {
		for _, e := range m.iterate(v) {
			o.Collection.set(m, m.get(e, Key{Name: "0"}), m.get(e, Key{Name: "1"}))
		}
	}
	return o
}

func newSet(m *Machine, args []Value) Value {
	o := &Object{Proto: prototypeNamed(m, "Set"), Collection: &Collection{}}
	if v := arg(args, 0); !isNullish(v) {
		for _, e := range m.iterate(v) {
			o.Collection.set(m, e, e)
		}
	}
	return o
}

// functionText is the source text of a function.
func functionText(m *Machine, fn Value) string {
	switch f := fn.(type) {
	case *Object:
		if f.Function == nil {
			break
		}
		if f.Function.node != nil && f.Function.node.Source != "" {
			return f.Function.node.Source
		}
		return "function " + f.Function.Name + "() { [native code] }"
	case Heap:
		t := layout.Tagged(f)
		if name := m.intrinsic(f); name != "" || m.reader.IsBound(t) {
			name = m.reader.FunctionNameOf(t)
			if m.reader.IsBound(t) {
				name = ""
			}
			return "function " + name + "() { [native code] }"
		}
		if !m.reader.IsFunction(t) {
			break
		}
		x, err := m.reader.Function(t)
		if err != nil {
			m.Fail("%v", err)
		}
		if x.Script == 0 {
			return "function " + x.Name + "() { [native code] }"
		}
		text, err := m.reader.Source(x.Script, x.Start, x.End, maxText)
		if err != nil {
			m.noSource(t, err)
		}
		return m.bounded(text)
	}
	m.Throw("Function.prototype.toString requires that 'this' be a Function")
	return ""
}
