package eval

// newPromise makes a promise.
func (m *Machine) newPromise(state string, v Value) *Object {
	return &Object{Proto: m.realm(0).prototype("Promise"), Promise: &Promise{state, v}}
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
