package eval

import (
	"coredbg/runtimes/v8/layout"
)

func init() {
	constructors["Proxy"] = newProxy
	register(map[string]builtin{
		"Proxy.revocable": func(m *Machine, _ Value, args []Value) Value {
			p := newProxy(m, args).(*Object)
			o := &Object{}
			o.Set(Key{Name: "proxy"}, p)
			o.Set(Key{Name: "revoke"}, m.Native("", func(*Machine, Value, []Value) Value {
				p.Proxy.Handler = Null{}
				return nil
			}))
			return o
		},
	})
}

func newProxy(m *Machine, args []Value) Value {
	if !m.IsObject(arg(args, 0)) || !m.IsObject(arg(args, 1)) {
		m.Throw("Cannot create proxy with a non-object as target or handler")
	}
	return &Object{Proxy: &Proxy{args[0], args[1]}}
}

// proxyParts are the target and the handler of a Proxy; ok is false for other values.
func proxyParts(m *Machine, v Value) (target, handler Value, ok bool) {
	switch x := v.(type) {
	case *Object:
		if x.Proxy == nil {
			return nil, nil, false
		}
		target, handler = x.Proxy.Target, x.Proxy.Handler
	case Heap:
		t := layout.Tagged(x)
		if !m.reader.TypeNamed(t, "JS_PROXY_TYPE") {
			return nil, nil, false
		}
		a, ok1 := m.reader.Field(t, m.reader.Layout.JSProxy.Target)
		b, ok2 := m.reader.Field(t, m.reader.Layout.JSProxy.Handler)
		if !ok1 || !ok2 {
			m.Fail("a Proxy cannot be read")
		}
		target, handler = m.word(a), m.word(b)
	default:
		return nil, nil, false
	}
	if isNullish(handler) {
		m.Throw("Cannot perform an operation on a proxy that has been revoked")
	}
	return target, handler, true
}

// trapOf is a function of a Proxy's handler; nil if the handler lacks it.
func trapOf(m *Machine, handler Value, name string) Value {
	if f := m.get(handler, Key{Name: name}); !isNullish(f) {
		return f
	}
	return nil
}

// proxyGet is a property of a Proxy.
func proxyGet(m *Machine, target, handler Value, k Key, receiver Value) Value {
	if trap := trapOf(m, handler, "get"); trap != nil {
		return m.call(trap, handler, []Value{target, keyValue(k), receiver})
	}
	return m.getFrom(target, k, receiver)
}

// proxyOwn is an own property of a Proxy.
func proxyOwn(m *Machine, target, handler Value, k Key) (Prop, bool) {
	trap := trapOf(m, handler, "getOwnPropertyDescriptor")
	if trap == nil {
		return m.own(target, k)
	}
	d := m.call(trap, handler, []Value{target, keyValue(k)})
	if d == nil {
		return Prop{}, false
	}
	return *describedBy(m, d), true
}

// proxyKeys are the own keys of a Proxy.
func proxyKeys(m *Machine, target, handler Value) (list []Key) {
	trap := trapOf(m, handler, "ownKeys")
	if trap == nil {
		return m.keys(target)
	}
	for _, k := range elementsOf(m, m.call(trap, handler, []Value{target})) {
		list = append(list, m.key(k))
	}
	return list
}

// proxyHas is the operator in for a Proxy.
func proxyHas(m *Machine, target, handler Value, k Key) bool {
	if trap := trapOf(m, handler, "has"); trap != nil {
		return truthy(m.call(trap, handler, []Value{target, keyValue(k)}))
	}
	return m.has(target, k)
}

// proxySet is the assignment to a property of a Proxy.
func proxySet(m *Machine, target, handler Value, k Key, x, receiver Value) {
	if trap := trapOf(m, handler, "set"); trap != nil {
		m.call(trap, handler, []Value{target, keyValue(k), x, receiver})
		return
	}
	m.set(target, k, x)
}

// proxyDelete is the operator delete for a Proxy.
func proxyDelete(m *Machine, target, handler Value, k Key) {
	if trap := trapOf(m, handler, "deleteProperty"); trap != nil {
		m.call(trap, handler, []Value{target, keyValue(k)})
		return
	}
	m.delete(target, k)
}
