package eval

import (
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A scope has the variables of a running block or function. The scope of a heap function has no parent scope,
// only the contexts that it closes over.
type scope struct {
	parent *scope
	vars   map[string]*Value
	heap   *outer // of the outermost
}

// An outer is what a function of the heap closes over.
type outer struct {
	fn       layout.Tagged
	contexts []*object.Context
}

// An activation is a call.
type activation struct {
	this   Value
	target Value // new.target
	args   []Value
	callee layout.Tagged // 0 for a function that the run made
}

// closedOver is what a function of the heap closes over.
func (m *Machine) closedOver(fn layout.Tagged) *outer {
	if x, ok := m.outers.Load(fn); ok {
		return x.(*outer)
	}
	contexts, err := m.reader.Contexts(fn)
	if err != nil {
		m.Fail("%v", err)
	}
	o := &outer{fn: fn, contexts: contexts}
	m.outers.Store(fn, o)
	return o
}

func (s *scope) inner() *scope { return &scope{parent: s} }

func (s *scope) declare(name string, v Value) {
	if s.vars == nil {
		s.vars = map[string]*Value{}
	}
	s.vars[name] = &v
}

// variable finds a variable that the run made.
func (s *scope) variable(name string) *Value {
	for ; s != nil; s = s.parent {
		if v := s.vars[name]; v != nil {
			return v
		}
	}
	return nil
}

func (s *scope) outer() *outer {
	for s.parent != nil {
		s = s.parent
	}
	return s.heap
}

// lookup is the value of a name.
func (m *Machine) lookup(s *scope, name string) (Value, bool) {
	if v := s.variable(name); v != nil {
		if u, ok := (*v).(Unknown); ok {
			panic(&stop{err: u.Err})
		}
		return *v, true
	}
	if name == "undefined" {
		return nil, true
	}
	o := s.outer()
	if at, slot, ok := o.slot(name, false); ok {
		if v, ok := m.stored[at]; ok {
			return v, true
		}
		if !slot.Raw && slot.Word.IsHeap() && m.reader.IsHole(slot.Word) {
			m.Throw("%s has no value yet", name)
		}
		return m.Of(slot), true
	}
	if o.fn != 0 && name == m.reader.FunctionNameOf(o.fn) && name != "" {
		return Heap(o.fn), true
	}
	return globalValue(m, o.fn, name)
}

// slot finds the slot of a context that has a variable; own ones of the compiler too.
func (o *outer) slot(name string, hidden bool) (place, object.Slot, bool) {
	for _, c := range o.contexts {
		list := c.Variables
		if hidden {
			list = c.Locals
		}
		for _, x := range list {
			if x.Name == name {
				return place{c.Word, x.Index}, x.Slot, true
			}
		}
	}
	return place{}, object.Slot{}, false
}

// globalValue is a binding of a script, or a property of the global object.
func globalValue(m *Machine, fn layout.Tagged, name string) (Value, bool) {
	re := m.realm(fn)
	if re.native == 0 {
		return nil, false
	}
	for _, c := range m.reader.ScriptContexts(re.native) {
		for _, x := range c.Variables {
			if x.Name == name {
				return m.Of(x.Slot), true
			}
		}
	}
	k := Key{Name: name}
	for o := Value(Heap(re.global)); m.IsObject(o); o = m.prototype(o) {
		m.step()
		if _, ok := m.own(o, k); ok {
			return m.get(globalThis(m, re), k), true
		}
	}
	return nil, false
}

// globalThis is the proxy of the global object, which getters compare their receiver with.
func globalThis(m *Machine, re *realm) Value {
	if p, ok := m.own(Heap(re.global), Key{Name: "globalThis"}); ok && !p.Accessor && m.IsObject(p.Value) {
		return p.Value
	}
	return Heap(re.global)
}

// store writes a variable.
func (m *Machine) store(s *scope, name string, v Value) {
	if p := s.variable(name); p != nil {
		*p = v
		return
	}
	if at, _, ok := s.outer().slot(name, false); ok {
		m.stored[at] = v
		return
	}
	m.Fail("the variable %s is not known", name)
}

// privateName resolves a private name to its symbol, or to the method that it names.
func privateName(m *Machine, s *scope, name string) Value {
	_, slot, ok := s.outer().slot(name, true)
	if !ok {
		m.Fail("the private name %s is not known", name)
	}
	if !slot.Raw && m.reader.Is(slot.Word, m.reader.Types.AccessorPair) {
		get, _ := m.reader.Field(slot.Word, m.reader.Layout.AccessorPair.Getter)
		return &Object{Props: map[Key]*Prop{{}: {Accessor: true, Get: halfOf(m, get)}}}
	}
	return m.Of(slot)
}

// privateMember is o.#name.
func privateMember(m *Machine, s *scope, o Value, name string) Value {
	v := privateName(m, s, name)
	if pair, ok := v.(*Object); ok {
		return m.call(pair.Props[Key{}].Get, o, nil)
	}
	if m.typeOf(v) == "function" {
		return v
	}
	p, ok := m.own(o, m.key(v))
	if !ok {
		m.Throw("the object has no %s", name)
	}
	return p.Value
}
