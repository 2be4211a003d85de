package library

import (
	"coredbg/runtimes/v8/ecma"
)

func init() {
	register(map[string]ecma.Builtin{
		"Promise.resolve": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			return ResolvedPromise(m, ecma.Arg(args, 0))
		},
		"Promise.reject": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			return newPromise(m, "rejected", ecma.Arg(args, 0))
		},
		"Promise.prototype.then": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			return thenOf(m, this, ecma.Arg(args, 0), ecma.Arg(args, 1))
		},
		"Promise.prototype.catch": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			return thenOf(m, this, nil, ecma.Arg(args, 0))
		},
		"Promise.prototype.finally": finally,
		"Promise.all": combined(func(out *combination) {
			out.each(func(i int, v ecma.Value) { out.keep(i, v) }, func(_ int,
				v ecma.Value) {
				rejectPromise(out.m, out.p, v)
			})
		}),
		"Promise.allSettled": combined(func(out *combination) {
			settled := func(state, name string) func(i int, v ecma.Value) {
				return func(i int, v ecma.Value) {
					o := &ecma.Object{}
					o.Set(ecma.Key{Name: "status"}, state)
					o.Set(ecma.Key{Name: name}, v)
					out.keep(i, o)
				}
			}
			out.each(settled("fulfilled", "value"), settled("rejected", "reason"))
		}),
		"Promise.any": combined(func(out *combination) {
			out.errors = true
			out.each(func(_ int, v ecma.Value) { settlePromise(out.m, out.p, v) },
				func(i int, v ecma.Value) { out.keep(i, v) })
		}),
		"Promise.race": combined(func(out *combination) {
			out.left = -1
			out.each(func(_ int, v ecma.Value) { settlePromise(out.m, out.p, v) },
				func(_ int, v ecma.Value) { rejectPromise(out.m, out.p, v) })
		}),
		"Promise.withResolvers": func(m *ecma.Machine, _ ecma.Value, _ []ecma.Value) ecma.Value {
			o, p := &ecma.Object{}, newPromise(m, "pending", nil)
			resolve, reject := resolversOf(m, p)
			o.Set(ecma.Key{Name: "promise"}, p)
			o.Set(ecma.Key{Name: "resolve"}, resolve)
			o.Set(ecma.Key{Name: "reject"}, reject)
			return o
		},
		"Promise.try": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			p := newPromise(m, "pending", nil)
			t := ecma.CatchThrown(m, func() {
				settlePromise(m, p, m.Call(ecma.Arg(args, 0), nil,
					args[min(1, len(args)):]))
			})
			if t != nil {
				rejectPromise(m, p, ecma.CaughtValue(m, t))
			}
			return p
		},
		"queueMicrotask": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			ecma.RunLater(m, func(m *ecma.Machine) { m.Call(ecma.Arg(args, 0), nil, nil) })
			return nil
		},
	})
	constructors["Promise"] = func(m *ecma.Machine, args []ecma.Value) ecma.Value {
		return executedPromise(m,
			ecma.Arg(args, 0))
	}
}

func init() {
	natives = append(natives, func(m *ecma.Machine, fn ecma.Heap, _ ecma.Value, args []ecma.Value) (ecma.Value, bool) {
		switch name := m.Name(fn); {
		case m.Kept == nil:
		case name == "queueMicrotask" || name == "enqueueMicrotask":
			return intrinsics["queueMicrotask"](m, nil, args), true
		}
		return nil, false
	})
}

// finally is Promise.prototype.finally.
func finally(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
	fn := ecma.Arg(args, 0)
	after := func(state string) *ecma.Object {
		return m.Native("", func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			p := ResolvedPromise(m, m.Call(fn, nil, nil))
			return thenOf(m, p, m.Native("", func(m *ecma.Machine, _ ecma.Value, _ []ecma.Value) ecma.Value {
				return newPromise(m, state, ecma.Arg(args, 0))
			}), nil)
		})
	}
	return thenOf(m, this, after("fulfilled"), after("rejected"))
}

// A combination is a promise that depends on several.
type combination struct {
	m      *ecma.Machine
	p      *ecma.Object
	list   []ecma.Value
	values *ecma.Object
	left   int  // that are not settled
	errors bool // the values are why all were rejected
}

// combined makes a function of Promise that combines promises.
func combined(how func(out *combination)) ecma.Builtin {
	return func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
		out := &combination{m: m, p: newPromise(m, "pending", nil)}
		t := ecma.CatchThrown(m, func() { out.list = m.Iterate(ecma.Arg(args, 0)) })
		if t != nil {
			rejectPromise(m, out.p, ecma.CaughtValue(m, t))
			return out.p
		}
		out.values, out.left = ecma.Array(make([]ecma.Value, len(out.list))...), len(out.list)
		if how(out); out.left == 0 {
			out.end()
		}
		return out.p
	}
}

// eachValue has one of two functions called for each promise, once it is settled.
func (out *combination) each(fulfilled, rejected func(i int, v ecma.Value)) {
	for i, x := range out.list {
		reactTo(out.m, ResolvedPromise(out.m, x), func(_ *ecma.Machine, v ecma.Value) { fulfilled(i, v) },
			func(_ *ecma.Machine, v ecma.Value) { rejected(i, v) })
	}
}

// keep takes a value over, and ends after the last.
func (out *combination) keep(i int, v ecma.Value) {
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
	e := ecma.NewError(out.m, "AggregateError", "All promises were rejected")
	e.Define(ecma.Key{Name: "errors"}, &ecma.Prop{Value: out.values, Hidden: true})
	rejectPromise(out.m, out.p, e)
}
