package eval

import (
	"errors"
	"slices"
	"strconv"

	"coredbg/runtimes/v8/callsite"
	"coredbg/runtimes/v8/getter"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/syntax"
)

// Get returns a property of a value: its own, or one of its prototypes.
func (m *Machine) Get(v Value, k Key) Value { return m.get(v, k) }

func (m *Machine) get(v Value, k Key) Value { return m.getFrom(v, k, v) }

// getFrom returns a property of a value; receiver is what its getter is called for.
func (m *Machine) getFrom(v Value, k Key, receiver Value) Value {
	if isNullish(v) {
		m.Throw("Cannot read properties of %s (reading '%s')", m.text(v), keyText(m, k))
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
		if target, handler, ok := proxyParts(m, o); ok {
			return proxyGet(m, target, handler, k, receiver)
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
		if x, ok := errorStack(m, p.Get, receiver, k); ok {
			return x
		}
		return m.getterCall(p.Get, receiver, k.Name)
	}
	return nil
}

// textMember is the length or a character of a string.
func textMember(m *Machine, s string, k Key) (Value, bool) {
	m.spend(len(s) / 256)
	if k.IsSymbol() {
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
	case BigInt:
		class = "BigInt"
	case *Symbol:
		class = "Symbol"
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
	return prototypeNamed(m, class)
}

// prototype returns the prototype of an object, or Null.
func (m *Machine) prototype(o Value) Value {
	if target, handler, ok := proxyParts(m, o); ok {
		if trap := trapOf(m, handler, "getPrototypeOf"); trap != nil {
			return m.call(trap, handler, []Value{target})
		}
		return m.prototype(target)
	}
	switch x := o.(type) {
	case *Object:
		class := "Object"
		switch {
		case x.Proto != nil:
			return x.Proto
		case x.Typed != "":
			class = x.Typed
		case x.Array:
			class = "Array"
		case x.Collection != nil && x.Collection.IsMap:
			class = "Map"
		case x.Collection != nil:
			class = "Set"
		case x.Function != nil:
			class = "Function"
		}
		return prototypeNamed(m, class)
	case Heap:
		if p := m.reader.PrototypeOf(layout.Tagged(x)); p != 0 {
			return readable(m, Heap(p))
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
	if target, handler, ok := proxyParts(m, o); ok {
		return proxyOwn(m, target, handler, k)
	}
	switch x := o.(type) {
	case *Object:
		return ownMade(m, x, k)
	case Heap:
		t := layout.Tagged(x)
		if a := m.arrays[t]; a != nil && !k.IsSymbol() {
			if _, is := index(k.Name); is || k.Name == "length" {
				return ownMade(m, a, k)
			}
		}
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
	if !k.IsSymbol() {
		i, isIndex := index(k.Name)
		switch {
		case (x.Array || x.Typed != "") && isIndex:
			if i < len(x.List) {
				return Prop{Value: x.List[i]}, true
			}
			return Prop{}, false
		case x.Array && k.Name == "length":
			return Prop{Value: float64(len(x.List)), Hidden: true}, true
		case x.Props[k] != nil:
		case x.Function != nil:
			if p, ok := ownFunction(m, x, k.Name); ok {
				return p, true
			}
		case x.RegExp != nil && k.Name == "lastIndex":
			return Prop{Value: 0.0, Hidden: true}, true
		case x.Boxed != nil:
			if s, ok := x.Boxed.(string); ok {
				if v, ok := textMember(m, s, k); ok && v != nil {
					return Prop{Value: v, Hidden: !isIndex}, true
				}
			}
		}
	}
	if p := x.Props[k]; p != nil {
		if _, not := p.Value.(unwritten); not {
			writeStack(m, x, p)
		}
		return *p, true
	}
	return Prop{}, false
}

// ownFunction is a property that functions have.
func ownFunction(m *Machine, x *Object, name string) (Prop, bool) {
	f := x.Function
	switch {
	case name == "name":
		return Prop{Value: f.Name, Hidden: true}, true
	case name == "length" && f.node != nil:
		params := f.node.List
		if f.class != nil {
			if params = nil; f.class.constructor != nil {
				params = f.class.constructor.List
			}
		}
		n := slices.IndexFunc(params, func(p *syntax.Node) bool {
			return p.Kind == syntax.Assign || p.Kind == syntax.Spread
		})
		if n < 0 {
			n = len(params)
		}
		return Prop{Value: float64(n), Hidden: true}, true
	case name == "length":
		return Prop{Value: 0.0, Hidden: true}, true
	case name == "prototype" && f.node != nil && !f.node.Arrow && !f.method && (f.node.Generator || !f.node.Async):
		proto := &Object{}
		if f.node.Generator {
			proto.Proto = prototypeNamed(m, "Iterator")
		} else {
			proto.define(Key{Name: "constructor"}, &Prop{Value: x, Hidden: true})
		}
		x.define(Key{Name: "prototype"}, &Prop{Value: proto, Hidden: true})
		return *x.Props[Key{Name: "prototype"}], true
	}
	return Prop{}, false
}

// ownHeap returns an own property of an object of the heap.
func ownHeap(m *Machine, t layout.Tagged, k Key) (Prop, bool) {
	a := m.intercepted(t)
	if a != nil && a.err == nil {
		if p, ok := a.answer(k); ok {
			return p, true
		}
	}
	if !k.IsSymbol() {
		if i, ok := index(k.Name); ok {
			s, ok := m.reader.ElementAt(t, uint64(i))
			if !ok {
				return Prop{}, false
			}
			return Prop{Value: m.Of(s)}, true
		}
	}
	p := tableOf(m, t)[k]
	if k.Own != nil {
		p = nil
	}
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
	switch {
	case err == nil:
	case m.reader.IsFunction(t) && p.Name == "prototype": // V8 makes it when it is first asked for
		if proto, ok := m.reader.FunctionPrototype(t); ok {
			return Heap(proto)
		}
		made := &Object{}
		made.define(Key{Name: "constructor"}, &Prop{Value: Heap(t), Hidden: true})
		m.defineOwn(Heap(t), Key{Name: "prototype"}, &Prop{Value: made, Hidden: true})
		return made
	default:
		m.Fail("%s is computed by V8", p.Name)
	}
	return m.Of(s)
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

// getterCall calls the getter of a property. If it cannot run, its bytecode is asked.
func (m *Machine) getterCall(getter, this Value, property string) Value {
	fn, ok := getter.(Heap)
	if !ok {
		return m.call(getter, this, nil)
	}
	if m.reader.Is(layout.Tagged(fn), m.reader.Types.FunctionTemplateInfo) {
		return templateValue(m, this, property)
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
	var native *NativeError
	if errors.As(failed.err, &native) && native.Function != "" {
		panic(failed) // its text says more
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
