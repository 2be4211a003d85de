package library

import (
	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// newPromise makes a promise.
func newPromise(m *ecma.Machine, state string, v ecma.Value) *ecma.Object {
	return &ecma.Object{Proto: ecma.PrototypeNamed(m, "Promise"), Promise: &ecma.Promise{State: state, Value: v}}
}

// ResolvedPromise is Promise.resolve: a promise is itself, another object with a function then decides later.
func ResolvedPromise(m *ecma.Machine, v ecma.Value) ecma.Value {
	if m.IsPromise(v) {
		return v
	}
	p := newPromise(m, "pending", nil)
	settlePromise(m, p, v)
	return p
}

// settlePromise resolves a promise that is pending with a value. A promise as its value is followed.
func settlePromise(m *ecma.Machine, p *ecma.Object, v ecma.Value) {
	switch {
	case v == ecma.Value(p):
		rejectPromise(m, p, ecma.NewError(m, "TypeError", "Chaining cycle detected for promise #<Promise>"))
	case m.IsPromise(v):
		reactTo(m, v, func(m *ecma.Machine, v ecma.Value) { decidePromise(m, p, "fulfilled", v) },
			func(m *ecma.Machine, v ecma.Value) { decidePromise(m, p, "rejected", v) })
	case m.IsObject(v):
		then := m.Get(v, ecma.Key{Name: "then"})
		if m.TypeOf(then) != "function" {
			decidePromise(m, p, "fulfilled", v)
			return
		}
		ecma.RunLater(m, func(m *ecma.Machine) {
			resolve, reject := resolversOf(m, p)
			if t := ecma.CatchThrown(m, func() { m.Call(then, v, []ecma.Value{resolve, reject}) }); t != nil {
				m.Call(reject, nil, []ecma.Value{ecma.CaughtValue(m, t)})
			}
		})
	default:
		decidePromise(m, p, "fulfilled", v)
	}
}

func rejectPromise(m *ecma.Machine, p *ecma.Object, v ecma.Value) { decidePromise(m, p, "rejected", v) }

// decidePromise gives a promise its state, and has those run who waited for it.
func decidePromise(m *ecma.Machine, p *ecma.Object, state string, v ecma.Value) {
	if p.Promise.State != "pending" {
		return
	}
	p.Promise.State, p.Promise.Value = state, v
	for _, r := range p.Reactions {
		ecma.RunLater(m, r)
	}
	p.Reactions = nil
}

// promiseState is the state of a promise, and its value.
func promiseState(m *ecma.Machine, p ecma.Value) (state string, v ecma.Value) {
	switch x := p.(type) {
	case *ecma.Object:
		if x.Promise != nil {
			return x.Promise.State, x.Promise.Value
		}
	case ecma.Heap:
		if !m.IsPromise(p) {
			break
		}
		state, result, err := m.Reader.Promise(layout.Tagged(x))
		switch {
		case err != nil:
			m.Fail("%v", err)
		case state == object.PromiseFulfilled:
			return "fulfilled", m.Word(result)
		case state == object.PromisePending:
			return "pending", nil
		}
		return "rejected", m.Word(result)
	}
	m.Throw("Method Promise.prototype.then called on incompatible receiver %s", ecma.ShownValue(m, p))
	return "", nil
}

// reactTo has code run once a promise is settled. One of the heap that is pending stays so.
func reactTo(m *ecma.Machine, p ecma.Value, fulfilled, rejected func(m *ecma.Machine, v ecma.Value)) {
	run := func(m *ecma.Machine) {
		if state, v := promiseState(m, p); state == "fulfilled" {
			fulfilled(m, v)
		} else {
			rejected(m, v)
		}
	}
	if state, _ := promiseState(m, p); state != "pending" {
		ecma.RunLater(m, run)
	} else if o, ok := p.(*ecma.Object); ok {
		o.Reactions = append(o.Reactions, run)
	}
}

// resolversOf are the functions that decide a promise: the first call counts.
func resolversOf(m *ecma.Machine, p *ecma.Object) (resolve, reject *ecma.Object) {
	decided := false
	decide := func(name string, to func(m *ecma.Machine, p *ecma.Object, v ecma.Value)) *ecma.Object {
		return m.Native(name, func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			if !decided {
				decided = true
				to(m, p, ecma.Arg(args, 0))
			}
			return nil
		})
	}
	return decide("resolve", settlePromise), decide("reject", rejectPromise)
}

// executedPromise is new Promise(executor): the executor runs at once, and its first call decides.
func executedPromise(m *ecma.Machine, executor ecma.Value) ecma.Value {
	if m.TypeOf(executor) != "function" {
		m.Throw("Promise resolver %s is not a function", ecma.ShownValue(m, executor))
	}
	p := newPromise(m, "pending", nil)
	resolve, reject := resolversOf(m, p)
	if t := ecma.CatchThrown(m, func() { m.Call(executor, nil, []ecma.Value{resolve, reject}) }); t != nil {
		m.Call(reject, nil, []ecma.Value{ecma.CaughtValue(m, t)})
	}
	return p
}

// thenOf is Promise.prototype.then.
func thenOf(m *ecma.Machine, p, fulfilled, rejected ecma.Value) ecma.Value {
	out := newPromise(m, "pending", nil)
	with := func(fn ecma.Value, otherwise func(m *ecma.Machine, p *ecma.Object, v ecma.Value)) func(m *ecma.Machine,
		v ecma.Value) {
		return func(m *ecma.Machine, v ecma.Value) {
			if m.TypeOf(fn) != "function" {
				otherwise(m, out, v)
				return
			}
			t := ecma.CatchThrown(m, func() { settlePromise(m, out, m.Call(fn, nil, []ecma.Value{v})) })
			if t != nil {
				rejectPromise(m, out, ecma.CaughtValue(m, t))
			}
		}
	}
	reactTo(m, p, with(fulfilled, settlePromise), with(rejected, rejectPromise))
	return out
}

// AwaitedValue is the operator await, as it is typed: what a promise has been fulfilled with. Another promise shows
// that it is pending, or why it was rejected.
func AwaitedValue(m *ecma.Machine, v ecma.Value) ecma.Value {
	if !m.IsPromise(v) {
		if !m.IsObject(v) || m.TypeOf(m.Get(v, ecma.Key{Name: "then"})) != "function" {
			return v
		}
		v = ResolvedPromise(m, v)
	}
	ecma.RunJobs(m, func() bool { state, _ := promiseState(m, v); return state != "pending" })
	if state, result := promiseState(m, v); state == "fulfilled" {
		return result
	}
	return v
}
