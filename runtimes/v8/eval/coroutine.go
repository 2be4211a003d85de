package eval

import "iter"

// maxCoroutines bounds the generators and async functions of one call that have not ended.
const maxCoroutines = 1 << 10

// A resumption is how a function that waits goes on.
type resumption int

const (
	resumeNext resumption = iota
	resumeThrow
	resumeReturn
)

// A coroutine is the call of a generator or an async function: it can wait.
type coroutine struct {
	next  func() (Value, bool)
	stop  func()
	yield func(Value) bool

	how     resumption
	sent    Value
	result  Value // what it returned
	started bool
	running bool
	done    bool
}

// newCoroutine makes a coroutine of the body of a function.
func newCoroutine(m *Machine, body func(co *coroutine) Value) *coroutine {
	co := &coroutine{}
	if len(m.ends) >= maxCoroutines {
		m.Fail("too many functions wait")
	}
	co.next, co.stop = iter.Pull(func(yield func(Value) bool) {
		defer func() {
			switch x := recover().(type) {
			case nil, *cancelled:
			case *returned:
				if x.from != waiter(co) {
					panic(x)
				}
				co.result = x.value
			default:
				panic(x)
			}
		}()
		co.yield = yield
		co.result = body(co)
	})
	m.ends = append(m.ends, co.stop)
	return co
}

// wait hands out a value, and waits for the function to be resumed.
func (co *coroutine) wait(v Value) Value {
	if !co.yield(v) {
		panic(&cancelled{})
	}
	switch co.how {
	case resumeThrow:
		panic(&thrown{value: co.sent, set: true})
	case resumeReturn:
		panic(&returned{co, co.sent})
	}
	return co.sent
}

// resumeCoroutine goes on with a function. It returns what that yields, or with done what it returns.
func resumeCoroutine(m *Machine, co *coroutine, how resumption, v Value) (result Value, done bool) {
	m.step()
	switch {
	case co.running:
		m.Throw("Generator is already running")
	case !co.started && how != resumeNext:
		co.done = true
	}
	if co.done {
		switch how {
		case resumeThrow:
			panic(&thrown{value: v, set: true})
		case resumeReturn:
			return v, true
		}
		return nil, true
	}
	calls := m.calls
	co.how, co.sent, co.started, co.running = how, v, true, true
	ended := true
	defer func() {
		m.calls, co.running = calls, false
		co.done = co.done || ended
	}()
	if m.calls++; m.calls > maxCalls {
		m.Fail("its calls are nested too deep")
	}
	result, ok := co.next()
	if ended = !ok; ended {
		result = co.result
	}
	return result, ended
}

// iteratorResult is what a method of an iterator returns.
func iteratorResult(v Value, done bool) *Object {
	r := &Object{}
	r.Set(Key{Name: "value"}, v)
	r.Set(Key{Name: "done"}, done)
	return r
}

// newGenerator is the object of a generator function's call.
func newGenerator(m *Machine, co *coroutine, fn Value) *Object {
	o := newIterator(m, "Generator", fn)
	proto := o.Proto.(*Object)
	for name, how := range map[string]resumption{"next": resumeNext, "throw": resumeThrow, "return": resumeReturn} {
		proto.define(Key{Name: name}, &Prop{Hidden: true, Value: m.Native(name, func(m *Machine, _ Value,
			args []Value) Value {
			return iteratorResult(resumeCoroutine(m, co, how, arg(args, 0)))
		})})
	}
	return o
}

// newIterator is an object that inherits the methods of iterators.
func newIterator(m *Machine, tag string, fn Value) *Object {
	above := prototypeNamed(m, "Iterator")
	if fn != nil {
		if p := m.get(fn, Key{Name: "prototype"}); m.IsObject(p) {
			above = p
		}
	}
	proto := &Object{Proto: above}
	o := &Object{Proto: proto}
	k, _ := m.wellKnown("toStringTag")
	proto.define(k, &Prop{Value: tag, Hidden: true})
	self, _ := m.wellKnown("iterator")
	proto.define(self, &Prop{Hidden: true, Value: m.Native("[Symbol.iterator]",
		func(*Machine, Value, []Value) Value { return o })})
	return o
}

