package inspect

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"coredbg/runtimes/v8/object"
)

// tag is Symbol.toStringTag where it is worth to be shown: not as one of the
// own properties that are shown anyway.
func (f *formatter) tag(x *Value) string {
	if x.tagIsOwn && (f.o.ShowHidden || x.tagIsEnumerable) {
		return ""
	}
	return x.Tag
}

// prefix is getPrefix: the class before the braces, with a blank.
func (f *formatter) prefix(x *Value, fallback, size string) string {
	tag := f.tag(x)
	name := escapeControls(x.Class)
	if x.NullProto {
		if tag != "" && fallback != tag {
			return fmt.Sprintf("[%s%s: null prototype] [%s] ", escapeControls(fallback), size, escapeControls(tag))
		}
		return fmt.Sprintf("[%s%s: null prototype] ", escapeControls(fallback), size)
	}
	if f.o.Dialect.DottedTags && strings.HasSuffix(tag, "."+x.Class) {
		return escapeControls(tag) + size + " "
	}
	if tag != "" && !f.tagInName(tag, x.Class) {
		return fmt.Sprintf("%s%s [%s] ", name, size, escapeControls(tag))
	}
	return name + size + " "
}

// maxUnit is the last character that takes one UTF-16 unit. Node compares units, and a surrogate
// has no case.
const maxUnit = 0xffff

// tagInName reports whether the class' name says what the tag says.
func (f *formatter) tagInName(tag, name string) bool {
	if !f.o.Dialect.LooseTags {
		return tag == name
	}
	i := strings.Index(name, tag)
	if i < 0 {
		return false
	}
	next, size := utf8.DecodeRuneInString(name[i+len(tag):])
	return size == 0 || next <= maxUnit && string(next) != strings.ToLower(string(next))
}

// style is getCtxStyle.
func (f *formatter) style(x *Value) string {
	fallback := ""
	if x.NullProto {
		fallback = x.Fallback
		if fallback == f.tag(x) {
			fallback = "Object"
		}
	}
	return f.prefix(x, fallback, "")
}

func (f *formatter) iteratorHead(x *Value) string {
	typ := "Map"
	if x.Kind == object.KindSetIterator {
		typ = "Set"
	}
	tag := f.tag(x)
	if tag != typ+" Iterator" {
		if tag != "" {
			tag += "] ["
		}
		tag += typ + " Iterator"
	}
	if x.KeyValue {
		tag = strings.TrimSuffix(tag, " Iterator") + " Entries"
	}
	return "[" + escapeControls(tag) + "] {"
}

// functionBase is getFunctionBase and getClassBase.
func (f *formatter) functionBase(x *Value) string {
	name := escapeControls(x.Text)
	tag := f.tag(x)
	typ := x.FunctionType
	if typ == "class" && f.o.Dialect.NoClasses {
		typ = "Function"
	}
	if typ == "class" {
		if name == "" {
			name = "(anonymous)"
		}
		s := "[class " + name
		if x.Class != "Function" && !x.NullProto {
			s += " [" + escapeControls(x.Class) + "]"
		}
		if tag != "" && x.Class != tag {
			s += " [" + escapeControls(tag) + "]"
		}
		switch {
		case x.NullProto:
			s += " extends [null prototype]"
		case x.Extends != "":
			s += " extends " + escapeControls(x.Extends)
		}
		return s + "]"
	}
	s := "[" + typ
	if x.NullProto {
		s += " (null prototype)"
	}
	if name == "" && f.o.Dialect.Node12 {
		s += "]"
	} else if name == "" {
		s += " (anonymous)]"
	} else {
		s += ": " + name + "]"
	}
	if x.Class != typ && !x.NullProto {
		s += " " + escapeControls(x.Class)
	}
	if tag != "" && x.Class != tag {
		s += " [" + escapeControls(tag) + "]"
	}
	return s
}

// boxedBase is getBoxedBase.
func (f *formatter) boxedBase(x *Value) string {
	typ := "Symbol"
	switch x.Inner.kind() {
	case object.KindNumber:
		typ = "Number"
	case object.KindString:
		typ = "String"
	case object.KindBoolean:
		typ = "Boolean"
	case object.KindBigInt:
		typ = "BigInt"
	}
	s := "[" + typ
	switch {
	case x.NullProto:
		s += " (null prototype)"
	case x.Class != typ:
		s += " (" + escapeControls(x.Class) + ")"
	}
	if x.Inner != nil {
		s += ": " + f.plain(x.Inner, 0, false)
	}
	s += "]"
	if tag := f.tag(x); tag != "" && tag != x.Class {
		s += " [" + escapeControls(tag) + "]"
	}
	return s
}

// boxedKeys leaves the characters of a wrapped string out.
func (f *formatter) boxedKeys(x *Value, keys []*Member) []*Member {
	if x.Inner.kind() != object.KindString {
		return keys
	}
	var out []*Member
	for _, m := range keys {
		if !m.IsIndex || m.Index >= x.Inner.Length {
			out = append(out, m)
		}
	}
	return out
}

// buffer writes a Buffer as its own inspect method does: at most 50 bytes.
func (f *formatter) buffer(x *Value, p *parts) string {
	const most = 50
	s := "<Buffer "
	n := min(len(x.Bytes), most)
	for i, c := range x.Bytes[:n] {
		if i > 0 {
			s += " "
		}
		s += fmt.Sprintf("%02x", c)
	}
	if rest := x.Length - uint64(n); rest > 0 {
		s += fmt.Sprintf(" ... %d more byte%s", rest, plural(rest))
	}
	was := f.o.OneLine
	f.o.OneLine = true
	defer func() { f.o.OneLine = was }()
	for i, m := range p.keys {
		if i > 0 || x.Length > 0 {
			s += ", "
		}
		s += f.property(m, 1)
	}
	if x.Err != nil {
		s += " <" + escapeControls(x.Reason()) + ">"
	}
	return s + ">"
}
