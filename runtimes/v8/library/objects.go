package library

import (
	"math"

	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

func init() {
	register(map[string]ecma.Builtin{
		"Object": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value { return newObject(m, args) },
		"Object.keys": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			return enumerable(m, ecma.Arg(args, 0))
		},
		"Object.values": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			return listingOf(m, ecma.Arg(args, 0), func(_ ecma.Key, x ecma.Value) ecma.Value { return x })
		},
		"Object.entries": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			return listingOf(m, ecma.Arg(args, 0), func(k ecma.Key, x ecma.Value) ecma.Value {
				return ecma.Array(k.Name,
					x)
			})
		},
		"Object.assign": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			to := ecma.Arg(args, 0)
			for _, from := range args[min(1, len(args)):] {
				if !ecma.IsNullish(from) {
					m.Each(from, func(k ecma.Key, x ecma.Value) { m.Set(to, k, x) })
				}
			}
			return to
		},
		"Object.create": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			o := &ecma.Object{Proto: ecma.Arg(args, 0)}
			defineAll(m, o, ecma.Arg(args, 1))
			return o
		},
		"Object.defineProperty": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			m.DefineOwn(ecma.Arg(args, 0), m.Key(ecma.Arg(args, 1)), ecma.DescribedBy(m, ecma.Arg(args, 2)))
			return ecma.Arg(args, 0)
		},
		"Object.defineProperties": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			defineAll(m, ecma.Arg(args, 0), ecma.Arg(args, 1))
			return ecma.Arg(args, 0)
		},
		"Object.freeze":            freeze,
		"Object.seal":              first,
		"Object.preventExtensions": first,
		"Object.fromEntries": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			o := &ecma.Object{}
			for _, e := range m.Iterate(ecma.Arg(args, 0)) {
				o.Set(m.Key(m.Get(e, ecma.Key{Name: "0"})), m.Get(e, ecma.Key{Name: "1"}))
			}
			return o
		},
		"Object.is": func(_ *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			x, ok1 := ecma.Arg(args, 0).(float64)
			y, ok2 := ecma.Arg(args, 1).(float64)
			if ok1 && ok2 && math.Signbit(x) != math.Signbit(y) && x == 0 {
				return false
			}
			return ecma.SameZero(ecma.Arg(args, 0), ecma.Arg(args, 1))
		},
		"Object.hasOwn": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			_, ok := m.Own(ecma.Arg(args, 0), m.Key(ecma.Arg(args, 1)))
			return ok
		},
		"Object.getPrototypeOf":           prototypeOf,
		"Reflect.getPrototypeOf":          prototypeOf,
		"Object.setPrototypeOf":           setPrototype,
		"Object.getOwnPropertyDescriptor": descriptor, "Reflect.getOwnPropertyDescriptor": descriptor,
		"Object.getOwnPropertyNames": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			return ownKeys(m, ecma.Arg(args, 0), true, false)
		},
		"Object.getOwnPropertySymbols": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			return ownKeys(m, ecma.Arg(args, 0), false, true)
		},
		"Reflect.ownKeys": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			return ownKeys(m, ecma.Arg(args, 0), true, true)
		},
		"Object.prototype.hasOwnProperty": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			_, ok := m.Own(this, m.Key(ecma.Arg(args, 0)))
			return ok
		},
		"Object.prototype.propertyIsEnumerable": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			p, ok := m.Own(this, m.Key(ecma.Arg(args, 0)))
			return ok && !p.Hidden
		},
		"Object.prototype.isPrototypeOf": func(m *ecma.Machine, this ecma.Value,
			args []ecma.Value) ecma.Value {
			return m.Inherits(ecma.Arg(args, 0), this)
		},
		"Object.prototype.valueOf": func(_ *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value { return this },
		"Object.prototype.toString": func(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
			return "[object " +
				tagOf(m, this) + "]"
		},
		"get Object.prototype.__proto__": func(m *ecma.Machine, this ecma.Value,
			_ []ecma.Value) ecma.Value {
			return m.Prototype(this)
		},
		"Symbol.prototype.toString": func(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
			return "Symbol(" + m.Text(ecma.DescriptionOf(m, this)) + ")"
		},
		"get Symbol.prototype.description": func(m *ecma.Machine, this ecma.Value,
			_ []ecma.Value) ecma.Value {
			return ecma.DescriptionOf(m, this)
		},
	})
}

