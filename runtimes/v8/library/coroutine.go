package library

import (
	"iter"

	"coredbg/runtimes/v8/ecma"
)

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
	next  func() (ecma.Value, bool)
	stop  func()
	yield func(ecma.Value) bool

	how     resumption
	sent    ecma.Value
	result  ecma.Value // what it returned
	started bool
	running bool
	done    bool
}

// newCoroutine makes a coroutine of the body of a function.
func newCoroutine(m *ecma.Machine, body func(co *coroutine) ecma.Value) *coroutine {
	co := &coroutine{}
	if len(m.Ends) >= maxCoroutines {
		m.Fail("too many functions wait")
	}
	co.next, co.stop = iter.Pull(func(yield func(ecma.Value) bool) {
		defer func() {
			switch x := recover().(type) {
			case nil, *ecma.Cancelled:
			case *ecma.Returned:
				if x.From != ecma.Waiter(co) {
					panic(x)
				}
				co.result = x.Value
			default:
				panic(x)
			}
		}()
		co.yield = yield
		co.result = body(co)
	})
	m.Ends = append(m.Ends, co.stop)
	return co
}

// Wait hands out a value, and waits for the function to be resumed.
func (co *coroutine) Wait(v ecma.Value) ecma.Value {
	if !co.yield(v) {
		panic(&ecma.Cancelled{})
	}
	switch co.how {
	case resumeThrow:
		panic(&ecma.Thrown{Value: co.sent, Set: true})
	case resumeReturn:
		panic(&ecma.Returned{From: co, Value: co.sent})
	}
	return co.sent
}

// resumeCoroutine goes on with a function. It returns what that yields, or with done what it returns.
func resumeCoroutine(m *ecma.Machine, co *coroutine, how resumption, v ecma.Value) (result ecma.Value, done bool) {
	m.Step()
	switch {
	case co.running:
		m.Throw("Generator is already running")
	case !co.started && how != resumeNext:
		co.done = true
	}
	if co.done {
		switch how {
		case resumeThrow:
			panic(&ecma.Thrown{Value: v, Set: true})
		case resumeReturn:
			return v, true
		}
		return nil, true
	}
	calls := m.Calls
	co.how, co.sent, co.started, co.running = how, v, true, true
	ended := true
	defer func() {
		m.Calls, co.running = calls, false
		co.done = co.done || ended
	}()
	if m.Calls++; m.Calls > ecma.MaxCalls {
		m.Fail("its calls are nested too deep")
	}
	result, ok := co.next()
	if ended = !ok; ended {
		result = co.result
	}
	return result, ended
}

// iteratorResult is what a method of an iterator returns.
func iteratorResult(v ecma.Value, done bool) *ecma.Object {
	r := &ecma.Object{}
	r.Set(ecma.Key{Name: "value"}, v)
	r.Set(ecma.Key{Name: "done"}, done)
	return r
}

// newGenerator is the object of a generator function's call.
func newGenerator(m *ecma.Machine, co *coroutine, fn ecma.Value) *ecma.Object {
	o := newIterator(m, "Generator", fn, nil)
	proto := o.Proto.(*ecma.Object)
	for name, how := range map[string]resumption{"next": resumeNext, "throw": resumeThrow, "return": resumeReturn} {
		proto.Define(ecma.Key{Name: name}, &ecma.Prop{Hidden: true, Value: m.Native(name,
			func(m *ecma.Machine, _ ecma.Value,
				args []ecma.Value) ecma.Value {
				return iteratorResult(resumeCoroutine(m, co, how, ecma.Arg(args, 0)))
			})})
	}
	return o
}

// newIterator is an object that inherits the methods of iterators. yields may be nil, as in an Object.
func newIterator(m *ecma.Machine, tag string, fn ecma.Value, yields func() []ecma.Value) *ecma.Object {
	above := ecma.PrototypeNamed(m, "Iterator")
	if fn != nil {
		if p := m.Get(fn, ecma.Key{Name: "prototype"}); m.IsObject(p) {
			above = p
		}
	}
	proto := &ecma.Object{Proto: above}
	o := &ecma.Object{Proto: proto, Yields: yields}
	k, _ := m.WellKnown("toStringTag")
	proto.Define(k, &ecma.Prop{Value: tag, Hidden: true})
	self, _ := m.WellKnown("iterator")
	proto.Define(self, &ecma.Prop{Hidden: true, Value: m.Native("[Symbol.iterator]",
		func(*ecma.Machine, ecma.Value, []ecma.Value) ecma.Value { return o })})
	return o
}

// runAsync runs an async function, and returns its promise.
func runAsync(m *ecma.Machine, body func(co *coroutine) ecma.Value) *ecma.Object {
	p := newPromise(m, "pending", nil)
	advanceAsync(m, p, newCoroutine(m, body), resumeNext, nil)
	return p
}

// advanceAsync goes on with an async function until it waits again.
func advanceAsync(m *ecma.Machine, p *ecma.Object, co *coroutine, how resumption, v ecma.Value) {
	t := ecma.CatchThrown(m, func() {
		x, done := resumeCoroutine(m, co, how, v)
		if done {
			settlePromise(m, p, x)
			return
		}
		awaitLater(m, x, func(how resumption, v ecma.Value) { advanceAsync(m, p, co, how, v) })
	})
	if t != nil {
		rejectPromise(m, p, ecma.CaughtValue(m, t))
	}
}

