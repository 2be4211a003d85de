// Package torque reads what Torque, V8's language for builtins, says about the layout of
// objects: classes, their order, bit fields. It makes of them the headers that V8's
// headers include, as src/torque/implementation-visitor.cc does.
package torque

import (
	"slices"
	"strconv"
	"strings"

	"coredbg/runtimes/v8/layout/gen/cxx"
)

// A Class is the definition of a class.
type Class struct {
	Name, Parent string
	Pos          cxx.Pos
	Fields       []Field
	HasBody      bool
	Abstract     bool
	Shape        bool
	SameType     bool // has the instance type of its parent
	Lowest       bool // has the first instance types of its parent's
	Highest      bool // has the last
	CxxLayout    bool // its fields are defined in C++
	Extern       bool
	Value        int // of its instance type; -1 if Torque chooses
	ReservedBits int // in the instance type; -1 for none
}

// A Field is a field of a class or a struct, or a part of a bit field.
type Field struct {
	Name  string
	Type  []cxx.Token
	Pos   cxx.Pos
	Array bool
	Weak  bool
	Bits  int // of a bit field
}

// A Struct is a struct or a bit field.
type Struct struct {
	Name   string
	Pos    cxx.Pos
	Base   string // the type under a bit field
	Fields []Field
}

// A Program is what a set of files declares.
type Program struct {
	Classes  []*Class
	Structs  map[string]*Struct
	Bits     []*Struct
	Aliases  map[string][]cxx.Token // "type A = B"
	Extends  map[string]string      // "type A extends B", enums, bit fields
	Builtins []Builtin

	flags  map[string]bool
	byName map[string]*Class
}

// A Builtin is the declaration of a builtin.
type Builtin struct {
	Name       string
	Pos        cxx.Pos
	JavaScript bool
}

// NewProgram returns a program in whose files the conditions of flags hold.
func NewProgram(flags map[string]bool) *Program {
	return &Program{
		Structs: map[string]*Struct{}, Aliases: map[string][]cxx.Token{}, Extends: map[string]string{},
		flags: flags, byName: map[string]*Class{},
	}
}

// Add reads a file.
func (p *Program) Add(name, text string) {
	r := reader{Program: p, t: cxx.LexFile(name, text)}
	for r.i < len(r.t) {
		r.declaration()
	}
}

// A reader reads one file.
type reader struct {
	*Program
	t []cxx.Token
	i int
}

func (r *reader) peek(n int) string {
	if r.i+n < len(r.t) {
		return r.t[r.i+n].Text
	}
	return ""
}

func (r *reader) accept(s string) bool {
	if r.peek(0) == s && r.i < len(r.t) {
		r.i++
		return true
	}
	return false
}

// annotations reads "@abstract @if(X)"; ok is false if a condition does not hold.
func (r *reader) annotations() (list map[string]string, ok bool) {
	list, ok = map[string]string{}, true
	for r.peek(0) == "@" {
		name, arg := r.peek(1), ""
		r.i += 2
		if r.peek(0) == "(" {
			end := cxx.Closing(r.t, r.i)
			arg = cxx.Join(r.t[r.i+1 : end])
			r.i = end + 1
		}
		list[name] = arg
		if name == "if" && !r.flags[arg] || name == "ifnot" && r.flags[arg] {
			ok = false
		}
	}
	return list, ok
}

func (r *reader) declaration() {
	notes, ok := r.annotations()
	start := r.i
	extern := r.accept("extern")
	r.accept("transient")
	switch r.peek(0) {
	case "class", "shape":
		c := r.class(notes, extern)
		if ok {
			r.Classes = append(r.Classes, c)
			r.byName[c.Name] = c
		}
	case "bitfield":
		r.i += 2
		s := &Struct{Name: r.peek(0), Pos: r.t[min(r.i, len(r.t)-1)].Pos, Base: r.peek(2)}
		r.i += 3
		s.Fields = r.fields()
		r.Bits = append(r.Bits, s)
		r.Extends[s.Name] = s.Base
	case "struct":
		s := &Struct{Name: r.peek(1), Pos: r.t[r.i].Pos}
		for r.i < len(r.t) && r.peek(0) != "{" {
			r.i++
		}
		s.Fields = r.fields()
		r.Structs[s.Name] = s
	case "enum":
		name := r.peek(1)
		for r.i < len(r.t) && r.peek(0) != "{" {
			if r.peek(0) == "extends" {
				r.Extends[name] = r.peek(1)
			}
			r.i++
		}
		r.i = cxx.Closing(r.t, min(r.i, len(r.t)-1)) + 1
	case "type":
		r.typ()
	case "namespace":
		r.i += 3
	case "}", ";":
		r.i++
	case "#": // #include '…'
		r.i += 3
	default:
		r.i = start
		r.other(ok)
	}
}

