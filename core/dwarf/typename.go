package dwarf

import (
	"coredbg/core/dwarf/encoded"
	"coredbg/core/dwarf/format"
	"slices"
	"strconv"
	"strings"
)

// Own returns the name of the type itself, without its scopes; "" if it has no name.
func (t *Type) Own() string { return newSpeller().own(t) }

// Qualified returns the type's name with the namespaces, classes and functions that it is in; ""
// for one without a name.
func (t *Type) Qualified() string { return newSpeller().nested(t) }

// Name returns the type as its language spells it: "const char *", "int [4]",
// "std::vector<int, std::allocator<int> >".
func (t *Type) Name() string { return newSpeller().spell(t, "", 0) }

// Declare returns the declaration of a name with the type, as C writes it.
func (t *Type) Declare(name string) string { return newSpeller().spell(t, name, 0) }

// A speller spells types. It adds the arguments to names of templates that lack them, at most left
// parts: templates may be arguments of each other.
type speller struct{ left int }

// maxMade is the largest number of parts in one name.
const maxMade = 1000

func newSpeller() *speller { return &speller{maxMade} }

// nested returns a type's name with its scopes.
func (s *speller) nested(t *Type) string {
	if t == nil || t.own == "" {
		return ""
	}
	list := t.u.namedScopes()
	if !t.u.named.simple {
		return qualified(list, t.declared, t.own)
	}
	parts := []string{s.own(t)}
	enclosing(list, t.declared, func(in *scope) {
		if x := t.u.d.typeAt(in.start); x != nil {
			parts = append(parts, s.own(x))
		} else {
			parts = append(parts, in.name)
		}
	})
	slices.Reverse(parts)
	return strings.Join(parts, "::")
}

// own returns the name of a type itself. clang's -gsimple-template-names leaves out what a template was made
// with, which the entry's children say.
func (s *speller) own(t *Type) string {
	if t == nil || t.own == "" || !t.composite() || strings.Contains(t.own, "<") {
		return t.ownName()
	}
	if t.u.namedScopes(); !t.u.named.simple {
		return t.own
	}
	if p := t.made.Load(); p != nil {
		return *p
	}
	t.fill()
	name := t.own
	if len(t.params) > 0 || t.packed {
		var args []string
		for i := range t.params {
			if s.left--; s.left < 0 {
				return t.own + "<…>"
			}
			args = append(args, s.param(&t.params[i]))
		}
		name += "<" + strings.Join(args, ", ")
		if strings.HasSuffix(name, ">") {
			name += " "
		}
		if name += ">"; s.left < 0 || len(name) > maxName {
			return t.own + "<…>"
		}
	}
	t.made.Store(&name)
	return name
}

func (t *Type) ownName() string {
	if t == nil {
		return ""
	}
	return t.own
}

// maxName is how long the name of a template may get, in bytes.
const maxName = 1 << 16

// suffixes are what clang writes after numbers that templates are made with, by their type.
var suffixes = map[string]string{"int": "", "unsigned int": "U", "long": "L", "unsigned long": "UL", "long long": "LL",
	"unsigned long long": "ULL"}

// param spells what a template was made with, as clang does.
func (s *speller) param(p *TemplateParam) string {
	t := p.Type()
	if !p.HasValue {
		return s.spell(t, "", 1)
	}
	name := t.Strip().ownName()
	suffix, known := suffixes[name]
	switch {
	case name == "bool":
		return strconv.FormatBool(p.Value != 0)
	case known && strings.HasPrefix(name, "unsigned"):
		return strconv.FormatUint(uint64(p.Value), 10) + suffix
	case known:
		return strconv.FormatInt(p.Value, 10) + suffix
	}
	return "(" + s.spell(t, "", 1) + ")" + strconv.FormatInt(p.Value, 10)
}

// spell writes the type around a declarator, as C does.
func (s *speller) spell(t *Type, inner string, depth int) string {
	if t == nil {
		return around("void", inner)
	}
	if depth > maxDepth {
		return around("…", inner)
	}
	// A derived type of Rust and Go has its own name: "&str", "*main.T".
	if t.own != "" && t.Kind != Const && t.Kind != Volatile && t.Kind != Restrict && t.Kind != Atomic {
		return around(s.tagged(t), inner)
	}
	next := func(inner string) string { return s.spell(t.Elem(), inner, depth+1) }
	switch t.Kind {
	case Pointer:
		if t.Lang() == LangGo && inner == "" {
			return "*" + s.spell(t.Elem(), "", depth+1)
		}
		return next(t.grouped("*" + inner))
	case Reference:
		return next(t.grouped("&" + inner))
	case RvalueReference:
		return next(t.grouped("&&" + inner))
	case MemberPointer:
		return next(t.grouped(s.nested(t.holder.typ()) + "::*" + inner))
	case Array:
		return next(inner + bounds(t.dims[:1]))
	case Typedef: // a range of integers without a name
		return next(inner)
	case Set:
		return around("set of "+s.spell(t.Elem(), "", depth+1), inner)
	case String:
		return around("string"+bounds([]dim{{n: t.size}}), inner)
	case Function:
		return next(inner + "(" + s.parameters(t, depth) + ")")
	case Const, Volatile, Restrict, Atomic:
		return s.qualified(t, inner, depth)
	case Struct, Class, Union, Enum:
		return around(keywords[t.Kind]+" {…}", inner)
	}
	return around("void", inner)
}

var keywords = map[Kind]string{Struct: "struct", Class: "class", Union: "union", Enum: "enum"}

