package library

import (
	"coredbg/runtimes/v8/ecma"
)

// Functions of iterators.
func init() {
	register(map[string]ecma.Builtin{
		"Iterator.prototype.map": helper(func(m *ecma.Machine, it ecma.Value, fn ecma.Value,
			yield func(ecma.Value) bool) {
			i := -1.0
			ecma.DrainIterator(m, it, func(x ecma.Value) bool {
				i++
				return yield(m.Call(fn, nil,
					[]ecma.Value{x, i}))
			})
		}),
		"Iterator.prototype.filter": helper(func(m *ecma.Machine, it ecma.Value, fn ecma.Value,
			yield func(ecma.Value) bool) {
			i := -1.0
			ecma.DrainIterator(m, it, func(x ecma.Value) bool {
				i++
				return !ecma.Truthy(m.Call(fn, nil,
					[]ecma.Value{x, i})) || yield(x)
			})
		}),
		"Iterator.prototype.take": helper(func(m *ecma.Machine, it ecma.Value, n ecma.Value,
			yield func(ecma.Value) bool) {
			left := m.Integer(n)
			if left > 0 {
				ecma.DrainIterator(m, it, func(x ecma.Value) bool { left--; return yield(x) && left > 0 })
			}
		}),
		"Iterator.prototype.drop": helper(func(m *ecma.Machine, it ecma.Value, n ecma.Value,
			yield func(ecma.Value) bool) {
			left := m.Integer(n)
			ecma.DrainIterator(m, it, func(x ecma.Value) bool { left--; return left >= 0 || yield(x) })
		}),
		"Iterator.prototype.flatMap": helper(func(m *ecma.Machine, it ecma.Value, fn ecma.Value,
			yield func(ecma.Value) bool) {
			ecma.DrainIterator(m, it, func(x ecma.Value) bool {
				more := true
				ecma.EachValue(m, m.Call(fn, nil, []ecma.Value{x}),
					func(y ecma.Value) bool { more = yield(y); return more })
				return more
			})
		}),
		"Iterator.prototype.toArray": func(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
			out := ecma.Array()
			ecma.DrainIterator(m, this, func(x ecma.Value) bool {
				out.List = append(out.List, x)
				return len(out.List) < ecma.MaxItems
			})
			return out
		},
		"Iterator.prototype[Symbol.iterator]": func(_ *ecma.Machine, this ecma.Value,
			_ []ecma.Value) ecma.Value {
			return this
		},
		"Iterator.from": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			return lazily(m, "Iterator Helper", func(m *ecma.Machine, yield func(ecma.Value) bool) {
				ecma.EachValue(m, ecma.Arg(args, 0), yield)
			})
		},
	})
	// The rest call the functions of arrays, with an array of all values.
	for _, name := range []string{"forEach", "some", "every", "find", "reduce"} {
		intrinsics["Iterator.prototype."+name] = func(m *ecma.Machine, this ecma.Value,
			args []ecma.Value) ecma.Value {
			all := intrinsics["Iterator.prototype.toArray"](m, this, nil)
			return intrinsics["Array.prototype."+name](m, all, args)
		}
	}
}

// helper makes a function of iterators that returns an iterator.
func helper(code func(m *ecma.Machine, it, with ecma.Value, yield func(ecma.Value) bool)) ecma.Builtin {
	return func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
		return lazily(m, "Iterator Helper", func(m *ecma.Machine, yield func(ecma.Value) bool) {
			code(m, this, ecma.Arg(args, 0), yield)
		})
	}
}

// lazily is an iterator over what code yields, which runs as values are asked for.
func lazily(m *ecma.Machine, tag string, code func(m *ecma.Machine, yield func(ecma.Value) bool)) *ecma.Object {
	o := newGenerator(m, newCoroutine(m, func(co *coroutine) ecma.Value {
		code(m, func(x ecma.Value) bool { co.Wait(x); return true })
		return nil
	}), nil)
	k, _ := m.WellKnown("toStringTag")
	o.Proto.(*ecma.Object).Define(k, &ecma.Prop{Value: tag, Hidden: true})
	return o
}
