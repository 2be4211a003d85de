package eval

import (
	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/layout"
)

// closedOver is what a function of the heap closes over.
func closedOver(m *ecma.Machine, fn layout.Tagged) *ecma.Outer {
	if x, ok := m.Outers.Load(fn); ok {
		return x.(*ecma.Outer)
	}
	contexts, err := m.Reader.Contexts(fn)
	if err != nil {
		m.Fail("%v", err)
	}
	o := &ecma.Outer{Fn: fn, Contexts: contexts}
	m.Outers.Store(fn, o)
	return o
}

// lookup is the value of a name.
func lookup(m *ecma.Machine, s *ecma.Scope, name string) (ecma.Value, bool) {
	if v := s.Variable(name); v != nil {
		if u, ok := (*v).(ecma.Unknown); ok {
			panic(&ecma.Stop{Err: u.Err})
		}
		return *v, true
	}
	if name == "undefined" {
		return nil, true
	}
	o := s.Outer()
	if at, slot, ok := o.Slot(name, false); ok {
		if v, ok := m.Stored[at]; ok {
			return v, true
		}
		if !slot.Raw && slot.Word.IsHeap() && m.Reader.IsHole(slot.Word) {
			m.ThrowAs("ReferenceError", "Cannot access '%s' before initialization", name)
		}
		return m.Of(slot), true
	}
	if o.Fn != 0 && name == m.Reader.FunctionNameOf(o.Fn) && name != "" {
		return ecma.Heap(o.Fn), true
	}
	if v := m.Kept[name]; v != nil {
		return *v, true
	}
	if m.Late != nil && o.Fn == 0 {
		if v, ok := m.Late(name); ok {
			return v, true
		}
	}
	return ecma.GlobalValue(m, o.Fn, name)
}

// store writes a variable.
func store(m *ecma.Machine, s *ecma.Scope, name string, v ecma.Value) {
	found, written := s.Assign(name, v)
	if found && !written || !found && m.KeptConstants[name] && !closes(s, name) {
		m.ThrowAs("TypeError", "Assignment to constant variable.")
	}
	if found {
		return
	}
	if at, _, ok := s.Outer().Slot(name, false); ok {
		m.Stored[at] = v
		return
	}
	switch p := m.Kept[name]; {
	case p != nil:
		*p = v
	case m.Kept != nil:
		m.Kept[name] = &v
	default:
		m.Fail("the variable %s is not known", name)
	}
}

// closes reports whether the function that a scope is in closes over a name.
func closes(s *ecma.Scope, name string) bool {
	_, _, ok := s.Outer().Slot(name, false)
	return ok
}
