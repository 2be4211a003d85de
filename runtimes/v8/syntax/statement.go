package syntax

func (p *parser) block() *Node {
	n := &Node{Kind: Block, Start: p.tok.start}
	p.expect("{")
	for !p.isPunct("}") {
		if p.tok.kind == tokEnd {
			p.lex.fail("a block has no end")
		}
		n.List = append(n.List, p.statement())
	}
	n.End = p.advance().end
	return n
}

func (p *parser) statement() *Node {
	p.enter()
	defer p.leave()
	switch {
	case p.isPunct("{"):
		return p.block()
	case p.take(";"):
		return &Node{Kind: Empty}
	case p.tok.kind == tokName:
		if n := p.keyword(); n != nil {
			return n
		}
	}
	n := &Node{Kind: Expression, A: p.expression()}
	p.semicolon()
	return n
}

// keyword parses a statement that begins with a word of its own, or returns nil.
func (p *parser) keyword() *Node {
	switch word := p.tok.text; word {
	case "var", "const":
		return p.variables()
	case "let":
		m := p.mark()
		p.advance()
		ok := p.isName() || p.isPunct("[") || p.isPunct("{")
		p.reset(m)
		if !ok {
			return nil
		}
		return p.variables()
	case "function":
		return &Node{Kind: Declare, A: p.function(false)}
	case "async":
		m := p.mark()
		if p.advance(); p.isWord("function") && !p.tok.newline {
			return &Node{Kind: Declare, A: p.function(true)}
		}
		p.reset(m)
		return nil
	case "class":
		return &Node{Kind: Declare, A: p.class()}
	case "return", "throw":
		return p.leaving(word)
	case "if":
		n := &Node{Kind: If, A: p.head(), B: p.statement()}
		if p.takeWord("else") {
			n.C = p.statement()
		}
		return n
	case "for":
		return p.loop()
	case "while":
		return &Node{Kind: While, A: p.head(), B: p.statement()}
	case "do":
		p.advance()
		n := &Node{Kind: Do, A: p.statement()}
		n.B = p.head()
		p.take(";")
		return n
	case "break", "continue":
		return p.jump(word)
	case "try":
		return p.try()
	case "switch":
		return p.switches()
	case "debugger":
		p.advance()
		p.semicolon()
		return &Node{Kind: Empty}
	}
	return p.labeled()
}

// head parses the condition of a statement, in brackets, after its keyword.
func (p *parser) head() *Node {
	p.advance()
	p.expect("(")
	n := p.expression()
	p.expect(")")
	return n
}

func (p *parser) variables() *Node {
	n := p.declarations()
	p.semicolon()
	return n
}

func (p *parser) declarations() *Node {
	n := &Node{Kind: Var, Text: p.advance().text}
	for {
		n.List = append(n.List, p.bindingDefault())
		if !p.take(",") {
			return n
		}
	}
}

func (p *parser) leaving(word string) *Node {
	p.advance()
	n := &Node{Kind: Return}
	if word == "throw" {
		n.Kind = Throw
	}
	if !p.tok.newline && !p.isPunct(";") && !p.isPunct("}") && p.tok.kind != tokEnd {
		n.A = p.expression()
	} else if n.Kind == Throw {
		p.lex.fail("throw needs an expression")
	}
	p.semicolon()
	return n
}

func (p *parser) jump(word string) *Node {
	p.advance()
	n := &Node{Kind: Break}
	if word == "continue" {
		n.Kind = Continue
	}
	if p.isName() && !p.tok.newline {
		n.Text = p.advance().text
	}
	p.semicolon()
	return n
}

func (p *parser) labeled() *Node {
	if !p.isName() {
		return nil
	}
	m := p.mark()
	name := p.advance().text
	if !p.take(":") {
		p.reset(m)
		return nil
	}
	return &Node{Kind: Labeled, Text: name, A: p.statement()}
}

func (p *parser) loop() *Node {
	start := p.advance().start
	async := p.takeWord("await")
	p.expect("(")
	var first *Node
	p.noIn = true
	switch {
	case p.isPunct(";"):
	case p.isWord("var"), p.isWord("let"), p.isWord("const"):
		first = p.declarations()
	default:
		first = p.expression()
	}
	p.noIn = false
	for _, word := range []string{"of", "in"} {
		if !p.takeWord(word) {
			continue
		}
		n := &Node{Kind: ForOf, A: first, B: p.expression(), Async: async}
		if word == "in" {
			n.Kind = ForIn
		}
		p.expect(")")
		n.C = p.statement()
		n.Start, n.End = start, p.last.end
		return n
	}
	n := &Node{Kind: For, A: first, Start: start}
	p.expect(";")
	if !p.isPunct(";") {
		n.B = p.expression()
	}
	p.expect(";")
	if !p.isPunct(")") {
		n.C = p.expression()
	}
	p.expect(")")
	n.D = p.statement()
	n.End = p.last.end
	return n
}

func (p *parser) try() *Node {
	p.advance()
	n := &Node{Kind: Try, A: p.block()}
	if p.takeWord("catch") {
		if p.take("(") {
			n.B = p.binding()
			p.expect(")")
		}
		n.C = p.block()
	}
	if p.takeWord("finally") {
		n.D = p.block()
	}
	return n
}

func (p *parser) switches() *Node {
	n := &Node{Kind: Switch, Start: p.tok.start, A: p.head()}
	p.expect("{")
	for !p.take("}") {
		c := &Node{Kind: Case}
		if !p.takeWord("default") {
			if !p.takeWord("case") {
				p.lex.fail("a case is missing")
			}
			c.A = p.expression()
		}
		p.expect(":")
		for !p.isPunct("}") && !p.isWord("case") && !p.isWord("default") {
			c.List = append(c.List, p.statement())
		}
		n.List = append(n.List, c)
	}
	n.End = p.last.end
	return n
}
