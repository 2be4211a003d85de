package eval

import (
	"slices"
	"strings"
)

// find is the index, in code units, of a part of a string after its first from units.
func find(s, part string, from int) float64 {
	u := units(s)
	from = max(min(from, len(u)), 0)
	rest := fromUnits(u[from:])
	i := strings.Index(rest, part)
	if i < 0 {
		return -1
	}
	return float64(from + len(units(rest[:i])))
}

// onText makes a function of a string.
func onText(code func(m *Machine, s string, args []Value) Value) builtin {
	return func(m *Machine, this Value, args []Value) Value {
		if isNullish(this) {
			m.Throw("String.prototype method called on null or undefined")
		}
		s := m.text(this)
		m.spend(len(s) / 16)
		return code(m, s, args)
	}
}

func init() {
	register(map[string]builtin{
		"String": func(m *Machine, _ Value, args []Value) Value {
			if len(args) == 0 {
				return ""
			}
			if m.typeOf(args[0]) == "symbol" {
				return shownValue(m, args[0])
			}
			return m.text(args[0])
		},
		"String.prototype.toString": unboxedText,
		"String.prototype.valueOf":  unboxedText,
		"String.prototype.toLowerCase": onText(func(_ *Machine, s string,
			_ []Value) Value {
			return strings.ToLower(s)
		}),
		"String.prototype.trim": onText(func(_ *Machine, s string,
			_ []Value) Value {
			return strings.TrimFunc(s, isSpace)
		}),
		"String.prototype.trimStart": onText(func(_ *Machine, s string, _ []Value) Value {
			return strings.TrimLeftFunc(s, isSpace)
		}),
		"String.prototype.trimEnd": onText(func(_ *Machine, s string, _ []Value) Value {
			return strings.TrimRightFunc(s, isSpace)
		}),
		"String.prototype.slice": onText(func(m *Machine, s string, args []Value) Value {
			u := units(s)
			from, to := spanOf(m, args, len(u))
			return fromUnits(u[from:to])
		}),
		"String.prototype.substring": onText(func(m *Machine, s string, args []Value) Value {
			u := units(s)
			from, to := min(max(m.integer(arg(args, 0)), 0), len(u)), len(u)
			if arg(args, 1) != nil {
				to = min(max(m.integer(args[1]), 0), len(u))
			}
			return fromUnits(u[min(from, to):max(from, to)])
		}),
		"String.prototype.substr": onText(func(m *Machine, s string, args []Value) Value {
			u := units(s)
			from, n := relativeIndex(m, arg(args, 0), len(u)), len(u)
			if arg(args, 1) != nil {
				n = max(m.integer(args[1]), 0)
			}
			return fromUnits(u[from:min(from+n, len(u))])
		}),
		"String.prototype.indexOf": onText(func(m *Machine, s string, args []Value) Value {
			return find(s, m.text(arg(args, 0)), m.integer(arg(args, 1)))
		}),
		"String.prototype.lastIndexOf": onText(func(m *Machine, s string, args []Value) Value {
			u, part := units(s), units(m.text(arg(args, 0)))
			from := len(u)
			if f := m.number(arg(args, 1)); f == f {
				from = m.integer(arg(args, 1))
			}
			for i := min(max(from, 0), len(u)-len(part)); i >= 0; i-- {
				if m.step(); slices.Equal(u[i:i+len(part)], part) {
					return float64(i)
				}
			}
			return -1.0
		}),
		"String.prototype.includes": onText(func(m *Machine, s string, args []Value) Value {
			return find(s, m.text(arg(args, 0)), m.integer(arg(args, 1))) >= 0
		}),
		"String.prototype.startsWith": onText(func(m *Machine, s string, args []Value) Value {
			return strings.HasPrefix(fromUnits(units(s)[relativeIndex(m, arg(args, 1), len(units(s))):]),
				m.text(arg(args, 0)))
		}),
		"String.prototype.endsWith": onText(func(m *Machine, s string, args []Value) Value {
			if u := units(s); arg(args, 1) != nil {
				s = fromUnits(u[:min(max(m.integer(args[1]), 0), len(u))])
			}
			return strings.HasSuffix(s, m.text(arg(args, 0)))
		}),
		"String.prototype.charCodeAt": onText(func(m *Machine, s string, args []Value) Value {
			if u, i := units(s), m.integer(arg(args, 0)); i >= 0 && i < len(u) {
				return float64(u[i])
			}
			return textNumber("NaN")
		}),
		"String.prototype.charAt": onText(func(m *Machine, s string, args []Value) Value {
			if u, i := units(s), m.integer(arg(args, 0)); i >= 0 && i < len(u) {
				return fromUnits(u[i : i+1])
			}
			return ""
		}),
		"String.prototype.concat": onText(func(m *Machine, s string, args []Value) Value {
			for _, a := range args {
				s = m.bounded(s + m.text(a))
			}
			return s
		}),
		"String.prototype.repeat": onText(func(m *Machine, s string, args []Value) Value {
			n := m.integer(arg(args, 0))
			if n < 0 || n*max(len(s), 1) > m.longest {
				m.Fail("a string is too long")
			}
			return m.bounded(strings.Repeat(s, n))
		}),
		"String.prototype.padStart": onText(func(m *Machine, s string,
			args []Value) Value {
			return paddingFor(m, s, args) + s
		}),
		"String.prototype.padEnd": onText(func(m *Machine, s string, args []Value) Value {
			return s +
				paddingFor(m, s, args)
		}),
	})
}

func paddingFor(m *Machine, s string, args []Value) string {
	n := m.integer(arg(args, 0)) - len(units(s))
	fill := " "
	if arg(args, 1) != nil {
		fill = m.text(args[1])
	}
	if n <= 0 || fill == "" {
		return ""
	}
	if n > m.longest {
		m.Fail("a string is too long")
	}
	u := units(strings.Repeat(fill, n/len(units(fill))+1))
	return fromUnits(u[:n])
}
