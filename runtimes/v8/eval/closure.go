package eval

import (
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/syntax"
)

// call calls a function of any kind.
func (m *Machine) call(fn, this Value, args []Value) Value {
	m.step()
	if m.calls++; m.calls > maxCalls {
		m.Fail("its calls are nested too deep")
	}
	defer func() { m.calls-- }()
	switch f := fn.(type) {
	case *Object:
		switch {
		case f.Function == nil:
		case f.Function.code != nil:
			return f.Function.code(m, this, args)
		default:
			return callMade(m, f.Function, this, args)
		}
	case Heap:
		return m.callHeap(layout.Tagged(f), this, args)
	}
	m.Throw("what is called is not a function")
	return nil
}

func callMade(m *Machine, f *Function, this Value, args []Value) Value {
	self := &activation{this: this, args: args}
	if f.node.Arrow && f.self != nil {
		self = f.self
	}
	return runBody(m, frame{f.env.inner(), self}, f.node, args)
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
		if v, ok := call(m, fn, this, args); ok {
			return v
		}
	}
	if shared, ok := r.ClosureShared(fn); ok {
		if info, ok := r.SharedInfo(shared); !ok || info.Script == 0 {
			if v, ok := m.host.Native(m, fn, this, args); ok {
				return v
			}
			panic(&stop{&NativeError{r.FunctionNameOf(fn)}, true})
		}
	}
	n := parseFunction(m, fn)
	env := &scope{heap: m.closedOver(fn)}
	self := &activation{this: this, args: args, callee: fn}
	if n.Arrow {
		if _, slot, ok := env.heap.slot("this", true); ok {
			self.this = m.Of(slot)
		}
	}
	return runBody(m, frame{env.inner(), self}, n, args)
}

// callBound calls the target of a bound function.
func callBound(m *Machine, fn layout.Tagged, args []Value) Value {
	l := &m.reader.Layout.JSBoundFunction
	target, ok1 := m.reader.Field(fn, l.Target)
	this, ok2 := m.reader.Field(fn, l.This)
	given, ok3 := m.reader.Field(fn, l.Arguments)
	if !ok1 || !ok2 || !ok3 {
		m.Fail("a bound function cannot be read")
	}
	var all []Value
	n, _ := m.reader.FixedLength(given)
	for i := range min(n, maxItems) {
		w, ok := m.reader.WordAt(given, i)
		if !ok {
			m.Fail("a bound function cannot be read")
		}
		all = append(all, m.word(w))
	}
	return m.call(Heap(target), m.word(this), append(all, args...))
}

// runBody runs a function whose scope is made.
func runBody(m *Machine, f frame, n *syntax.Node, args []Value) Value {
	if n.Async || n.Generator {
		m.Fail("async functions and generators are not run")
	}
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
	return runBlock(m, f, n.A.List).value
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

// constructNew is the operator new.
func constructNew(m *Machine, class Value, args []Value) Value {
	h, ok := class.(Heap)
	if !ok {
		m.Fail("objects of a function that was made are not made")
	}
	name := m.intrinsic(h)
	if code := constructors[name]; code != nil {
		return code(m, args)
	}
	// A class that extends one of V8's own with methods only.
	for p, n := m.prototype(class), 0; n < 4; p, n = m.prototype(p), n+1 {
		if h, ok := p.(Heap); !ok {
			break
		} else if code := collections[m.intrinsic(h)]; code != nil {
			o := code(m, args).(*Object)
			o.Proto = m.get(class, Key{Name: "prototype"})
			return o
		}
	}
	return newInstance(m, layout.Tagged(h), args)
}

// newInstance makes an object of a class of a program that extends no other.
func newInstance(m *Machine, class layout.Tagged, args []Value) Value {
	n := parseClass(m, class)
	if n.A != nil {
		m.Fail("objects of classes that extend others are not made")
	}
	o := &Object{Proto: m.get(Heap(class), Key{Name: "prototype"})}
	f := frame{&scope{heap: m.closedOver(class)}, &activation{this: o, args: args, target: Heap(class), callee: class}}
	var constructor *syntax.Node
	for _, p := range n.List {
		switch {
		case p.Static:
		case p.Prefix:
			if !p.Computed && p.A.Text == "constructor" {
				constructor = p.B
			}
		case !p.Computed && p.A.Text[0] == '#':
			o.define(m.key(privateName(m, f.scope, p.A.Text)), &Prop{Value: initialValue(m, f, p.B), Hidden: true})
		default:
			m.defineOwn(o, propertyKey(m, f, p), &Prop{Value: initialValue(m, f, p.B)})
		}
	}
	if constructor == nil {
		return o
	}
	if v := runBody(m, f.inner(), constructor, args); m.IsObject(v) {
		return v
	}
	return o
}

func initialValue(m *Machine, f frame, n *syntax.Node) Value {
	if n == nil {
		return nil
	}
	return m.eval(f, n)
}
