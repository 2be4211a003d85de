package inspect

import (
	"fmt"

	"coredbg/runtimes/v8/object"
)

// members formats what is inside an object.
func (f *formatter) members(x *Value, p *parts, level int) {
	switch x.Kind {
	case object.KindArray, object.KindTypedArray:
		f.elements(x, p, level)
	case object.KindSet, object.KindMap, object.KindSetIterator, object.KindMapIterator, object.KindWeakSet,
		object.KindWeakMap:
		f.entries(x, p, level)
		if f.o.Dialect.Node12 && f.o.ShowHidden && (x.Kind == object.KindSet || x.Kind == object.KindMap) {
			p.out = append(p.out, fmt.Sprintf("[size]: %d", x.Length))
		}
	case object.KindPromise:
		f.promise(x, p, level)
	case object.KindGenerator:
		if !f.o.Exact {
			p.out = append(p.out, x.standing())
		}
	case object.KindArrayBuffer, object.KindSharedBuffer:
		switch {
		case p.sized:
		case x.Detached:
			p.out = append(p.out, "(detached)")
		default:
			p.out = append(p.out, "[Uint8Contents]: <"+hexBytes(x.Bytes, x.Length)+">")
		}
		p.out = append(p.out, f.sizeKey("byteLength")+": "+fmt.Sprint(x.Length))
	case object.KindDataView:
		f.view(x, p, level)
	}
	if x.Kind == object.KindTypedArray && f.o.ShowHidden && x.Inner != nil {
		size := object.ElementSizes[x.ElementType]
		p.out = append(p.out, fmt.Sprintf("[BYTES_PER_ELEMENT]: %d", size), fmt.Sprintf("[length]: %d", x.Length),
			fmt.Sprintf("[byteLength]: %d", x.Length*uint64(size)), fmt.Sprintf("[byteOffset]: %d", x.ByteOffset),
			"[buffer]: "+f.nested(x.Inner, level, true))
	}
	keys := p.keys
	if x.Kind == object.KindBoxed {
		keys = f.boxedKeys(x, keys)
	}
	for _, m := range keys {
		p.out = append(p.out, f.property(m, level))
	}
	if x.MoreProperties > 0 {
		p.out = append(p.out, fmt.Sprintf("... %d more propert%s", x.MoreProperties,
			map[bool]string{true: "y", false: "ies"}[x.MoreProperties == 1]))
	}
	p.out = append(p.out, p.inherited...)
	if x.Intercepted && !f.o.Exact {
		p.out = append(p.out, "<what an interceptor of the embedder answers>")
	}
	if x.Err != nil {
		p.out = append(p.out, "<"+escapeControls(x.Reason())+">")
	}
}

// view formats the parts of a DataView.
func (f *formatter) view(x *Value, p *parts, level int) {
	if x.OutOfBounds {
		p.out = append(p.out, "<out of bounds>")
	} else {
		p.out = append(p.out, f.sizeKey("byteLength")+": "+fmt.Sprint(x.Length),
			f.sizeKey("byteOffset")+": "+fmt.Sprint(x.ByteOffset))
	}
	if x.Inner != nil {
		p.out = append(p.out, f.sizeKey("buffer")+": "+f.nested(x.Inner, level, false))
	}
}

// nested formats a part two columns further in.
func (f *formatter) nested(x *Value, level int, sized bool) string {
	f.indent += 2
	defer func() { f.indent -= 2 }()
	return f.value(x, level, sized)
}

// elements is formatArray, formatSpecialArray and formatTypedArray: runs of
// holes count as one entry.
func (f *formatter) elements(x *Value, p *parts, level int) {
	room := x.room()
	next := uint64(0)
	holes := func(to uint64) {
		n := to - next
		p.out = append(p.out, fmt.Sprintf("<%d empty item%s>", n, plural(n)))
		next = to
	}
	list := x.Elements
	for len(list) > 0 && list[0].Index == next && len(p.out) < room {
		f.element(&list[0], p, level)
		list = list[1:]
		next++
	}
	if len(p.out) < room && next < x.Length {
		// From the first hole on it goes by keys, which leave out what is not enumerable.
		for i := range x.Elements[:next] {
			if !x.Elements[i].Enumerable && len(list) > 0 {
				list = list[1:]
			}
		}
	}
	for i := range list {
		m := &list[i]
		if len(p.out) >= room {
			break
		}
		if !m.Enumerable {
			continue
		}
		if m.Index > next {
			if holes(m.Index); len(p.out) >= room {
				break
			}
		}
		f.element(m, p, level)
		next = m.Index + 1
	}
	switch {
	case next >= x.Length:
	case len(p.out) >= room, x.MoreElements > 0:
		n := x.Length - next
		p.out = append(p.out, fmt.Sprintf("... %d more item%s", n, plural(n)))
	case x.Err == nil:
		holes(x.Length)
	}
}

