// Package cdecl writes the types of debugging information as the declarations of their language: C, C++ and Rust. Types
// of other languages are written as C's.
//
// Methods are not shown.
package cdecl

import (
	"fmt"
	"strconv"
	"strings"

	"coredbg/core/dwarf"
)

// Whole returns the declaration of a type with its members, as gdb's ptype shows it. Typedefs are resolved.
func Whole(t *dwarf.Type) string { return (&declarer{}).around(t, "", 1, 0, 0) }

// A declarer writes declarations of types.
type declarer struct {
	lines int
}

// maxDeclared bounds the lines of a declaration.
const maxDeclared = 4096

// around writes a type around a declarator. show is how many levels of members are written, as gdb counts them: named
// types are written with members at 1, types without a name also at 0.
func (d *declarer) around(t *dwarf.Type, inner string, show, indent, depth int) string {
	if t == nil {
		return joined("void", inner)
	}
	if depth > 64 {
		return joined("…", inner)
	}
	next := func(inner string) string { return d.around(t.Elem(), inner, show, indent, depth+1) }
	switch t.Kind {
	case dwarf.Typedef:
		if t.Elem() == nil && t.Own() != "" {
			return joined(t.Own(), inner)
		}
		return next(inner)
	case dwarf.Const, dwarf.Volatile, dwarf.Restrict, dwarf.Atomic:
		return d.qualified(t, inner, show, indent, depth)
	case dwarf.Pointer, dwarf.Reference, dwarf.RvalueReference:
		sign := map[dwarf.Kind]string{dwarf.Pointer: "*", dwarf.Reference: "&", dwarf.RvalueReference: "&&"}[t.Kind]
		if s := t.Elem().Strip(); s != nil && (s.Kind == dwarf.Array || s.Kind == dwarf.Function) {
			return next("(" + sign + inner + ")")
		}
		return next(sign + inner)
	case dwarf.Array:
		n := ""
		if t.Len() >= 0 {
			n = strconv.FormatInt(t.Len(), 10)
		}
		return next(inner + "[" + n + "]")
	case dwarf.Function:
		return next(inner + "(" + parametersOf(t) + ")")
	case dwarf.Struct, dwarf.Class, dwarf.Union:
		return joined(d.structure(t.Complete(), show, indent), inner)
	case dwarf.Enum:
		return joined(enumeration(t.Complete(), show), inner)
	}
	return joined(t.Name(), inner)
}

// joined puts a declarator behind a type.
func joined(name, inner string) string {
	if inner == "" {
		return name
	}
	return name + " " + inner
}

// qualified writes a qualifier: before the name of a type, or after a pointer.
func (d *declarer) qualified(t *dwarf.Type, inner string, show, indent, depth int) string {
	word := map[dwarf.Kind]string{dwarf.Const: "const", dwarf.Volatile: "volatile", dwarf.Restrict: "restrict",
		dwarf.Atomic: "_Atomic"}[t.Kind]
	e := t.Elem()
	for e != nil && e.Kind == dwarf.Typedef && e.Elem() != nil {
		e = e.Elem()
	}
	switch {
	case e != nil && (e.Kind == dwarf.Pointer || e.Kind == dwarf.Reference):
		if inner != "" {
			word += " " + inner
		}
		return d.around(e, " "+word, show, indent, depth+1)
	case e != nil && e.Kind == dwarf.Array: // its elements are qualified, too
		return d.around(e, inner, show, indent, depth+1)
	}
	return word + " " + d.around(e, inner, show, indent, depth+1)
}

// parametersOf lists the types of a function's parameters.
func parametersOf(t *dwarf.Type) string {
	var list []string
	for _, m := range t.Members() {
		if m.Name == "..." {
			list = append(list, "...")
			continue
		}
		list = append(list, m.Type().Name())
	}
	if len(list) == 0 && t.Lang().C() {
		return "void"
	}
	return strings.Join(list, ", ")
}

// keywordOf is the word before the name of a structure.
func keywordOf(t *dwarf.Type) string {
	switch t.Kind {
	case dwarf.Union:
		return "union"
	case dwarf.Class:
		return "class"
	case dwarf.Enum:
		return "enum"
	}
	if t.Lang() == dwarf.LangRust && len(t.VariantParts()) > 0 {
		return "enum"
	}
	return "struct"
}

// structure writes a structure, with its members if show says so.
func (d *declarer) structure(t *dwarf.Type, show, indent int) string {
	head := keywordOf(t)
	name := t.Qualified()
	if t.Own() == "" {
		name = ""
	}
	if name != "" {
		head += " " + name
	}
	if show < 1 && (name != "" || show < 0) {
		if name == "" {
			return head + " {...}"
		}
		return head
	}
	if t.Declared {
		return head + " {\n" + strings.Repeat(" ", indent+4) + "<incomplete type>\n" + strings.Repeat(" ", indent) + "}"
	}
	head += basesOf(t)
	var b strings.Builder
	open, end := "{", "}"
	if isTuple(t) {
		open, end = "(", ")"
	}
	b.WriteString(head + " " + open + "\n")
	pad := strings.Repeat(" ", indent+4)
	for _, line := range d.membersOf(t, show, indent+4) {
		b.WriteString(pad + line + "\n")
	}
	b.WriteString(strings.Repeat(" ", indent) + end)
	return b.String()
}

