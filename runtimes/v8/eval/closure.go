package eval

import (
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/syntax"
	"math"
)

// unanswered are functions of the embedder that only arrange a later call: each with its result where the embedder
// does not answer, and with the name of the part that is left out.
var unanswered = map[string]struct {
	class string
	value Value
}{"getLibuvNow": {"the event loop", math.NaN()}, "toggleImmediateRef": {"the event loop", nil},
	"toggleTimerRef": {"the event loop", nil}, "scheduleTimer": {"the event loop", nil}}

// typedCalls are functions of the program that a console calls in another way.
var typedCalls []func(m *Machine, fn Heap, args []Value) (v Value, ok bool)

// call calls a function of any kind.
func (m *Machine) call(fn, this Value, args []Value) Value {
	m.step()
	if m.calls++; m.calls > maxCalls {
		m.Fail("its calls are nested too deep")
	}
	defer func() { m.calls-- }()
	if target, handler, ok := proxyParts(m, fn); ok {
		if trap := trapOf(m, handler, "apply"); trap != nil {
			return m.call(trap, handler, []Value{target, this, array(args...)})
		}
		return m.call(target, this, args)
	}
	switch f := fn.(type) {
	case *Object:
		switch {
		case f.Function == nil:
		case f.Function.Class:
			m.Throw("Class constructor %s cannot be invoked without 'new'", f.Function.Name)
		case f.Function.code != nil:
			return f.Function.code(m, this, args)
		default:
			return callMade(m, f, this, args)
		}
	case Heap:
		for _, call := range typedCalls {
			if v, ok := call(m, f, args); ok {
				return v
			}
		}
		return m.callHeap(layout.Tagged(f), this, args)
	}
	m.Throw("what is called is not a function")
	return nil
}

func callMade(m *Machine, fn *Object, this Value, args []Value) Value {
	f := fn.Function
	self := &activation{this: this, args: args, home: f.home, fn: fn}
	if f.node.Arrow && f.self != nil {
		if self = f.self; f.node.Async {
			copied := *f.self
			self = &copied
		}
	}
	if isNullish(this) && !f.method && !f.node.Arrow { // what is typed is sloppy
		if re := m.realm(0); re.native != 0 {
			self.this = globalThis(m, re)
		}
	}
	before := m.completion
	v := runFunction(m, frame{f.env.inner(), self}, f.node, args, f.Kind(), fn)
	m.completion = before
	return v
}

// incomplete reports whether an object may be a function whose proof is not in the core: its map or its
// SharedFunctionInfo.
func incomplete(m *Machine, fn layout.Tagged) bool {
	r := m.reader
	if _, ok := r.InstanceType(fn); !ok {
		return true
	}
	if !r.TypeNamed(fn, "FUNCTION") {
		return false
	}
	shared, ok := r.Field(fn, r.Layout.JSFunction.Shared)
	if ok {
		_, ok = r.InstanceType(shared)
	}
	return !ok
}

// callHeap calls a function of the heap.
func (m *Machine) callHeap(fn layout.Tagged, this Value, args []Value) Value {
	r := m.reader
	if r.IsBound(fn) {
		return callBound(m, fn, args)
	}
	name := m.intrinsic(Heap(fn))
	if !r.IsFunction(fn) && name == "" {
		if incomplete(m, fn) {
			m.Fail(unreadFunction, fn.TaggedAddr())
		}
		m.Throw("what is called is not a function")
	}
	if name != "" {
		code := intrinsics[name]
		if code == nil {
			m.Fail("%s is not known", name)
		}
		return code(m, this, args)
	}
	if m.reader.IsUtilInspect(fn) {
		return m.host.Inspect(m, arg(args, 0), arg(args, 1))
	}
	for _, call := range natives {
		if v, ok := call(m, Heap(fn), this, args); ok {
			return v
		}
	}
	if shared, ok := r.ClosureShared(fn); ok {
		if info, ok := r.SharedInfo(shared); !ok || info.Script == 0 {
			if o, made := this.(*Object); made && o.Embedded != "" {
				m.omit(o.Embedded)
				return nil
			}
			if v, ok := m.host.Native(m, fn, this, args); ok {
				return v
			}
			if v, ok := unanswered[r.FunctionNameOf(fn)]; ok && m.kept != nil {
				m.omit(v.class)
				return v.value
			}
			panic(&stop{&NativeError{r.FunctionNameOf(fn)}, true})
		}
	}
	kind := r.FunctionType(fn)
	if kind == "class" {
		m.Throw("Class constructor %s cannot be invoked without 'new'", r.FunctionNameOf(fn))
	}
	n := parseFunction(m, fn)
	env := &scope{heap: m.closedOver(fn)}
	self := &activation{this: this, args: args, callee: fn, fn: Heap(fn)}
	if n.Arrow {
		if _, slot, ok := env.heap.slot("this", true); ok {
			self.this = m.Of(slot)
		}
	}
	return runFunction(m, frame{env.inner(), self}, n, args, kind, Heap(fn))
}

