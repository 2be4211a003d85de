package eval

import (
	"fmt"
	"strconv"

	"coredbg/runtimes/v8/callsite"
	"coredbg/runtimes/v8/getter"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// Get returns a property of a value: its own, or one of its prototypes.
func (m *Machine) Get(v Value, k Key) Value { return m.get(v, k) }

func (m *Machine) get(v Value, k Key) Value {
	if isNullish(v) {
		m.Throw("%s has no property %s", m.text(v), k.Name)
	}
	if s, ok := v.(string); ok {
		if x, ok := textMember(m, s, k); ok {
			return x
		}
	}
	for o, n := m.holder(v), 0; m.IsObject(o); o, n = m.prototype(o), n+1 {
		m.step()
		if n > object.MaxPrototypes {
			break
		}
		p, ok := m.own(o, k)
		if !ok {
			continue
		}
		if u, ok := p.Value.(Unknown); ok && !p.Accessor {
			panic(&stop{u.Err, true})
		}
		if !p.Accessor {
			return p.Value
		}
		if isNullish(p.Get) {
			return nil
		}
		if x, ok := errorStack(m, p.Get, v, k); ok {
			return x
		}
		return m.getterCall(p.Get, v, k.Name)
	}
	return nil
}

// textMember is the length or a character of a string.
func textMember(m *Machine, s string, k Key) (Value, bool) {
	m.spend(len(s) / 256)
	if k.Symbol != 0 {
		return nil, false
	}
	if k.Name == "length" {
		return float64(len(units(s))), true
	}
	if i, ok := index(k.Name); ok {
		if u := units(s); i < len(u) {
			return fromUnits(u[i : i+1]), true
		}
		return nil, true
	}
	return nil, false
}

// index is the array index that a name is.
func index(name string) (int, bool) {
	if name == "" || len(name) > 9 || name[0] < '0' || name[0] > '9' {
		return 0, false
	}
	n, err := strconv.Atoi(name)
	return n, err == nil && strconv.Itoa(n) == name
}

// holder returns the object where the search for a property of v begins.
func (m *Machine) holder(v Value) Value {
	class := ""
	switch x := v.(type) {
	case string:
		class = "String"
	case float64:
		class = "Number"
	case bool:
		class = "Boolean"
	case Heap:
		switch m.typeOf(x) {
		case "symbol":
			class = "Symbol"
		case "bigint":
			class = "BigInt"
		default:
			t := layout.Tagged(x)
			if g, ok := m.reader.GlobalOf(t); ok && m.reader.Is(t, m.reader.Types.JSGlobalProxy) {
				return Heap(g)
			}
			return v
		}
	default:
		return v
	}
	return m.realm(0).prototype(class)
}

// prototype returns the prototype of an object, or Null.
func (m *Machine) prototype(o Value) Value {
	switch x := o.(type) {
	case *Object:
		switch {
		case x.Proto != nil:
			return x.Proto
		case x.Array:
			return m.realm(0).prototype("Array")
		case x.Collection != nil && x.Collection.IsMap:
			return m.realm(0).prototype("Map")
		case x.Collection != nil:
			return m.realm(0).prototype("Set")
		case x.Function != nil:
			return m.realm(0).prototype("Function")
		}
		return m.realm(0).prototype("Object")
	case Heap:
		if m.reader.TypeNamed(layout.Tagged(x), "JS_PROXY_TYPE") {
			m.Fail("proxies are not run")
		}
		if p := m.reader.PrototypeOf(layout.Tagged(x)); p != 0 {
			return Heap(p)
		}
	}
	return Null{}
}

// Prototype returns the prototype of an object, or Null.
func (m *Machine) Prototype(o Value) Value { return m.prototype(o) }

// Own returns an own property of an object.
func (m *Machine) Own(o Value, k Key) (Prop, bool) { return m.own(o, k) }

// own returns an own property of an object.
func (m *Machine) own(o Value, k Key) (Prop, bool) {
	switch x := o.(type) {
	case *Object:
		return ownMade(m, x, k)
	case Heap:
		t := layout.Tagged(x)
		if a := m.above[t]; a != nil {
			if p := a.Props[k]; p != nil {
				return *p, !p.gone
			}
		}
		return ownHeap(m, t, k)
	}
	return Prop{}, false
}

func ownMade(m *Machine, x *Object, k Key) (Prop, bool) {
	if k.Symbol == 0 {
		i, isIndex := index(k.Name)
		switch {
		case x.Array && isIndex:
			if i < len(x.List) {
				return Prop{Value: x.List[i]}, true
			}
			return Prop{}, false
		case x.Array && k.Name == "length":
			return Prop{Value: float64(len(x.List)), Hidden: true}, true
		case x.Function != nil && k.Name == "name" && x.Props[k] == nil:
			return Prop{Value: x.Function.Name, Hidden: true}, true
		}
	}
	if p := x.Props[k]; p != nil {
		return *p, true
	}
	return Prop{}, false
}

// ownHeap returns an own property of an object of the heap.
func ownHeap(m *Machine, t layout.Tagged, k Key) (Prop, bool) {
	if m.reader.TypeNamed(t, "JS_PROXY_TYPE") {
		m.Fail("proxies are not run")
	}
	a := m.intercepted(t)
	if a != nil && a.err == nil {
		if p, ok := a.answer(k); ok {
			return p, true
		}
	}
	if k.Symbol == 0 {
		if i, ok := index(k.Name); ok {
			s, ok := m.reader.ElementAt(t, uint64(i))
			if !ok {
				return Prop{}, false
			}
			return Prop{Value: m.Of(s)}, true
		}
	}
	p := tableOf(m, t)[k]
	switch {
	case p == nil && a != nil:
		return a.answer(k)
	case p == nil:
		return Prop{}, false
	}
	out := Prop{Hidden: !p.Enumerable}
	switch {
	case p.Accessor:
		out.Accessor = true
		out.Get, out.Set = halfOf(m, p.Getter), halfOf(m, p.Setter)
	case p.Native:
		out.Value = nativeProperty(m, t, p)
	default:
		if !p.Value.Raw && p.Value.Word.IsHeap() && m.reader.IsHole(p.Value.Word) {
			return Prop{}, false
		}
		out.Value = m.Of(p.Value)
	}
	return out, true
}

// halfOf is a getter or setter; undefined if there is none.
func halfOf(m *Machine, t layout.Tagged) Value {
	if !t.IsHeap() || m.reader.OddballKind(t) != "" {
		return nil
	}
	return Heap(t)
}

// nativeProperty is a property that V8 computes.
func nativeProperty(m *Machine, t layout.Tagged, p *object.Property) Value {
	if m.reader.IsFunction(t) {
		switch p.Name {
		case "name":
			return m.reader.FunctionNameOf(t)
		case "length":
			if n, ok := m.reader.FunctionLength(t, 0); ok {
				return float64(n)
			}
		}
	}
	if p.Name == "stack" {
		if s, err := callsite.New(m.reader).ErrorStack(t); err == nil && s != "" {
			return s
		}
	}
	s, err := m.reader.Own(object.Slot{Word: t}, p.Name)
	if err != nil {
		m.Fail("%s is computed by V8", p.Name)
	}
	return m.Of(s)
}

// errorStack returns the stack of an error whose property "stack" has a getter of V8's own: a function, or the template
// that it is made of when it is first asked for.
func errorStack(m *Machine, getter, this Value, k Key) (Value, bool) {
	h, ok := this.(Heap)
	g, native := getter.(Heap)
	if k != (Key{Name: "stack"}) || !ok || !native {
		return nil, false
	}
	if !m.reader.Is(layout.Tagged(g), m.reader.Types.FunctionTemplateInfo) {
		shared, ok := m.reader.ClosureShared(layout.Tagged(g))
		if info, known := m.reader.SharedInfo(shared); !ok || !known || info.Script != 0 {
			return nil, false
		}
	}
	sites := callsite.New(m.reader)
	if t := sites.StackValue(layout.Tagged(h)); t != 0 {
		return m.word(t), true
	}
	s, err := sites.ErrorStack(layout.Tagged(h))
	if err != nil {
		m.Fail("%v", err)
	}
	return s, s != ""
}

// tableOf returns the own named properties of an object of the heap.
func tableOf(m *Machine, t layout.Tagged) map[Key]*object.Property {
	if x, ok := m.tables[t]; ok {
		return x
	}
	list, _, err := m.reader.Properties(t, maxItems)
	if err != nil {
		m.Fail("%v", err)
	}
	m.spend(len(list))
	x := make(map[Key]*object.Property, len(list))
	for i := range list {
		p := &list[i]
		k := Key{Name: p.Name}
		if p.Symbol || p.Private {
			k = Key{Symbol: p.Word}
		}
		x[k] = p
		if !p.Private {
			m.order[t] = append(m.order[t], k)
		}
	}
	m.tables[t] = x
	return x
}

// An UnmadeError says that a property has no value yet: its getter would make it. Variable is where the getter
// keeps it; it is "" for a getter without bytecode, which did not run, or not for a while. Getter is "" for one that
// is not in the core with all of its parts.
type UnmadeError struct{ Property, Getter, Variable string }

// Error gives the reason, and the place of the value if it had one.
func (e *UnmadeError) Error() string {
	switch {
	case e.Getter == "":
		return fmt.Sprintf("eval: not in the core: %s is what its getter returns, which is not in the core either",
			e.Property)
	case e.Variable == "":
		return fmt.Sprintf("eval: not in the core: %s is what its getter %s returns, and that is not compiled: "+
			"the program had not asked for it, or not for a long time", e.Property, e.Getter)
	}
	return fmt.Sprintf("eval: not in the core: %s is made when it is first asked for, and the program had not asked: "+
		"the variable %s, where its getter %s keeps it, is undefined", e.Property, e.Variable, e.Getter)
}

// getterCall calls the getter of a property. If it cannot run, its bytecode is asked.
func (m *Machine) getterCall(getter, this Value, property string) Value {
	fn, ok := getter.(Heap)
	if !ok {
		return m.call(getter, this, nil)
	}
	v, failed := m.tried(func() Value { return m.call(getter, this, nil) })
	if failed == nil {
		return v
	}
	return m.keptValue(layout.Tagged(fn), property, failed)
}

// keptValue returns what a getter that failed keeps, or stops for want of it.
func (m *Machine) keptValue(fn layout.Tagged, property string, failed *stop) Value {
	unmade := func(variable string) {
		panic(&stop{&UnmadeError{property, m.reader.FunctionNameOf(fn), variable}, true})
	}
	if g, ok := getter.Read(m.reader, fn); ok {
		if kept, ok := g.Kept(); ok {
			return m.Of(kept)
		}
		if name, ok := g.Unmade(); ok {
			unmade(name)
		}
	}
	shared, ok := m.reader.ClosureShared(fn)
	if !ok && incomplete(m, fn) {
		panic(&stop{&UnmadeError{Property: property}, true})
	}
	if _, lazy := m.reader.UncompiledData(shared); ok && lazy {
		unmade("")
	}
	panic(failed)
}

// tried runs code. failed is the reason if it stopped.
func (m *Machine) tried(code func() Value) (v Value, failed *stop) {
	calls := m.calls
	defer func() {
		switch x := recover().(type) {
		case nil:
		case *stop:
			failed, m.calls = x, calls
		default:
			panic(x)
		}
	}()
	return code(), nil
}
