package eval

import (
	"slices"
	"strings"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/pattern"
)

// newRegExp makes a regular expression.
func newRegExp(m *Machine, source, flags string) *Object {
	if _, err := pattern.Compile(source, flags); err != nil {
		m.throwAs("SyntaxError", "%v", err)
	}
	return &Object{Proto: prototypeNamed(m, "RegExp"), RegExp: &RegExp{source, flags}}
}

// regexpLetters are the flags of a regular expression, by their bits (objects/js-regexp.h: Flags).
const regexpLetters = "gimyusldv"

// sourceOf returns the source and the flags of a regular expression.
func sourceOf(m *Machine, v Value) (source, flags string) {
	switch x := v.(type) {
	case *Object:
		if x.RegExp != nil {
			return x.RegExp.Source, x.RegExp.Flags
		}
	case Heap:
		t := layout.Tagged(x)
		if !m.IsObject(x) || m.kind(x) != object.KindRegExp {
			break
		}
		at := m.reader.Layout.JSRegExp.Source
		s, ok1 := m.reader.Field(t, at)
		bits, ok2 := m.reader.SmiField(t, at+m.reader.SlotSize())
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
		return m.text(m.word(s)), string(letters)
	}
	m.Throw("Receiver is not a RegExp")
	return "", ""
}

func isRegExp(m *Machine, v Value) bool {
	switch x := v.(type) {
	case *Object:
		return x.RegExp != nil
	case Heap:
		return m.IsObject(x) && m.kind(x) == object.KindRegExp
	}
	return false
}

// A matching is a regular expression with the text that it is for.
type matching struct {
	m     *Machine
	re    *pattern.Regexp
	value Value
	flags string
	text  []uint16
}

func matchingOf(m *Machine, v Value, text string) *matching {
	source, flags := sourceOf(m, v)
	re, err := pattern.Compile(source, flags)
	if err != nil {
		m.throwAs("SyntaxError", "%v", err)
	}
	return &matching{m, re, v, flags, units(text)}
}

// has reports whether the expression has a flag.
func (x *matching) has(flag string) bool { return strings.Contains(x.flags, flag) }

