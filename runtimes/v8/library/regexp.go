package library

import (
	"slices"
	"strings"

	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/pattern"
)

// newRegExp makes a regular expression.
func newRegExp(m *ecma.Machine, source, flags string) *ecma.Object {
	if _, err := pattern.Compile(source, flags); err != nil {
		m.ThrowAs("SyntaxError", "%v", err)
	}
	return &ecma.Object{Proto: ecma.PrototypeNamed(m, "RegExp"), RegExp: &ecma.RegExp{Source: source, Flags: flags}}
}

// regexpLetters are the flags of a regular expression, by their bits (objects/js-regexp.h: Flags).
const regexpLetters = "gimyusldv"

// sourceOf returns the source and the flags of a regular expression.
func sourceOf(m *ecma.Machine, v ecma.Value) (source, flags string) {
	switch x := v.(type) {
	case *ecma.Object:
		if x.RegExp != nil {
			return x.RegExp.Source, x.RegExp.Flags
		}
	case ecma.Heap:
		t := layout.Tagged(x)
		if !m.IsObject(x) || m.Kind(x) != object.KindRegExp {
			break
		}
		at := m.Reader.Layout.JSRegExp.Source
		s, ok1 := m.Reader.Field(t, at)
		bits, ok2 := m.Reader.SmiField(t, at+m.Reader.SlotSize())
		if !ok1 || !ok2 {
			m.Fail("a regular expression cannot be read")
		}
		for i, c := range regexpLetters {
			if bits>>i&1 != 0 && c != 'l' {
				flags += string(c)
			}
		}
		letters := []byte(flags)
		slices.Sort(letters)
		return m.Text(m.Word(s)), string(letters)
	}
	m.Throw("Receiver is not a RegExp")
	return "", ""
}

func isRegExp(m *ecma.Machine, v ecma.Value) bool {
	switch x := v.(type) {
	case *ecma.Object:
		return x.RegExp != nil
	case ecma.Heap:
		return m.IsObject(x) && m.Kind(x) == object.KindRegExp
	}
	return false
}

// A matching is a regular expression with the text that it is for.
type matching struct {
	m     *ecma.Machine
	re    *pattern.Regexp
	value ecma.Value
	flags string
	text  []uint16
}

func matchingOf(m *ecma.Machine, v ecma.Value, text string) *matching {
	source, flags := sourceOf(m, v)
	re, err := pattern.Compile(source, flags)
	if err != nil {
		m.ThrowAs("SyntaxError", "%v", err)
	}
	return &matching{m, re, v, flags, ecma.Units(text)}
}

// has reports whether the expression has a flag.
func (x *matching) has(flag string) bool { return strings.Contains(x.flags, flag) }

// find finds the next match at a place or behind it; nil if there is none.
func (x *matching) find(from int) []int {
	for at := from; at <= len(x.text); at++ {
		x.m.Step()
		steps := x.m.Most - x.m.Steps
		before := steps
		caps, err := x.re.Match(x.text, at, &steps)
		x.m.Spend(before - steps)
		if err != nil {
			x.m.Fail("it takes too long")
		}
		if caps != nil || x.has("y") {
			return caps
		}
	}
	return nil
}

// group is what a group matched; undefined if it did not.
func (x *matching) group(caps []int, i int) ecma.Value {
	if caps[2*i] < 0 {
		return nil
	}
	return ecma.FromUnits(x.text[caps[2*i]:caps[2*i+1]])
}

// groups are what the groups with names matched; undefined without one.
func (x *matching) groups(caps []int) ecma.Value {
	var o *ecma.Object
	for i, name := range x.re.Names {
		if name == "" {
			continue
		}
		if o == nil {
			o = &ecma.Object{Proto: ecma.Null{}}
		}
		k := ecma.Key{Name: name}
		if v := x.group(caps, i); v != nil || o.Props[k] == nil {
			o.Set(k, v)
		}
	}
	if o == nil {
		return nil
	}
	return o
}

