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

// Path returns the names of the scopes that a declaration is in, and its own.
func (d *Decl) Path() string {
	if d.In == nil || d.In.Decl == nil || d.In.Decl.Name == "" {
		return d.Name
	}
	return d.In.Decl.Path() + "::" + d.Name
}

// A parser reads declarations from tokens.
type parser struct {
	t     []Token
	i     int
	scope *Scope
	pack  []int
}

// Parse reads the declarations in tokens. It skips text that it does not understand, such as the bodies of
// functions.
func Parse(tokens []Token) *Scope {
	global := newScope(nil, nil)
	p := &parser{t: tokens, scope: global, pack: []int{0}}
	p.declarations()
	return global
}

func (p *parser) peek(n int) string {
	if p.i+n < len(p.t) {
		return p.t[p.i+n].Text
	}
	return ""
}

func (p *parser) isIdent(n int) bool { return p.i+n < len(p.t) && p.t[p.i+n].Kind == Ident }

// accept steps over a token if it is next.
func (p *parser) accept(s string) bool {
	if p.peek(0) != s || p.i >= len(p.t) {
		return false
	}
	p.i++
	return true
}

// declarations reads up to the brace that closes the scope.
func (p *parser) declarations() {
	for p.i < len(p.t) && p.peek(0) != "}" {
		before := p.i
		p.declaration(nil)
		if p.i == before {
			p.i++
		}
	}
}

func (p *parser) declaration(params []Param) {
	switch p.peek(0) {
	case ";":
		p.i++
	case "public", "private", "protected":
		if p.peek(1) == ":" {
			p.i += 2
			return
		}
		p.statement(params)
	case "namespace":
		p.namespace()
	case "inline":
		if p.peek(1) == "namespace" {
			p.i++
			p.namespace()
			return
		}
		p.statement(params)
	case "extern":
		if p.i+2 < len(p.t) && p.t[p.i+1].Kind == Text && p.peek(2) == "{" {
			p.i += 3
			p.declarations()
			p.accept("}")
			return
		}
		p.skipStatement()
	case "template":
		p.template()
	case "using":
		p.using(params)
	case "typedef":
		p.typedef()
	case "class", "struct", "union":
		if !p.class(params) {
			p.statement(params)
		}
	case "enum":
		if !p.enum() {
			p.statement(params)
		}
	case "_Pragma":
		p.pragma()
	case "friend", "static_assert", "asm", "requires", "concept", "export":
		p.skipStatement()
	default:
		p.statement(params)
	}
}

// pragma follows the packing of members.
func (p *parser) pragma() {
	if p.i+3 >= len(p.t) {
		p.i = len(p.t)
		return
	}
	last := p.pack[len(p.pack)-1]
	switch p.t[p.i+2].Text {
	case `"pack(push)"`:
		p.pack = append(p.pack, last)
	case `"pack(pop)"`:
		p.pack = p.pack[:max(1, len(p.pack)-1)]
	case `"pack(1)"`:
		p.pack[len(p.pack)-1] = 1
	case `"pack(4)"`:
		p.pack[len(p.pack)-1] = 4
	case `"pack(8)"`:
		p.pack[len(p.pack)-1] = 8
	}
	p.i += 4
}

// skipStatement steps over what ends with a semicolon or a body.
func (p *parser) skipStatement() {
	for p.i < len(p.t) {
		switch p.peek(0) {
		case ";":
			p.i++
			return
		case "}":
			return
		case "(", "[":
			p.i = closing(p.t, p.i)
		case "{":
			p.i = closing(p.t, p.i) + 1
			p.accept(";")
			return
		}
		p.i++
	}
}

func (p *parser) namespace() {
	p.i++
	outer := p.scope
	for p.isIdent(0) || p.peek(0) == "::" {
		if p.isIdent(0) && p.peek(0) != "inline" {
			if p.peek(1) == "=" {
				p.namespaceAlias(outer)
				return
			}
			p.open(p.t[p.i])
		}
		p.i++
	}
	for p.peek(0) == "[" {
		p.i = closing(p.t, p.i) + 1
	}
	if p.accept("{") {
		p.declarations()
		p.accept("}")
	}
	p.scope = outer
}

// namespaceAlias reads "namespace a = b::c;" from the a on.
func (p *parser) namespaceAlias(outer *Scope) {
	name := p.t[p.i]
	start := p.i + 2
	p.skipStatement()
	x := &expr{t: p.t[min(start, p.i):max(start, p.i-1)], env: Env{scope: p.scope}}
	if d, _, err := x.path(); err == nil && d != nil && d.Kind == Space {
		p.scope.declare(&Decl{Kind: Space, Name: name.Text, Pos: name.Pos, Scope: d.Scope})
	}
	p.scope = outer
}

// open enters a namespace, which may have been there before.
func (p *parser) open(name Token) {
	d := p.scope.Names[name.Text]
	if d == nil || d.Kind != Space {
		d = &Decl{Kind: Space, Name: name.Text, Pos: name.Pos}
		newScope(d, p.scope)
		p.scope.declare(d)
	}
	p.scope = d.Scope
}

func (p *parser) template() {
	p.i++
	if p.peek(0) != "<" { // an explicit instantiation
		p.skipStatement()
		return
	}
	params := p.templateParams()
	if p.accept("requires") {
		p.skipRequires()
	}
	p.declaration(params)
}

// skipRequires steps over the constraint of a template.
func (p *parser) skipRequires() {
	for p.i < len(p.t) {
		switch p.peek(0) {
		case "class", "struct", "using", "template", "static", "inline", "constexpr", "V8_INLINE", "void",
			"bool", ";", "{":
			return
		case "(":
			p.i = closing(p.t, p.i)
		}
		p.i++
	}
}

// templateParams reads "<class T, int n = 3>".
func (p *parser) templateParams() []Param {
	end := angleEnd(p.t, p.i)
	list := splitCommas(p.t[p.i+1 : end])
	p.i = end + 1
	params := []Param{}
	for _, toks := range list {
		var m Param
		if eq := topLevel(toks, "="); eq >= 0 {
			m.Default = toks[eq+1:]
			toks = toks[:eq]
		}
		if len(toks) == 0 {
			continue
		}
		switch toks[0].Text {
		case "class", "typename", "template":
			m.IsType = true
		}
		for _, t := range toks[1:] {
			m.Pack = m.Pack || t.Text == "..."
		}
		if last := toks[len(toks)-1]; last.Kind == Ident && len(toks) > 1 {
			m.Name = last.Text
		}
		params = append(params, m)
	}
	return params
}
