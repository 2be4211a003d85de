package eval

func init() {
	register(map[string]builtin{
		"Promise.resolve": func(m *Machine, _ Value, args []Value) Value { return resolvedPromise(m, arg(args, 0)) },
		"Promise.reject": func(m *Machine, _ Value, args []Value) Value {
			return newPromise(m, "rejected", arg(args, 0))
		},
		"Promise.prototype.then": func(m *Machine, this Value, args []Value) Value {
			return thenOf(m, this, arg(args, 0), arg(args, 1))
		},
		"Promise.prototype.catch": func(m *Machine, this Value, args []Value) Value {
			return thenOf(m, this, nil, arg(args, 0))
		},
		"Promise.prototype.finally": finally,
		"Promise.all": combined(func(out *combination) {
			out.each(func(i int, v Value) { out.keep(i, v) }, func(_ int, v Value) { rejectPromise(out.m, out.p, v) })
		}),
		"Promise.allSettled": combined(func(out *combination) {
			settled := func(state, name string) func(i int, v Value) {
				return func(i int, v Value) {
					o := &Object{}
					o.Set(Key{Name: "status"}, state)
					o.Set(Key{Name: name}, v)
					out.keep(i, o)
				}
			}
			out.each(settled("fulfilled", "value"), settled("rejected", "reason"))
		}),
		"Promise.any": combined(func(out *combination) {
			out.errors = true
			out.each(func(_ int, v Value) { settlePromise(out.m, out.p, v) }, func(i int, v Value) { out.keep(i, v) })
		}),
		"Promise.race": combined(func(out *combination) {
			out.left = -1
			out.each(func(_ int, v Value) { settlePromise(out.m, out.p, v) },
				func(_ int, v Value) { rejectPromise(out.m, out.p, v) })
		}),
		"Promise.withResolvers": func(m *Machine, _ Value, _ []Value) Value {
			o, p := &Object{}, newPromise(m, "pending", nil)
			resolve, reject := resolversOf(m, p)
			o.Set(Key{Name: "promise"}, p)
			o.Set(Key{Name: "resolve"}, resolve)
			o.Set(Key{Name: "reject"}, reject)
			return o
		},
		"Promise.try": func(m *Machine, _ Value, args []Value) Value {
			p := newPromise(m, "pending", nil)
			t := catchThrown(m, func() { settlePromise(m, p, m.call(arg(args, 0), nil, args[min(1, len(args)):])) })
			if t != nil {
				rejectPromise(m, p, caughtValue(m, t))
			}
			return p
		},
		"queueMicrotask": func(m *Machine, _ Value, args []Value) Value {
			runLater(m, func(m *Machine) { m.call(arg(args, 0), nil, nil) })
			return nil
		},
	})
	constructors["Promise"] = func(m *Machine, args []Value) Value { return executedPromise(m, arg(args, 0)) }
}

func init() {
	natives = append(natives, func(m *Machine, fn Heap, _ Value, args []Value) (Value, bool) {
		switch name := m.Name(fn); {
		case m.kept == nil:
		case name == "queueMicrotask" || name == "enqueueMicrotask":
			return intrinsics["queueMicrotask"](m, nil, args), true
		}
		return nil, false
	})
}

// finally is Promise.prototype.finally.
func finally(m *Machine, this Value, args []Value) Value {
	fn := arg(args, 0)
	after := func(state string) *Object {
		return m.Native("", func(m *Machine, _ Value, args []Value) Value {
			p := resolvedPromise(m, m.call(fn, nil, nil))
			return thenOf(m, p, m.Native("", func(m *Machine, _ Value, _ []Value) Value {
				return newPromise(m, state, arg(args, 0))
			}), nil)
		})
	}
	return thenOf(m, this, after("fulfilled"), after("rejected"))
}

// A combination is a promise that depends on several.
type combination struct {
	m      *Machine
	p      *Object
	list   []Value
	values *Object
	left   int  // that are not settled
	errors bool // the values are why all were rejected
}

// combined makes a function of Promise that combines promises.
func combined(how func(out *combination)) builtin {
	return func(m *Machine, _ Value, args []Value) Value {
		out := &combination{m: m, p: newPromise(m, "pending", nil)}
		t := catchThrown(m, func() { out.list = m.iterate(arg(args, 0)) })
		if t != nil {
			rejectPromise(m, out.p, caughtValue(m, t))
			return out.p
		}
		out.values, out.left = array(make([]Value, len(out.list))...), len(out.list)
		if how(out); out.left == 0 {
			out.end()
		}
		return out.p
	}
}

// eachValue has one of two functions called for each promise, once it is settled.
func (out *combination) each(fulfilled, rejected func(i int, v Value)) {
	for i, x := range out.list {
		reactTo(out.m, resolvedPromise(out.m, x), func(_ *Machine, v Value) { fulfilled(i, v) },
			func(_ *Machine, v Value) { rejected(i, v) })
	}
}

// keep takes a value over, and ends after the last.
func (out *combination) keep(i int, v Value) {
	out.values.List[i] = v
	if out.left--; out.left == 0 {
		out.end()
	}
}

func (out *combination) end() {
	if !out.errors {
		settlePromise(out.m, out.p, out.values)
		return
	}
	e := newError(out.m, "AggregateError", "All promises were rejected")
	e.define(Key{Name: "errors"}, &Prop{Value: out.values, Hidden: true})
	rejectPromise(out.m, out.p, e)
}