// awaitLater calls then, later, with how a promise was settled that a function awaits.
func awaitLater(m *ecma.Machine, x ecma.Value, then func(how resumption, v ecma.Value)) {
	a, _ := x.(ecma.Awaiting)
	reactTo(m, ResolvedPromise(m, a.Value), func(m *ecma.Machine, v ecma.Value) { then(resumeNext, v) },
		func(m *ecma.Machine, v ecma.Value) { then(resumeThrow, v) })
}

// newAsyncGenerator is the object of an async generator function's call. Its requests are served in turn.
func newAsyncGenerator(m *ecma.Machine, co *coroutine, fn ecma.Value) *ecma.Object {
	o := newIterator(m, "AsyncGenerator", fn, nil)
	proto := o.Proto.(*ecma.Object)
	last := newPromise(m, "fulfilled", nil)
	for name, how := range map[string]resumption{"next": resumeNext, "throw": resumeThrow, "return": resumeReturn} {
		proto.Define(ecma.Key{Name: name}, &ecma.Prop{Hidden: true, Value: m.Native(name,
			func(m *ecma.Machine, _ ecma.Value,
				args []ecma.Value) ecma.Value {
				p := newPromise(m, "pending", nil)
				serve := func(m *ecma.Machine, _ ecma.Value) { serveRequest(m, p, co, how, ecma.Arg(args, 0)) }
				reactTo(m, last, serve, serve)
				last = p
				return p
			})})
	}
	if k, ok := m.WellKnown("asyncIterator"); ok {
		proto.Define(k, &ecma.Prop{Hidden: true, Value: m.Native("[Symbol.asyncIterator]",
			func(*ecma.Machine, ecma.Value, []ecma.Value) ecma.Value { return o })})
	}
	return o
}

// serveRequest goes on with an async generator until it yields.
func serveRequest(m *ecma.Machine, p *ecma.Object, co *coroutine, how resumption, v ecma.Value) {
	t := ecma.CatchThrown(m, func() {
		x, done := resumeCoroutine(m, co, how, v)
		if _, waits := x.(ecma.Awaiting); waits && !done {
			awaitLater(m, x, func(how resumption, v ecma.Value) { serveRequest(m, p, co, how, v) })
			return
		}
		settlePromise(m, p, iteratorResult(x, done))
	})
	if t != nil {
		rejectPromise(m, p, ecma.CaughtValue(m, t))
	}
}

// RunWaiting calls the body of an async function or a generator fn, which may wait.
func RunWaiting(m *ecma.Machine, kind string, body func(w ecma.Waiter) ecma.Value, fn ecma.Value) ecma.Value {
	run := func(co *coroutine) ecma.Value { return body(co) }
	switch kind {
	case "GeneratorFunction":
		return newGenerator(m, newCoroutine(m, run), fn)
	case "AsyncGeneratorFunction":
		return newAsyncGenerator(m, newCoroutine(m, run), fn)
	}
	return runAsync(m, run)
}

// iteratorOver is an iterator that yields a list.
func iteratorOver(m *ecma.Machine, tag string, list []ecma.Value) *ecma.Object {
	i := 0
	var yields func() []ecma.Value
	if tag != "Array Iterator" {
		yields = func() []ecma.Value { return list[min(i, len(list)):] }
	}
	o := newIterator(m, tag, nil, yields)
	o.Iterator = true
	o.Proto.(*ecma.Object).Define(ecma.Key{Name: "next"}, &ecma.Prop{Hidden: true,
		Value: m.Native("next", func(*ecma.Machine, ecma.Value,
			[]ecma.Value) ecma.Value {
			if i >= len(list) {
				return iteratorResult(nil, true)
			}
			i++
			return iteratorResult(list[i-1], false)
		})})
	return o
}

// EachLoop is ecma.EachValue, for a loop; with async, it waits for each value, and the iterator may be async.
func EachLoop(m *ecma.Machine, co ecma.Waiter, v ecma.Value, async bool, yield func(x ecma.Value) bool) {
	wait := func(x ecma.Value) ecma.Value {
		if co != nil {
			return co.Wait(ecma.Awaiting{Value: x})
		}
		return AwaitedValue(m, x)
	}
	if !async {
		ecma.EachValue(m, v, yield)
		return
	}
	k, _ := m.WellKnown("asyncIterator")
	open := m.Get(v, k)
	if ecma.IsNullish(open) {
		ecma.EachValue(m, v, func(x ecma.Value) bool { return yield(wait(x)) })
		return
	}
	it := m.Call(open, v, nil)
	next := m.Get(it, ecma.Key{Name: "next"})
	for {
		r := wait(m.Call(next, it, nil))
		if ecma.Truthy(m.Get(r, ecma.Key{Name: "done"})) || !yield(m.Get(r, ecma.Key{Name: "value"})) {
			return
		}
	}
}
