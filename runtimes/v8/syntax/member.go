package syntax

// postfix parses members and calls after a primary expression.
func (p *parser) postfix() *Node {
	n, optional := p.links(p.primary(), true)
	if optional {
		return &Node{Kind: Chain, A: n}
	}
	return n
}

// links parses the members and calls after n. It parses no calls if n is the operand of new.
func (p *parser) links(n *Node, calls bool) (_ *Node, optional bool) {
	for steps := 0; ; steps++ {
		if steps > maxDepth {
			p.lex.fail("nested too deep")
		}
		if calls && p.take("?.") {
			optional = true
			switch {
			case p.isPunct("("):
				at := p.tok.start
				n = &Node{Kind: Call, A: n, List: p.arguments(), Optional: true, Start: at}
			case p.take("["):
				n = &Node{Kind: Index, A: n, B: p.inside(p.expression), Optional: true}
				p.expect("]")
			default:
				n = p.member(n)
				n.Optional = true
			}
			continue
		}
		switch {
		case p.take("."):
			n = p.member(n)
		case p.take("["):
			n = &Node{Kind: Index, A: n, B: p.inside(p.expression)}
			p.expect("]")
		case calls && p.isPunct("("):
			at := callStart(p)
			n = &Node{Kind: Call, A: n, List: p.arguments(), Start: at}
		case p.tok.kind == tokTemplate:
			at := p.tok.start
			n = &Node{Kind: Tagged, A: n, B: p.template(), Start: at}
		default:
			return n, optional
		}
	}
}

func (p *parser) member(n *Node) *Node {
	if p.tok.kind != tokName && p.tok.kind != tokPrivate {
		p.lex.fail("a name is missing")
	}
	return &Node{Kind: Member, A: n, Text: p.advance().text}
}

// callStart returns where V8 says that the call is whose arguments come next: at the name before
// them, else where they begin (parsing/parser-base.h: ParseLeftHandSideContinuation).
func callStart(p *parser) int {
	if p.last.kind == tokName && (!reserved[p.last.text] || p.last.text == "super") {
		return p.last.start
	}
	return p.tok.start
}

func (p *parser) arguments() []*Node {
	p.expect("(")
	var list []*Node
	for !p.isPunct(")") {
		list = append(list, p.inside(p.element))
		if !p.take(",") {
			break
		}
	}
	p.expect(")")
	return list
}

// element parses an expression that may be spread.
func (p *parser) element() *Node {
	if p.take("...") {
		return &Node{Kind: Spread, A: p.assignment()}
	}
	return p.assignment()
}

func (p *parser) newExpression() *Node {
	p.enter()
	defer p.leave()
	at := p.advance().start
	if p.take(".") {
		p.advance()
		return &Node{Kind: Meta, Text: "new.target"}
	}
	var callee *Node
	if p.isWord("new") {
		callee = p.newExpression()
	} else {
		callee, _ = p.links(p.primary(), false)
	}
	n := &Node{Kind: New, A: callee, Start: at}
	if p.isPunct("(") {
		n.List = p.arguments()
	}
	return n
}
