package eval

import (
	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/library"
	"coredbg/runtimes/v8/syntax"
)

func callMade(m *ecma.Machine, fn *ecma.Object, this ecma.Value, args []ecma.Value) ecma.Value {
	f := fn.Function
	self := &ecma.Activation{This: this, Args: args, Home: f.Home, Fn: fn}
	if f.Node.Arrow && f.Self != nil {
		if self = f.Self; f.Node.Async {
			copied := *f.Self
			self = &copied
		}
	}
	if ecma.IsNullish(this) && !f.Method && !f.Node.Arrow { // what is typed is sloppy
		if re := m.Realm(0); re.Native != 0 {
			self.This = ecma.GlobalThis(m, re)
		}
	}
	before := m.Completion
	v := runFunction(m, ecma.Frame{Scope: f.Env.Inner(), Self: self}, f.Node, args, f.Kind(), fn)
	m.Completion = before
	return v
}

// runFunction runs a function of a kind whose scope is made; fn is the function.
func runFunction(m *ecma.Machine, f ecma.Frame, n *syntax.Node, args []ecma.Value, kind string,
	fn ecma.Value) ecma.Value {
	if kind == "Function" {
		return runBody(m, f, n, args)
	}
	return library.RunWaiting(m, kind, func(w ecma.Waiter) ecma.Value {
		f.Self.Coroutine = w
		return runBody(m, f, n, args)
	}, fn)
}

// runBody runs the parameters and the statements of a function.
func runBody(m *ecma.Machine, f ecma.Frame, n *syntax.Node, args []ecma.Value) ecma.Value {
	for i, p := range n.List {
		if p.Kind == syntax.Spread {
			declareAs(m, f, p.A, &ecma.Object{Array: true, List: append([]ecma.Value(nil),
				args[min(i, len(args)):]...)}, "let")
			continue
		}
		declareAs(m, f, p, ecma.Arg(args, i), "let")
	}
	if n.A.Kind != syntax.Block {
		return eval(m, f, n.A)
	}
	for _, name := range variablesOf(n.A, nil) {
		if f.Vars[name] == nil {
			f.Declare(name, nil)
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

// callScript calls a function of a script of the heap.
func callScript(m *ecma.Machine, fn layout.Tagged, this ecma.Value, args []ecma.Value) ecma.Value {
	r := m.Reader
	kind := r.FunctionType(fn)
	if kind == "class" {
		m.Throw("Class constructor %s cannot be invoked without 'new'", r.FunctionNameOf(fn))
	}
	n := ecma.ParseFunction(m, fn)
	env := &ecma.Scope{Heap: closedOver(m, fn)}
	self := &ecma.Activation{This: this, Args: args, Callee: fn, Fn: ecma.Heap(fn)}
	if n.Arrow {
		if _, slot, ok := env.Heap.Slot("this", true); ok {
			self.This = m.Of(slot)
		}
	}
	return runFunction(m, ecma.Frame{Scope: env.Inner(), Self: self}, n, args, kind, ecma.Heap(fn))
}
