package eval

import (
	"errors"
	"slices"
	"strconv"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// Set writes an own property of an Object.
func (o *Object) Set(k Key, v Value) { o.define(k, &Prop{Value: v}) }

func (o *Object) define(k Key, p *Prop) {
	if o.Props == nil {
		o.Props = map[Key]*Prop{}
	}
	if o.Props[k] == nil {
		o.Keys = append(o.Keys, k)
	}
	o.Props[k] = p
}

// set is the assignment to a property.
func (m *Machine) set(v Value, k Key, x Value) {
	m.step()
	if isNullish(v) {
		m.Throw("Cannot set properties of %s (setting '%s')", m.text(v), keyText(m, k))
	}
	if target, handler, ok := proxyParts(m, v); ok {
		proxySet(m, target, handler, k, x, v)
		return
	}
	o, made := v.(*Object)
	if h, ok := v.(Heap); ok && m.arrays[layout.Tagged(h)] != nil {
		o, made = m.arrays[layout.Tagged(h)], true
	}
	if made && o.frozen {
		m.Throw("Cannot assign to read only property '%s' of object '%s'", keyText(m, k), shownValue(m, v))
	}
	if made && (o.Array || o.Typed != "") && !k.IsSymbol() && setElement(m, o, k.Name, x) {
		return
	}
	old, found := m.own(v, k)
	for p, n := v, 0; !found && m.IsObject(p) && n < object.MaxPrototypes; n++ {
		if p = m.prototype(p); m.IsObject(p) {
			if inherited, ok := m.own(p, k); ok {
				if inherited.Accessor {
					old, found = inherited, true
				}
				break
			}
		}
	}
	if found && old.Accessor {
		if !isNullish(old.Set) {
			m.call(old.Set, v, []Value{x})
		}
		return
	}
	m.defineOwn(v, k, &Prop{Value: x, Hidden: found && old.Hidden})
}

// typedElement converts a value to an element of a class of typed arrays.
var typedElement func(m *Machine, class string, v Value) Value

// setElement writes an element, or the length, of an array that was made.
func setElement(m *Machine, o *Object, name string, x Value) bool {
	i, ok := index(name)
	if o.Typed != "" {
		if ok && i < len(o.List) {
			o.List[i] = typedElement(m, o.Typed, x)
		}
		return ok
	}
	if name == "length" {
		i, ok = m.integer(x)-1, true
		if i+1 < len(o.List) {
			o.List = o.List[:max(i+1, 0)]
			return true
		}
	}
	if !ok {
		return false
	}
	if i >= maxItems {
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

// defineOwn makes or replaces an own property.
func (m *Machine) defineOwn(v Value, k Key, p *Prop) {
	switch o := v.(type) {
	case *Object:
		if o.Array && !p.Accessor && !k.IsSymbol() && setElement(m, o, k.Name, p.Value) {
			return
		}
		o.define(k, p)
	case Heap:
		t := layout.Tagged(o)
		if m.above[t] == nil {
			m.above[t] = &Object{}
		}
		m.above[t].define(k, p)
	}
}

func (m *Machine) delete(v Value, k Key) {
	if target, handler, ok := proxyParts(m, v); ok {
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
		m.defineOwn(v, k, &Prop{gone: true})
	}
}

// OwnKeys are the own property keys of an object: indices, strings, symbols.
func (m *Machine) OwnKeys(v Value) []Key { return m.keys(v) }

// keys are the own property keys of an object: indices, strings, symbols.
func (m *Machine) keys(v Value) []Key {
	if target, handler, ok := proxyParts(m, v); ok {
		return proxyKeys(m, target, handler)
	}
	var list []Key
	switch o := v.(type) {
	case *Object:
		list = keysOfMade(o)
	case string:
		for i := range units(o) {
			list = append(list, Key{Name: strconv.Itoa(i)})
		}
	case Heap:
		t := layout.Tagged(o)
		if a := m.intercepted(t); a != nil {
			if a.err != nil {
				panic(&stop{a.err, true})
			}
			for _, name := range a.names {
				list = append(list, Key{Name: name})
			}
		}
		for i := range m.arrays[t].elements() {
			list = append(list, Key{Name: strconv.Itoa(i)})
		}
		_ = m.reader.Elements(t, func(i uint64, _ object.Slot) bool {
			m.step()
			if m.arrays[t] != nil {
				return false
			}
			list = append(list, Key{Name: strconv.FormatUint(i, 10)})
			return len(list) < maxItems
		})
		tableOf(m, t)
		list = append(list, m.order[t]...)
		if a := m.above[t]; a != nil {
			for _, k := range a.Keys {
				if _, was := ownHeap(m, t, k); !was {
					list = append(list, k)
				}
			}
			list = slices.DeleteFunc(list, func(k Key) bool { p := a.Props[k]; return p != nil && p.gone })
		}
	}
	m.spend(len(list))
	slices.SortStableFunc(list, compareKeys)
	return list
}

// keysOfMade are the own property keys of an object that was made, without private fields.
func keysOfMade(o *Object) (list []Key) {
	for i := range o.List {
		if o.iterator {
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
	for _, k := range m.keys(v) {
		p, ok := m.own(v, k)
		if s, text := v.(string); text {
			x, _ := textMember(m, s, k)
			yield(k, x)
			continue
		}
		if !ok || p.Hidden {
			continue
		}
		yield(k, m.get(v, k))
	}
}

// key is ToPropertyKey.
func (m *Machine) key(v Value) Key {
	if h, ok := v.(Heap); ok && m.typeOf(h) == "symbol" {
		return Key{Symbol: layout.Tagged(h)}
	}
	if s, ok := v.(*Symbol); ok {
		return Key{Own: s}
	}
	return Key{Name: m.text(m.toPrimitive(v, "string"))}
}

// keyValue is the string or symbol that a key is.
func keyValue(k Key) Value {
	switch {
	case k.Symbol != 0:
		return Heap(k.Symbol)
	case k.Own != nil:
		return k.Own
	}
	return k.Name
}

// An answered is what functions of the embedder answer for the properties of an object, as Node's do for process.env.
type answered struct {
	names  []string // in order
	values map[string]string
	err    error // why the answers are not known
}

// errIntercepted says why a property of an object is not known.
var errIntercepted = errors.New("eval: not in the core: a function of the embedder answers for its properties")

// intercepted returns what the embedder answers for an object; nil for one that has its properties itself. A global
// object has: the embedder only adds to it.
func (m *Machine) intercepted(t layout.Tagged) *answered {
	s, err := m.reader.Shape(t)
	if err != nil || s.Flags&object.MapNamedInterceptor == 0 || m.reader.TypeNamed(t, "JS_GLOBAL_OBJECT") {
		return nil
	}
	if a := m.answers[t]; a != nil {
		return a
	}
	a := &answered{values: map[string]string{}}
	names, values, err, ok := m.host.Answers(t)
	if a.err = err; !ok {
		a.err = errIntercepted
	}
	m.spend(len(names))
	for i, name := range names {
		a.values[name] = values[i]
	}
	a.names = names
	m.answers[t] = a
	return a
}

// answer returns the property that the embedder answers for. An answer that is not known is an Unknown.
func (a *answered) answer(k Key) (Prop, bool) {
	switch x, ok := a.values[k.Name]; {
	case k.IsSymbol():
		return Prop{}, false
	case a.err != nil:
		return Prop{Value: Unknown{a.err}}, true
	default:
		return Prop{Value: x}, ok
	}
}

// describedBy reads a property descriptor.
func describedBy(m *Machine, d Value) *Prop {
	if !m.IsObject(d) {
		m.Throw("Property description must be an object: %s", shownValue(m, d))
	}
	p := &Prop{Hidden: !truthy(m.get(d, Key{Name: "enumerable"}))}
	p.Get, p.Set = m.get(d, Key{Name: "get"}), m.get(d, Key{Name: "set"})
	if p.Accessor = p.Get != nil || p.Set != nil; !p.Accessor {
		p.Value = m.get(d, Key{Name: "value"})
	}
	return p
}
