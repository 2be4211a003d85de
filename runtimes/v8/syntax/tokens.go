package syntax

// A tokens is the tokens of a text. It looks one token ahead.
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

func (p *tokens) mark() mark { return mark{p.lex.at, p.tok, p.last} }

func (p *tokens) reset(m mark) { p.lex.at, p.tok, p.last = m.at, m.tok, m.last }

// callStart returns where V8 says that the call is whose arguments come next: at the name before
// them, else where they begin (parsing/parser-base.h: ParseLeftHandSideContinuation).
func (p *tokens) callStart() int {
	if p.last.kind == tokName && (!reserved[p.last.text] || p.last.text == "super") {
		return p.last.start
	}
	return p.tok.start
}