// tagged returns the type's name, in C with the keyword that its name needs there.
func (s *speller) tagged(t *Type) string {
	name := s.nested(t)
	switch l := t.Lang(); {
	case l.C() && keywords[t.Kind] != "":
		return keywords[t.Kind] + " " + name
	case l.Ada():
		name, _, _ = strings.Cut(t.own, "___") // what follows says how GNAT lays the type out
		name, _ = encoded.GNAT(name)
	case l == LangD:
		name = strings.ReplaceAll(name, "::", ".")
	}
	return name
}

func around(name, inner string) string {
	if inner == "" {
		return name
	}
	return name + " " + inner
}

func bounds(dims []dim) string {
	var b strings.Builder
	for _, d := range dims {
		b.WriteByte('[')
		if n := d.n; n >= 0 {
			b.WriteString(strconv.FormatInt(n, 10))
		}
		b.WriteByte(']')
	}
	return b.String()
}

// grouped puts a declarator into parentheses where it would otherwise belong to the type that it points
// at.
func (t *Type) grouped(s string) string {
	e := t.Elem()
	for range maxChain { // a qualified array is written as an array of qualified elements
		if e == nil || e.own != "" || e.Kind < Const || e.Kind > Atomic {
			break
		}
		e = e.Elem()
	}
	if e != nil && e.own == "" && (e.Kind == Array || e.Kind == Function) {
		return "(" + s + ")"
	}
	return s
}

// qualified writes a qualifier before the name of a type, or after a pointer. A qualified array has
// qualified elements (C11, 6.7.3); GCC writes the qualifier for both.
func (s *speller) qualified(t *Type, inner string, depth int) string {
	word := map[Kind]string{Const: "const", Volatile: "volatile", Restrict: "restrict", Atomic: "_Atomic"}[t.Kind]
	e := t.Elem()
	if e != nil && e.Kind == Array && e.Elem() != nil && e.Elem().Kind == t.Kind {
		return s.spell(e, inner, depth+1)
	}
	if e != nil && e.own == "" && (e.Kind == Pointer || e.Kind == Reference) {
		return s.spell(e, around(word, inner), depth+1)
	}
	return word + " " + s.spell(e, inner, depth+1)
}

func (s *speller) parameters(t *Type, depth int) string {
	var list []string
	for _, m := range t.Members() {
		if m.Name == "..." {
			list = append(list, "...")
			continue
		}
		list = append(list, s.spell(m.Type(), "", depth+1))
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
			u.named.simple = u.named.simple || simpleName(u.named.list, open, e.Tag)
			if !e.Children {
				continue
			}
			if len(open) >= maxNested {
				r.skipChildren(e)
				continue
			}
			i := -1
			text, ok := scopeText(e)
			if !ok && isClass(e.Tag) { // what clang leaves here of a type that has a unit of its own
				if sig, is := e.attr(format.AtSignature).ref(); is {
					text = []byte(sig.signed().ownName())
					ok = len(text) > 0
				}
			}
			if ok {
				name := string(text)
				if decl, ok := e.attr(format.AtSpecification).unitRef(); ok {
					name = qualified(u.named.list, decl, name)
				}
				i = len(u.named.list)
				u.named.list = append(u.named.list, scope{e.Off, u.end, name, in})
				in = i
			} else if e.Tag == format.TagEnumerationType || e.Tag == format.TagArrayType ||
				e.Tag == format.TagSubroutineType {
				r.skipChildren(e)
				continue
			}
			open = append(open, i)
		}
	})
	return u.named.list
}

// simpleName reports whether an entry is a template argument of a class whose name lacks its arguments.
func simpleName(list []scope, open []int, t format.Tag) bool {
	if t != format.TagTemplateTypeParam && t != format.TagTemplateValueParam &&
		t != format.TagGNUTemplateParameterPack || len(open) == 0 {
		return false
	}
	i := open[len(open)-1]
	return i >= 0 && !strings.Contains(list[i].name, "<")
}

// scopeText returns what the names of entries in e have before them, lent; ok is false if e adds
// nothing.
func scopeText(e *Entry) (name []byte, ok bool) {
	switch e.Tag {
	case format.TagNamespace, format.TagModule:
		if name = e.attr(format.AtName).text(); len(name) == 0 {
			name = []byte("(anonymous namespace)")
		}
		return name, true
	}
	if isClass(e.Tag) {
		name = e.attr(format.AtName).text()
	}
	return name, len(name) > 0
}

func isClass(t format.Tag) bool {
	return t == format.TagStructureType || t == format.TagClassType || t == format.TagUnionType ||
		t == format.TagInterfaceType
}

// qualify puts the names of the scopes that an entry is in before its own.
func (u *Unit) qualify(off format.Offset, own string) string {
	return qualified(u.namedScopes(), off, own)
}

func qualified(list []scope, off format.Offset, own string) string {
	parts := []string{own}
	enclosing(list, off, func(in *scope) { parts = append(parts, in.name) })
	slices.Reverse(parts)
	return strings.Join(parts, "::")
}

// enclosing calls yield for the scopes that an entry is in, the innermost first.
func enclosing(list []scope, off format.Offset, yield func(in *scope)) {
	i, _ := slices.BinarySearchFunc(list, off, func(s scope, off format.Offset) int {
		if s.start < off {
			return -1
		}
		return 1
	})
	for i--; i >= 0; i = list[i].parent {
		if off < list[i].end {
			yield(&list[i])
		}
	}
}
