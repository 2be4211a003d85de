package ecma

import (
	"errors"
	"strings"

	"coredbg/runtimes/v8/getter"
	"coredbg/runtimes/v8/layout"
)

// getterCall calls the getter of a property. If it cannot run, its bytecode is asked.
func (m *Machine) getterCall(getter, this Value, property string) Value {
	fn, ok := getter.(Heap)
	if !ok {
		return m.Call(getter, this, nil)
	}
	if m.Reader.Is(layout.Tagged(fn), m.Reader.Types.FunctionTemplateInfo) {
		return templateValue(m, this, property)
	}
	v, failed := m.Tried(func() Value { return m.Call(getter, this, nil) })
	if failed == nil {
		return v
	}
	return m.keptValue(layout.Tagged(fn), property, failed)
}

// keptValue returns what a getter that failed keeps, or stops for want of it.
func (m *Machine) keptValue(fn layout.Tagged, property string, failed *Stop) Value {
	unmade := func(variable string) {
		panic(&Stop{&UnmadeError{property, m.Reader.FunctionNameOf(fn), variable}, true})
	}
	if g, ok := getter.Read(m.Reader, fn); ok {
		if kept, ok := g.Kept(); ok {
			return m.Of(kept)
		}
		if name, ok := g.Unmade(); ok {
			unmade(name)
		}
	}
	var native *NativeError
	if errors.As(failed.Err, &native) && native.Function != "" {
		panic(failed) // its text says more
	}
	shared, ok := m.Reader.ClosureShared(fn)
	if !ok && Incomplete(m, fn) {
		panic(&Stop{&UnmadeError{Property: property}, true})
	}
	if _, lazy := m.Reader.UncompiledData(shared); ok && lazy {
		unmade("")
	}
	panic(failed)
}

// templateValue is a property whose getter is the embedder's. A page keeps some of them in a private property
// (Blink's CachedAccessor), and its window is itself.
func templateValue(m *Machine, this Value, property string) Value {
	o, _ := m.Holder(this).(Heap)
	re := m.Realm(0)
	if layout.Tagged(o) == re.Global && (property == "window" || property == "self" || property == "frames") {
		return GlobalThis(m, re)
	}
	end := "#" + strings.ToUpper(property[:min(1, len(property))]) + property[min(1, len(property)):] + "CachedAccessor"
	if m.IsObject(o) {
		for _, p := range TableOf(m, layout.Tagged(o)) {
			if p.Private && strings.HasSuffix(m.Reader.SymbolDescription(p.Word), end) {
				return m.Of(p.Value)
			}
		}
	}
	panic(&Stop{&NativeError{"the getter of " + property}, true})
}

// GlobalThis is the proxy of the global object, which getters compare their receiver with.
func GlobalThis(m *Machine, re *Realm) Value {
	if _, _, err := m.Reader.Properties(re.Global, 1); err != nil {
		return Heap(re.Global)
	}
	if p, ok := m.Own(Heap(re.Global), Key{Name: "globalThis"}); ok && !p.Accessor && m.IsObject(p.Value) {
		return p.Value
	}
	return Heap(re.Global)
}

// GlobalValue is a binding of a script, or a property of the global object.
func GlobalValue(m *Machine, fn layout.Tagged, name string) (Value, bool) {
	re := m.Realm(fn)
	if re.Native == 0 {
		return m.Library.Global(m, name)
	}
	for _, c := range m.Reader.ScriptContexts(re.Native) {
		for _, x := range c.Variables {
			if x.Name == name {
				return m.Of(x.Slot), true
			}
		}
	}
	if _, _, err := m.Reader.Properties(re.Global, 1); err != nil { // the global object's are not in the core
		v, ok := m.Library.Global(m, name)
		if !ok {
			m.Fail("%v", err)
		}
		return v, ok
	}
	k := Key{Name: name}
	for o := Value(Heap(re.Global)); m.IsObject(o); o = m.Prototype(o) {
		m.Step()
		if _, ok := m.Own(o, k); ok {
			return Readable(m, m.Get(GlobalThis(m, re), k)), true
		}
	}
	return nil, false
}
