package library

import "coredbg/runtimes/v8/ecma"

func init() {
	constructors["Proxy"] = newProxy
	register(map[string]ecma.Builtin{
		"Proxy.revocable": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			p := newProxy(m, args).(*ecma.Object)
			o := &ecma.Object{}
			o.Set(ecma.Key{Name: "proxy"}, p)
			o.Set(ecma.Key{Name: "revoke"}, m.Native("", func(*ecma.Machine, ecma.Value, []ecma.Value) ecma.Value {
				p.Proxy.Handler = ecma.Null{}
				return nil
			}))
			return o
		},
	})
}

func newProxy(m *ecma.Machine, args []ecma.Value) ecma.Value {
	if !m.IsObject(ecma.Arg(args, 0)) || !m.IsObject(ecma.Arg(args, 1)) {
		m.Throw("Cannot create proxy with a non-object as target or handler")
	}
	return &ecma.Object{Proxy: &ecma.Proxy{Target: args[0], Handler: args[1]}}
}