// other steps over macros, builtins and constants; builtins are noted.
func (r *reader) other(ok bool) {
	js := false
	for r.i < len(r.t) {
		switch r.peek(0) {
		case "javascript":
			js = true
		case "builtin":
			if ok && r.i+1 < len(r.t) {
				t := r.t[r.i+1]
				r.Builtins = append(r.Builtins, Builtin{t.Text, t.Pos, js})
			}
		case "(", "[":
			r.i = cxx.Closing(r.t, r.i)
		case "{":
			r.i = cxx.Closing(r.t, r.i) + 1
			return
		case ";":
			r.i++
			return
		}
		r.i++
	}
}

// typ reads "type A = B;" and "type A extends B generates '…' constexpr '…';".
func (r *reader) typ() {
	name := r.peek(1)
	r.i += 2
	for r.peek(0) == "<" {
		for r.i < len(r.t) && r.peek(0) != ">" {
			r.i++
		}
		r.i++
	}
	start := r.i
	for r.i < len(r.t) && r.peek(0) != ";" && r.peek(0) != "{" {
		r.i++
	}
	body := r.t[start:min(r.i, len(r.t))]
	if r.peek(0) == "{" {
		r.i = cxx.Closing(r.t, r.i)
	}
	r.i++
	switch {
	case len(body) > 1 && body[0].Text == "=":
		r.Aliases[name] = body[1:]
	case len(body) > 1 && body[0].Text == "extends":
		r.Extends[name] = body[1].Text
	}
}

func (r *reader) class(notes map[string]string, extern bool) *Class {
	has := func(name string) bool { _, ok := notes[name]; return ok }
	c := &Class{
		Name: r.peek(1), Pos: r.t[r.i].Pos, Shape: r.peek(0) == "shape", Extern: extern, Value: -1, ReservedBits: -1,
		Abstract: has("abstract"), SameType: has("hasSameInstanceTypeAsParent"),
		Lowest:  has("lowestInstanceTypeWithinParentClassRange"),
		Highest: has("highestInstanceTypeWithinParentClassRange"), CxxLayout: has("cppObjectLayoutDefinition"),
	}
	c.SameType = c.SameType || c.Shape
	for name, p := range map[string]*int{"apiExposedInstanceTypeValue": &c.Value,
		"reserveBitsInInstanceType": &c.ReservedBits} {
		if n, err := strconv.ParseInt(notes[name], 0, 32); err == nil {
			*p = int(n)
		}
	}
	for r.i < len(r.t) && r.peek(0) != "{" && r.peek(0) != ";" {
		if r.peek(0) == "extends" {
			c.Parent = r.peek(1)
		}
		r.i++
	}
	if r.accept(";") {
		return c
	}
	c.HasBody = true
	c.Fields = r.fields()
	return c
}

// fields reads a body in braces: fields, and macros, which are stepped over.
func (r *reader) fields() []Field {
	if r.i >= len(r.t) || r.peek(0) != "{" {
		return nil
	}
	end := cxx.Closing(r.t, r.i)
	r.i++
	var out []Field
	for r.i < end {
		_, ok := r.annotations()
		if f, isField := r.field(end); isField && ok {
			out = append(out, f)
		}
	}
	r.i = end + 1
	r.accept(";")
	return out
}

var fieldWords = []string{"const", "weak", "strong"}

// field reads "const weak name[length]: Type;" or "name: Type: 3 bit;".
func (r *reader) field(end int) (Field, bool) {
	f := Field{Pos: r.t[r.i].Pos}
	for r.i < end && slices.Contains(fieldWords, r.peek(0)) && r.peek(1) != ":" {
		f.Weak = f.Weak || r.peek(0) == "weak"
		r.i++
	}
	f.Name = r.peek(0)
	next := r.peek(1)
	if next == "?" {
		next = r.peek(2)
	}
	if r.i+1 >= end || next != ":" && next != "[" || f.Name == "macro" {
		r.other(false)
		return f, false
	}
	r.i++
	r.accept("?")
	if r.peek(0) == "[" {
		f.Array = true
		r.i = cxx.Closing(r.t, r.i) + 1
	}
	r.accept(":")
	start := r.i
	for r.i < end && r.peek(0) != ";" {
		r.i++
	}
	f.Type = r.t[start:r.i]
	r.accept(";")
	if n := len(f.Type); n > 3 && strings.HasPrefix(f.Type[n-1].Text, "bit") && f.Type[n-3].Text == ":" {
		f.Bits, _ = strconv.Atoi(f.Type[n-2].Text)
		f.Type = f.Type[:n-3]
	}
	return f, true
}
