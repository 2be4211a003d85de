package cxx

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