// runAsync runs an async function, and returns its promise.
func runAsync(m *Machine, body func(co *coroutine) Value) *Object {
	p := newPromise(m, "pending", nil)
	advanceAsync(m, p, newCoroutine(m, body), resumeNext, nil)
	return p
}

// advanceAsync goes on with an async function until it waits again.
func advanceAsync(m *Machine, p *Object, co *coroutine, how resumption, v Value) {
	t := catchThrown(m, func() {
		x, done := resumeCoroutine(m, co, how, v)
		if done {
			settlePromise(m, p, x)
			return
		}
		awaitLater(m, x, func(how resumption, v Value) { advanceAsync(m, p, co, how, v) })
	})
	if t != nil {
		rejectPromise(m, p, caughtValue(m, t))
	}
}

// awaitLater calls then, later, with how a promise was settled that a function awaits.
func awaitLater(m *Machine, x Value, then func(how resumption, v Value)) {
	a, _ := x.(awaiting)
	reactTo(m, resolvedPromise(m, a.value), func(m *Machine, v Value) { then(resumeNext, v) },
		func(m *Machine, v Value) { then(resumeThrow, v) })
}

// newAsyncGenerator is the object of an async generator function's call. Its requests are served in turn.
func newAsyncGenerator(m *Machine, co *coroutine, fn Value) *Object {
	o := newIterator(m, "AsyncGenerator", fn)
	proto := o.Proto.(*Object)
	last := newPromise(m, "fulfilled", nil)
	for name, how := range map[string]resumption{"next": resumeNext, "throw": resumeThrow, "return": resumeReturn} {
		proto.define(Key{Name: name}, &Prop{Hidden: true, Value: m.Native(name, func(m *Machine, _ Value,
			args []Value) Value {
			p := newPromise(m, "pending", nil)
			serve := func(m *Machine, _ Value) { serveRequest(m, p, co, how, arg(args, 0)) }
			reactTo(m, last, serve, serve)
			last = p
			return p
		})})
	}
	if k, ok := m.wellKnown("asyncIterator"); ok {
		proto.define(k, &Prop{Hidden: true, Value: m.Native("[Symbol.asyncIterator]",
			func(*Machine, Value, []Value) Value { return o })})
	}
	return o
}

// serveRequest goes on with an async generator until it yields.
func serveRequest(m *Machine, p *Object, co *coroutine, how resumption, v Value) {
	t := catchThrown(m, func() {
		x, done := resumeCoroutine(m, co, how, v)
		if _, waits := x.(awaiting); waits && !done {
			awaitLater(m, x, func(how resumption, v Value) { serveRequest(m, p, co, how, v) })
			return
		}
		settlePromise(m, p, iteratorResult(x, done))
	})
	if t != nil {
		rejectPromise(m, p, caughtValue(m, t))
	}
}

func init() {
	awaitTyped = awaitedValue
	runWaiting = func(m *Machine, kind string, body func(w waiter) Value, fn Value) Value {
		run := func(co *coroutine) Value { return body(co) }
		switch kind {
		case "GeneratorFunction":
			return newGenerator(m, newCoroutine(m, run), fn)
		case "AsyncGeneratorFunction":
			return newAsyncGenerator(m, newCoroutine(m, run), fn)
		}
		return runAsync(m, run)
	}
}

// iteratorOver is an iterator that yields a list.
func iteratorOver(m *Machine, tag string, list []Value) *Object {
	o := newIterator(m, tag, nil)
	i := 0
	if o.iterator = true; tag != "Array Iterator" {
		o.Yields = func() []Value { return list[min(i, len(list)):] }
	}
	o.Proto.(*Object).define(Key{Name: "next"}, &Prop{Hidden: true, Value: m.Native("next", func(*Machine, Value,
		[]Value) Value {
		if i >= len(list) {
			return iteratorResult(nil, true)
		}
		i++
		return iteratorResult(list[i-1], false)
	})})
	return o
}
