package eval

import (
	"maps"
	"math"
	"strings"

	"coredbg/runtimes/v8/layout"
)

func init() {
	register(map[string]builtin{
		"Function.prototype": func(*Machine, Value, []Value) Value { return nil },
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
			return m.Native("bound", func(m *Machine, _ Value, args []Value) Value {
				return m.call(this, bound, append(append([]Value(nil), given...), args...))
			})
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

// constructors make objects of V8's own classes; collections are the constructors that classes with another
// name may extend.
var constructors, collections = map[string]func(m *Machine, args []Value) Value{},
	map[string]func(m *Machine, args []Value) Value{}

// natives call functions of the program that need C++ of its host; ok is false for others.
var natives []func(m *Machine, fn layout.Tagged, this Value, args []Value) (v Value, ok bool)

func init() {
	maps.Copy(collections, map[string]func(m *Machine, args []Value) Value{"Map": newMap, "Set": newSet})
	maps.Copy(constructors, map[string]func(m *Machine, args []Value) Value{
		"Object": newObject, "Array": newArray, "Map": newMap, "Set": newSet,
		"Error": newError("Error"), "TypeError": newError("TypeError"), "RangeError": newError("RangeError"),
	})
}

func newObject(m *Machine, args []Value) Value {
	if m.IsObject(arg(args, 0)) {
		return args[0]
	}
	return &Object{}
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
	o := &Object{Proto: m.realm(0).prototype("Map"), Collection: &Collection{IsMap: true}}
	if v := arg(args, 0); !isNullish(v) {
		for _, e := range m.iterate(v) {
			o.Collection.set(m, m.get(e, Key{Name: "0"}), m.get(e, Key{Name: "1"}))
		}
	}
	return o
}

func newSet(m *Machine, args []Value) Value {
	o := &Object{Proto: m.realm(0).prototype("Set"), Collection: &Collection{}}
	if v := arg(args, 0); !isNullish(v) {
		for _, e := range m.iterate(v) {
			o.Collection.set(m, e, e)
		}
	}
	return o
}

func newError(class string) func(m *Machine, args []Value) Value {
	return func(m *Machine, args []Value) Value {
		o := &Object{Proto: m.realm(0).prototype(class), Error: true}
		o.define(Key{Name: "stack"}, &Prop{Value: strings.TrimSuffix(class+": "+m.text(arg(args, 0)), ": ") +
			"\n    at <anonymous>", Hidden: true})
		o.define(Key{Name: "message"}, &Prop{Value: m.text(arg(args, 0)), Hidden: true})
		return o
	}
}

// Name is the value of a function's property "name".
func (m *Machine) Name(fn Value) string {
	switch f := fn.(type) {
	case Heap:
		return m.reader.FunctionNameOf(layout.Tagged(f))
	case *Object:
		if f.Function != nil {
			return f.Function.Name
		}
	}
	return ""
}