func first(_ *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value { return ecma.Arg(args, 0) }

func prototypeOf(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
	return m.Prototype(m.Holder(ecma.Arg(args, 0)))
}

func setPrototype(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
	o, ok := ecma.Arg(args, 0).(*ecma.Object)
	if !ok {
		m.Fail("the prototype of an object of the program is not changed")
	}
	o.Proto = ecma.Arg(args, 1)
	return o
}

func listingOf(m *ecma.Machine, v ecma.Value, form func(k ecma.Key, x ecma.Value) ecma.Value) ecma.Value {
	out := ecma.Array()
	m.Each(v, func(k ecma.Key, x ecma.Value) {
		if !k.IsSymbol() {
			out.List = append(out.List, form(k, x))
		}
	})
	return out
}

// enumerable returns the names of the properties that Object.keys lists. Values are not read: an accessor may
// be computed by V8.
func enumerable(m *ecma.Machine, v ecma.Value) ecma.Value {
	out := ecma.Array()
	for _, k := range m.OwnKeys(v) {
		if k.IsSymbol() {
			continue
		}
		if p := unchanged(m, v, k); p != nil {
			if !p.Enumerable {
				continue
			}
		} else if _, text := v.(string); !text {
			if p, ok := m.Own(v, k); !ok || p.Hidden {
				continue
			}
		}
		out.List = append(out.List, k.Name)
	}
	return out
}

// unchanged is the own property of an object of the heap that the run has not written to; nil if there is none.
func unchanged(m *ecma.Machine, v ecma.Value, k ecma.Key) *object.Property {
	h, ok := v.(ecma.Heap)
	if !ok {
		return nil
	}
	if t := m.Behind(h); m.Above[t] == nil {
		return ecma.TableOf(m, t)[k]
	}
	return nil
}

func ownKeys(m *ecma.Machine, v ecma.Value, names, symbols bool) ecma.Value {
	out := ecma.Array()
	for _, k := range m.OwnKeys(v) {
		if !k.IsSymbol() && names || k.IsSymbol() && symbols {
			out.List = append(out.List, ecma.KeyValue(k))
		}
	}
	return out
}

func defineAll(m *ecma.Machine, o, list ecma.Value) {
	if !ecma.IsNullish(list) {
		m.Each(list, func(k ecma.Key, d ecma.Value) { m.DefineOwn(o, k, ecma.DescribedBy(m, d)) })
	}
}

// descriptor is Object.getOwnPropertyDescriptor.
func descriptor(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
	p, ok := m.Own(ecma.Arg(args, 0), m.Key(ecma.Arg(args, 1)))
	if !ok {
		return nil
	}
	d := &ecma.Object{}
	if p.Accessor {
		d.Set(ecma.Key{Name: "get"}, p.Get)
		d.Set(ecma.Key{Name: "set"}, p.Set)
	} else {
		d.Set(ecma.Key{Name: "value"}, p.Value)
		d.Set(ecma.Key{Name: "writable"}, true)
	}
	d.Set(ecma.Key{Name: "enumerable"}, !p.Hidden)
	d.Set(ecma.Key{Name: "configurable"}, true)
	return d
}

// tagOf returns the result of Object.prototype.toString for a value.
func tagOf(m *ecma.Machine, v ecma.Value) string {
	switch m.TypeOf(v) {
	case "undefined":
		return "Undefined"
	case "string":
		return "String"
	case "number":
		return "Number"
	case "boolean":
		return "Boolean"
	}
	if _, null := v.(ecma.Null); null {
		return "Null"
	}
	if k, ok := m.WellKnown("toStringTag"); ok {
		if s, ok := m.Get(v, k).(string); ok {
			return s
		}
	}
	if m.TypeOf(v) == "function" {
		return "Function"
	}
	switch x := v.(type) {
	case *ecma.Object:
		switch {
		case x.Date != nil:
			return "Date"
		case x.OfCall:
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
	case ecma.Heap:
		if !m.IsObject(x) {
			break
		}
		if name := map[object.Kind]string{object.KindArray: "Array", object.KindError: "Error", object.KindDate: "Date",
			object.KindRegExp: "RegExp", object.KindArguments: "Arguments"}[m.Kind(x)]; name != "" {
			return name
		}
	}
	return "Object"
}

func freeze(_ *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
	if o, ok := ecma.Arg(args, 0).(*ecma.Object); ok {
		o.Frozen = true
	}
	return ecma.Arg(args, 0)
}

// dateOf is the time of a Date, in milliseconds since 1970.
func dateOf(m *ecma.Machine, v ecma.Value) float64 {
	if o, ok := v.(*ecma.Object); ok && o.Date != nil {
		return *o.Date
	}
	h, ok := v.(ecma.Heap)
	if !ok || m.Kind(h) != object.KindDate {
		m.Throw("this is not a Date object.")
	}
	f, ok := m.Reader.SlotNumber(layout.Tagged(h), m.Reader.Layout.JSDate.Value)
	if !ok {
		m.Fail("a Date cannot be read")
	}
	return f
}
