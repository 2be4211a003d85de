package library

import (
	"slices"
	"strings"

	"coredbg/runtimes/v8/ecma"
)

// A replacement makes what stands for a match.
type replacement func(caps []ecma.Value, at int, groups ecma.Value) string

// replacementOf is what the second argument of replace means, for a text.
func replacementOf(m *ecma.Machine, with ecma.Value, text []uint16) replacement {
	if m.TypeOf(with) == "function" {
		return func(caps []ecma.Value, at int, groups ecma.Value) string {
			args := append(slices.Clone(caps), float64(at), ecma.FromUnits(text))
			if groups != nil {
				args = append(args, groups)
			}
			return m.Text(m.Call(with, nil, args))
		}
	}
	form := m.Text(with)
	return func(caps []ecma.Value, at int, groups ecma.Value) string {
		if !strings.Contains(form, "$") {
			return form
		}
		return substituted(m, form, text, caps, at, groups)
	}
}

// substituted is GetSubstitution: a text with $1 and the like.
func substituted(m *ecma.Machine, form string, text []uint16, caps []ecma.Value, at int, groups ecma.Value) string {
	var b strings.Builder
	whole := m.Text(caps[0])
	for i := 0; i < len(form); i++ {
		c := byte(0)
		if i+1 < len(form) {
			c = form[i+1]
		}
		switch {
		case form[i] != '$' || c == 0:
			b.WriteByte(form[i])
			continue
		case c == '$':
			b.WriteByte('$')
		case c == '&':
			b.WriteString(whole)
		case c == '`':
			b.WriteString(ecma.FromUnits(text[:at]))
		case c == '\'':
			b.WriteString(ecma.FromUnits(text[min(at+len(ecma.Units(whole)), len(text)):]))
		case c >= '0' && c <= '9':
			n, digits := int(c-'0'), 1
			if i+2 < len(form) && form[i+2] >= '0' && form[i+2] <= '9' && n*10+int(form[i+2]-'0') < len(caps) {
				n, digits = n*10+int(form[i+2]-'0'), 2
			}
			if n == 0 || n >= len(caps) {
				b.WriteByte('$')
				continue
			}
			if caps[n] != nil {
				b.WriteString(m.Text(caps[n]))
			}
			i += digits - 1
		case c == '<' && groups != nil && strings.Contains(form[i:], ">"):
			end := strings.IndexByte(form[i:], '>')
			if v := m.Get(groups, ecma.Key{Name: form[i+2 : i+end]}); v != nil {
				b.WriteString(m.Text(v))
			}
			i += end - 1
		default:
			b.WriteByte('$')
			continue
		}
		i++
	}
	return b.String()
}

// replaceIn replaces what a string or a regular expression matches.
func replaceIn(m *ecma.Machine, s string, args []ecma.Value, all bool) ecma.Value {
	text := ecma.Units(s)
	with := replacementOf(m, ecma.Arg(args, 1), text)
	var b strings.Builder
	from := 0
	put := func(start, end int, caps []ecma.Value, groups ecma.Value) {
		b.WriteString(ecma.FromUnits(text[from:start]))
		b.WriteString(with(caps, start, groups))
		m.Bounded(b.String())
		from = end
	}
	if !isRegExp(m, ecma.Arg(args, 0)) {
		old := ecma.Units(m.Text(ecma.Arg(args, 0)))
		for at := 0; at+len(old) <= len(text); at++ {
			if m.Step(); !slices.Equal(text[at:at+len(old)], old) {
				continue
			}
			put(at, at+len(old), []ecma.Value{ecma.FromUnits(old)}, nil)
			if !all {
				break
			}
			at += max(len(old), 1) - 1
		}
		return m.Bounded(b.String() + ecma.FromUnits(text[from:]))
	}
	x := matchingOf(m, args[0], s)
	var list [][]int
	switch {
	case x.has("g"):
		list = x.all()
	case all:
		m.Throw("replaceAll must be called with a global RegExp")
	default:
		if caps := x.exec(); caps != nil {
			list = append(list, caps)
		}
	}
	for _, caps := range list {
		var values []ecma.Value
		for i := range x.re.Groups {
			values = append(values, x.group(caps, i))
		}
		put(caps[0], caps[1], values, x.groups(caps))
	}
	return m.Bounded(b.String() + ecma.FromUnits(text[from:]))
}
