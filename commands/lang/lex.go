package lang

import (
	"strings"
	"unicode/utf8"
)

// maxText bounds a source in bytes: more than a person or a script can mean.
const maxText = 8 << 20

// A lexer cuts text into tokens. Which tokens there are depends on the place:
// a slash is a verb after an address and an ordinary character in arguments.
// So the parser says at each step what it wants.
type lexer struct {
	text string
	off  int
}

// kind is the class of a token of an expression.
type kind uint8

const (
	tokEnd    kind = iota // end of text, newline or ";"
	tokNumber             // starts with a digit
	tokIdent              // starts with a letter, "_" or "."
	tokChars              // 'abc'
	tokString             // "name"
	tokPunct              // anything else: one character, or two as in "<<"
)

type token struct {
	kind kind
	text string // for tokChars and tokString without quotes and escapes
	off  int
}

func (l *lexer) peek() byte { return l.at(0) }

func (l *lexer) at(i int) byte {
	if l.off+i < len(l.text) {
		return l.text[l.off+i]
	}
	return 0
}

// blank skips blanks and a comment.
func (l *lexer) blank() {
	for l.off < len(l.text) {
		switch c := l.text[l.off]; {
		case c == ' ' || c == '\t' || c == '\r':
			l.off++
		case c == '/' && l.at(1) == '/':
			l.skipLine()
		default:
			return
		}
	}
}

// skipLine moves to the next newline.
func (l *lexer) skipLine() {
	if i := strings.IndexByte(l.text[l.off:], '\n'); i >= 0 {
		l.off += i
	} else {
		l.off = len(l.text)
	}
}

// ended reports whether the statement ends here. A NUL is a character.
func (l *lexer) ended() bool {
	return l.off >= len(l.text) || l.text[l.off] == '\n' || l.text[l.off] == ';'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == '.'
}

func isName(c byte) bool { return isLetter(c) || isDigit(c) || c == '`' }

// while returns the run of characters that pass, and moves past it.
func (l *lexer) while(pass func(byte) bool) string {
	from := l.off
	for l.off < len(l.text) && pass(l.text[l.off]) {
		l.off++
	}
	return l.text[from:l.off]
}

// pairs are the operators of two characters.
var pairs = [...]string{"<<", ">>", "==", "!=", "%%"}

// next returns the next token of an expression.
func (l *lexer) next() (token, error) {
	l.blank()
	t := token{off: l.off}
	if l.ended() {
		return t, nil
	}
	switch c := l.peek(); {
	case isDigit(c):
		t.kind, t.text = tokNumber, l.number()
	case isLetter(c):
		t.kind, t.text = tokIdent, l.while(isName)
	case c == '\'' || c == '"':
		text, err := l.quoted(true)
		if err != nil {
			return t, err
		}
		t.kind, t.text = tokChars, text
		if c == '"' {
			t.kind = tokString
		}
	default:
		t.kind, t.text = tokPunct, l.punct()
	}
	return t, nil
}

// number returns a run of digits and letters; only after 0t may it have a
// point, for a floating-point number.
func (l *lexer) number() string {
	float := l.peek() == '0' && (l.at(1) == 't' || l.at(1) == 'T')
	from := l.off
	l.while(func(c byte) bool { return c != '.' && c != '`' && isName(c) })
	if float && l.peek() == '.' {
		l.off++
		l.while(func(c byte) bool { return isDigit(c) || c == 'e' || c == 'E' })
		if last := l.text[l.off-1]; (last == 'e' || last == 'E') && (l.peek() == '-' || l.peek() == '+') &&
			isDigit(l.at(1)) {
			l.off++
			l.while(isDigit)
		}
	}
	return l.text[from:l.off]
}

func (l *lexer) punct() string {
	n := 1
	for _, p := range pairs {
		if strings.HasPrefix(l.text[l.off:], p) {
			n = 2
		}
	}
	if n == 1 {
		// An odd character is shown whole, not cut in the middle.
		_, n = utf8.DecodeRuneInString(l.text[l.off:])
	}
	s := l.text[l.off : l.off+n]
	l.off += n
	return s
}

// quoted reads a quoted text and returns what it stands for. Without escapes
// the text is literal.
func (l *lexer) quoted(escapes bool) (string, error) {
	start, quote := l.off, l.peek()
	l.off++
	var b strings.Builder
	for l.off < len(l.text) && l.text[l.off] != '\n' {
		c := l.text[l.off]
		l.off++
		switch {
		case c == quote:
			return b.String(), nil
		case c == '\\' && escapes && l.off < len(l.text) && l.text[l.off] != '\n':
			b.WriteByte(l.escape())
		default:
			b.WriteByte(c)
		}
	}
	return "", &SyntaxError{Off: start, Near: l.text[start:l.off], Msg: "unterminated quote"}
}

// escape reads what follows a backslash, as in C.
func (l *lexer) escape() byte {
	c := l.text[l.off]
	l.off++
	if i := strings.IndexByte("abfnrtv", c); i >= 0 {
		return "\a\b\f\n\r\t\v"[i]
	}
	if c == 'x' && hexDigit(l.peek()) >= 0 {
		v := 0
		for i := 0; i < 2 && hexDigit(l.peek()) >= 0; i++ {
			v = v<<4 | hexDigit(l.peek())
			l.off++
		}
		return byte(v)
	}
	if '0' <= c && c <= '7' {
		v := int(c - '0')
		for i := 0; i < 2 && '0' <= l.peek() && l.peek() <= '7'; i++ {
			v = v<<3 | int(l.peek()-'0')
			l.off++
		}
		return byte(v)
	}
	return c
}

func hexDigit(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// bare reads a piece of a word without quotes: up to a blank, a quote, $[, a
// comment, or one of the characters that end a command. An operator "!=" does not.
func (l *lexer) bare() string {
	from := l.off
	for l.off < len(l.text) {
		c := l.text[l.off]
		if c == '!' && l.at(1) == '=' {
			l.off += 2
			continue
		}
		if strings.IndexByte(" \t\r\n;|!'\"", c) >= 0 ||
			c == '$' && l.at(1) == '[' || c == '/' && l.at(1) == '/' {
			break
		}
		l.off++
	}
	return l.text[from:l.off]
}

// shell reads the raw rest of the statement.
func (l *lexer) shell() string {
	from := l.off
	for !l.ended() {
		l.off++
	}
	return l.text[from:l.off]
}
