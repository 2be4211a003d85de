package eval

import (
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// newPromise makes a promise.
func newPromise(m *Machine, state string, v Value) *Object {
	return &Object{Proto: prototypeNamed(m, "Promise"), Promise: &Promise{state, v}}
}

// resolvedPromise is Promise.resolve: a promise is itself, another object with a function then decides later.
func resolvedPromise(m *Machine, v Value) Value {
	if m.isPromise(v) {
		return v
	}
	p := newPromise(m, "pending", nil)
	settlePromise(m, p, v)
	return p
}

// settlePromise resolves a promise that is pending with a value. A promise as its value is followed.
func settlePromise(m *Machine, p *Object, v Value) {
	switch {
	case v == Value(p):
		rejectPromise(m, p, newError(m, "TypeError", "Chaining cycle detected for promise #<Promise>"))
	case m.isPromise(v):
		reactTo(m, v, func(m *Machine, v Value) { decidePromise(m, p, "fulfilled", v) },
			func(m *Machine, v Value) { decidePromise(m, p, "rejected", v) })
	case m.IsObject(v):
		then := m.get(v, Key{Name: "then"})
		if m.typeOf(then) != "function" {
			decidePromise(m, p, "fulfilled", v)
			return
		}
		runLater(m, func(m *Machine) {
			resolve, reject := resolversOf(m, p)
			if t := catchThrown(m, func() { m.call(then, v, []Value{resolve, reject}) }); t != nil {
				m.call(reject, nil, []Value{caughtValue(m, t)})
			}
		})
	default:
		decidePromise(m, p, "fulfilled", v)
	}
}

func rejectPromise(m *Machine, p *Object, v Value) { decidePromise(m, p, "rejected", v) }

// decidePromise gives a promise its state, and has those run who waited for it.
func decidePromise(m *Machine, p *Object, state string, v Value) {
	if p.Promise.State != "pending" {
		return
	}
	p.Promise.State, p.Promise.Value = state, v
	for _, r := range p.reactions {
		runLater(m, r)
	}
	p.reactions = nil
}

// runLater runs code after what is running now.
func runLater(m *Machine, code func(m *Machine)) { m.jobs = append(m.jobs, code) }

// RunJobs runs what was to run later, until nothing is left.
func (m *Machine) RunJobs() { runJobs(m, func() bool { return false }) }

func runJobs(m *Machine, enough func() bool) {
	for len(m.jobs) > 0 && !enough() {
		job := m.jobs[0]
		m.jobs = m.jobs[1:]
		m.step()
		job(m)
	}
}

// promiseState is the state of a promise, and its value.
func promiseState(m *Machine, p Value) (state string, v Value) {
	switch x := p.(type) {
	case *Object:
		if x.Promise != nil {
			return x.Promise.State, x.Promise.Value
		}
	case Heap:
		if !m.isPromise(p) {
			break
		}
		state, result, err := m.reader.Promise(layout.Tagged(x))
		switch {
		case err != nil:
			m.Fail("%v", err)
		case state == object.PromiseFulfilled:
			return "fulfilled", m.word(result)
		case state == object.PromisePending:
			return "pending", nil
		}
		return "rejected", m.word(result)
	}
	m.Throw("Method Promise.prototype.then called on incompatible receiver %s", shownValue(m, p))
	return "", nil
}

// reactTo has code run once a promise is settled. One of the heap that is pending stays so.
func reactTo(m *Machine, p Value, fulfilled, rejected func(m *Machine, v Value)) {
	run := func(m *Machine) {
		if state, v := promiseState(m, p); state == "fulfilled" {
			fulfilled(m, v)
		} else {
			rejected(m, v)
		}
	}
	if state, _ := promiseState(m, p); state != "pending" {
		runLater(m, run)
	} else if o, ok := p.(*Object); ok {
		o.reactions = append(o.reactions, run)
	}
}

// resolversOf are the functions that decide a promise: the first call counts.
func resolversOf(m *Machine, p *Object) (resolve, reject *Object) {
	decided := false
	decide := func(name string, to func(m *Machine, p *Object, v Value)) *Object {
		return m.Native(name, func(m *Machine, _ Value, args []Value) Value {
			if !decided {
				decided = true
				to(m, p, arg(args, 0))
			}
			return nil
		})
	}
	return decide("resolve", settlePromise), decide("reject", rejectPromise)
}

// executedPromise is new Promise(executor): the executor runs at once, and its first call decides.
func executedPromise(m *Machine, executor Value) Value {
	if m.typeOf(executor) != "function" {
		m.Throw("Promise resolver %s is not a function", shownValue(m, executor))
	}
	p := newPromise(m, "pending", nil)
	resolve, reject := resolversOf(m, p)
	if t := catchThrown(m, func() { m.call(executor, nil, []Value{resolve, reject}) }); t != nil {
		m.call(reject, nil, []Value{caughtValue(m, t)})
	}
	return p
}

// thenOf is Promise.prototype.then.
func thenOf(m *Machine, p, fulfilled, rejected Value) Value {
	out := newPromise(m, "pending", nil)
	with := func(fn Value, otherwise func(m *Machine, p *Object, v Value)) func(m *Machine, v Value) {
		return func(m *Machine, v Value) {
			if m.typeOf(fn) != "function" {
				otherwise(m, out, v)
				return
			}
			t := catchThrown(m, func() { settlePromise(m, out, m.call(fn, nil, []Value{v})) })
			if t != nil {
				rejectPromise(m, out, caughtValue(m, t))
			}
		}
	}
	reactTo(m, p, with(fulfilled, settlePromise), with(rejected, rejectPromise))
	return out
}

// awaitedValue is the operator await, as it is typed: what a promise has been fulfilled with. Another promise shows
// that it is pending, or why it was rejected.
func awaitedValue(m *Machine, v Value) Value {
	if !m.isPromise(v) {
		if !m.IsObject(v) || m.typeOf(m.get(v, Key{Name: "then"})) != "function" {
			return v
		}
		v = resolvedPromise(m, v)
	}
	runJobs(m, func() bool { state, _ := promiseState(m, v); return state != "pending" })
	if state, result := promiseState(m, v); state == "fulfilled" {
		return result
	}
	return v
}
