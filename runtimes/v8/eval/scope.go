package eval

import (
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"strings"
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
	fn     Value         // the function or class
	home   Value         // the object that super starts above; nil where it has to be looked for
	class  *class        // of a constructor
	// coroutine is set where the call can wait: in generators and async functions.
	coroutine waiter
	program   bool // statements as they are typed
	bare      bool // no call: there are no arguments
}

// A waiter hands out a value, and waits until its function is resumed.
type waiter interface{ wait(v Value) Value }

// An awaiting is what a function yields that waits for a promise.
type awaiting struct{ value Value }

// uninitialized is this of a constructor that has to call super first.
type uninitialized struct{}

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
			m.throwAs("ReferenceError", "Cannot access '%s' before initialization", name)
		}
		return m.Of(slot), true
	}
	if o.fn != 0 && name == m.reader.FunctionNameOf(o.fn) && name != "" {
		return Heap(o.fn), true
	}
	if v := m.kept[name]; v != nil {
		return *v, true
	}
	if m.late != nil && o.fn == 0 {
		if v, ok := m.late(name); ok {
			return v, true
		}
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
		for _, x := range c.Imported {
			if x.Name == name && !hidden {
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
		return madeGlobals(m, name)
	}
	for _, c := range m.reader.ScriptContexts(re.native) {
		for _, x := range c.Variables {
			if x.Name == name {
				return m.Of(x.Slot), true
			}
		}
	}
	if _, _, err := m.reader.Properties(re.global, 1); err != nil { // the global object's are not in the core
		v, ok := madeGlobals(m, name)
		if !ok {
			m.Fail("%v", err)
		}
		return v, ok
	}
	k := Key{Name: name}
	for o := Value(Heap(re.global)); m.IsObject(o); o = m.prototype(o) {
		m.step()
		if _, ok := m.own(o, k); ok {
			return readable(m, m.get(globalThis(m, re), k)), true
		}
	}
	return nil, false
}

// globalThis is the proxy of the global object, which getters compare their receiver with.
func globalThis(m *Machine, re *realm) Value {
	if _, _, err := m.reader.Properties(re.global, 1); err != nil {
		return Heap(re.global)
	}
	if p, ok := m.own(Heap(re.global), Key{Name: "globalThis"}); ok && !p.Accessor && m.IsObject(p.Value) {
		return p.Value
	}
	return Heap(re.global)
}

// templateValue is a property whose getter is the embedder's. A page keeps some of them in a private property
// (Blink's CachedAccessor), and its window is itself.
func templateValue(m *Machine, this Value, property string) Value {
	o, _ := m.holder(this).(Heap)
	re := m.realm(0)
	if layout.Tagged(o) == re.global && (property == "window" || property == "self" || property == "frames") {
		return globalThis(m, re)
	}
	end := "#" + strings.ToUpper(property[:min(1, len(property))]) + property[min(1, len(property)):] + "CachedAccessor"
	if m.IsObject(o) {
		for _, p := range tableOf(m, layout.Tagged(o)) {
			if p.Private && strings.HasSuffix(m.reader.SymbolDescription(p.Word), end) {
				return m.Of(p.Value)
			}
		}
	}
	panic(&stop{&NativeError{"the getter of " + property}, true})
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
	switch p := m.kept[name]; {
	case p != nil:
		*p = v
	case m.kept != nil:
		m.kept[name] = &v
	default:
		m.Fail("the variable %s is not known", name)
	}
}

// privateName resolves a private name to its symbol, or to the method that it names. Where no class is around, one
// of the classes of the object o has it, as in the console of a browser.
func privateName(m *Machine, s *scope, name string, o Value) Value {
	if v := s.variable(name); v != nil {
		return *v
	}
	_, slot, ok := s.outer().slot(name, true)
	if !ok {
		slot, ok = privateOf(m, o, name)
	}
	if !ok {
		if x, made := o.(*Object); made {
			if v, found := x.private(m, name); found {
				return v
			}
		}
		m.throwAs("SyntaxError", "Private field '%s' must be declared in an enclosing class", name)
	}
	if !slot.Raw && m.reader.Is(slot.Word, m.reader.Types.AccessorPair) {
		get, _ := m.reader.Field(slot.Word, m.reader.Layout.AccessorPair.Getter)
		return &Object{Props: map[Key]*Prop{{}: {Accessor: true, Get: halfOf(m, get)}}}
	}
	return m.Of(slot)
}

// privateMember is o.#name.
func privateMember(m *Machine, s *scope, o Value, name string) Value {
	if isNullish(o) {
		m.Throw("Cannot read properties of %s (reading '%s')", m.text(o), name)
	}
	v := privateName(m, s, name, o)
	if pair, ok := v.(*Object); ok && pair.Function == nil {
		p := pair.Props[Key{}]
		if p == nil || isNullish(p.Get) {
			m.Throw("'%s' was defined without a getter", name)
		}
		return m.call(p.Get, o, nil)
	}
	if m.typeOf(v) == "function" {
		return v
	}
	p, ok := m.own(o, m.key(v))
	if !ok {
		m.Throw("Cannot read private member %s from an object whose class did not declare it", name)
	}
	return p.Value
}

// privateOf finds the slot of a private name in the scopes of the classes of an object, or its symbol in the object.
func privateOf(m *Machine, o Value, name string) (object.Slot, bool) {
	if h, ok := o.(Heap); ok && m.IsObject(h) {
		for k, p := range tableOf(m, layout.Tagged(h)) {
			if p.Private && m.reader.SymbolDescription(k.Symbol) == name {
				return object.Slot{Word: k.Symbol}, true
			}
		}
	}
	for n := 0; m.IsObject(o) && n < object.MaxPrototypes; o, n = m.prototype(o), n+1 {
		p, ok := m.own(o, Key{Name: "constructor"})
		class, is := p.Value.(Heap)
		if !ok || p.Accessor || !is || !m.reader.IsFunction(layout.Tagged(class)) {
			continue
		}
		if _, slot, ok := m.closedOver(layout.Tagged(class)).slot(name, true); ok {
			return slot, true
		}
	}
	return object.Slot{}, false
}

// private finds a private name of an object that was made: a field, or a method of its class.
func (o *Object) private(m *Machine, name string) (Value, bool) {
	for _, k := range o.Keys {
		if k.Own != nil && k.Own.Description == name && o.Props[k].Hidden {
			return k.Own, true
		}
		if k.Symbol != 0 && m.reader.SymbolDescription(k.Symbol) == name {
			return Heap(k.Symbol), true
		}
	}
	for p, n := Value(o), 0; m.IsObject(p) && n < object.MaxPrototypes; p, n = m.prototype(p), n+1 {
		if c, ok := m.own(p, Key{Name: "constructor"}); ok {
			if fn, ok := c.Value.(*Object); ok && fn.Function != nil && fn.Function.class != nil {
				if v := fn.Function.class.env.variable(name); v != nil {
					return *v, true
				}
			}
		}
	}
	return nil, false
}
