package cxx

import "slices"

// withOperand are the keywords that may have an operand in brackets.
var withOperand = []string{"alignas", "decltype", "noexcept", "explicit", "__attribute__"}

// statement reads a member, a constant or a function.
func (p *parser) statement(params []Param) {
	start := p.i
	paren, assign := -1, -1
	for p.i < len(p.t) {
		s, signature := p.peek(0), paren >= 0 && assign < 0
		switch {
		case s == ";", s == "}":
			p.member(p.t[start:p.i], assign-start, paren-start, paren >= 0, params)
			p.accept(";")
			return
		case s == "=" && assign < 0 && !p.operator():
			assign = p.i
		case slices.Contains(withOperand, s):
			if p.peek(1) == "(" {
				p.i = closing(p.t, p.i+1)
			}
		case s == "requires" && paren >= 0:
			p.i++
			p.skipToBody()
			continue
		case s == "(", s == "[":
			if s == "(" && paren < 0 && assign < 0 {
				paren = p.i
			}
			p.i = closing(p.t, p.i)
		case s == "<" && assign < 0 && p.afterName(start):
			p.i = max(p.i, angleEnd(p.t, p.i))
		case s == ":" && signature:
			p.i++
			p.skipInitializers()
			continue
		case s == "{" && signature:
			p.body(start, paren, params)
			return
		case s == "{":
			if assign < 0 {
				assign = p.i
			}
			p.i = closing(p.t, p.i)
		}
		p.i++
	}
}

// operator reports whether the "=" here is part of the name of an operator.
func (p *parser) operator() bool { return p.i > 0 && p.t[p.i-1].Text == "operator" }

// skipToBody steps over the constraint of a function.
func (p *parser) skipToBody() {
	for p.i < len(p.t) && p.peek(0) != "{" && p.peek(0) != ";" {
		if p.peek(0) == "(" {
			p.i = closing(p.t, p.i)
		}
		p.i++
	}
}

// skipInitializers skips the initializers of a constructor, up to its body.
func (p *parser) skipInitializers() {
	for p.i < len(p.t) {
		for p.i < len(p.t) && p.peek(0) != "(" && p.peek(0) != "{" && p.peek(0) != ";" {
			if p.peek(0) == "<" {
				p.i = max(p.i, angleEnd(p.t, p.i))
			}
			p.i++
		}
		if p.peek(0) == ";" {
			return
		}
		p.i = closing(p.t, p.i) + 1
		p.accept("...")
		if !p.accept(",") {
			return
		}
	}
}

// function declares a function that can be read: one with a return.
func (p *parser) function(head []Token, paren int, body []Token, params []Param) {
	if paren < 1 || head[paren-1].Kind != Ident {
		return
	}
	if slices.ContainsFunc(head[:paren], func(t Token) bool { return t.Text == "virtual" }) {
		p.scope.Virtual = true
	}
	ret := slices.IndexFunc(body, func(t Token) bool { return t.Text == "return" })
	if ret < 0 {
		return
	}
	d := &Decl{Kind: Func, Name: head[paren-1].Text, Pos: head[paren-1].Pos, Params: params, Init: body,
		Type: head[:paren-1]}
	end := closing(head, paren)
	for _, a := range splitCommas(head[paren+1 : end]) {
		if eq := topLevel(a, "="); eq > 0 {
			a = a[:eq]
		}
		name := ""
		if len(a) > 1 && a[len(a)-1].Kind == Ident {
			name = a[len(a)-1].Text
		}
		d.Args = append(d.Args, name)
	}
	p.scope.declare(d)
}

// declWords may come before a type and say nothing of it here.
var declWords = []string{"static", "constexpr", "const", "inline", "mutable", "volatile", "extern", "constinit",
	"V8_EXPORT_PRIVATE", "V8_EXPORT", "thread_local", "register"}

