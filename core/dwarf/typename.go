package dwarf

import (
	"slices"
	"strconv"
	"strings"
)

// Own returns the name in the type's own entry, without what it is nested in; "" if it has none.
func (t *Type) Own() string { return t.own }

// Qualified returns the type's name with the namespaces, classes and functions that it is in; ""
// for one without a name.
func (t *Type) Qualified() string {
	if t == nil || t.own == "" {
		return ""
	}
	return t.u.qualify(t.declared, t.own)
}

// Name returns the type as its language spells it: "const char *", "int [4]",
// "std::vector<int, std::allocator<int> >".
func (t *Type) Name() string { return spell(t, "", 0) }

// spell writes the type around a declarator, as C does.
func spell(t *Type, inner string, depth int) string {
	if t == nil {
		return around("void", inner)
	}
	if depth > maxDepth {
		return around("…", inner)
	}
	// What Rust and Go have has a name of its own: "&str", "*main.T".
	if t.own != "" && t.Kind != Const && t.Kind != Volatile && t.Kind != Restrict && t.Kind != Atomic {
		return around(t.tagged(), inner)
	}
	next := func(inner string) string { return spell(t.Elem(), inner, depth+1) }
	switch t.Kind {
	case Pointer:
		if t.Lang() == LangGo && inner == "" {
			return "*" + t.Elem().Name()
		}
		return next(t.grouped("*"+inner, depth))
	case Reference:
		return next(t.grouped("&"+inner, depth))
	case RvalueReference:
		return next(t.grouped("&&"+inner, depth))
	case MemberPointer:
		return next(t.grouped(t.holder.typ().Qualified()+"::*"+inner, depth))
	case Array:
		return next(inner + bounds(t.dims[:1]))
	case Function:
		return next(inner + "(" + t.parameters(depth) + ")")
	case Const, Volatile, Restrict, Atomic:
		return t.qualified(inner, depth)
	case Struct, Class, Union, Enum:
		return around(keywords[t.Kind]+" {…}", inner)
	}
	return around("void", inner)
}

var keywords = map[Kind]string{Struct: "struct", Class: "class", Union: "union", Enum: "enum"}

// tagged returns the type's name, in C with the keyword that its name needs there.
func (t *Type) tagged() string {
	if word := keywords[t.Kind]; word != "" && t.Lang().C() {
		return word + " " + t.Qualified()
	}
	return t.Qualified()
}

func around(name, inner string) string {
	if inner == "" {
		return name
	}
	return name + " " + inner
}

func bounds(dims []int64) string {
	var b strings.Builder
	for _, n := range dims {
		b.WriteByte('[')
		if n >= 0 {
			b.WriteString(strconv.FormatInt(n, 10))
		}
		b.WriteByte(']')
	}
	return b.String()
}

// grouped puts a declarator into parentheses where it would else belong to what it points at.
func (t *Type) grouped(s string, depth int) string {
	if e := t.Elem(); e != nil && e.own == "" && (e.Kind == Array || e.Kind == Function) {
		return "(" + s + ")"
	}
	return s
}

// qualified writes a qualifier before the name of what it qualifies, after a pointer. One of an
// array is its elements' (C11, 6.7.3), which GCC writes of both.
func (t *Type) qualified(inner string, depth int) string {
	word := map[Kind]string{Const: "const", Volatile: "volatile", Restrict: "restrict", Atomic: "_Atomic"}[t.Kind]
	e := t.Elem()
	if e != nil && e.Kind == Array && e.Elem() != nil && e.Elem().Kind == t.Kind {
		return spell(e, inner, depth+1)
	}
	if e != nil && e.own == "" && (e.Kind == Pointer || e.Kind == Reference) {
		return spell(e, around(word, inner), depth+1)
	}
	return word + " " + spell(e, inner, depth+1)
}

func (t *Type) parameters(depth int) string {
	var list []string
	for _, m := range t.Members() {
		if m.Name == "..." {
			list = append(list, "...")
			continue
		}
		list = append(list, spell(m.Type(), "", depth+1))
	}
	return strings.Join(list, ", ")
}

// namedScopes returns the unit's scopes.
func (u *Unit) namedScopes() []scope {
	u.named.once.Do(func() {
		u.load()
		var open []int
		in := -1
		r := u.reader(u.first)
		for {
			e, ok := r.next()
			if !ok {
				break
			}
			if e.Tag == 0 {
				if n := len(open); n > 0 {
					if i := open[n-1]; i >= 0 {
						u.named.list[i].end = e.Off
						in = u.named.list[i].parent
					}
					open = open[:n-1]
				}
				continue
			}
			if !e.Children {
				continue
			}
			if len(open) >= maxNested {
				r.skipChildren(e)
				continue
			}
			i := -1
			if text, ok := scopeText(e); ok {
				name := string(text)
				if decl, ok := e.attr(atSpecification).unitRef(); ok {
					name = qualified(u.named.list, decl, name)
				}
				i = len(u.named.list)
				u.named.list = append(u.named.list, scope{e.Off, u.end, name, in})
				in = i
			} else if e.Tag == TagEnumerationType || e.Tag == TagArrayType || e.Tag == TagSubroutineType {
				r.skipChildren(e)
				continue
			}
			open = append(open, i)
		}
	})
	return u.named.list
}

// scopeText returns what the names of entries in e have before them, lent; ok is false if e adds
// nothing.
func scopeText(e *Entry) (name []byte, ok bool) {
	switch e.Tag {
	case TagNamespace, TagModule:
		if name = e.attr(atName).text(); len(name) == 0 {
			name = []byte("(anonymous namespace)")
		}
		return name, true
	case TagStructureType, TagClassType, TagUnionType, TagInterfaceType:
		name = e.attr(atName).text()
		return name, len(name) > 0
	}
	return nil, false
}

// qualify puts the names of the scopes that an entry is in before its own.
func (u *Unit) qualify(off Offset, own string) string {
	return qualified(u.namedScopes(), off, own)
}

func qualified(list []scope, off Offset, own string) string {
	i, _ := slices.BinarySearchFunc(list, off, func(s scope, off Offset) int {
		if s.start < off {
			return -1
		}
		return 1
	})
	parts := []string{own}
	for i--; i >= 0; i = list[i].parent {
		if off < list[i].end {
			parts = append(parts, list[i].name)
		}
	}
	slices.Reverse(parts)
	return strings.Join(parts, "::")
}
