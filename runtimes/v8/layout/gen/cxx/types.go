package cxx

import (
	"fmt"
	"slices"
	"strings"
)

// A Type is a type, with the size and alignment of its objects.
type Type struct {
	Name   string
	Size   int
	Align  int
	Signed bool
	Number bool // an integer, of at most 8 bytes

	class *Decl // of a class
	env   Env   // where it was found, with the arguments of templates
	laid  *Layout
	busy  bool // while it is laid out
}

// truncate returns v as a value of the type.
func (t *Type) truncate(v int64) int64 {
	if !t.Number {
		return v
	}
	switch shift := 64 - 8*t.Size; {
	case t.Name == "bool" && v != 0:
		return 1
	case shift <= 0:
		return v
	case t.Signed:
		return v << shift >> shift
	default:
		return int64(uint64(v) << shift >> shift)
	}
}

func integer(name string, size int, signed bool) *Type {
	return &Type{Name: name, Size: size, Align: size, Signed: signed, Number: true}
}

// builtin are the types that headers do not declare.
var builtin = map[string]*Type{
	"bool": integer("bool", 1, false), "char": integer("char", 1, true), "int8_t": integer("int8_t", 1, true),
	"uint8_t": integer("uint8_t", 1, false),
	"int16_t": integer("int16_t", 2, true), "uint16_t": integer("uint16_t", 2, false),
	"char16_t": integer("char16_t", 2, false),
	"short":    integer("short", 2, true), "int": integer("int", 4, true), "int32_t": integer("int32_t", 4, true),
	"uint32_t": integer("uint32_t", 4, false),
	"unsigned": integer("unsigned", 4, false), "signed": integer("signed", 4, true), "long": integer("long", 8, true),
	"int64_t":  integer("int64_t", 8, true),
	"uint64_t": integer("uint64_t", 8, false), "size_t": integer("size_t", 8, false),
	"intptr_t":  integer("intptr_t", 8, true),
	"uintptr_t": integer("uintptr_t", 8, false), "ptrdiff_t": integer("ptrdiff_t", 8, true),
	"double": {Name: "double", Size: 8, Align: 8}, "float": {Name: "float", Size: 4, Align: 4}, "void": {Name: "void"},
	"auto": {Name: "auto"},
}

var pointer = &Type{Name: "pointer", Size: 8, Align: 8}

// typeOf returns the type that tokens name.
func (e Env) typeOf(t []Token) (*Type, error) {
	if e.depth > maxDepth {
		return nil, errDeep
	}
	for len(t) > 0 && slices.Contains([]string{"const", "typename", "struct", "class", "enum", "volatile", "constexpr",
		"static", "inline", "mutable"}, t[0].Text) {
		t = t[1:]
	}
	for n := len(t); n > 0; n = len(t) {
		if s := t[n-1].Text; s == "*" || s == "&" || s == "&&" {
			return pointer, nil
		} else if s != "const" {
			break
		}
		t = t[:n-1]
	}
	if len(t) == 0 {
		return nil, fmt.Errorf("no type")
	}
	if builtin[t[0].Text] != nil && (e.scope == nil || e.scope.lookup(t[0].Text) == nil) {
		return words(t)
	}
	if t[0].Text == "std" {
		return e.library(t)
	}
	if e.scope == nil {
		return nil, fmt.Errorf("%s is not a type", Join(t))
	}
	x := &expr{t: t, env: e}
	d, env, err := x.path()
	if err != nil {
		return nil, err
	}
	if d == nil || x.i < len(t) {
		return nil, fmt.Errorf("%s is not a type", Join(t))
	}
	return e.deeper(env).typeDecl(d)
}

// words reads "unsigned long int".
func words(t []Token) (*Type, error) {
	names := make([]string, 0, len(t))
	for _, w := range t {
		if builtin[w.Text] == nil {
			return nil, fmt.Errorf("%s is not a type", Join(t))
		}
		names = append(names, w.Text)
	}
	base := builtin[names[0]]
	for _, n := range names[1:] {
		if n != "int" {
			base = builtin[n]
		}
	}
	if names[0] == "unsigned" && len(names) > 1 {
		return integer(strings.Join(names, " "), base.Size, false), nil
	}
	return base, nil
}

// typeDecl returns the type that was declared as d, which was found in e.
func (e Env) typeDecl(d *Decl) (*Type, error) {
	switch d.Kind {
	case Template:
		if b := e.find(d.Name); b != nil && b.typ != nil {
			return b.typ, b.typ.measure(e)
		}
	case Alias:
		inside := e
		inside.scope = d.In
		inside.depth++
		return inside.typeOf(d.Type)
	case Class:
		if d.Scope.IsEnum {
			return e.enumType(d)
		}
		general := d.general()
		if general && d.typ != nil {
			return d.typ, d.typ.measure(e)
		}
		t := &Type{Name: d.Name, class: d, env: e}
		if general {
			t.env.vars = nil
		}
		if general {
			d.typ = t
		}
		return t, t.measure(e)
	}
	return nil, fmt.Errorf("%s is not a type", d.Path())
}

// measure finds the size of a class, unless e asks for none.
func (t *Type) measure(e Env) error {
	if e.lazy || t.class == nil || t.class.Scope.IsEnum || t.laid != nil {
		return nil
	}
	t.env.depth = e.depth + 1
	_, err := t.Layout()
	return err
}

func (e Env) enumType(d *Decl) (*Type, error) {
	t := builtin["int"]
	if len(d.Scope.Base) > 0 {
		inside := e
		inside.scope = d.In
		var err error
		if t, err = inside.typeOf(d.Scope.Base); err != nil {
			return nil, err
		}
	}
	out := *t
	out.Name, out.class, out.env = d.Name, d, e
	return &out, nil
}

// library returns the type of std:: that tokens name.
func (e Env) library(t []Token) (*Type, error) {
	if len(t) < 3 {
		return nil, fmt.Errorf("%s is not a type", Join(t))
	}
	name := t[2].Text
	if b := builtin[strings.TrimPrefix(name, "atomic_")]; b != nil && len(t) == 3 {
		return b, nil
	}
	var args [][]Token
	if len(t) > 4 && t[3].Text == "<" {
		args = splitCommas(t[4:angleEnd(t, 3)])
	}
	switch {
	case (name == "atomic" || name == "make_unsigned_t" || name == "remove_const_t" || name == "underlying_type_t" ||
		name == "remove_cv_t") && len(args) == 1:
		return e.typeOf(args[0])
	case name == "array" && len(args) == 2:
		of, err := e.typeOf(args[0])
		if err != nil {
			return nil, err
		}
		n, err := e.eval(args[1])
		return &Type{Name: "array", Size: of.Size * int(n), Align: of.Align}, err
	case name == "conditional_t" && len(args) == 3:
		c, err := e.eval(args[0])
		if err != nil {
			return nil, err
		}
		return e.typeOf(args[2-min(1, int(c))])
	case name == "unique_ptr" && len(args) == 1:
		return pointer, nil
	case name == "vector":
		return &Type{Name: name, Size: 24, Align: 8}, nil
	case name == "shared_ptr":
		return &Type{Name: name, Size: 16, Align: 8}, nil
	}
	return nil, fmt.Errorf("%s: this type of the library is not known", Join(t))
}