// basesOf is what follows the name of a class that has bases.
func basesOf(t *dwarf.Type) string {
	var bases []string
	for _, m := range t.Members() {
		if m.Inherited {
			bases = append(bases, strings.TrimPrefix(map[bool]string{true: "virtual "}[m.Virtual]+m.Type().Name(), " "))
		}
	}
	if len(bases) == 0 {
		return ""
	}
	return " : " + strings.Join(bases, ", ")
}

// isTuple reports whether a structure of Rust has numbers in place of members' names.
func isTuple(t *dwarf.Type) bool {
	members := t.Members()
	return t.Lang() == dwarf.LangRust && len(members) > 0 && len(t.VariantParts()) == 0 && isIndex(members[0].Name)
}

// isIndex reports whether the name of a member is a number, as Rust's debugging information writes it.
func isIndex(name string) bool {
	rest, ok := strings.CutPrefix(name, "__")
	return ok && rest != "" && strings.Trim(rest, "0123456789") == ""
}

// membersOf writes the members of a structure, one a line or more.
func (d *declarer) membersOf(t *dwarf.Type, show, indent int) (list []string) {
	members := t.Members()
	for i := range members {
		m := &members[i]
		if m.Inherited || m.Artificial && strings.HasPrefix(m.Name, "_vptr") {
			continue
		}
		if d.lines++; d.lines > maxDeclared {
			return append(list, "…")
		}
		list = append(list, d.member(t, m, show, indent))
	}
	for _, p := range t.VariantParts() {
		for _, v := range p.Variants {
			for i := range v.Members {
				if d.lines++; d.lines > maxDeclared {
					return append(list, "…")
				}
				list = append(list, d.variant(&v.Members[i], indent))
			}
		}
	}
	if len(list) == 0 && t.Lang().C() {
		list = []string{"<no data fields>"}
	}
	return list
}

// member writes a member of a structure.
func (d *declarer) member(of *dwarf.Type, m *dwarf.Member, show, indent int) string {
	t := m.Type()
	if of.Lang() == dwarf.LangRust {
		if isIndex(m.Name) {
			return t.Name() + ","
		}
		return m.Name + ": " + t.Name() + ","
	}
	show--
	if s := t; m.Name == "" && s != nil && (s.Kind == dwarf.Struct || s.Kind == dwarf.Union) {
		show++ // its members are the outer structure's
	}
	text := t.Declare(m.Name)
	if unnamed(t) {
		text = d.around(t, m.Name, show, indent, 0)
	}
	if m.BitSize > 0 {
		text += fmt.Sprintf(" : %d", m.BitSize)
	}
	return text + ";"
}

// unnamed reports whether a type consists of a structure without a name, which is written where it is used.
func unnamed(t *dwarf.Type) bool {
	for range 64 {
		switch {
		case t == nil, t.Own() != "":
			return false
		case t.Kind == dwarf.Struct, t.Kind == dwarf.Class, t.Kind == dwarf.Union, t.Kind == dwarf.Enum:
			return true
		}
		t = t.Elem()
	}
	return false
}

// variant writes a variant of an enumeration of Rust.
func (d *declarer) variant(m *dwarf.Member, indent int) string {
	name := m.Name
	if name == "" {
		name = m.Type().Own()
	}
	var list []string
	tuple := true
	members := m.Type().Members()
	for i := range members {
		f := &members[i]
		if f.Artificial {
			continue
		}
		if isIndex(f.Name) {
			list = append(list, f.Type().Name())
			continue
		}
		tuple = false
		list = append(list, f.Name+": "+f.Type().Name())
	}
	switch {
	case len(list) == 0:
		return name + ","
	case tuple:
		return name + "(" + strings.Join(list, ", ") + "),"
	}
	return name + "{" + strings.Join(list, ", ") + "},"
}

// enumeration writes an enumeration, with its values if show says so.
func enumeration(t *dwarf.Type, show int) string {
	head := "enum"
	if t.Own() != "" {
		head += " " + t.Qualified()
	}
	if show < 1 && (t.Own() != "" || show < 0) {
		if t.Own() == "" {
			return head + " {...}"
		}
		return head
	}
	var list []string
	next := int64(0)
	for i, x := range t.Enumerators() {
		if i == maxDeclared {
			list = append(list, "…")
			break
		}
		text := x.Name
		if x.Value != next {
			text += " = " + strconv.FormatInt(x.Value, 10)
		}
		list, next = append(list, text), x.Value+1
	}
	return head + " {" + strings.Join(list, ", ") + "}"
}