// callBound calls the target of a bound function.
func callBound(m *Machine, fn layout.Tagged, args []Value) Value {
	l := &m.reader.Layout.JSBoundFunction
	target, ok1 := m.reader.Field(fn, l.Target)
	this, ok2 := m.reader.Field(fn, l.This)
	if !ok1 || !ok2 {
		m.Fail("a bound function cannot be read")
	}
	return m.call(Heap(target), m.word(this), append(boundArguments(m, fn), args...))
}

// boundArguments are the arguments that a bound function has already.
func boundArguments(m *Machine, fn layout.Tagged) (all []Value) {
	given, ok := m.reader.Field(fn, m.reader.Layout.JSBoundFunction.Arguments)
	if !ok {
		m.Fail("a bound function cannot be read")
	}
	n, _ := m.reader.FixedLength(given)
	for i := range min(n, maxItems) {
		w, ok := m.reader.WordAt(given, i)
		if !ok {
			m.Fail("a bound function cannot be read")
		}
		all = append(all, m.word(w))
	}
	return all
}

// runWaiting calls the body of an async function or a generator fn, which may wait.
var runWaiting func(m *Machine, kind string, body func(w waiter) Value, fn Value) Value

// runFunction runs a function of a kind whose scope is made; fn is the function.
func runFunction(m *Machine, f frame, n *syntax.Node, args []Value, kind string, fn Value) Value {
	if kind == "Function" {
		return runBody(m, f, n, args)
	}
	return runWaiting(m, kind, func(w waiter) Value {
		f.self.coroutine = w
		return runBody(m, f, n, args)
	}, fn)
}

// runBody runs the parameters and the statements of a function.
func runBody(m *Machine, f frame, n *syntax.Node, args []Value) Value {
	for i, p := range n.List {
		if p.Kind == syntax.Spread {
			declareAs(m, f, p.A, &Object{Array: true, List: append([]Value(nil), args[min(i, len(args)):]...)})
			continue
		}
		declareAs(m, f, p, arg(args, i))
	}
	if n.A.Kind != syntax.Block {
		return m.eval(f, n.A)
	}
	for _, name := range variablesOf(n.A, nil) {
		if f.vars[name] == nil {
			f.declare(name, nil)
		}
	}
	if s := runBlock(m, f, n.A.List); s.kind == syntax.Return {
		return s.value
	}
	return nil
}

// variablesOf are the simple names that var declares anywhere in a function.
func variablesOf(n *syntax.Node, names []string) []string {
	if n == nil || n.Kind == syntax.Function || n.Kind == syntax.Class {
		return names
	}
	if n.Kind == syntax.Var && n.Text == "var" {
		for _, d := range n.List {
			if d.Kind == syntax.Assign {
				d = d.A
			}
			if d.Kind == syntax.Identifier {
				names = append(names, d.Text)
			}
		}
	}
	for _, c := range n.List {
		names = variablesOf(c, names)
	}
	for _, c := range []*syntax.Node{n.A, n.B, n.C, n.D} {
		names = variablesOf(c, names)
	}
	return names
}