// member declares what a statement says: fields and constants. assign is where the value begins,
// negative if there is none.
func (p *parser) member(t []Token, assign, paren int, call bool, params []Param) {
	if assign < 0 {
		assign = len(t)
	}
	if call && paren < assign {
		if slices.ContainsFunc(t[:paren], func(t Token) bool { return t.Text == "virtual" }) {
			p.scope.Virtual = true
		}
		return
	}
	d := &Decl{Kind: Field, Params: params}
	static := false
	for len(t) > 0 {
		if t[0].Text == "alignas" && len(t) > 1 {
			end := closing(t, 1)
			d.Align = t[2:end]
			t, assign = t[end+1:], assign-end-1
			continue
		}
		if t[0].Text == "[" {
			end := closing(t, 0)
			t, assign = t[end+1:], assign-end-1
			continue
		}
		if !slices.Contains(declWords, t[0].Text) {
			break
		}
		static = static || t[0].Text == "static" || t[0].Text == "constexpr" || t[0].Text == "extern" ||
			t[0].Text == "inline"
		static = static || t[0].Text == "const" && p.scope.Decl != nil && p.scope.Decl.Kind == Space
		t, assign = t[1:], assign-1
	}
	if assign < 0 || len(t) == 0 {
		return
	}
	var typ []Token
	for i, part := range splitCommas(t) {
		f := *d
		p.declarator(&f, part, i == 0, &typ)
		if f.Name == "" {
			return
		}
		f.Type = typ
		p.add(&f, static)
	}
}

// declarator takes a declarator apart: the type before it, if it is the first, its name, its
// dimensions and its value.
func (p *parser) declarator(f *Decl, t []Token, first bool, typ *[]Token) {
	end := len(t)
	for _, s := range []string{"=", "{"} {
		if i := topLevel(t, s); i >= 0 && i < end {
			end = i
			f.Init = t[i+1:]
			if s == "{" {
				f.Init = t[i+1 : closing(t, i)]
			}
		}
	}
	head := t[:end]
	if i := topLevel(head, ":"); i > 0 {
		f.Bits, head = head[i+1:], head[:i]
	}
	for len(head) > 0 && head[len(head)-1].Text == "]" {
		open := len(head) - 1
		for depth := 0; open >= 0; open-- {
			if head[open].Text == "]" {
				depth++
			} else if head[open].Text == "[" {
				if depth--; depth == 0 {
					break
				}
			}
		}
		if open < 0 {
			return
		}
		f.Dims = append([][]Token{head[open+1 : len(head)-1]}, f.Dims...)
		head = head[:open]
	}
	if len(head) == 0 || head[len(head)-1].Kind != Ident {
		return
	}
	name := head[len(head)-1]
	f.Name, f.Pos = name.Text, name.Pos
	if n := len(head); n > 2 && head[n-2].Text == "::" { // a constant of a class, defined outside of it
		if c := p.scope.lookup(head[n-3].Text); c != nil && c.Kind == Class {
			f.owner, head = c.Scope, head[:n-2]
		}
	}
	if first {
		*typ = head[:len(head)-1]
	}
}

// add declares a constant, or a field of a class.
func (p *parser) add(f *Decl, static bool) {
	if len(f.Type) == 0 || slices.ContainsFunc(f.Type, func(t Token) bool {
		return t.Text == "operator" ||
			t.Text == "return" || t.Text == "using"
	}) {
		return
	}
	if f.owner != nil {
		if f.Init != nil {
			f.Kind = Const
			f.owner.declare(f)
		}
		return
	}
	inClass := p.scope.Decl != nil && p.scope.Decl.Kind == Class
	if static || !inClass {
		if f.Init == nil {
			return
		}
		f.Kind = Const
		p.scope.declare(f)
		return
	}
	p.scope.declare(f)
	p.scope.Fields = append(p.scope.Fields, f)
}

// afterName reports whether the token before, in the statement that begins at start, is a name.
func (p *parser) afterName(start int) bool { return p.i > start && p.t[p.i-1].Kind == Ident }

// body reads the function whose body begins here; start is where it begins, and paren where its parameters do.
func (p *parser) body(start, paren int, params []Param) {
	end := closing(p.t, p.i)
	p.function(p.t[start:p.i], paren-start, p.t[p.i+1:end], params)
	p.i = end + 1
	p.accept(";")
}