// result is what exec returns for a match.
func (x *matching) result(caps []int) *ecma.Object {
	out := ecma.Array()
	for i := range x.re.Groups {
		out.List = append(out.List, x.group(caps, i))
	}
	out.Set(ecma.Key{Name: "index"}, float64(caps[0]))
	out.Set(ecma.Key{Name: "input"}, ecma.FromUnits(x.text))
	out.Set(ecma.Key{Name: "groups"}, x.groups(caps))
	if x.has("d") {
		places := ecma.Array()
		for i := range x.re.Groups {
			if caps[2*i] < 0 {
				places.List = append(places.List, nil)
				continue
			}
			places.List = append(places.List, ecma.Array(float64(caps[2*i]), float64(caps[2*i+1])))
		}
		out.Set(ecma.Key{Name: "indices"}, places)
	}
	return out
}

// exec finds a match as RegExp.prototype.exec does, which remembers where the last one ended.
func (x *matching) exec() []int {
	last, sticky := ecma.Key{Name: "lastIndex"}, x.has("g") || x.has("y")
	from := 0
	if sticky {
		from = x.m.Integer(x.m.Get(x.value, last))
	}
	var caps []int
	if from <= len(x.text) {
		caps = x.find(from)
	}
	if sticky {
		end := 0
		if caps != nil {
			end = caps[1]
		}
		x.m.DefineOwn(x.value, last, &ecma.Prop{Value: float64(end), Hidden: true})
	}
	return caps
}

// all finds all matches.
func (x *matching) all() (list [][]int) {
	for at := 0; at <= len(x.text); {
		caps := x.find(at)
		if caps == nil {
			break
		}
		list = append(list, caps)
		if at = caps[1]; caps[1] == caps[0] {
			at++
		}
	}
	return list
}

func execute(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
	x := matchingOf(m, this, m.Text(ecma.Arg(args, 0)))
	caps := x.exec()
	if caps == nil {
		return ecma.Null{}
	}
	return x.result(caps)
}

// expressionOf is the regular expression that a function of strings is given, or one that is made of a text.
func expressionOf(m *ecma.Machine, v ecma.Value, flags string) ecma.Value {
	switch {
	case isRegExp(m, v):
		return v
	case v == nil:
		return newRegExp(m, "(?:)", flags)
	}
	return newRegExp(m, m.Text(v), flags)
}

func match(m *ecma.Machine, s string, args []ecma.Value) ecma.Value {
	x := matchingOf(m, expressionOf(m, ecma.Arg(args, 0), ""), s)
	if !x.has("g") {
		if caps := x.exec(); caps != nil {
			return x.result(caps)
		}
		return ecma.Null{}
	}
	out := ecma.Array()
	for _, caps := range x.all() {
		out.List = append(out.List, x.group(caps, 0))
	}
	if len(out.List) == 0 {
		return ecma.Null{}
	}
	return out
}

func matchAll(m *ecma.Machine, s string, args []ecma.Value) ecma.Value {
	x := matchingOf(m, expressionOf(m, ecma.Arg(args, 0), "g"), s)
	if !x.has("g") {
		m.Throw("String.prototype.matchAll called with a non-global RegExp argument")
	}
	var list []ecma.Value
	for _, caps := range x.all() {
		list = append(list, x.result(caps))
	}
	return iteratorOver(m, "RegExp String Iterator", list)
}

