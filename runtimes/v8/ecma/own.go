package ecma

import (
	"slices"
	"strconv"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// Set is the assignment to a property.
func (m *Machine) Set(v Value, k Key, x Value) {
	m.Step()
	if IsNullish(v) {
		m.Throw("Cannot set properties of %s (setting '%s')", m.Text(v), keyText(m, k))
	}
	if target, handler, ok := ProxyParts(m, v); ok {
		proxySet(m, target, handler, k, x, v)
		return
	}
	o, made := v.(*Object)
	if h, ok := v.(Heap); ok && m.Arrays[layout.Tagged(h)] != nil {
		o, made = m.Arrays[layout.Tagged(h)], true
	}
	if made && o.Frozen {
		m.Throw("Cannot assign to read only property '%s' of object '%s'", keyText(m, k), ShownValue(m, v))
	}
	if made && (o.Array || o.Typed != "") && !k.IsSymbol() && setElement(m, o, k.Name, x) {
		return
	}
	old, found := m.Own(v, k)
	for p, n := v, 0; !found && m.IsObject(p) && n < object.MaxPrototypes; n++ {
		if p = m.Prototype(p); m.IsObject(p) {
			if inherited, ok := m.Own(p, k); ok {
				if inherited.Accessor {
					old, found = inherited, true
				}
				break
			}
		}
	}
	if found && old.Accessor {
		if !IsNullish(old.Set) {
			m.Call(old.Set, v, []Value{x})
		}
		return
	}
	m.DefineOwn(v, k, &Prop{Value: x, Hidden: found && old.Hidden})
}

// setElement writes an element, or the length, of an array that was made.
func setElement(m *Machine, o *Object, name string, x Value) bool {
	i, ok := index(name)
	if o.Typed != "" {
		if ok && i < len(o.List) {
			o.List[i] = m.Library.Element(m, o.Typed, x)
		}
		return ok
	}
	if name == "length" {
		i, ok = m.Integer(x)-1, true
		if i+1 < len(o.List) {
			o.List = o.List[:max(i+1, 0)]
			return true
		}
	}
	if !ok {
		return false
	}
	if i >= MaxItems {
		m.Fail("an array is too long")
	}
	for len(o.List) <= i {
		o.List = append(o.List, nil)
	}
	if name != "length" {
		o.List[i] = x
	}
	return true
}

// DefineOwn makes or replaces an own property.
func (m *Machine) DefineOwn(v Value, k Key, p *Prop) {
	switch o := v.(type) {
	case *Object:
		if o.Array && !p.Accessor && !k.IsSymbol() && setElement(m, o, k.Name, p.Value) {
			return
		}
		o.Define(k, p)
	case Heap:
		t := m.Behind(o)
		if m.Above[t] == nil {
			m.Above[t] = &Object{}
		}
		m.Above[t].Define(k, p)
	}
}

// Delete deletes an own property.
func (m *Machine) Delete(v Value, k Key) {
	if target, handler, ok := ProxyParts(m, v); ok {
		proxyDelete(m, target, handler, k)
		return
	}
	switch o := v.(type) {
	case *Object:
		if i, ok := index(k.Name); ok && o.Array && i < len(o.List) {
			o.List[i] = nil
			return
		}
		delete(o.Props, k)
		o.Keys = slices.DeleteFunc(o.Keys, func(x Key) bool { return x == k })
	case Heap:
		m.DefineOwn(v, k, &Prop{gone: true})
	}
}

// OwnKeys are the own property keys of an object: indices, strings, symbols.
func (m *Machine) OwnKeys(v Value) []Key {
	if target, handler, ok := ProxyParts(m, v); ok {
		return proxyKeys(m, target, handler)
	}
	var list []Key
	switch o := v.(type) {
	case *Object:
		list = keysOfMade(o)
	case string:
		for i := range Units(o) {
			list = append(list, Key{Name: strconv.Itoa(i)})
		}
	case Heap:
		t := m.Behind(o)
		if a := m.intercepted(t); a != nil {
			if a.err != nil {
				panic(&Stop{a.err, true})
			}
			for _, name := range a.names {
				list = append(list, Key{Name: name})
			}
		}
		for i := range m.Arrays[t].elements() {
			list = append(list, Key{Name: strconv.Itoa(i)})
		}
		_ = m.Reader.Elements(t, func(i uint64, _ object.Slot) bool {
			m.Step()
			if m.Arrays[t] != nil {
				return false
			}
			list = append(list, Key{Name: strconv.FormatUint(i, 10)})
			return len(list) < MaxItems
		})
		TableOf(m, t)
		list = append(list, m.order[t]...)
		if a := m.Above[t]; a != nil {
			for _, k := range a.Keys {
				if _, was := ownHeap(m, t, k); !was {
					list = append(list, k)
				}
			}
			list = slices.DeleteFunc(list, func(k Key) bool { p := a.Props[k]; return p != nil && p.gone })
		}
	}
	m.Spend(len(list))
	slices.SortStableFunc(list, compareKeys)
	return list
}

// keysOfMade are the own property keys of an object that was made, without private fields.
func keysOfMade(o *Object) (list []Key) {
	for i := range o.List {
		if o.Iterator {
			break
		}
		list = append(list, Key{Name: strconv.Itoa(i)})
	}
	for _, name := range []string{"length", "name"} {
		if k := (Key{Name: name}); o.Function != nil && o.Props[k] == nil {
			list = append(list, k)
		}
	}
	for _, k := range o.Keys {
		if k.Own == nil || k.Own.Description == "" || k.Own.Description[0] != '#' || o.Props[k] == nil ||
			!o.Props[k].Hidden { // not a private field
			list = append(list, k)
		}
	}
	return list
}

// compareKeys orders indices before strings before symbols.
func compareKeys(a, b Key) int {
	rank := func(k Key) (int, int) {
		if k.IsSymbol() {
			return 2, 0
		}
		if i, ok := index(k.Name); ok {
			return 0, i
		}
		return 1, 0
	}
	ra, ia := rank(a)
	rb, ib := rank(b)
	if ra != rb {
		return ra - rb
	}
	return ia - ib
}

// Each calls yield for each own enumerable property of a value, in order.
func (m *Machine) Each(v Value, yield func(k Key, x Value)) {
	for _, k := range m.OwnKeys(v) {
		p, ok := m.Own(v, k)
		if s, text := v.(string); text {
			x, _ := textMember(m, s, k)
			yield(k, x)
			continue
		}
		if !ok || p.Hidden {
			continue
		}
		yield(k, m.Get(v, k))
	}
}

// Key is ToPropertyKey.
func (m *Machine) Key(v Value) Key {
	if h, ok := v.(Heap); ok && m.TypeOf(h) == "symbol" {
		return Key{Symbol: layout.Tagged(h)}
	}
	if s, ok := v.(*Symbol); ok {
		return Key{Own: s}
	}
	return Key{Name: m.Text(m.ToPrimitive(v, "string"))}
}

// DescribedBy reads a property descriptor.
func DescribedBy(m *Machine, d Value) *Prop {
	if !m.IsObject(d) {
		m.Throw("Property description must be an object: %s", ShownValue(m, d))
	}
	p := &Prop{Hidden: !Truthy(m.Get(d, Key{Name: "enumerable"}))}
	p.Get, p.Set = m.Get(d, Key{Name: "get"}), m.Get(d, Key{Name: "set"})
	if p.Accessor = p.Get != nil || p.Set != nil; !p.Accessor {
		p.Value = m.Get(d, Key{Name: "value"})
	}
	return p
}

// ElementsOf returns the elements of an array-like value.
func ElementsOf(m *Machine, v Value) []Value {
	if o, ok := v.(*Object); ok && (o.Array || o.Typed != "") {
		m.Spend(len(o.List) / 8)
		return o.List
	}
	if h, ok := v.(Heap); ok && m.Arrays[layout.Tagged(h)] != nil {
		return m.Arrays[layout.Tagged(h)].List
	}
	n := m.Integer(m.Get(v, Key{Name: "length"}))
	if n < 0 || n > MaxItems {
		m.Fail("an array is too long")
	}
	list := make([]Value, n)
	if h, ok := v.(Heap); ok && m.Above[layout.Tagged(h)] == nil {
		err := m.Reader.Elements(layout.Tagged(h), func(i uint64, s object.Slot) bool {
			m.Step()
			if i < uint64(n) {
				list[i] = m.Of(s)
			}
			return i < uint64(n)
		})
		if err != nil {
			m.Fail("%v", err)
		}
		return list
	}
	for i := range list {
		list[i] = m.Get(v, m.Key(float64(i)))
	}
	return list
}
