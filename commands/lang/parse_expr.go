package lang

// ParseExpr returns text as one expression.
func ParseExpr(text string) (Expr, error) {
	p := NewParser(text)
	e, err := p.expr(0)
	if err != nil {
		return nil, err
	}
	if t, err := p.lex.next(); err != nil || t.kind != tokEnd || p.lex.off < len(text) {
		return nil, p.unexpected(t, err)
	}
	return e, nil
}

// unaryPrecedence is the precedence of the operators before an operand: they bind tighter than all others.
const unaryPrecedence = 9

// precedence orders the binary operators; 0 means that a token is none.
func precedence(op string) int {
	switch op {
	case "|":
		return 1
	case "^":
		return 2
	case "&":
		return 3
	case "==", "!=":
		return 4
	case "<<", ">>":
		return 5
	case "+", "-":
		return 6
	case "*", "%", "#":
		return 7
	case "%%":
		return 8
	}
	return 0
}

// expr reads an expression of operators that bind tighter than above.
func (p *Parser) expr(above int) (Expr, error) {
	x, err := p.operand()
	for err == nil {
		p.lex.blank()
		back := p.lex.off
		if p.lex.ended() {
			return x, nil
		}
		var t token
		if t, err = p.lex.next(); err != nil {
			return nil, err
		}
		prec := 0
		if t.kind == tokPunct {
			prec = precedence(t.text)
		}
		if prec <= above {
			p.lex.off = back
			return x, nil
		}
		var y Expr
		if y, err = p.expr(prec); err != nil {
			return nil, err
		}
		if p.nodes++; p.nodes > maxNodes {
			return nil, &SyntaxError{Off: back, Near: t.text, Msg: "expression is too long"}
		}
		x = Binary{Op: t.text, X: x, Y: y}
	}
	return nil, err
}

// operand reads a value: a token, or an operand with an operator before it.
func (p *Parser) operand() (Expr, error) {
	if p.depth++; p.depth > maxDepth {
		p.depth = 0
		return nil, &SyntaxError{Off: p.lex.off, Msg: "expression is nested too deeply"}
	}
	defer func() { p.depth = max(p.depth-1, 0) }()
	t, err := p.lex.next()
	if err != nil {
		return nil, err
	}
	switch t.kind {
	case tokNumber:
		return Number{Text: t.text, Off: t.off}, nil
	case tokIdent:
		if t.text == "." {
			return Place{Op: '.'}, nil
		}
		if name := p.scoped(t.text); name != t.text {
			return Symbol{Text: name}, nil
		}
		return Ident{Text: t.text, Off: t.off}, nil
	case tokString:
		return Symbol{Text: t.text}, nil
	case tokChars:
		if len(t.text) == 0 || len(t.text) > 8 {
			return nil, &SyntaxError{Off: t.off, Near: "'" + t.text + "'", Msg: "a character constant has 1 to 8 bytes"}
		}
		return Chars{Text: t.text}, nil
	case tokPunct:
		return p.prefix(t)
	}
	return nil, p.unexpected(t, nil)
}

// prefix reads what starts with a punctuation character.
func (p *Parser) prefix(t token) (Expr, error) {
	switch t.text {
	case "+", "^", "&":
		return Place{Op: t.text[0]}, nil
	case "-", "~", "#":
		x, err := p.operand()
		return Unary{Op: t.text[0], X: x}, err
	case "%%": // two reads, not a modulus: there is nothing to its left
		x, err := p.operand()
		return Deref{Op: '%', X: Deref{Op: '%', X: x}}, err
	case "*", "%":
		size, err := p.size()
		if err != nil {
			return nil, err
		}
		x, err := p.operand()
		return Deref{Op: t.text[0], Size: size, X: x}, err
	case "<":
		name := p.lex.while(isName)
		if name == "" {
			next, err := p.lex.next()
			return nil, p.unexpected(next, err)
		}
		return Var{Name: name}, nil
	case "(":
		x, err := p.expr(0)
		if err != nil {
			return nil, err
		}
		return x, p.expect(")")
	}
	return nil, p.unexpected(t, nil)
}

// size reads the "/4/" of a sized read and returns it in bytes, or 0.
func (p *Parser) size() (int, error) {
	p.lex.blank()
	if p.lex.peek() != '/' {
		return 0, nil
	}
	p.lex.off++
	t, err := p.lex.next()
	if err != nil {
		return 0, err
	}
	sizes := map[string]int{"c": 1, "1": 1, "s": 2, "2": 2, "i": 4, "4": 4, "l": 8, "8": 8}
	n, ok := sizes[t.text]
	if !ok {
		return 0, &SyntaxError{Off: t.off, Near: t.text, Msg: "the size of a read is c, s, i, l, 1, 2, 4 or 8"}
	}
	return n, p.expect("/")
}
