package heap

import (
	"cmp"
	"strconv"
	"strings"

	"coredbg/core"
)

// A ReferenceKind says what a reference is to a program.
type ReferenceKind string

// The kinds that several runtimes have. A runtime may have more: V8 has "map value".
const (
	Property    ReferenceKind = "property"
	Element     ReferenceKind = "element"
	Variable    ReferenceKind = "variable"
	Global      ReferenceKind = "global" // variable
	Local       ReferenceKind = "generator local"
	Field       ReferenceKind = "field"
	StaticField ReferenceKind = "static field"
	// Part is a part of its holder that no program names: "its elements".
	Part ReferenceKind = "its"
	// Plain has a name only: "class table", "the scope around", a member of a struct of C.
	Plain ReferenceKind = ""
)

// A Reference says how an object refers to another. The zero Reference is not known, or does not exist.
type Reference struct {
	Kind ReferenceKind
	Name string // of the property, the variable or the field; the index of the element; the key of an entry
	// Class is the class of a static field.
	Class string
	// Place is where the program defines the variable, if that is known.
	Place Place
}

// String returns what users read: "property cache", "element 3", "its elements".
func (r Reference) String() string {
	switch {
	case r.Kind == Plain:
		return r.Name
	case r.Name == "":
		return string(r.Kind)
	}
	return string(r.Kind) + " " + r.Name
}

// Known reports whether r is not the zero Reference.
func (r Reference) Known() bool { return r != (Reference{}) }

// Variable returns the variable or static field that the reference is, with its class if it is a static field.
func (r Reference) Variable() (string, bool) {
	switch r.Kind {
	case Variable, Global:
		return r.Name, true
	case StaticField:
		if r.Class != "" {
			return r.Class + "." + r.Name, true
		}
		return r.Name, true
	}
	return "", false
}

// Named returns the name that the program itself gives to the property, variable or field; "" for other kinds.
func (r Reference) Named() string {
	switch r.Kind {
	case Property, Variable, Global, Field, StaticField:
		return r.Name
	}
	return ""
}

// ElementAt returns the reference that is element i.
func ElementAt(i uint64) Reference {
	return Reference{Kind: Element, Name: strconv.FormatUint(i, 10)}
}

// An Edge is a reference with its target.
type Edge struct {
	Reference
	To   core.Addr
	Weak bool
}

// A Step is an object on a way.
type Step struct {
	Class string
	// Reference is the reference from the object before; the zero Reference for the first object, and if the
	// object before does not refer to it.
	Reference Reference
}

// A Place is where a program defines something. The zero Place is not known.
type Place struct {
	File string // "/srv/app.js", "node:timers"
	Line int    // from 1; 0 if it is not known
}

// Known reports whether the place is known.
func (p Place) Known() bool { return p.File != "" }

// String returns "/srv/app.js:14"; "" if the place is not known.
func (p Place) String() string {
	if p.Line == 0 {
		return p.File
	}
	return p.File + ":" + strconv.Itoa(p.Line)
}

// Compare orders places by file and line.
func (p Place) Compare(o Place) int {
	return cmp.Or(strings.Compare(p.File, o.File), cmp.Compare(p.Line, o.Line))
}

// OfProgram reports whether the place is in a program's own file: files of a platform have no root.
func (p Place) OfProgram() bool {
	return strings.Contains(p.File, "://") || strings.HasPrefix(p.File, "/") || strings.Contains(p.File, `:\`)
}
