package cxx

// A DeclKind says what a name is declared as.
type DeclKind uint8

// The kinds of declarations.
const (
	Const    DeclKind = iota + 1 // a constant or an enumerator
	Alias                        // a type by another name
	Class                        // a class, a struct, a union, an enum
	Func                         // a function whose body can be read
	Field                        // a member of each object
	Space                        // a namespace
	Template                     // a template parameter
)

// A Decl is a declaration. Expressions and types are kept as tokens: most are never
// asked for.
type Decl struct {
	Kind   DeclKind
	Name   string
	Pos    Pos
	In     *Scope
	Params []Param // of a template

	Type  []Token   // of a field, a constant, an alias
	Init  []Token   // the value of a constant; the body of a function
	Prev  *Decl     // the enumerator before one that has no value
	Dims  [][]Token // of an array
	Align []Token   // alignas
	Bits  []Token   // of a bit field of the language
	Args  []string  // names of a function's parameters
	Scope *Scope    // of a class, an enum, a namespace

	Forward bool  // a template whose definition is yet to come, or only has specialisations
	Next    *Decl // an overload

	owner *Scope // of a constant that is defined outside of its class

	// The result, if the arguments of a template do not matter.
	value *int64
	typ   *Type
	bases map[int]*Type
}

// general reports whether d means the same whatever arguments templates have.
func (d *Decl) general() bool {
	for d != nil {
		if len(d.Params) > 0 {
			return false
		}
		s := d.In
		for s != nil && s.Decl == nil {
			s = s.Parent
		}
		if s == nil {
			return true
		}
		d = s.Decl
	}
	return true
}

// Path returns the names of the scopes that a declaration is in, and its own.
func (d *Decl) Path() string {
	if d.In == nil || d.In.Decl == nil || d.In.Decl.Name == "" {
		return d.Name
	}
	return d.In.Decl.Path() + "::" + d.Name
}

// A Param is a parameter of a template.
type Param struct {
	Name    string
	IsType  bool
	Pack    bool
	Default []Token
}

// A Scope is the inside of a namespace, a class or an enum.
type Scope struct {
	Decl    *Decl
	Parent  *Scope
	Names   map[string]*Decl
	Bases   [][]Token
	Fields  []*Decl
	Opened  [][]Token // namespaces that using-directives name
	Pack    int       // the alignment that members have at most; 0 if it is natural
	Union   bool
	Virtual bool
	Base    []Token // the type under an enum
	IsEnum  bool
}

func newScope(d *Decl, parent *Scope) *Scope {
	s := &Scope{Decl: d, Parent: parent, Names: map[string]*Decl{}}
	if d != nil {
		d.Scope = s
	}
	return s
}

// declare adds a name; what is declared first stays, and functions are overloaded.
func (s *Scope) declare(d *Decl) {
	d.In = s
	old := s.Names[d.Name]
	switch {
	case old == nil:
		s.Names[d.Name] = d
	case old.Forward && d.Kind == Class:
		for i := range min(len(old.Params), len(d.Params)) {
			if d.Params[i].Default == nil {
				d.Params[i].Default = old.Params[i].Default
			}
		}
		s.Names[d.Name] = d
	case d.Kind == Func && old.Kind == Func:
		d.Next = old.Next
		old.Next = d
	case old.Kind == Func:
		s.Names[d.Name] = d
	}
}

// lookup returns the declaration of a name in a scope, its namespaces opened there, and those
// around it; not in its bases.
func (s *Scope) lookup(name string) *Decl {
	for ; s != nil; s = s.Parent {
		if d := s.Names[name]; d != nil {
			return d
		}
	}
	return nil
}
