package syntax

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The kinds of tokens.
type tokenKind uint8

const (
	tokEnd tokenKind = iota
	tokName
	tokPrivate // #name
	tokNumber
	tokBigInt
	tokString
	tokTemplate // from ` or } up to ${ or `
	tokPunct
)

// A token is a word of a program.
type token struct {
	kind    tokenKind
	text    string // decoded, of strings and templates
	number  float64
	newline bool // a line ends before it
	last    bool // of a template: it ends here
	start   int
	end     int
}

// A SyntaxError says which part of a program could not be parsed.
type SyntaxError struct {
	Offset int // bytes into the text
	Reason string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("syntax: %s at byte %d", e.Reason, e.Offset)
}

// A lexer splits a program into tokens. Errors are panics of *SyntaxError, which
// Parse recovers.
type lexer struct {
	src string
	at  int
}

func (l *lexer) fail(format string, args ...any) {
	panic(&SyntaxError{l.at, fmt.Sprintf(format, args...)})
}

// puncts are the operators, longest first.
var puncts = []string{
	">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=",
	"=>", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
	"<<", ">>", "**",
	"{", "}", "(", ")", "[", "]", ";", ",", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "!", "~", "?",
	":", "=", ".", "@",
}

// next returns the token at l.at and moves past it.
func (l *lexer) next() token {
	t := token{newline: l.space(), start: l.at}
	if l.at >= len(l.src) {
		t.end = l.at
		return t
	}
	c := l.src[l.at]
	switch {
	case isNameStart(l.src[l.at:]):
		t.kind, t.text = tokName, l.name()
	case c == '#' && isNameStart(l.src[l.at+1:]):
		l.at++
		t.kind, t.text = tokPrivate, "#"+l.name()
	case c >= '0' && c <= '9', c == '.' && l.at+1 < len(l.src) && l.src[l.at+1] >= '0' && l.src[l.at+1] <= '9':
		l.numeric(&t)
	case c == '"' || c == '\'':
		t.kind, t.text = tokString, l.quoted(c)
	case c == '`':
		l.at++
		l.template(&t)
	default:
		t.kind, t.text = tokPunct, l.punct()
	}
	t.end = l.at
	return t
}

func (l *lexer) punct() string {
	rest := l.src[l.at:]
	for _, p := range puncts {
		if !strings.HasPrefix(rest, p) {
			continue
		}
		if p == "?." && len(rest) > 2 && rest[2] >= '0' && rest[2] <= '9' {
			continue // a ? .5 : 1
		}
		l.at += len(p)
		return p
	}
	l.fail("unknown character")
	return ""
}

// space skips white space and comments, and reports whether a line ended.
func (l *lexer) space() (newline bool) {
	for l.at < len(l.src) {
		rest := l.src[l.at:]
		switch {
		case rest[0] == '\n' || rest[0] == '\r':
			newline = true
			l.at++
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\v' || rest[0] == '\f':
			l.at++
		case strings.HasPrefix(rest, "//"):
			n := strings.IndexAny(rest, "\r\n")
			if n < 0 {
				n = len(rest)
			}
			l.at += n
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/")
			if n < 0 {
				l.fail("comment without an end")
			}
			newline = newline || strings.ContainsAny(rest[:n+2], "\r\n")
			l.at += n + 4
		default:
			r, size := utf8.DecodeRuneInString(rest)
			if r != 0xfeff && r != 0x2028 && r != 0x2029 && (r < 0x80 || !unicode.IsSpace(r)) {
				return newline
			}
			newline = newline || r == 0x2028 || r == 0x2029
			l.at += size
		}
	}
	return newline
}

func isNameStart(s string) bool {
	if s == "" {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s)
	return r == '$' || r == '_' || r < 0x80 && (r|0x20 >= 'a' && r|0x20 <= 'z') || r >= 0x80 && unicode.IsLetter(r)
}

func (l *lexer) name() string {
	start := l.at
	for l.at < len(l.src) {
		r, size := utf8.DecodeRuneInString(l.src[l.at:])
		if !isNameStart(l.src[l.at:]) && !(r >= '0' && r <= '9') && r != 0x200c && r != 0x200d &&
			(r < 0x80 || !unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc)) {
			break
		}
		l.at += size
	}
	return l.src[start:l.at]
}
