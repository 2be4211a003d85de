package library

import (
	"slices"
	"strings"

	"coredbg/runtimes/v8/ecma"
)

// find is the index, in code units, of a part of a string after its first from units.
func find(s, part string, from int) float64 {
	u := ecma.Units(s)
	from = max(min(from, len(u)), 0)
	rest := ecma.FromUnits(u[from:])
	i := strings.Index(rest, part)
	if i < 0 {
		return -1
	}
	return float64(from + len(ecma.Units(rest[:i])))
}

// onText makes a function of a string.
func onText(code func(m *ecma.Machine, s string, args []ecma.Value) ecma.Value) ecma.Builtin {
	return func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
		if ecma.IsNullish(this) {
			m.Throw("String.prototype method called on null or undefined")
		}
		s := m.Text(this)
		m.Spend(len(s) / 16)
		return code(m, s, args)
	}
}

func init() {
	register(map[string]ecma.Builtin{
		"String": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			if len(args) == 0 {
				return ""
			}
			if m.TypeOf(args[0]) == "symbol" {
				return ecma.ShownValue(m, args[0])
			}
			return m.Text(args[0])
		},
		"String.prototype.toString": unboxedText,
		"String.prototype.valueOf":  unboxedText,
		"String.prototype.toLowerCase": onText(func(_ *ecma.Machine, s string,
			_ []ecma.Value) ecma.Value {
			return lowered(s)
		}),
		"String.prototype.trim": onText(func(_ *ecma.Machine, s string,
			_ []ecma.Value) ecma.Value {
			return strings.TrimFunc(s, ecma.IsSpace)
		}),
		"String.prototype.trimStart": onText(func(_ *ecma.Machine, s string, _ []ecma.Value) ecma.Value {
			return strings.TrimLeftFunc(s, ecma.IsSpace)
		}),
		"String.prototype.trimEnd": onText(func(_ *ecma.Machine, s string, _ []ecma.Value) ecma.Value {
			return strings.TrimRightFunc(s, ecma.IsSpace)
		}),
		"String.prototype.slice": onText(func(m *ecma.Machine, s string, args []ecma.Value) ecma.Value {
			u := ecma.Units(s)
			from, to := spanOf(m, args, len(u))
			return ecma.FromUnits(u[from:to])
		}),
		"String.prototype.substring": onText(func(m *ecma.Machine, s string, args []ecma.Value) ecma.Value {
			u := ecma.Units(s)
			from, to := min(max(m.Integer(ecma.Arg(args, 0)), 0), len(u)), len(u)
			if ecma.Arg(args, 1) != nil {
				to = min(max(m.Integer(args[1]), 0), len(u))
			}
			return ecma.FromUnits(u[min(from, to):max(from, to)])
		}),
		"String.prototype.substr": onText(func(m *ecma.Machine, s string, args []ecma.Value) ecma.Value {
			u := ecma.Units(s)
			from, n := relativeIndex(m, ecma.Arg(args, 0), len(u)), len(u)
			if ecma.Arg(args, 1) != nil {
				n = max(m.Integer(args[1]), 0)
			}
			return ecma.FromUnits(u[from:min(from+n, len(u))])
		}),
		"String.prototype.indexOf": onText(func(m *ecma.Machine, s string, args []ecma.Value) ecma.Value {
			return find(s, m.Text(ecma.Arg(args, 0)), m.Integer(ecma.Arg(args, 1)))
		}),
		"String.prototype.lastIndexOf": onText(func(m *ecma.Machine, s string, args []ecma.Value) ecma.Value {
			u, part := ecma.Units(s), ecma.Units(m.Text(ecma.Arg(args, 0)))
			from := len(u)
			if f := m.Number(ecma.Arg(args, 1)); f == f {
				from = m.Integer(ecma.Arg(args, 1))
			}
			for i := min(max(from, 0), len(u)-len(part)); i >= 0; i-- {
				if m.Step(); slices.Equal(u[i:i+len(part)], part) {
					return float64(i)
				}
			}
			return -1.0
		}),
		"String.prototype.includes": onText(func(m *ecma.Machine, s string, args []ecma.Value) ecma.Value {
			return find(s, m.Text(ecma.Arg(args, 0)), m.Integer(ecma.Arg(args, 1))) >= 0
		}),
		"String.prototype.startsWith": onText(func(m *ecma.Machine, s string, args []ecma.Value) ecma.Value {
			return strings.HasPrefix(ecma.FromUnits(ecma.Units(s)[relativeIndex(m, ecma.Arg(args, 1),
				len(ecma.Units(s))):]),
				m.Text(ecma.Arg(args, 0)))
		}),
		"String.prototype.endsWith": onText(func(m *ecma.Machine, s string, args []ecma.Value) ecma.Value {
			if u := ecma.Units(s); ecma.Arg(args, 1) != nil {
				s = ecma.FromUnits(u[:min(max(m.Integer(args[1]), 0), len(u))])
			}
			return strings.HasSuffix(s, m.Text(ecma.Arg(args, 0)))
		}),
		"String.prototype.charCodeAt": onText(func(m *ecma.Machine, s string, args []ecma.Value) ecma.Value {
			if u, i := ecma.Units(s), m.Integer(ecma.Arg(args, 0)); i >= 0 && i < len(u) {
				return float64(u[i])
			}
			return ecma.TextNumber("NaN")
		}),
		"String.prototype.charAt": onText(func(m *ecma.Machine, s string, args []ecma.Value) ecma.Value {
			if u, i := ecma.Units(s), m.Integer(ecma.Arg(args, 0)); i >= 0 && i < len(u) {
				return ecma.FromUnits(u[i : i+1])
			}
			return ""
		}),
		"String.prototype.concat": onText(func(m *ecma.Machine, s string, args []ecma.Value) ecma.Value {
			for _, a := range args {
				s = m.Bounded(s + m.Text(a))
			}
			return s
		}),
		"String.prototype.repeat": onText(func(m *ecma.Machine, s string, args []ecma.Value) ecma.Value {
			n := m.Integer(ecma.Arg(args, 0))
			if n < 0 || n*max(len(s), 1) > m.Longest {
				m.Fail("a string is too long")
			}
			return m.Bounded(strings.Repeat(s, n))
		}),
		"String.prototype.padStart": onText(func(m *ecma.Machine, s string,
			args []ecma.Value) ecma.Value {
			return paddingFor(m, s, args) + s
		}),
		"String.prototype.padEnd": onText(func(m *ecma.Machine, s string, args []ecma.Value) ecma.Value {
			return s +
				paddingFor(m, s, args)
		}),
	})
}

func paddingFor(m *ecma.Machine, s string, args []ecma.Value) string {
	n := m.Integer(ecma.Arg(args, 0)) - len(ecma.Units(s))
	fill := " "
	if ecma.Arg(args, 1) != nil {
		fill = m.Text(args[1])
	}
	if n <= 0 || fill == "" {
		return ""
	}
	if n > m.Longest {
		m.Fail("a string is too long")
	}
	u := ecma.Units(strings.Repeat(fill, n/len(ecma.Units(fill))+1))
	return ecma.FromUnits(u[:n])
}
