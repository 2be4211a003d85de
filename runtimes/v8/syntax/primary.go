package syntax

import (
	"strconv"
	"strings"
)

func (p *parser) primary() *Node {
	p.enter()
	defer p.leave()
	switch t := p.tok; t.kind {
	case tokNumber:
		p.advance()
		return &Node{Kind: Number, Number: t.number}
	case tokBigInt:
		p.advance()
		return &Node{Kind: BigInt, Text: t.text}
	case tokString:
		p.advance()
		return &Node{Kind: String, Text: t.text}
	case tokTemplate:
		return p.template()
	case tokPrivate: // #x in o
		p.advance()
		return &Node{Kind: Identifier, Text: t.text}
	case tokName:
		return p.word()
	case tokPunct:
		switch t.text {
		case "(":
			p.advance()
			n := p.inside(p.expression)
			p.expect(")")
			return n
		case "[":
			return p.array()
		case "{":
			return p.object()
		case "/", "/=":
			n := p.lex.regexp(t.start)
			p.tok = token{kind: tokPunct, text: ")", start: t.start, end: p.lex.at} // what ends an expression
			p.advance()
			return n
		}
	}
	p.lex.fail("an expression is missing")
	return nil
}

// word parses an expression that begins with a name.
func (p *parser) word() *Node {
	switch word := p.tok.text; word {
	case "true", "false", "null":
		p.advance()
		return &Node{Kind: Literal, Text: word}
	case "this":
		p.advance()
		return &Node{Kind: This}
	case "super":
		p.advance()
		return &Node{Kind: Super}
	case "new":
		return p.newExpression()
	case "function":
		return p.function(false)
	case "class":
		return p.class()
	case "import":
		m := p.mark()
		switch p.advance(); {
		case p.isPunct("("):
			return &Node{Kind: Identifier, Text: word, Start: m.tok.start, End: m.tok.end}
		case p.take(".") && p.isWord("meta"):
			p.advance()
			return &Node{Kind: Meta, Text: "import.meta"}
		}
		p.reset(m)
	case "async":
		m := p.mark()
		p.advance()
		if p.isWord("function") && !p.tok.newline {
			return p.function(true)
		}
		p.reset(m)
	}
	if reserved[p.tok.text] {
		p.lex.fail("%q is not an expression", p.tok.text)
	}
	t := p.advance()
	return &Node{Kind: Identifier, Text: t.text, Start: t.start, End: t.end}
}

func (p *parser) template() *Node {
	n := &Node{Kind: Template}
	for start := p.tok.start + 1; ; start = p.tok.start {
		t := p.tok
		raw := strings.TrimSuffix(p.lex.src[start:t.end], "${")
		if t.last {
			raw = strings.TrimSuffix(p.lex.src[start:t.end], "`")
		}
		n.List = append(n.List, &Node{Kind: String, Text: t.text, Flags: strings.ReplaceAll(raw, "\r\n", "\n")})
		if t.last {
			p.advance()
			return n
		}
		p.advance()
		n.List = append(n.List, p.inside(p.expression))
		if !p.isPunct("}") {
			p.lex.fail("a bracket of a template is missing")
		}
		p.lex.at = p.tok.end
		p.last, p.tok = p.tok, token{start: p.lex.at}
		p.lex.template(&p.tok)
		p.tok.end = p.lex.at
	}
}

func (p *parser) array() *Node {
	n := &Node{Kind: Array}
	for p.advance(); !p.isPunct("]"); {
		if p.take(",") {
			n.List = append(n.List, &Node{Kind: Hole})
			continue
		}
		n.List = append(n.List, p.inside(p.element))
		if !p.isPunct("]") {
			p.expect(",")
		}
	}
	p.advance()
	return n
}

func (p *parser) object() *Node {
	n := &Node{Kind: Object}
	for p.advance(); !p.isPunct("}"); {
		if p.isPunct("...") {
			n.List = append(n.List, p.element())
		} else {
			n.List = append(n.List, p.property(false))
		}
		if !p.isPunct("}") {
			p.expect(",")
		}
	}
	p.advance()
	return n
}

// property parses a member of an object or a class: a value, an accessor, a method.
func (p *parser) property(class bool) *Node {
	n := &Node{Kind: Property, Text: "init"}
	start := p.tok.start
	async, generator := p.modifiers(n, class), p.take("*")
	if class && n.Static && p.isPunct("{") {
		n.B = p.block()
		return n
	}
	shorthand := p.isName()
	n.A, n.Computed = p.key()
	p.propertyValue(n, class, shorthand)
	if f := n.B; f != nil && f.Kind == Function {
		f.Async, f.Generator = f.Async || async, f.Generator || generator
	}
	if n.Prefix {
		n.B.Source = p.lex.src[start:p.last.end]
	}
	return n
}

// modifiers parses the words before the key of n.
func (p *parser) modifiers(n *Node, class bool) (async bool) {
	for {
		m := p.mark()
		word := p.tok.text
		if p.tok.kind != tokName || word != "get" && word != "set" && word != "async" && (word != "static" || !class) {
			return async
		}
		p.advance()
		if p.isPunct("(") || p.isPunct(",") || p.isPunct(":") || p.isPunct("}") || p.isPunct("=") || p.isPunct(";") {
			p.reset(m)
			return async
		}
		switch word {
		case "get", "set":
			n.Text = word
		case "async":
			async = true
		case "static":
			n.Static = true
		}
	}
}

// propertyValue parses what follows the key of n.
func (p *parser) propertyValue(n *Node, class, shorthand bool) {
	switch {
	case p.isPunct("("):
		name := ""
		if !n.Computed {
			name = n.A.Text
		}
		n.B = &Node{Kind: Function, Text: name, List: p.parameters(), A: p.block()}
		n.Prefix = true // a method
	case class:
		if p.take("=") {
			n.B = p.inside(p.assignment)
		}
		p.semicolon()
	case p.take(":"):
		n.B = p.inside(p.assignment)
	case shorthand:
		n.B = &Node{Kind: Identifier, Text: n.A.Text, Start: p.last.start, End: p.last.end}
		if p.take("=") { // the default of a pattern
			n.B = &Node{Kind: Assign, Text: "=", A: n.B, B: p.inside(p.assignment)}
		}
	default:
		p.lex.fail("a property has no value")
	}
}

func (p *parser) key() (n *Node, computed bool) {
	switch t := p.advance(); t.kind {
	case tokName, tokString, tokPrivate, tokBigInt:
		return &Node{Kind: String, Text: t.text}, false
	case tokNumber:
		return &Node{Kind: String, Text: strconv.FormatFloat(t.number, 'f', -1, 64)}, false
	case tokPunct:
		if t.text == "[" {
			n = p.inside(p.assignment)
			p.expect("]")
			return n, true
		}
	}
	p.lex.fail("a key is missing")
	return nil, false
}
