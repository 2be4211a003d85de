package eval

import (
	"math"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

func init() {
	register(map[string]builtin{
		"Object": func(m *Machine, _ Value, args []Value) Value { return newObject(m, args) },
		"Object.keys": func(m *Machine, _ Value, args []Value) Value {
			return enumerable(m, arg(args, 0))
		},
		"Object.values": func(m *Machine, _ Value, args []Value) Value {
			return listingOf(m, arg(args, 0), func(_ Key, x Value) Value { return x })
		},
		"Object.entries": func(m *Machine, _ Value, args []Value) Value {
			return listingOf(m, arg(args, 0), func(k Key, x Value) Value { return array(k.Name, x) })
		},
		"Object.assign": func(m *Machine, _ Value, args []Value) Value {
			to := arg(args, 0)
			for _, from := range args[min(1, len(args)):] {
				if !isNullish(from) {
					m.Each(from, func(k Key, x Value) { m.set(to, k, x) })
				}
			}
			return to
		},
		"Object.create": func(m *Machine, _ Value, args []Value) Value {
			o := &Object{Proto: arg(args, 0)}
			defineAll(m, o, arg(args, 1))
			return o
		},
		"Object.defineProperty": func(m *Machine, _ Value, args []Value) Value {
			m.defineOwn(arg(args, 0), m.key(arg(args, 1)), describedBy(m, arg(args, 2)))
			return arg(args, 0)
		},
		"Object.defineProperties": func(m *Machine, _ Value, args []Value) Value {
			defineAll(m, arg(args, 0), arg(args, 1))
			return arg(args, 0)
		},
		"Object.freeze":            freeze,
		"Object.seal":              first,
		"Object.preventExtensions": first,
		"Object.fromEntries": func(m *Machine, _ Value, args []Value) Value {
			o := &Object{}
			for _, e := range m.iterate(arg(args, 0)) {
				o.Set(m.key(m.get(e, Key{Name: "0"})), m.get(e, Key{Name: "1"}))
			}
			return o
		},
		"Object.is": func(_ *Machine, _ Value, args []Value) Value {
			x, ok1 := arg(args, 0).(float64)
			y, ok2 := arg(args, 1).(float64)
			if ok1 && ok2 && math.Signbit(x) != math.Signbit(y) && x == 0 {
				return false
			}
			return sameZero(arg(args, 0), arg(args, 1))
		},
		"Object.hasOwn": func(m *Machine, _ Value, args []Value) Value {
			_, ok := m.own(arg(args, 0), m.key(arg(args, 1)))
			return ok
		},
		"Object.getPrototypeOf":           prototypeOf,
		"Reflect.getPrototypeOf":          prototypeOf,
		"Object.setPrototypeOf":           setPrototype,
		"Object.getOwnPropertyDescriptor": descriptor, "Reflect.getOwnPropertyDescriptor": descriptor,
		"Object.getOwnPropertyNames": func(m *Machine, _ Value, args []Value) Value {
			return ownKeys(m, arg(args, 0), true, false)
		},
		"Object.getOwnPropertySymbols": func(m *Machine, _ Value, args []Value) Value {
			return ownKeys(m, arg(args, 0), false, true)
		},
		"Reflect.ownKeys": func(m *Machine, _ Value, args []Value) Value {
			return ownKeys(m, arg(args, 0), true, true)
		},
		"Object.prototype.hasOwnProperty": func(m *Machine, this Value, args []Value) Value {
			_, ok := m.own(this, m.key(arg(args, 0)))
			return ok
		},
		"Object.prototype.propertyIsEnumerable": func(m *Machine, this Value, args []Value) Value {
			p, ok := m.own(this, m.key(arg(args, 0)))
			return ok && !p.Hidden
		},
		"Object.prototype.isPrototypeOf": func(m *Machine, this Value,
			args []Value) Value {
			return m.inherits(arg(args, 0), this)
		},
		"Object.prototype.valueOf": func(_ *Machine, this Value, _ []Value) Value { return this },
		"Object.prototype.toString": func(m *Machine, this Value, _ []Value) Value {
			return "[object " +
				tagOf(m, this) + "]"
		},
		"get Object.prototype.__proto__": func(m *Machine, this Value, _ []Value) Value { return m.prototype(this) },
		"Symbol.prototype.toString": func(m *Machine, this Value, _ []Value) Value {
			return "Symbol(" + m.text(descriptionOf(m, this)) + ")"
		},
		"get Symbol.prototype.description": func(m *Machine, this Value,
			_ []Value) Value {
			return descriptionOf(m, this)
		},
	})
}

func first(_ *Machine, _ Value, args []Value) Value { return arg(args, 0) }

func prototypeOf(m *Machine, _ Value, args []Value) Value { return m.prototype(m.holder(arg(args, 0))) }

func setPrototype(m *Machine, _ Value, args []Value) Value {
	o, ok := arg(args, 0).(*Object)
	if !ok {
		m.Fail("the prototype of an object of the program is not changed")
	}
	o.Proto = arg(args, 1)
	return o
}

func listingOf(m *Machine, v Value, form func(k Key, x Value) Value) Value {
	out := array()
	m.Each(v, func(k Key, x Value) {
		if !k.IsSymbol() {
			out.List = append(out.List, form(k, x))
		}
	})
	return out
}

// enumerable returns the names of the properties that Object.keys lists. Values are not read: an accessor may
// be computed by V8.
func enumerable(m *Machine, v Value) Value {
	out := array()
	for _, k := range m.keys(v) {
		if k.IsSymbol() {
			continue
		}
		if h, ok := v.(Heap); ok && m.above[layout.Tagged(h)] == nil && tableOf(m, layout.Tagged(h))[k] != nil {
			if !tableOf(m, layout.Tagged(h))[k].Enumerable {
				continue
			}
		} else if _, text := v.(string); !text {
			if p, ok := m.own(v, k); !ok || p.Hidden {
				continue
			}
		}
		out.List = append(out.List, k.Name)
	}
	return out
}

func ownKeys(m *Machine, v Value, names, symbols bool) Value {
	out := array()
	for _, k := range m.keys(v) {
		if !k.IsSymbol() && names || k.IsSymbol() && symbols {
			out.List = append(out.List, keyValue(k))
		}
	}
	return out
}

func defineAll(m *Machine, o, list Value) {
	if !isNullish(list) {
		m.Each(list, func(k Key, d Value) { m.defineOwn(o, k, describedBy(m, d)) })
	}
}

// descriptor is Object.getOwnPropertyDescriptor.
func descriptor(m *Machine, _ Value, args []Value) Value {
	p, ok := m.own(arg(args, 0), m.key(arg(args, 1)))
	if !ok {
		return nil
	}
	d := &Object{}
	if p.Accessor {
		d.Set(Key{Name: "get"}, p.Get)
		d.Set(Key{Name: "set"}, p.Set)
	} else {
		d.Set(Key{Name: "value"}, p.Value)
		d.Set(Key{Name: "writable"}, true)
	}
	d.Set(Key{Name: "enumerable"}, !p.Hidden)
	d.Set(Key{Name: "configurable"}, true)
	return d
}

// tagOf returns the result of Object.prototype.toString for a value.
func tagOf(m *Machine, v Value) string {
	switch m.typeOf(v) {
	case "undefined":
		return "Undefined"
	case "string":
		return "String"
	case "number":
		return "Number"
	case "boolean":
		return "Boolean"
	}
	if _, null := v.(Null); null {
		return "Null"
	}
	if k, ok := m.wellKnown("toStringTag"); ok {
		if s, ok := m.get(v, k).(string); ok {
			return s
		}
	}
	if m.typeOf(v) == "function" {
		return "Function"
	}
	switch x := v.(type) {
	case *Object:
		switch {
		case x.Date != nil:
			return "Date"
		case x.arguments:
			return "Arguments"
		case x.Array:
			return "Array"
		case x.Error:
			return "Error"
		case x.RegExp != nil:
			return "RegExp"
		case x.Boxed != nil:
			return tagOf(m, x.Boxed)
		}
	case Heap:
		if !m.IsObject(x) {
			break
		}
		if name := map[object.Kind]string{object.KindArray: "Array", object.KindError: "Error", object.KindDate: "Date",
			object.KindRegExp: "RegExp", object.KindArguments: "Arguments"}[m.kind(x)]; name != "" {
			return name
		}
	}
	return "Object"
}

func freeze(_ *Machine, _ Value, args []Value) Value {
	if o, ok := arg(args, 0).(*Object); ok {
		o.frozen = true
	}
	return arg(args, 0)
}

// dateOf is the time of a Date, in milliseconds since 1970.
func dateOf(m *Machine, v Value) float64 {
	if o, ok := v.(*Object); ok && o.Date != nil {
		return *o.Date
	}
	h, ok := v.(Heap)
	if !ok || m.kind(h) != object.KindDate {
		m.Throw("this is not a Date object.")
	}
	f, ok := m.reader.SlotNumber(layout.Tagged(h), m.reader.Layout.JSDate.Value)
	if !ok {
		m.Fail("a Date cannot be read")
	}
	return f
}
