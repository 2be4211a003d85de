package syntax

// function parses a function from its keyword on.
func (p *parser) function(async bool) *Node {
	start := p.tok.start
	if async {
		start = p.last.start
	}
	p.advance()
	n := &Node{Kind: Function, Async: async, Generator: p.take("*")}
	if p.tok.kind == tokName {
		n.Text = p.advance().text
	}
	n.List = p.parameters()
	n.A = p.block()
	n.Source = p.lex.src[start:p.last.end]
	return n
}

// arrow parses an arrow and the body after it.
func (p *parser) arrow(params []*Node) *Node {
	p.expect("=>")
	n := &Node{Kind: Function, List: params, Arrow: true}
	if p.isPunct("{") {
		n.A = p.block()
	} else {
		n.A = p.assignment()
	}
	return n
}

func (p *parser) parameters() []*Node {
	p.expect("(")
	var list []*Node
	for !p.isPunct(")") {
		if p.take("...") {
			list = append(list, &Node{Kind: Spread, A: p.binding()})
		} else {
			list = append(list, p.inside(p.bindingDefault))
		}
		if !p.take(",") {
			break
		}
	}
	p.expect(")")
	return list
}

// binding parses a name or a pattern.
func (p *parser) binding() *Node {
	if p.isPunct("[") || p.isPunct("{") {
		return p.primary()
	}
	if p.tok.kind != tokName {
		p.lex.fail("a name is missing")
	}
	t := p.advance()
	return &Node{Kind: Identifier, Text: t.text, Start: t.start, End: t.end}
}

func (p *parser) bindingDefault() *Node {
	n := p.binding()
	if p.take("=") {
		start := p.tok.start
		b := p.assignment()
		return &Node{Kind: Assign, Text: "=", A: n, B: b, Start: start, End: p.last.end}
	}
	return n
}

func (p *parser) class() *Node {
	start := p.tok.start
	p.advance()
	n := &Node{Kind: Class}
	if p.isName() {
		n.Text = p.advance().text
	}
	if p.takeWord("extends") {
		n.A, _ = p.links(p.primary(), true)
	}
	p.expect("{")
	for !p.isPunct("}") {
		if p.take(";") {
			continue
		}
		n.List = append(n.List, p.property(true))
	}
	n.Source = p.lex.src[start:p.advance().end]
	return n
}