func (f *formatter) element(m *Member, p *parts, level int) {
	if m.Value == nil {
		p.out = append(p.out, accessorLabel(m))
	} else {
		p.out = append(p.out, f.nested(m.Value, level, false))
	}
}

// room is how many entries of an array are shown.
func (x *Value) room() int {
	n := DefaultInspect().MaxArray
	if x.maxArray != 0 {
		n = x.maxArray
	}
	return n
}

func (f *formatter) entries(x *Value, p *parts, level int) {
	if f.o.Exact && !f.o.ShowHidden && (x.Kind == object.KindWeakMap || x.Kind == object.KindWeakSet) {
		p.out = append(p.out, "<items unknown>")
		return
	}
	for _, e := range x.Entries {
		switch {
		case e.Value == nil:
			p.out = append(p.out, f.nested(e.Key, level, false))
		case x.Kind == object.KindMapIterator || x.Kind == object.KindSetIterator:
			pair := &parts{open: "[", close: "]", array: true}
			pair.out = []string{f.nested(e.Key, level, false), f.nested(e.Value, level, false)}
			f.indent += 2
			p.out = append(p.out, f.reduce(pair, level, nil))
			f.indent -= 2
		default:
			p.out = append(p.out, f.nested(e.Key, level, false)+" => "+f.nested(e.Value, level, false))
		}
	}
	if n := uint64(x.MoreEntries); n > 0 {
		p.out = append(p.out, fmt.Sprintf("... %d more item%s", n, plural(n)))
	}
}

// standing says where a generator is suspended: <suspended in g at file:12>.
func (x *Value) standing() string {
	s := "<" + x.State
	if x.Function != "" {
		s += " in " + escapeControls(x.Function)
	}
	if x.File != "" {
		s += " at " + escapeControls(x.File)
		if x.Line > 0 {
			s += fmt.Sprintf(":%d", x.Line)
		}
	}
	return s + ">"
}

func (f *formatter) promise(x *Value, p *parts, level int) {
	if x.State == string(object.PromisePending) {
		p.out = append(p.out, "<pending>")
		return
	}
	s := ""
	if x.Inner != nil {
		s = f.nested(x.Inner, level, false)
	}
	if x.State == string(object.PromiseRejected) {
		s = "<rejected> " + s
	}
	p.out = append(p.out, s)
}

// property is formatProperty.
func (f *formatter) property(m *Member, level int) string {
	var s string
	if m.Value != nil {
		s = f.nested(m.Value, level, false)
	} else {
		s = accessorLabel(m)
	}
	return f.key(m) + ": " + s
}

func accessorLabel(m *Member) string {
	switch {
	case m.Getter && m.Setter:
		return "[Getter/Setter]"
	case m.Getter:
		return "[Getter]"
	case m.Setter:
		return "[Setter]"
	}
	return "undefined"
}

func (f *formatter) key(m *Member) string {
	name := m.Name
	switch {
	case m.Private:
		return escapeControls(name)
	case m.Symbol:
		name = "Symbol(" + f.o.Dialect.quoted(name, '\'') + ")"
		if f.o.Dialect.SymbolBrackets {
			return "[" + name + "]"
		}
	case name == "__proto__" && !f.o.Dialect.Node12:
		name = "['__proto__']"
		if f.o.Dialect.SymbolBrackets {
			return name
		}
	case !m.Enumerable && f.o.Dialect.SymbolBrackets:
		return "[" + f.o.Dialect.quoted(name, '\'') + "]"
	case !object.IsKeyName(name):
		name = f.o.Dialect.quote(name)
	}
	if !m.Enumerable {
		return "[" + name + "]"
	}
	return name
}

func (f *formatter) sizeKey(name string) string {
	if f.o.Dialect.BufferBrackets {
		return "[" + name + "]"
	}
	return name
}
