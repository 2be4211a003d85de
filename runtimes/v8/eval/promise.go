package eval

import (
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A Promise is one that the run made. Reactions would run later, so a promise that depends on another one is
// pending, as it is right after a program has made it.
type Promise struct {
	State string // pending, fulfilled or rejected
	Value Value
}

// newPromise makes a promise.
func (m *Machine) newPromise(state string, v Value) *Object {
	return &Object{Proto: m.realm(0).prototype("Promise"), Promise: &Promise{state, v}}
}

// isPromise reports whether a value is a promise.
func (m *Machine) isPromise(v Value) bool {
	switch x := v.(type) {
	case *Object:
		return x.Promise != nil
	case Heap:
		return m.IsObject(x) && m.kind(x) == object.KindPromise
	}
	return false
}

// resolved is Promise.resolve: a promise is itself, another object with a function then decides later.
func (m *Machine) resolved(v Value) Value {
	switch {
	case m.isPromise(v):
		return v
	case m.IsObject(v) && m.typeOf(m.get(v, Key{Name: "then"})) == "function":
		return m.newPromise("pending", nil)
	}
	return m.newPromise("fulfilled", v)
}

// executed is new Promise(executor): the executor runs at once, and its first call decides.
func (m *Machine) executed(executor Value) Value {
	if m.typeOf(executor) != "function" {
		m.Throw("what is given to Promise is not a function")
	}
	o := m.newPromise("pending", nil)
	decided := false
	decide := func(name string, to func(v Value) Value) *Object {
		return m.Native(name, func(_ *Machine, _ Value, args []Value) Value {
			if decided {
				return nil
			}
			decided = true
			if p, ok := to(arg(args, 0)).(*Object); ok {
				*o.Promise = *p.Promise
			}
			return nil
		})
	}
	reject := decide("reject", func(v Value) Value { return m.newPromise("rejected", v) })
	t := catchThrown(m, func() {
		m.call(executor, nil, []Value{decide("resolve", func(v Value) Value {
			if m.isPromise(v) {
				return nil // it is followed later
			}
			return m.resolved(v)
		}), reject})
	})
	if t != nil {
		m.call(reject, nil, []Value{t.value})
	}
	return o
}

// awaited is the operator await, as it is typed: what a promise has been fulfilled with. Another promise shows
// that it is pending, or why it was rejected.
func (m *Machine) awaited(v Value) Value {
	if !m.isPromise(v) {
		return v
	}
	switch x := v.(type) {
	case *Object:
		if x.Promise.State == "fulfilled" {
			return x.Promise.Value
		}
	case Heap:
		state, result, err := m.reader.Promise(layout.Tagged(x))
		if err != nil {
			m.Fail("%v", err)
		}
		if state == object.PromiseFulfilled {
			return m.word(result)
		}
	}
	return v
}

func init() {
	later := func(m *Machine, _ Value, _ []Value) Value { return m.newPromise("pending", nil) }
	register(map[string]builtin{
		"Promise.resolve": func(m *Machine, _ Value, args []Value) Value { return m.resolved(arg(args, 0)) },
		"Promise.reject": func(m *Machine, _ Value, args []Value) Value {
			return m.newPromise("rejected", arg(args, 0))
		},
		"Promise.prototype.then": later, "Promise.prototype.catch": later, "Promise.prototype.finally": later,
		"Promise.all": later, "Promise.allSettled": later, "Promise.any": later, "Promise.race": later,
	})
	constructors["Promise"] = func(m *Machine, args []Value) Value { return m.executed(arg(args, 0)) }
}
