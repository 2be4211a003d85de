package lang

import "strings"

// Bounds of one statement: beyond them it is not a person's.
const (
	maxDepth = 200   // nesting of an expression
	maxNodes = 10000 // operators in an expression
)

// A Parser reads statements from a text one at a time, so that a statement
// runs before the next one is looked at.
type Parser struct {
	lex   lexer
	depth int
	nodes int

	names namer // nil if names with scopes are not looked for

	counted int // bytes searched for newlines
	lines   int // newlines among them
}

// NewParser returns a parser of text.
func NewParser(text string) *Parser { return &Parser{lex: lexer{text: text}} }

// Parse returns all statements of text, without the empty ones.
func Parse(text string) ([]*Stmt, error) {
	p := NewParser(text)
	var all []*Stmt
	for p.More() {
		s, err := p.Next()
		if err != nil {
			return all, err
		}
		if !s.Empty() {
			all = append(all, s)
		}
	}
	return all, nil
}

// More reports whether there is text left.
func (p *Parser) More() bool { return p.lex.off < len(p.lex.text) }

// Skip drops text after an error: to the end of the statement, or to the end
// of the line.
func (p *Parser) Skip(line bool) {
	for p.More() {
		c := p.lex.text[p.lex.off]
		p.lex.off++
		if c == '\n' || c == ';' && !line {
			return
		}
	}
}

// rest returns the text from here to the end of the statement, as far as that
// can be known before it is read.
func (p *Parser) rest() string {
	text := p.lex.text[p.lex.off:]
	if i := strings.IndexAny(text, ";\n"); i >= 0 {
		text = text[:i]
	}
	return strings.TrimSpace(text)
}

// Line returns the number of newlines before a byte offset.
func (p *Parser) Line(off int) int {
	off = min(off, len(p.lex.text))
	if off < p.counted {
		p.counted, p.lines = 0, 0
	}
	p.lines += strings.Count(p.lex.text[p.counted:off], "\n")
	p.counted = off
	return p.lines
}

func (p *Parser) unexpected(t token, err error) error {
	if err != nil {
		return err
	}
	if t.kind == tokEnd {
		return &SyntaxError{Off: t.off, Msg: "syntax error: unexpected end of statement"}
	}
	return &SyntaxError{Off: t.off, Near: t.text, Msg: "syntax error"}
}

// Next returns the next statement, which may be empty, and moves past its
// end. After an error Skip finds a place to go on.
func (p *Parser) Next() (*Stmt, error) {
	p.lex.blank()
	s := &Stmt{Off: p.lex.off}
	p.nodes = 0
	var err error
	if !p.lex.ended() && !p.verbAhead() && p.lex.peek() != ',' && p.lex.peek() != '!' {
		if s.Addr, err = p.expr(0); err != nil {
			return nil, err
		}
		p.lex.blank()
	}
	if p.lex.peek() == ',' {
		p.lex.off++
		if s.Count, err = p.expr(0); err != nil {
			return nil, err
		}
		p.lex.blank()
	}
	if p.verbAhead() {
		if s.Stages, err = p.pipeline(); err != nil {
			return nil, err
		}
	}
	if p.lex.peek() == '!' {
		p.lex.off++
		s.HasShell, s.Shell = true, p.lex.shell()
		if strings.TrimSpace(s.Shell) == "" {
			return nil, &SyntaxError{Off: p.lex.off, Msg: "\"!\" needs a command of the shell"}
		}
	}
	if !p.lex.ended() {
		t, err := p.lex.next()
		return nil, p.unexpected(t, err)
	}
	if p.More() {
		p.lex.off++
	}
	return s, nil
}

// verbAhead reports whether a command starts here.
func (p *Parser) verbAhead() bool {
	c := p.lex.peek()
	return c != 0 && strings.IndexByte(`/\?=@$:>`, c) >= 0
}

func (p *Parser) pipeline() ([]Cmd, error) {
	var stages []Cmd
	for {
		p.lex.blank()
		if !p.verbAhead() {
			t, err := p.lex.next()
			return nil, p.unexpected(t, err)
		}
		c, err := p.command()
		if err != nil {
			return nil, err
		}
		stages = append(stages, c)
		if p.lex.peek() != '|' {
			return stages, nil
		}
		p.lex.off++
	}
}

func (p *Parser) command() (Cmd, error) {
	c := Cmd{Off: p.lex.off}
	verb := p.lex.peek()
	p.lex.off++
	switch verb {
	case '$':
		c.Name = p.dollar()
	case ':':
		name, err := p.colon()
		if err != nil {
			return c, err
		}
		c.Name = name
		c.Joined = strings.HasPrefix(name, "::") && p.lex.peek() == '-'
	case '>':
		c.Name = ">"
		if p.lex.peek() == '/' && p.lex.at(2) == '/' && isLetter(p.lex.at(1)) {
			c.Size = p.lex.at(1)
			p.lex.off += 3
		}
	default:
		c.Name = string(rune(verb))
	}
	var err error
	c.Args, err = p.words()
	return c, err
}

// dollar reads the name of a "$" command, whose "$" is read. A lone one is
// "$?".
func (p *Parser) dollar() string {
	l := &p.lex
	switch {
	case strings.HasPrefix(l.text[l.off:], "<<"):
		l.off += 2
		return "$<<"
	case l.ended() || strings.IndexByte(" \t\r|!", l.peek()) >= 0:
		return "$?"
	}
	c := l.punct()
	return "$" + c
}

// colon reads the name of a ":" or "::" command, whose first colon is read.
func (p *Parser) colon() (string, error) {
	l := &p.lex
	if l.peek() != ':' {
		if l.ended() || strings.IndexByte(" \t\r|!", l.peek()) >= 0 {
			return "", &SyntaxError{Off: l.off, Msg: "syntax error: \":\" needs a letter"}
		}
		return ":" + l.punct(), nil
	}
	l.off++
	l.while(func(c byte) bool { return c == ' ' || c == '\t' })
	name := l.while(isName)
	if name == "" || isDigit(name[0]) {
		near := name
		if near == "" && !l.ended() {
			near = l.punct()
		}
		return "", &SyntaxError{Off: l.off, Near: near, Msg: "syntax error: \"::\" needs the name of a command"}
	}
	return "::" + name, nil
}

// words reads arguments to the end of the command.
func (p *Parser) words() ([]Word, error) {
	var all []Word
	var word Word
	flush := func() {
		if word != nil {
			all = append(all, word)
			word = nil
		}
	}
	for {
		before := p.lex.off
		p.lex.blank()
		if p.lex.off != before {
			flush()
		}
		if p.lex.ended() || p.lex.peek() == '|' || p.lex.peek() == '!' && p.lex.at(1) != '=' {
			flush()
			return all, nil
		}
		part, err := p.part()
		if err != nil {
			return nil, err
		}
		if part.Expr != nil { // a number is an argument of its own
			flush()
			all = append(all, Word{part})
			continue
		}
		word = append(word, part)
	}
}

func (p *Parser) part() (Part, error) {
	l := &p.lex
	switch c := l.peek(); {
	case c == '\'' || c == '"':
		text, err := l.quoted(c == '"')
		return Part{Text: text, Quote: c}, err
	case c == '$' && l.at(1) == '[':
		l.off += 2
		e, err := p.expr(0)
		if err != nil {
			return Part{}, err
		}
		return Part{Expr: e}, p.expect("]")
	}
	return Part{Text: l.bare()}, nil
}

func (p *Parser) expect(text string) error {
	t, err := p.lex.next()
	if err != nil || t.kind != tokPunct || t.text != text {
		return p.unexpected(t, err)
	}
	return nil
}