// find finds the next match at a place or behind it; nil if there is none.
func (x *matching) find(from int) []int {
	for at := from; at <= len(x.text); at++ {
		x.m.step()
		steps := x.m.most - x.m.steps
		before := steps
		caps, err := x.re.Match(x.text, at, &steps)
		x.m.spend(before - steps)
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
func (x *matching) group(caps []int, i int) Value {
	if caps[2*i] < 0 {
		return nil
	}
	return fromUnits(x.text[caps[2*i]:caps[2*i+1]])
}

// groups are what the groups with names matched; undefined without one.
func (x *matching) groups(caps []int) Value {
	var o *Object
	for i, name := range x.re.Names {
		if name == "" {
			continue
		}
		if o == nil {
			o = &Object{Proto: Null{}}
		}
		k := Key{Name: name}
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
func (x *matching) result(caps []int) *Object {
	out := array()
	for i := range x.re.Groups {
		out.List = append(out.List, x.group(caps, i))
	}
	out.Set(Key{Name: "index"}, float64(caps[0]))
	out.Set(Key{Name: "input"}, fromUnits(x.text))
	out.Set(Key{Name: "groups"}, x.groups(caps))
	if x.has("d") {
		places := array()
		for i := range x.re.Groups {
			if caps[2*i] < 0 {
				places.List = append(places.List, nil)
				continue
			}
			places.List = append(places.List, array(float64(caps[2*i]), float64(caps[2*i+1])))
		}
		out.Set(Key{Name: "indices"}, places)
	}
	return out
}

// exec finds a match as RegExp.prototype.exec does, which remembers where the last one ended.
func (x *matching) exec() []int {
	last, sticky := Key{Name: "lastIndex"}, x.has("g") || x.has("y")
	from := 0
	if sticky {
		from = x.m.integer(x.m.get(x.value, last))
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
		x.m.defineOwn(x.value, last, &Prop{Value: float64(end), Hidden: true})
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

func execute(m *Machine, this Value, args []Value) Value {
	x := matchingOf(m, this, m.text(arg(args, 0)))
	caps := x.exec()
	if caps == nil {
		return Null{}
	}
	return x.result(caps)
}

// expressionOf is the regular expression that a function of strings is given, or one that is made of a text.
func expressionOf(m *Machine, v Value, flags string) Value {
	switch {
	case isRegExp(m, v):
		return v
	case v == nil:
		return newRegExp(m, "(?:)", flags)
	}
	return newRegExp(m, m.text(v), flags)
}

func match(m *Machine, s string, args []Value) Value {
	x := matchingOf(m, expressionOf(m, arg(args, 0), ""), s)
	if !x.has("g") {
		if caps := x.exec(); caps != nil {
			return x.result(caps)
		}
		return Null{}
	}
	out := array()
	for _, caps := range x.all() {
		out.List = append(out.List, x.group(caps, 0))
	}
	if len(out.List) == 0 {
		return Null{}
	}
	return out
}

func matchAll(m *Machine, s string, args []Value) Value {
	x := matchingOf(m, expressionOf(m, arg(args, 0), "g"), s)
	if !x.has("g") {
		m.Throw("String.prototype.matchAll called with a non-global RegExp argument")
	}
	var list []Value
	for _, caps := range x.all() {
		list = append(list, x.result(caps))
	}
	return iteratorOver(m, "RegExp String Iterator", list)
}

func split(m *Machine, s string, args []Value) Value {
	most := maxItems
	if arg(args, 1) != nil {
		most = int(uint32(int32Of(m.number(args[1]))))
	}
	out := array()
	add := func(v Value) {
		if m.step(); len(out.List) < min(most, maxItems) {
			out.List = append(out.List, v)
		}
	}
	switch by := arg(args, 0); {
	case by == nil:
		add(s)
	case !isRegExp(m, by):
		sep := m.text(by)
		if sep == "" {
			for _, u := range units(s) {
				add(fromUnits([]uint16{u}))
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
			add(fromUnits(x.text[from:caps[0]]))
			for i := 1; i < x.re.Groups; i++ {
				add(x.group(caps, i))
			}
			if from = caps[1]; caps[0] == caps[1] {
				at++
			}
		}
		add(fromUnits(x.text[from:]))
	}
	return out
}

func init() {
	constructors["RegExp"] = func(m *Machine, args []Value) Value {
		source, flags := "(?:)", ""
		if isRegExp(m, arg(args, 0)) {
			source, flags = sourceOf(m, args[0])
		} else if s := arg(args, 0); s != nil && s != Value("") {
			source = m.text(s)
		}
		if arg(args, 1) != nil {
			flags = m.text(args[1])
		}
		return newRegExp(m, source, flags)
	}
	symbol := func(code func(m *Machine, s string, args []Value) Value) builtin {
		return func(m *Machine, this Value, args []Value) Value {
			return code(m, m.text(arg(args, 0)), append([]Value{this}, args[min(1, len(args)):]...))
		}
	}
	replace := func(all bool) func(m *Machine, s string, args []Value) Value {
		return func(m *Machine, s string, args []Value) Value { return replaceIn(m, s, args, all) }
	}
	search := func(m *Machine, s string, args []Value) Value {
		if caps := matchingOf(m, expressionOf(m, arg(args, 0), ""), s).find(0); caps != nil {
			return float64(caps[0])
		}
		return -1.0
	}
	register(map[string]builtin{
		"RegExp": func(m *Machine, _ Value, args []Value) Value {
			return constructors["RegExp"](m, args)
		},
		"RegExp.prototype.exec": execute,
		"RegExp.prototype.test": func(m *Machine, this Value, args []Value) Value {
			return !isNull(execute(m, this, args))
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
		"RegExp.prototype.toString": func(m *Machine, this Value, _ []Value) Value {
			source, flags := sourceOf(m, this)
			return "/" + source + "/" + flags
		},
		"get RegExp.prototype.source": func(m *Machine, this Value, _ []Value) Value {
			source, _ := sourceOf(m, this)
			return source
		},
		"get RegExp.prototype.flags": func(m *Machine, this Value, _ []Value) Value {
			_, flags := sourceOf(m, this)
			return flags
		},
	})
	for name, letter := range map[string]string{"global": "g", "ignoreCase": "i", "multiline": "m", "sticky": "y",
		"unicode": "u", "dotAll": "s", "hasIndices": "d", "unicodeSets": "v"} {
		intrinsics["get RegExp.prototype."+name] = func(m *Machine, this Value, _ []Value) Value {
			_, flags := sourceOf(m, this)
			return strings.Contains(flags, letter)
		}
	}
}
