package eval

// Functions of iterators.
func init() {
	register(map[string]builtin{
		"Iterator.prototype.map": helper(func(m *Machine, it Value, fn Value, yield func(Value) bool) {
			i := -1.0
			drainIterator(m, it, func(x Value) bool { i++; return yield(m.call(fn, nil, []Value{x, i})) })
		}),
		"Iterator.prototype.filter": helper(func(m *Machine, it Value, fn Value, yield func(Value) bool) {
			i := -1.0
			drainIterator(m, it, func(x Value) bool { i++; return !truthy(m.call(fn, nil, []Value{x, i})) || yield(x) })
		}),
		"Iterator.prototype.take": helper(func(m *Machine, it Value, n Value, yield func(Value) bool) {
			left := m.integer(n)
			if left > 0 {
				drainIterator(m, it, func(x Value) bool { left--; return yield(x) && left > 0 })
			}
		}),
		"Iterator.prototype.drop": helper(func(m *Machine, it Value, n Value, yield func(Value) bool) {
			left := m.integer(n)
			drainIterator(m, it, func(x Value) bool { left--; return left >= 0 || yield(x) })
		}),
		"Iterator.prototype.flatMap": helper(func(m *Machine, it Value, fn Value, yield func(Value) bool) {
			drainIterator(m, it, func(x Value) bool {
				more := true
				eachValue(m, m.call(fn, nil, []Value{x}), func(y Value) bool { more = yield(y); return more })
				return more
			})
		}),
		"Iterator.prototype.toArray": func(m *Machine, this Value, _ []Value) Value {
			out := array()
			drainIterator(m, this, func(x Value) bool {
				out.List = append(out.List, x)
				return len(out.List) < maxItems
			})
			return out
		},
		"Iterator.prototype[Symbol.iterator]": func(_ *Machine, this Value, _ []Value) Value { return this },
		"Iterator.from": func(m *Machine, _ Value, args []Value) Value {
			return lazily(m, "Iterator Helper", func(m *Machine, yield func(Value) bool) {
				eachValue(m, arg(args, 0), yield)
			})
		},
	})
	// The rest call the functions of arrays, with an array of all values.
	for _, name := range []string{"forEach", "some", "every", "find", "reduce"} {
		intrinsics["Iterator.prototype."+name] = func(m *Machine, this Value, args []Value) Value {
			all := intrinsics["Iterator.prototype.toArray"](m, this, nil)
			return intrinsics["Array.prototype."+name](m, all, args)
		}
	}
}

// helper makes a function of iterators that returns an iterator.
func helper(code func(m *Machine, it, with Value, yield func(Value) bool)) builtin {
	return func(m *Machine, this Value, args []Value) Value {
		return lazily(m, "Iterator Helper", func(m *Machine, yield func(Value) bool) {
			code(m, this, arg(args, 0), yield)
		})
	}
}

// lazily is an iterator over what code yields, which runs as values are asked for.
func lazily(m *Machine, tag string, code func(m *Machine, yield func(Value) bool)) *Object {
	o := newGenerator(m, newCoroutine(m, func(co *coroutine) Value {
		code(m, func(x Value) bool { co.wait(x); return true })
		return nil
	}), nil)
	k, _ := m.wellKnown("toStringTag")
	o.Proto.(*Object).define(k, &Prop{Value: tag, Hidden: true})
	return o
}
