package library

import (
	"coredbg/runtimes/v8/ecma"
)

// errorClasses are V8's own classes of errors.
var errorClasses = []string{"Error", "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError",
	"URIError"}

func init() {
	for _, class := range errorClasses {
		make := func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			return errorOf(m, class, ecma.Arg(args, 0), ecma.Arg(args, 1))
		}
		constructors[class] = func(m *ecma.Machine, args []ecma.Value) ecma.Value { return make(m, nil, args) }
		register(map[string]ecma.Builtin{class: make})
	}
	constructors["AggregateError"] = func(m *ecma.Machine, args []ecma.Value) ecma.Value {
		o := errorOf(m, "AggregateError", ecma.Arg(args, 1), ecma.Arg(args, 2))
		o.Define(ecma.Key{Name: "errors"}, &ecma.Prop{Value: ecma.Array(m.Iterate(ecma.Arg(args, 0))...), Hidden: true})
		return o
	}
	register(map[string]ecma.Builtin{
		"AggregateError": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			return constructors["AggregateError"](m, args)
		},
		"Error.prototype.toString": ecma.ErrorText,
		"Error.isError": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			return ecma.IsError(m, ecma.Arg(args, 0))
		},
		"Error.captureStackTrace": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			o := ecma.Arg(args, 0)
			m.DefineOwn(o, ecma.Key{Name: "stack"}, &ecma.Prop{Hidden: true, Value: m.Text(ecma.ErrorText(m, o, nil)) +
				m.FramesText()})
			return nil
		},
	})
}

// errorOf makes an error as its class does.
func errorOf(m *ecma.Machine, class string, message, options ecma.Value) *ecma.Object {
	text := ""
	if message != nil {
		text = m.Text(message)
	}
	o := ecma.NewError(m, class, text)
	if message != nil && text == "" {
		o.Define(ecma.Key{Name: "message"}, &ecma.Prop{Value: "", Hidden: true})
	}
	if m.IsObject(options) && m.Has(options, ecma.Key{Name: "cause"}) {
		o.Define(ecma.Key{Name: "cause"}, &ecma.Prop{Value: m.Get(options, ecma.Key{Name: "cause"}), Hidden: true})
	}
	return o
}
