package inspect

import (
	"fmt"
	"strings"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A FormatOptions says how a value looks as text.
type FormatOptions struct {
	// ShowHidden shows properties that are not enumerable, in brackets.
	ShowHidden bool
	// Exact writes no more than util.inspect would: no private members, and
	// not where a generator is suspended.
	Exact bool
	// OneLine writes no line breaks.
	OneLine bool
	// Addresses writes the address of each object before it.
	Addresses bool
	// Width is the columns of a line; 0 for 80.
	Width int
	// Dialect is how the process' own Node writes; see V8.Dialect.
	Dialect Dialect
}

// Format writes x as util.inspect does: on one line where it fits, else one
// line for each member, numbers of an array in columns.
func (x *Value) Format(o FormatOptions) string {
	if o.Width == 0 {
		o.Width = 80
	}
	f := &formatter{o: o, circular: map[layout.Tagged]int{}}
	return f.value(x, 0, false)
}

// A formatter is the ctx of util.inspect.
type formatter struct {
	o        FormatOptions
	indent   int
	deepest  int // ctx.currentDepth
	circular map[layout.Tagged]int
}

// value is formatValue. sized is set for the buffer of a typed array, which
// shows only its length.
func (f *formatter) value(x *Value, level int, sized bool) string {
	s := f.plain(x, level, sized)
	switch x.Kind {
	case object.KindCorrupt, object.KindUndefined, object.KindNull, object.KindBoolean, object.KindHole:
		return s
	}
	if f.o.Addresses && x.Word.IsHeap() {
		return fmt.Sprintf("%#x: %s", uint64(x.Word), s)
	}
	return s
}

func (f *formatter) plain(x *Value, level int, sized bool) string {
	if x.Shown != nil {
		return f.plain(x.Shown, level, sized)
	}
	switch x.Kind {
	case object.KindUndefined, object.KindNull:
		return string(x.Kind)
	case object.KindBoolean:
		return x.Text
	case object.KindNumber:
		return layout.FormatNumber(x.Number)
	case object.KindBigInt:
		if x.Err != nil {
			return "<" + x.Err.Error() + ">"
		}
		return x.Text + "n"
	case object.KindString:
		return f.str(x)
	case object.KindSymbol:
		return "Symbol(" + escapeControls(x.Text) + ")"
	case object.KindHole:
		return "<uninitialized>"
	case object.KindInternal:
		return "<" + x.Text + ">"
	case object.KindCut:
		return "<cut>"
	case object.KindCorrupt:
		return "<" + escapeControls(x.Reason()) + ">"
	case object.KindRef:
		if f.o.Dialect.Node12 {
			return "[Circular]"
		}
		n, ok := f.circular[x.Word]
		if !ok {
			n = len(f.circular) + 1
			f.circular[x.Word] = n
		}
		return fmt.Sprintf("[Circular *%d]", n)
	case object.KindCustom:
		return f.customText(x.Text)
	case object.KindProxy:
		return f.proxy(x, level)
	}
	return f.raw(x, level, sized)
}

func (f *formatter) str(x *Value) string {
	s, trailer := x.Text, ""
	if n := jsLength(s); uint64(n) < x.Length {
		rest := x.Length - uint64(n)
		trailer = fmt.Sprintf("... %d more character%s", rest, plural(rest))
		if x.Err != nil {
			trailer += " <" + escapeControls(x.Reason()) + ">"
		}
	}
	if n := jsLength(s); !f.o.OneLine && n > 16 && n > f.o.Width-f.indent-4 && strings.Contains(s, "\n") {
		lines := strings.SplitAfter(s, "\n")
		if lines[len(lines)-1] == "" {
			lines = lines[:len(lines)-1]
		}
		for i, l := range lines {
			lines[i] = f.o.Dialect.quote(l)
		}
		return strings.Join(lines, " +\n"+strings.Repeat(" ", f.indent+2)) + trailer
	}
	return f.o.Dialect.quote(s) + trailer
}

func (f *formatter) proxy(x *Value, level int) string {
	if x.Inner == nil {
		return "<Revoked Proxy>"
	}
	s := f.plain(x.Inner, level, false)
	if f.o.Dialect.MarkProxies {
		return "Proxy(" + s + ")"
	}
	return s
}

// parts are what an object is put together from: what comes before, the braces, and the
// members, before they are put on lines.
type parts struct {
	base        string
	open, close string
	out         []string
	array       bool // the members may be grouped in columns
	keys        []*Member
	inherited   []string
	sized       bool // of a buffer: without its bytes
}

// raw is formatRaw.
func (f *formatter) raw(x *Value, level int, sized bool) string {
	if x.plain() {
		x = x.plainObject()
	}
	p := &parts{open: "{", close: "}", sized: sized}
	if x.Opened {
		for i := range x.Inherited { // while the constructor is looked for
			p.inherited = append(p.inherited, f.property(&x.Inherited[i], level))
		}
	}
	p.keys = f.keys(x)
	empty := len(p.keys) == 0 && len(x.Inherited) == 0 && x.MoreProperties == 0 && x.Err == nil
	if !x.Opened {
		n := x.Keys
		if f.o.ShowHidden {
			n = x.HiddenKeys
		}
		if f.o.Exact {
			n -= x.PrivateKeys
		}
		if x.Kind == object.KindError {
			n += len(p.keys) - x.known(f.o.ShowHidden)
		}
		empty = n == 0
	}
	if !f.o.Exact && (x.Kind == object.KindGenerator || x.Intercepted) {
		empty = false
	}
	if s, done := f.head(x, p, empty, sized); done {
		return s
	}
	if !x.Opened {
		name := strings.TrimSuffix(f.style(x), " ")
		if x.Kind == object.KindRegExp {
			return p.base
		}
		if !x.NullProto {
			name = "[" + name + "]"
		}
		return name
	}
	level++
	f.deepest = level
	f.members(x, p, level)
	if n, ok := f.circular[x.Word]; ok {
		ref := fmt.Sprintf("<ref *%d>", n)
		if p.base == "" {
			p.base = ref
		} else {
			p.base = ref + " " + p.base
		}
	}
	return f.reduce(p, level, x)
}

// head decides what comes before an object's members. It returns the
// whole text for objects that need no more.
func (f *formatter) head(x *Value, p *parts, empty, sized bool) (string, bool) {
	switch x.Kind {
	case object.KindArray, object.KindSet, object.KindMap, object.KindTypedArray:
		return f.listHead(x, p, empty)
	case object.KindFunction:
		if f.o.Dialect.ObjectsFirst && x.Class == "Object" {
			return f.plainHead(x, p, empty)
		}
		p.base = f.functionBase(x)
		return p.base, empty
	case object.KindRegExp:
		p.base = f.baseOf(x, "RegExp", "/"+escapeControls(x.Text)+"/"+x.Flags)
		return p.base, empty
	case object.KindDate:
		p.base = f.baseOf(x, "Date", isoDate(x.Number))
		return p.base, empty
	case object.KindError:
		p.base = f.errorBase(x)
		return p.base, empty
	case object.KindBoxed:
		p.base = f.boxedBase(x)
		return p.base, empty || !f.o.ShowHidden && len(f.boxedKeys(x, p.keys)) == 0 && x.Opened
	case object.KindArrayBuffer, object.KindSharedBuffer:
		pre := f.prefix(x, map[object.Kind]string{object.KindArrayBuffer: "ArrayBuffer",
			object.KindSharedBuffer: "SharedArrayBuffer"}[x.Kind], "")
		if sized && empty && len(x.Inherited) == 0 {
			return pre + "{ " + f.sizeKey("byteLength") + ": " + fmt.Sprint(x.Length) + " }", true
		}
		p.open = pre + "{"
	case object.KindMapIterator, object.KindSetIterator:
		p.open = f.iteratorHead(x)
	case object.KindDataView:
		p.open = f.prefix(x, "DataView", "") + "{"
	case object.KindPromise:
		p.open = f.prefix(x, "Promise", "") + "{"
	case object.KindWeakSet:
		p.open = f.prefix(x, "WeakSet", "") + "{"
	case object.KindWeakMap:
		p.open = f.prefix(x, "WeakMap", "") + "{"
	case object.KindModule:
		p.open = f.prefix(x, "Module", "") + "{"
		if f.o.Dialect.BareModules {
			p.open = "[" + f.tag(x) + "] {"
		}
	default:
		return f.plainHead(x, p, empty)
	}
	return "", false
}

// baseOf returns the text of an object that a text stands for, after its class if that is another one.
func (f *formatter) baseOf(x *Value, class, text string) string {
	if pre := f.prefix(x, class, ""); pre != class+" " {
		return pre + text
	}
	return text
}

// listHead is head for values with elements or entries.
func (f *formatter) listHead(x *Value, p *parts, empty bool) (string, bool) {
	size := fmt.Sprintf("(%d)", x.Length)
	switch x.Kind {
	case object.KindArray:
		p.array, p.open, p.close = true, "[", "]"
		if x.Class != "Array" || f.tag(x) != "" {
			p.open = f.prefix(x, "Array", size) + "["
		}
	case object.KindSet, object.KindMap:
		fallback := map[object.Kind]string{object.KindSet: "Set", object.KindMap: "Map"}[x.Kind]
		if f.o.Dialect.Node12 {
			size = ""
		}
		p.open = f.prefix(x, fallback, size) + "{"
	case object.KindTypedArray:
		if x.Class == "Buffer" {
			return f.buffer(x, p), true
		}
		if f.o.Dialect.NoSizes {
			size = ""
		}
		p.array, p.open, p.close = true, f.prefix(x, x.ElementType, size)+"[", "]"
		empty = empty && !f.o.ShowHidden
	}
	if x.Length == 0 && empty {
		return p.open + p.close, true
	}
	return "", false
}

// plainHead is the head of objects of no special kind.
func (f *formatter) plainHead(x *Value, p *parts, empty bool) (string, bool) {
	if x.Class == "Object" && !x.NullProto {
		switch {
		case x.Kind == object.KindArguments:
			p.open = "[Arguments] {"
		case f.tag(x) != "":
			p.open = f.prefix(x, "Object", "") + "{"
		}
		if empty {
			return p.open + "}", true
		}
		return "", false
	}
	p.open = f.style(x) + "{"
	return p.open + "}", empty
}

// customText is the text of a function, further in than it knows.
func (f *formatter) customText(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = escapeControls(l)
	}
	if f.o.OneLine {
		for i := range lines[1:] {
			lines[i+1] = strings.TrimLeft(lines[i+1], " ")
		}
		return strings.Join(lines, " ")
	}
	return strings.Join(lines, "\n"+strings.Repeat(" ", f.indent))
}