func split(m *ecma.Machine, s string, args []ecma.Value) ecma.Value {
	most := ecma.MaxItems
	if ecma.Arg(args, 1) != nil {
		most = int(uint32(ecma.Int32Of(m.Number(args[1]))))
	}
	out := ecma.Array()
	add := func(v ecma.Value) {
		if m.Step(); len(out.List) < min(most, ecma.MaxItems) {
			out.List = append(out.List, v)
		}
	}
	switch by := ecma.Arg(args, 0); {
	case by == nil:
		add(s)
	case !isRegExp(m, by):
		sep := m.Text(by)
		if sep == "" {
			for _, u := range ecma.Units(s) {
				add(ecma.FromUnits([]uint16{u}))
			}
			break
		}
		for _, part := range strings.Split(s, sep) {
			add(part)
		}
	default:
		x := matchingOf(m, by, s)
		x.flags = strings.Replace(x.flags, "y", "", 1)
		from := 0
		if len(x.text) == 0 {
			if x.find(0) == nil {
				add("")
			}
			break
		}
		for at := 0; at < len(x.text); {
			caps := x.find(at)
			if caps == nil || caps[0] >= len(x.text) {
				break
			}
			if at = caps[1]; caps[1] == from {
				at = max(at, caps[0]) + 1
				continue
			}
			add(ecma.FromUnits(x.text[from:caps[0]]))
			for i := 1; i < x.re.Groups; i++ {
				add(x.group(caps, i))
			}
			if from = caps[1]; caps[0] == caps[1] {
				at++
			}
		}
		add(ecma.FromUnits(x.text[from:]))
	}
	return out
}

func init() {
	constructors["RegExp"] = func(m *ecma.Machine, args []ecma.Value) ecma.Value {
		source, flags := "(?:)", ""
		if isRegExp(m, ecma.Arg(args, 0)) {
			source, flags = sourceOf(m, args[0])
		} else if s := ecma.Arg(args, 0); s != nil && s != ecma.Value("") {
			source = m.Text(s)
		}
		if ecma.Arg(args, 1) != nil {
			flags = m.Text(args[1])
		}
		return newRegExp(m, source, flags)
	}
	symbol := func(code func(m *ecma.Machine, s string, args []ecma.Value) ecma.Value) ecma.Builtin {
		return func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			return code(m, m.Text(ecma.Arg(args, 0)), append([]ecma.Value{this}, args[min(1, len(args)):]...))
		}
	}
	replace := func(all bool) func(m *ecma.Machine, s string, args []ecma.Value) ecma.Value {
		return func(m *ecma.Machine, s string, args []ecma.Value) ecma.Value { return replaceIn(m, s, args, all) }
	}
	search := func(m *ecma.Machine, s string, args []ecma.Value) ecma.Value {
		if caps := matchingOf(m, expressionOf(m, ecma.Arg(args, 0), ""), s).find(0); caps != nil {
			return float64(caps[0])
		}
		return -1.0
	}
	register(map[string]ecma.Builtin{
		"RegExp": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			return constructors["RegExp"](m, args)
		},
		"RegExp.prototype.exec": execute,
		"RegExp.prototype.test": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			return !ecma.IsNull(execute(m, this, args))
		},
		"RegExp.prototype[Symbol.replace]":  symbol(replace(false)),
		"RegExp.prototype[Symbol.match]":    symbol(match),
		"RegExp.prototype[Symbol.matchAll]": symbol(matchAll),
		"RegExp.prototype[Symbol.split]":    symbol(split),
		"RegExp.prototype[Symbol.search]":   symbol(search),
		"String.prototype.replace":          onText(replace(false)),
		"String.prototype.replaceAll":       onText(replace(true)),
		"String.prototype.match":            onText(match),
		"String.prototype.matchAll":         onText(matchAll),
		"String.prototype.split":            onText(split),
		"String.prototype.search":           onText(search),
		"RegExp.prototype.toString": func(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
			source, flags := sourceOf(m, this)
			return "/" + source + "/" + flags
		},
		"get RegExp.prototype.source": func(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
			source, _ := sourceOf(m, this)
			return source
		},
		"get RegExp.prototype.flags": func(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
			_, flags := sourceOf(m, this)
			return flags
		},
	})
	for name, letter := range map[string]string{"global": "g", "ignoreCase": "i", "multiline": "m", "sticky": "y",
		"unicode": "u", "dotAll": "s", "hasIndices": "d", "unicodeSets": "v"} {
		intrinsics["get RegExp.prototype."+name] = func(m *ecma.Machine, this ecma.Value,
			_ []ecma.Value) ecma.Value {
			_, flags := sourceOf(m, this)
			return strings.Contains(flags, letter)
		}
	}
}
