package syntax

// A tokens reads the tokens of a text, one ahead.
type tokens struct {
	lex   lexer
	tok   token // the next one
	last  token // the one before it
	depth int
}

func (p *tokens) advance() token {
	p.last = p.tok
	p.tok = p.lex.next()
	return p.last
}

// enter bounds how deep a tree may be; leave ends what it began.
func (p *tokens) enter() {
	if p.depth++; p.depth > maxDepth {
		p.lex.fail("nested too deep")
	}
}

func (p *tokens) leave() { p.depth-- }

func (p *tokens) isPunct(text string) bool { return p.tok.kind == tokPunct && p.tok.text == text }

func (p *tokens) isWord(text string) bool { return p.tok.kind == tokName && p.tok.text == text }

func (p *tokens) isName() bool { return p.tok.kind == tokName && !reserved[p.tok.text] }

// take moves past a punctuator, if it is the next token.
func (p *tokens) take(text string) bool {
	if !p.isPunct(text) {
		return false
	}
	p.advance()
	return true
}

func (p *tokens) takeWord(text string) bool {
	if !p.isWord(text) {
		return false
	}
	p.advance()
	return true
}

func (p *tokens) expect(text string) {
	if !p.take(text) {
		p.lex.fail("%q is missing", text)
	}
}

// semicolon ends a statement, as automatic semicolon insertion allows.
func (p *tokens) semicolon() {
	if p.take(";") || p.isPunct("}") || p.tok.kind == tokEnd || p.tok.newline {
		return
	}
	p.lex.fail("a semicolon is missing")
}

// A mark is a place to come back to.
type mark struct {
	at        int
	tok, last token
}

func (p *tokens) mark() mark { return mark{p.lex.at, p.tok, p.last} }

func (p *tokens) reset(m mark) { p.lex.at, p.tok, p.last = m.at, m.tok, m.last }
