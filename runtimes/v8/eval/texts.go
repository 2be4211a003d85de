package eval

import (
	"regexp"
	"strings"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
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
				return "Symbol(" + m.text(descriptionOf(m, args[0])) + ")"
			}
			return m.text(args[0])
		},
		"String.prototype.toString": onText(func(_ *Machine, s string, _ []Value) Value { return s }),
		"String.prototype.valueOf":  onText(func(_ *Machine, s string, _ []Value) Value { return s }),
		"String.prototype.toUpperCase": onText(func(_ *Machine, s string,
			_ []Value) Value {
			return strings.ToUpper(s)
		}),
		"String.prototype.toLowerCase": onText(func(_ *Machine, s string,
			_ []Value) Value {
			return strings.ToLower(s)
		}),
		"String.prototype.trim": onText(func(_ *Machine, s string,
			_ []Value) Value {
			return strings.TrimSpace(s)
		}),
		"String.prototype.trimStart": onText(func(_ *Machine, s string, _ []Value) Value {
			return strings.TrimLeft(s,
				" \t\n\r\v\f")
		}),
		"String.prototype.trimEnd": onText(func(_ *Machine, s string, _ []Value) Value {
			return strings.TrimRight(s,
				" \t\n\r\v\f")
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
			i := strings.LastIndex(s, m.text(arg(args, 0)))
			if i < 0 || len(args) > 1 {
				return -1.0
			}
			return float64(len(units(s[:i])))
		}),
		"String.prototype.includes": onText(func(m *Machine, s string, args []Value) Value {
			return find(s, m.text(arg(args, 0)), m.integer(arg(args, 1))) >= 0
		}),
		"String.prototype.startsWith": onText(func(m *Machine, s string, args []Value) Value {
			return strings.HasPrefix(fromUnits(units(s)[relativeIndex(m, arg(args, 1), len(units(s))):]),
				m.text(arg(args, 0)))
		}),
		"String.prototype.endsWith": onText(func(m *Machine, s string, args []Value) Value {
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
			if n < 0 || n*max(len(s), 1) > maxText {
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
		"String.prototype.split": onText(func(m *Machine, s string, args []Value) Value {
			if arg(args, 0) == nil {
				return array(s)
			}
			if m.IsObject(args[0]) {
				m.Fail("strings are not split by regular expressions")
			}
			out := array()
			for _, part := range strings.Split(s, m.text(args[0])) {
				m.step()
				out.List = append(out.List, part)
			}
			return out
		}),
		"String.prototype.replace": onText(func(m *Machine, s string,
			args []Value) Value {
			return replaceIn(m, s, args, false)
		}),
		"String.prototype.replaceAll": onText(func(m *Machine, s string,
			args []Value) Value {
			return replaceIn(m, s, args, true)
		}),
		"RegExp.prototype[Symbol.replace]": func(m *Machine, this Value, args []Value) Value {
			return replaceIn(m, m.text(arg(args, 0)), []Value{this, arg(args, 1)}, false)
		},
		"RegExp.prototype.test": func(m *Machine, this Value, args []Value) Value {
			re, _ := patternOf(m, this)
			return re.MatchString(m.text(arg(args, 0)))
		},
		"RegExp.prototype.exec": func(m *Machine, this Value, args []Value) Value {
			re, _ := patternOf(m, this)
			s := m.text(arg(args, 0))
			at := re.FindStringSubmatchIndex(s)
			if at == nil {
				return Null{}
			}
			out := array()
			for i := 0; i < len(at); i += 2 {
				if at[i] < 0 {
					out.List = append(out.List, nil)
				} else {
					out.List = append(out.List, s[at[i]:at[i+1]])
				}
			}
			out.Set(Key{Name: "index"}, float64(len(units(s[:at[0]]))))
			return out
		},
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
	if n > maxText {
		m.Fail("a string is too long")
	}
	u := units(strings.Repeat(fill, n/len(units(fill))+1))
	return fromUnits(u[:n])
}

// replaceIn replaces what a string or a regular expression matches.
func replaceIn(m *Machine, s string, args []Value, all bool) Value {
	with := func(match string) string {
		if fn := arg(args, 1); m.typeOf(fn) == "function" {
			return m.text(m.call(fn, nil, []Value{match}))
		}
		return m.text(arg(args, 1))
	}
	if w, ok := arg(args, 1).(string); ok && strings.Contains(w, "$") {
		m.Fail("patterns of replacements are not known")
	}
	if !m.IsObject(arg(args, 0)) {
		old, n := m.text(arg(args, 0)), 1
		if all {
			n = -1
		}
		if !strings.Contains(s, old) {
			return s
		}
		return m.bounded(strings.Replace(s, old, with(old), n))
	}
	re, flags := patternOf(m, args[0])
	if !strings.Contains(flags, "g") {
		at := re.FindStringIndex(s)
		if at == nil {
			return s
		}
		return m.bounded(s[:at[0]] + with(s[at[0]:at[1]]) + s[at[1]:])
	}
	return m.bounded(re.ReplaceAllStringFunc(s, with))
}

var unitEscape = regexp.MustCompile(`\\u([0-9A-Fa-f]{4})`)

// patternOf compiles a regular expression of JavaScript, where Go's mean the same.
func patternOf(m *Machine, v Value) (re *regexp.Regexp, flags string) {
	var source string
	switch x := v.(type) {
	case *Object:
		source, flags = m.text(m.get(x, Key{Name: "source"})), m.text(m.get(x, Key{Name: "flags"}))
	case Heap:
		t := layout.Tagged(x)
		at := m.reader.Layout.JSRegExp.Source
		s, ok1 := m.reader.Field(t, at)
		bits, ok2 := m.reader.SmiField(t, at+m.reader.SlotSize())
		if m.kind(x) != object.KindRegExp || !ok1 || !ok2 {
			m.Throw("it is not a regular expression")
		}
		source = m.text(m.word(s))
		if bits&1 != 0 {
			flags = "g"
		}
		if bits&2 != 0 {
			flags += "i"
		}
		if bits&4 != 0 {
			flags += "m"
		}
	}
	if strings.Contains(source, "(?=") || strings.Contains(source, "(?!") || strings.Contains(source, "(?<") ||
		len(source) > 1<<12 {
		m.Fail("a regular expression looks ahead or behind")
	}
	source = unitEscape.ReplaceAllString(source, `\x{$1}`)
	source = strings.ReplaceAll(source, `\/`, "/")
	if inner := strings.Trim(flags, "gyu"); inner != "" {
		source = "(?" + inner + ")" + source
	}
	re, err := regexp.Compile(source)
	if err != nil {
		m.Fail("a regular expression is not known: %v", err)
	}
	return re, flags
}
