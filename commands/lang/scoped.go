package lang

import "strings"

// maxScopes bounds the parts of a name.
const maxScopes = 32

// scoped returns a name of C++, Rust or another language with scopes that begins with an identifier just
// read, and moves past it: "Pool::run" of "Pool::run::dis". The identifier comes back alone where the text is
// a symbol and a command, or where no such name is known.
func (p *Parser) scoped(first string) string {
	if p.names == nil || !strings.HasPrefix(p.lex.text[p.lex.off:], "::") {
		return first
	}
	ends := []int{p.lex.off}
	l := lexer{text: p.lex.text, off: p.lex.off}
	for len(ends) < maxScopes && strings.HasPrefix(l.text[l.off:], "::") {
		l.off += 2
		if l.peek() == '~' {
			l.off++
		}
		if !isLetter(l.peek()) {
			break
		}
		l.while(isName)
		ends = append(ends, l.off)
	}
	for i := len(ends) - 1; i > 0; i-- {
		name := first + p.lex.text[ends[0]:ends[i]]
		if i == 1 && p.names.meant(first, name[len(first)+2:]) {
			return first
		}
		if p.names.named(name) {
			p.lex.off = ends[i]
			return name
		}
	}
	return first
}

// A namer knows which names a process has.
type namer interface {
	// named reports whether a symbol has the name.
	named(name string) bool
	// meant reports whether the text "symbol::command" is a symbol and a command.
	meant(symbol, command string) bool
}
