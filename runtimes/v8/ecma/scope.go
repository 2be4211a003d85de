package ecma

import (
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/syntax"
)

// A Scope has the variables of a running block or function. The scope of a heap function has no parent scope,
// only the contexts that it closes over.
type Scope struct {
	Parent *Scope
	Vars   map[string]*Value
	// Constants are the names of the Vars that are not assigned to.
	Constants map[string]bool
	Heap      *Outer // of the outermost
}

// An Outer is what a function of the heap closes over.
type Outer struct {
	Fn       layout.Tagged
	Contexts []*object.Context
}

// An Activation is a call.
type Activation struct {
	This   Value
	Target Value // new.target
	Args   []Value
	Callee layout.Tagged // 0 for a function that the run made
	Fn     Value         // the function or class
	Home   Value         // the object that super starts above; nil where it has to be looked for
	Class  *Class        // of a constructor
	// Coroutine is set where the call can wait: in generators and async functions.
	Coroutine Waiter
	Program   bool // statements as they are typed
	Bare      bool // no call: there are no arguments
}

// A Waiter hands out a value, and waits until its function is resumed.
type Waiter interface{ Wait(v Value) Value }

// An Awaiting is what a function yields that waits for a promise.
type Awaiting struct{ Value Value }

// Uninitialized is this of a constructor that has to call super first.
type Uninitialized struct{}

// Inner returns a scope inside this one.
func (s *Scope) Inner() *Scope { return &Scope{Parent: s} }

// Declare makes a variable.
func (s *Scope) Declare(name string, v Value) {
	if s.Vars == nil {
		s.Vars = map[string]*Value{}
	}
	s.Vars[name] = &v
	delete(s.Constants, name)
}

// DeclareConstant makes a variable that is not assigned to.
func (s *Scope) DeclareConstant(name string, v Value) {
	s.Declare(name, v)
	if s.Constants == nil {
		s.Constants = map[string]bool{}
	}
	s.Constants[name] = true
}

// Assign writes a variable that the run made. It reports whether there is one, and whether it was written: a constant
// is not.
func (s *Scope) Assign(name string, v Value) (found, written bool) {
	for ; s != nil; s = s.Parent {
		if p := s.Vars[name]; p != nil {
			if s.Constants[name] {
				return true, false
			}
			*p = v
			return true, true
		}
	}
	return false, false
}

// Variable finds a variable that the run made.
func (s *Scope) Variable(name string) *Value {
	for ; s != nil; s = s.Parent {
		if v := s.Vars[name]; v != nil {
			return v
		}
	}
	return nil
}

// Outer returns what the function closes over that the scope is in.
func (s *Scope) Outer() *Outer {
	for s.Parent != nil {
		s = s.Parent
	}
	return s.Heap
}

// Slot finds the slot of a context that has a variable; own ones of the compiler too.
func (o *Outer) Slot(name string, hidden bool) (ContextSlot, object.Slot, bool) {
	for _, c := range o.Contexts {
		list := c.Variables
		if hidden {
			list = c.Locals
		}
		for _, x := range list {
			if x.Name == name {
				return ContextSlot{c.Word, x.Index}, x.Slot, true
			}
		}
		for _, x := range c.Imported {
			if x.Name == name && !hidden {
				return ContextSlot{c.Word, x.Index}, x.Slot, true
			}
		}
	}
	return ContextSlot{}, object.Slot{}, false
}

// A Frame is what is run: a scope of a call.
type Frame struct {
	*Scope
	Self *Activation
}

// Inner returns a frame of the same call, with a scope inside its own.
func (f Frame) Inner() Frame { return Frame{f.Scope.Inner(), f.Self} }

// A Class is what makes objects of a class: its text, and where its fields are evaluated.
type Class struct {
	Node        *syntax.Node
	Env         *Scope
	Constructor *syntax.Node         // nil for the default one
	Keys        map[*syntax.Node]Key // of computed fields, which are evaluated with the class
}

// A Returned is the panic of a generator that is told to return.
type Returned struct {
	From  Waiter
	Value Value
}

// CatchReturn runs code, and returns what ended it if its generator was told to return.
func CatchReturn(code func()) (back *Returned) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case *Returned:
			back = x
		default:
			panic(x)
		}
	}()
	code()
	return nil
}
