package ecma

import (
	"math"

	"coredbg/runtimes/v8/layout"
)

// unanswered are functions of the embedder that only arrange a later call: each with its result where the embedder
// does not answer, and with the name of the part that is left out.
var unanswered = map[string]struct {
	class string
	value Value
}{"getLibuvNow": {"the event loop", math.NaN()}, "toggleImmediateRef": {"the event loop", nil},
	"toggleTimerRef": {"the event loop", nil}, "scheduleTimer": {"the event loop", nil},
	"now": {"the clock", math.NaN()}}

// Call calls a function of any kind.
func (m *Machine) Call(fn, this Value, args []Value) Value {
	m.Step()
	if m.Calls++; m.Calls > MaxCalls {
		m.Fail("its calls are nested too deep")
	}
	defer func() { m.Calls-- }()
	if target, handler, ok := ProxyParts(m, fn); ok {
		if trap := trapOf(m, handler, "apply"); trap != nil {
			return m.Call(trap, handler, []Value{target, this, Array(args...)})
		}
		return m.Call(target, this, args)
	}
	switch f := fn.(type) {
	case *Object:
		switch {
		case f.Function == nil:
		case f.Function.Class:
			m.Throw("Class constructor %s cannot be invoked without 'new'", f.Function.Name)
		case f.Function.Code != nil:
			return f.Function.Code(m, this, args)
		default:
			return m.code.Call(m, f, this, args)
		}
	case Heap:
		for _, call := range m.Library.Consoles {
			if v, ok := call(m, f, this, args); ok {
				return v
			}
		}
		return m.callHeap(layout.Tagged(f), this, args)
	}
	m.Throw("what is called is not a function")
	return nil
}

// Incomplete reports whether an object may be a function whose proof is not in the core: its map or its
// SharedFunctionInfo.
func Incomplete(m *Machine, fn layout.Tagged) bool {
	r := m.Reader
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
	r := m.Reader
	if r.IsBound(fn) {
		return callBound(m, fn, args)
	}
	name := m.Intrinsic(Heap(fn))
	if !r.IsFunction(fn) && name == "" {
		if Incomplete(m, fn) {
			m.Fail(unreadFunction, fn.TaggedAddr())
		}
		m.Throw("what is called is not a function")
	}
	if name != "" {
		code := m.Library.Functions[name]
		if code == nil {
			m.Fail("%s is not known", name)
		}
		return code(m, this, args)
	}
	if m.Reader.IsUtilInspect(fn) {
		return m.host.Inspect(m, Arg(args, 0), Arg(args, 1))
	}
	for _, call := range m.Library.Natives {
		if v, ok := call(m, Heap(fn), this, args); ok {
			return v
		}
	}
	if shared, ok := r.ClosureShared(fn); ok {
		if info, ok := r.SharedInfo(shared); !ok || info.Script == 0 {
			if o, made := this.(*Object); made && o.Embedded != "" {
				m.Omit(o.Embedded)
				return nil
			}
			if v, ok := m.host.Native(m, fn, this, args); ok {
				return v
			}
			if v, ok := unanswered[r.FunctionNameOf(fn)]; ok && m.Kept != nil {
				m.Omit(v.class)
				return v.value
			}
			panic(&Stop{&NativeError{r.FunctionNameOf(fn)}, true})
		}
	}
	return m.code.Call(m, Heap(fn), this, args)
}

// callBound calls the target of a bound function.
func callBound(m *Machine, fn layout.Tagged, args []Value) Value {
	l := &m.Reader.Layout.JSBoundFunction
	target, ok1 := m.Reader.Field(fn, l.Target)
	this, ok2 := m.Reader.Field(fn, l.This)
	if !ok1 || !ok2 {
		m.Fail("a bound function cannot be read")
	}
	return m.Call(Heap(target), m.Word(this), append(boundArguments(m, fn), args...))
}

// boundArguments are the arguments that a bound function has already.
func boundArguments(m *Machine, fn layout.Tagged) (all []Value) {
	given, ok := m.Reader.Field(fn, m.Reader.Layout.JSBoundFunction.Arguments)
	if !ok {
		m.Fail("a bound function cannot be read")
	}
	n, _ := m.Reader.FixedLength(given)
	for i := range min(n, MaxItems) {
		w, ok := m.Reader.WordAt(given, i)
		if !ok {
			m.Fail("a bound function cannot be read")
		}
		all = append(all, m.Word(w))
	}
	return all
}
