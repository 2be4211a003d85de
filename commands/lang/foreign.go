package lang

import (
	"errors"
	"strings"
)

// own reports whether a text is a statement of this language, whose parsing gave s and err; bare means that it is a
// word alone. lost means that it is a command that does not exist.
func (in *Interp) own(text string, s *Stmt, err error, bare bool) (own, lost bool) {
	if text == "" {
		return true, false
	}
	if err != nil {
		var syntax *SyntaxError
		return !errors.As(err, &syntax), false
	}
	name := ""
	if len(s.Stages) > 0 {
		name = s.Stages[0].Name
	}
	switch {
	case bare, shellOnly(s): // "!analyze"
		return false, false
	case text == "?" && in.expr.at.dot == 0: // no object file has anything there
		return false, false
	case s.Addr == nil && len(s.Stages) == 1 && len(name) == 2 && name[0] == ':': // ":q"
		return false, false
	case s.Addr != nil && !in.expr.known(s.Addr):
		return false, false
	case s.Addr != nil && strings.HasPrefix(name, "$"), // "print $_siginfo"
		s.Addr == nil && len(s.Stages) == 1 && len(name) > 1 && name[0] == '$' && name == text: // "$0"
		_, unknown := in.host.Command(name)
		return unknown == nil, unknown != nil
	}
	return true, false
}

// isSymbol reports whether a word is a symbol of the process. A hint says what else it could have meant.
func (in *Interp) isSymbol(word, hint string, script bool) bool {
	_, symbol, _ := in.host.Symbol(word)
	if symbol && !script && hint != "" {
		in.host.Note(word + " is a symbol here. " + hint)
	}
	return symbol
}

// translate returns the statement to run for a statement that may be in the words of another debugger: "bt",
// "info threads", "x/8i $pc". A statement of this language keeps its meaning: an expression, a symbol, a
// command. Two things give way, and only if they are a statement of their own: words that mean the same in all
// debuggers and are of no use as symbols ("quit"), and letters that would be a number ("f"), as a number can be
// written with a digit in front.
func (in *Interp) translate(text string, s *Stmt, err error, script bool) (*Stmt, error) {
	word, bare := bareWord(s)
	own, lost := in.own(text, s, err, bare)
	if own {
		return s, err
	}
	f, ok := in.host.Foreign(text)
	if !ok {
		return s, err
	}
	if f.Weak && err == nil && !lost && (s.Addr == nil || in.expr.known(s.Addr)) {
		return s, nil
	}
	if bare && !f.Always && in.isSymbol(word, f.Hint, script) {
		return s, nil
	}
	if f.Run == "" {
		if bare && in.expr.known(s.Addr) {
			f.Hint += "; the number is 0" + word
		}
		return nil, errors.New(f.Hint)
	}
	if f.Note != "" {
		in.host.Note(f.Note)
	}
	p := NewParser(f.Run)
	p.names = &in.expr
	return p.Next()
}

// A programmer is a Host that knows lines in the language of the process which this one would split or misread.
type programmer interface {
	// Program returns the line to run instead of a whole line; "" if the line is this language's.
	Program(line string) string
}

// program returns the line to run instead of the one that comes next, and moves past that; "" if it is this
// language's.
func (in *Interp) program(p *Parser, src *Source) string {
	host, ok := in.host.(programmer)
	if !ok || src.Quiet {
		return ""
	}
	text := p.lex.text[p.lex.off:]
	end := strings.IndexByte(text, '\n')
	if end < 0 {
		end = len(text)
	}
	run := host.Program(text[:end])
	if run != "" {
		p.lex.off += end
	}
	return run
}

func shellOnly(s *Stmt) bool {
	return s.HasShell && s.Addr == nil && s.Count == nil && len(s.Stages) == 0
}

// bareWord returns the only word of a statement.
func bareWord(s *Stmt) (string, bool) {
	if s == nil || s.Count != nil || len(s.Stages) > 0 || s.HasShell {
		return "", false
	}
	id, ok := s.Addr.(Ident)
	return id.Text, ok
}
