package syntax

import "errors"

// expression parses expressions with commas between them.
func (p *parser) expression() *Node {
	n := p.assignment()
	if !p.isPunct(",") {
		return n
	}
	list := []*Node{n}
	for p.take(",") {
		list = append(list, p.assignment())
	}
	return &Node{Kind: Sequence, List: list}
}

// inside parses an expression in brackets of any kind, where "in" is an operator again.
func (p *parser) inside(parse func() *Node) *Node {
	was := p.noIn
	p.noIn = false
	n := parse()
	p.noIn = was
	return n
}

var assigns = map[string]bool{
	"=": true, "+=": true, "-=": true, "*=": true, "/=": true, "%=": true, "**=": true, "<<=": true,
	">>=": true, ">>>=": true,
	"&=": true, "|=": true, "^=": true, "&&=": true, "||=": true, "??=": true,
}

func (p *parser) assignment() *Node {
	p.enter()
	defer p.leave()
	if n := p.maybeArrow(); n != nil {
		return n
	}
	if p.isWord("yield") {
		return p.yield()
	}
	n := p.conditional()
	if p.tok.kind == tokPunct && assigns[p.tok.text] {
		op := p.advance().text
		return &Node{Kind: Assign, Text: op, A: n, B: p.assignment()}
	}
	return n
}

func (p *parser) yield() *Node {
	n := &Node{Kind: Await, Text: "yield", Start: p.advance().start}
	if p.take("*") {
		n.Text = "yield*"
	}
	if !p.tok.newline && p.tok.kind != tokEnd && !p.isPunct(")") && !p.isPunct("]") && !p.isPunct("}") &&
		!p.isPunct(",") && !p.isPunct(";") {
		n.A = p.assignment()
	}
	return n
}

// maybeArrow parses an arrow function, or returns nil if there is none.
func (p *parser) maybeArrow() *Node {
	if !p.isName() && !p.isPunct("(") {
		return nil
	}
	start, depth := p.mark(), p.depth
	async := p.isWord("async")
	if async {
		p.advance()
		if p.tok.newline || !p.isName() && !p.isPunct("(") {
			p.reset(start)
			async = false
		}
	}
	var params []*Node
	if p.isName() {
		params = []*Node{{Kind: Identifier, Text: p.advance().text}}
	} else if !p.arrowAhead() {
		p.reset(start)
		return nil
	} else {
		params = p.parameters()
	}
	if !p.isPunct("=>") {
		p.reset(start)
		p.depth = depth
		return nil
	}
	n := p.arrow(params)
	n.Async, n.Source = async, p.lex.src[start.tok.start:p.last.end]
	return n
}

// arrowAhead reports whether an arrow follows the closing bracket of the one that is
// next. It looks at tokens only, so regular expressions with brackets may mislead it.
func (p *parser) arrowAhead() bool {
	m := p.mark()
	defer p.reset(m)
	open := 0
	for steps := 0; p.tok.kind != tokEnd && steps < 1<<12; steps++ {
		switch {
		case p.isPunct("("), p.isPunct("["), p.isPunct("{"):
			open++
		case p.isPunct(")"), p.isPunct("]"), p.isPunct("}"):
			if open--; open == 0 {
				p.advance()
				return p.isPunct("=>")
			}
		case p.tok.kind == tokTemplate && !p.tok.last:
			return false
		case p.isPunct("/"), p.isPunct("/="):
			if p.last.kind == tokPunct && p.last.text != ")" && p.last.text != "]" && p.last.text != "}" {
				return false // a regular expression: no parameters have one
			}
		}
		p.advance()
	}
	return false
}

func (p *parser) conditional() *Node {
	n := p.binary(0)
	if !p.take("?") {
		return n
	}
	b := p.inside(p.assignment)
	p.expect(":")
	return &Node{Kind: Conditional, A: n, B: b, C: p.assignment()}
}

// precedence of the binary operators.
var precedence = map[string]int{
	"??": 1, "||": 2, "&&": 3, "|": 4, "^": 5, "&": 6, "==": 7, "!=": 7, "===": 7, "!==": 7,
	"<": 8, ">": 8, "<=": 8, ">=": 8, "in": 8, "instanceof": 8, "<<": 9, ">>": 9, ">>>": 9, "+": 10, "-": 10,
	"*": 11, "/": 11, "%": 11, "**": 12,
}

func (p *parser) binary(least int) *Node {
	p.enter()
	defer p.leave()
	n := p.unary()
	for {
		op := p.tok.text
		word := p.tok.kind == tokName && (op == "instanceof" || op == "in" && !p.noIn)
		level := precedence[op]
		if p.tok.kind != tokPunct && !word || level == 0 || level <= least {
			return n
		}
		p.advance()
		below := level
		if op == "**" {
			below-- // it binds to the right
		}
		kind := Binary
		if level <= 3 {
			kind = Logical
		}
		n = &Node{Kind: kind, Text: op, A: n, B: p.binary(below)}
	}
}

func (p *parser) unary() *Node {
	p.enter()
	defer p.leave()
	op := p.tok.text
	switch {
	case p.tok.kind == tokPunct && (op == "!" || op == "-" || op == "+" || op == "~"),
		p.tok.kind == tokName && (op == "typeof" || op == "void" || op == "delete"):
		p.advance()
		return &Node{Kind: Unary, Text: op, A: p.unary()}
	case p.isPunct("++") || p.isPunct("--"):
		p.advance()
		return &Node{Kind: Update, Text: op, A: p.unary(), Prefix: true}
	case p.isWord("await"):
		at := p.advance().start
		return &Node{Kind: Await, Text: "await", A: p.unary(), Start: at}
	}
	n := p.postfix()
	if (p.isPunct("++") || p.isPunct("--")) && !p.tok.newline {
		return &Node{Kind: Update, Text: p.advance().text, A: n}
	}
	return n
}

// ParseExpression parses an expression, with commas between several.
func ParseExpression(text string) (*Node, error) {
	if len(text) > MaxText {
		return nil, errors.New("syntax: the expression is too long")
	}
	return parseWhole(text, (*parser).expression)
}
