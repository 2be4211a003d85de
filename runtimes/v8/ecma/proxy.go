package ecma

import "coredbg/runtimes/v8/layout"

// ProxyParts are the target and the handler of a Proxy; ok is false for other values.
func ProxyParts(m *Machine, v Value) (target, handler Value, ok bool) {
	switch x := v.(type) {
	case *Object:
		if x.Proxy == nil {
			return nil, nil, false
		}
		target, handler = x.Proxy.Target, x.Proxy.Handler
	case Heap:
		t := layout.Tagged(x)
		if !m.Reader.TypeNamed(t, "JS_PROXY_TYPE") {
			return nil, nil, false
		}
		a, ok1 := m.Reader.Field(t, m.Reader.Layout.JSProxy.Target)
		b, ok2 := m.Reader.Field(t, m.Reader.Layout.JSProxy.Handler)
		if !ok1 || !ok2 {
			m.Fail("a Proxy cannot be read")
		}
		target, handler = m.Word(a), m.Word(b)
	default:
		return nil, nil, false
	}
	if IsNullish(handler) {
		m.Throw("Cannot perform an operation on a proxy that has been revoked")
	}
	return target, handler, true
}

// trapOf is a function of a Proxy's handler; nil if the handler lacks it.
func trapOf(m *Machine, handler Value, name string) Value {
	if f := m.Get(handler, Key{Name: name}); !IsNullish(f) {
		return f
	}
	return nil
}

// proxyGet is a property of a Proxy.
func proxyGet(m *Machine, target, handler Value, k Key, receiver Value) Value {
	if trap := trapOf(m, handler, "get"); trap != nil {
		return m.Call(trap, handler, []Value{target, KeyValue(k), receiver})
	}
	return m.GetFrom(target, k, receiver)
}

// proxyOwn is an own property of a Proxy.
func proxyOwn(m *Machine, target, handler Value, k Key) (Prop, bool) {
	trap := trapOf(m, handler, "getOwnPropertyDescriptor")
	if trap == nil {
		return m.Own(target, k)
	}
	d := m.Call(trap, handler, []Value{target, KeyValue(k)})
	if d == nil {
		return Prop{}, false
	}
	return *DescribedBy(m, d), true
}

// proxyKeys are the own keys of a Proxy.
func proxyKeys(m *Machine, target, handler Value) (list []Key) {
	trap := trapOf(m, handler, "ownKeys")
	if trap == nil {
		return m.OwnKeys(target)
	}
	for _, k := range ElementsOf(m, m.Call(trap, handler, []Value{target})) {
		list = append(list, m.Key(k))
	}
	return list
}

// proxyHas is the operator in for a Proxy.
func proxyHas(m *Machine, target, handler Value, k Key) bool {
	if trap := trapOf(m, handler, "has"); trap != nil {
		return Truthy(m.Call(trap, handler, []Value{target, KeyValue(k)}))
	}
	return m.Has(target, k)
}

// proxySet is the assignment to a property of a Proxy.
func proxySet(m *Machine, target, handler Value, k Key, x, receiver Value) {
	if trap := trapOf(m, handler, "set"); trap != nil {
		m.Call(trap, handler, []Value{target, KeyValue(k), x, receiver})
		return
	}
	m.Set(target, k, x)
}

// proxyDelete is the operator delete for a Proxy.
func proxyDelete(m *Machine, target, handler Value, k Key) {
	if trap := trapOf(m, handler, "deleteProperty"); trap != nil {
		m.Call(trap, handler, []Value{target, KeyValue(k)})
		return
	}
	m.Delete(target, k)
}
