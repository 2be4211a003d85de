package cxx

import "slices"

// using reads an alias, a using-directive, or a using-declaration.
func (p *parser) using(params []Param) {
	p.i++
	start := p.i
	pos := p.t[min(p.i, len(p.t)-1)].Pos
	p.toSemicolon()
	t := p.t[start:p.i]
	p.accept(";")
	switch eq := topLevel(t, "="); {
	case len(t) == 0:
	case t[0].Text == "namespace":
		p.scope.Opened = append(p.scope.Opened, t[1:])
	case eq > 0:
		p.scope.declare(&Decl{Kind: Alias, Name: t[0].Text, Pos: pos, Params: params, Type: t[eq+1:]})
	case t[0].Text == "enum":
	default: // using Base::name; the name of a constructor is no use
		if name := t[len(t)-1]; name.Kind == Ident && (len(t) < 3 || t[len(t)-3].Text != name.Text) {
			d := &Decl{Kind: Alias, Name: name.Text, Pos: pos, Type: t}
			if p.scope.Names[name.Text] == nil {
				p.scope.declare(d)
			}
		}
	}
}

func (p *parser) typedef() {
	p.i++
	start := p.i
	p.toSemicolon()
	t := p.t[start:p.i]
	p.accept(";")
	if n := len(t); n > 1 && t[n-1].Kind == Ident {
		p.scope.declare(&Decl{Kind: Alias, Name: t[n-1].Text, Pos: t[0].Pos, Type: t[:n-1]})
	}
}

func (p *parser) toSemicolon() {
	for p.i < len(p.t) && p.peek(0) != ";" {
		switch p.peek(0) {
		case "(", "[", "{":
			p.i = closing(p.t, p.i)
		case "}":
			return
		}
		p.i++
	}
}

// headWords may come between "class" and its name.
var headWords = []string{"V8_EXPORT", "V8_EXPORT_PRIVATE", "V8_NODISCARD", "final", "alignas", "V8_TRIVIAL_ABI",
	"V8_BASE_EXPORT"}

// class reads the definition of a class; false if this is none.
func (p *parser) class(params []Param) bool {
	start := p.i
	d := &Decl{Kind: Class, Pos: p.t[p.i].Pos, Params: params}
	union := p.peek(0) == "union"
	p.i++
	var special []Token
	for ; p.i < len(p.t); p.i++ {
		switch s := p.peek(0); {
		case s == "alignas":
			end := closing(p.t, p.i+1)
			d.Align = p.t[p.i+2 : end]
			p.i = end
		case s == "[" || s == "(":
			p.i = closing(p.t, p.i)
		case slices.Contains(headWords, s):
		case s == "<":
			end := max(p.i, angleEnd(p.t, p.i))
			special = p.t[min(p.i+1, end):end]
			p.i = end
		case s == "::":
		case p.isIdent(0):
			d.Name = s
		case s == "{" || s == ":":
			p.classBody(d, union, special)
			return true
		case s == ";": // it is only named
			p.i++
			if len(params) > 0 && special == nil {
				d.Forward = true
				newScope(d, p.scope)
				p.scope.declare(d)
			}
			return true
		default:
			p.i = start
			return false
		}
		if p.isIdent(0) && p.isIdent(1) && d.Name == p.peek(0) && !slices.Contains(headWords, p.peek(1)) &&
			p.peek(2) != ":" && p.peek(2) != "{" && p.peek(2) != "final" && p.peek(2) != "<" {
			p.i = start // "struct X x;"
			return false
		}
	}
	return true
}

// classBody reads bases and members. A specialization of a template is recorded by the template's name and
// "<>"; partial specializations are read and dropped.
func (p *parser) classBody(d *Decl, union bool, special []Token) {
	outer := p.scope
	s := newScope(d, outer)
	s.Union, s.Pack = union, p.pack[len(p.pack)-1]
	if p.accept(":") {
		start := p.i
		for p.i < len(p.t) && p.peek(0) != "{" {
			if p.peek(0) == "(" {
				p.i = closing(p.t, p.i)
			}
			p.i++
		}
		for _, b := range splitCommas(p.t[start:p.i]) {
			for len(b) > 0 && slices.Contains([]string{"public", "private", "protected", "virtual"}, b[0].Text) {
				b = b[1:]
			}
			s.Bases = append(s.Bases, b)
		}
	}
	p.accept("{")
	p.scope = s
	p.declarations()
	p.accept("}")
	p.scope = outer
	switch {
	case special == nil && d.Name != "":
		outer.declare(d)
	case special != nil && len(d.Params) == 0:
		d.In = outer
		key := d.Name + "<>"
		d.Type, d.Next = special, outer.Names[key]
		outer.Names[key] = d
	}
	if p.peek(0) == ";" {
		p.i++
		if d.Name == "" && len(s.Fields) > 0 { // an anonymous union
			f := &Decl{Kind: Field, Pos: d.Pos, In: outer, Scope: s}
			outer.Fields = append(outer.Fields, f)
		}
		return
	}
	if p.isIdent(0) && p.peek(0) != "_Pragma" { // "struct { … } name;"
		f := &Decl{Kind: Field, Name: p.peek(0), Pos: d.Pos, Scope: s}
		outer.declare(f)
		outer.Fields = append(outer.Fields, f)
	}
	p.toSemicolon()
	p.accept(";")
}

// enum reads an enumeration; false if this is none.
func (p *parser) enum() bool {
	start := p.i
	d := &Decl{Kind: Class, Pos: p.t[p.i].Pos}
	p.i++
	scoped := p.accept("class") || p.accept("struct")
	for p.isIdent(0) || p.peek(0) == "[" {
		if p.peek(0) == "[" {
			p.i = closing(p.t, p.i)
		} else if !slices.Contains(headWords, p.peek(0)) {
			d.Name = p.peek(0)
		}
		p.i++
	}
	var base []Token
	if p.accept(":") {
		from := p.i
		for p.i < len(p.t) && p.peek(0) != "{" && p.peek(0) != ";" {
			p.i++
		}
		base = p.t[from:p.i]
	}
	if p.accept(";") {
		return true
	}
	if p.peek(0) != "{" {
		p.i = start
		return false
	}
	end := closing(p.t, p.i)
	s := newScope(d, p.scope)
	s.Base, s.IsEnum = base, true
	p.enumerators(s, p.t[p.i+1:end], scoped)
	p.i = end + 1
	if d.Name != "" {
		p.scope.declare(d)
	}
	if !p.accept(";") && p.isIdent(0) && p.peek(1) == ";" {
		f := &Decl{Kind: Field, Name: p.peek(0), Pos: d.Pos, Scope: s}
		p.scope.declare(f)
		p.scope.Fields = append(p.scope.Fields, f)
		p.i += 2
	}
	return true
}

func (p *parser) enumerators(s *Scope, t []Token, scoped bool) {
	var prev *Decl
	for _, e := range splitCommas(t) {
		if len(e) == 0 {
			continue
		}
		c := &Decl{Kind: Const, Name: e[0].Text, Pos: e[0].Pos, Prev: prev}
		if eq := topLevel(e, "="); eq > 0 {
			c.Init = e[eq+1:]
		}
		if !scoped {
			outer := *c
			c.Prev, outer.Prev = prev, prev
			p.scope.declare(&outer)
		}
		s.declare(c)
		prev = c
	}
}
