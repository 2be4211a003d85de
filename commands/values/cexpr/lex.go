package cexpr

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tokEnd tokenKind = iota
	tokInt
	tokFloat
	tokChar
	tokString
	tokName
	tokReg
	tokPunct
)

type token struct {
	kind       tokenKind
	text       string
	scope      string // of a name after a name in quotes: 'a.c'::count
	number     uint64
	real       float64
	unsigned   bool
	start, end int
}

// is reports whether a token is an operator.
func (t *token) is(punct string) bool { return t.kind == tokPunct && t.text == punct }

// puncts are the operators, longer ones first.
var puncts = []string{"<<=", ">>=", "->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++", "--", "+=", "-=", "*=",
	"/=", "%=", "&=", "|=", "^=",
	"+", "-", "*", "/", "%", "<", ">", "=", "!", "&", "|", "^", "~", "?", ":", "(", ")", "[", "]", ".", "@", ",",
	"{", "}"}

// lex splits a text into tokens; the last is the end.
func lex(s string) ([]token, error) {
	var list []token
	before := token{}
	for i := 0; ; {
		for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
			i++
		}
		if i >= len(s) {
			return append(list, token{kind: tokEnd, start: i, end: i}), nil
		}
		t, n, err := next(s[i:], before)
		if err != nil {
			return nil, err
		}
		t.start, t.end = i, i+n
		list = append(list, t)
		before = t
		i += n
	}
}

// next reads the token that s begins with, and returns its length. The token before it tells the member of a tuple,
// as in "pair.0.1", from a number.
func next(s string, before token) (t token, n int, err error) {
	switch c := s[0]; {
	case c == '.' && (before.kind == tokName || before.kind == tokInt || before.is("]")):
		return token{kind: tokPunct, text: "."}, 1, nil
	case c >= '0' && c <= '9' && (before.is(".") || before.is("->")):
		n = len(s) - len(strings.TrimLeft(s, "0123456789"))
		return token{kind: tokInt, text: s[:n]}, n, nil
	case c >= '0' && c <= '9' || c == '.' && len(s) > 1 && s[1] >= '0' && s[1] <= '9':
		return number(s)
	case c == '\'' || c == '"':
		if t, n, ok := quotedName(s); ok {
			return t, n, nil
		}
		return quoted(s)
	case c == '$':
		n = registerLength(s)
		return token{kind: tokReg, text: s[1:n]}, n, nil
	}
	if n = nameLength(s); n > 0 {
		return token{kind: tokName, text: s[:n]}, n, nil
	}
	for _, p := range puncts {
		if strings.HasPrefix(s, p) {
			return token{kind: tokPunct, text: p}, len(p), nil
		}
	}
	r, _ := utf8.DecodeRuneInString(s)
	return t, 0, fmt.Errorf("%q has no meaning in an expression", r)
}

// registerLength returns the length of the register or the value that s begins with.
func registerLength(s string) int {
	n := len(s) - len(strings.TrimLeft(s, "$")) // $$ is the value before the last
	n += nameLength(s[n:])
	return len(s) - len(strings.TrimLeft(s[n:], "0123456789")) // $1 is a value that was printed
}

// number reads a number of C: decimal, octal, hexadecimal or binary, or one with a fraction.
func number(s string) (t token, n int, err error) {
	for n < len(s) && (s[n] == '.' || s[n] == '_' || unicode.IsLetter(rune(s[n])) || unicode.IsDigit(rune(s[n])) ||
		(s[n] == '+' || s[n] == '-') && n > 0 && s[n-1]|0x20 == 'e' && !isHex(s)) {
		n++
	}
	text := s[:n]
	if !isHex(text) && strings.ContainsAny(text, ".eE") {
		t.kind, t.text = tokFloat, text
		if t.real, err = strconv.ParseFloat(strings.TrimRight(text, "fFlL"), 64); err != nil {
			return t, n, fmt.Errorf("%q is not a number", text)
		}
		return t, n, nil
	}
	digits, typed := ofRust(text)
	if !typed {
		digits = strings.TrimRight(text, "uUlL")
	}
	t.kind, t.text, t.unsigned = tokInt, text, strings.ContainsAny(text[len(digits):], "uU")
	if t.number, err = strconv.ParseUint(digits, 0, 64); err != nil {
		return t, n, fmt.Errorf("%q is not a number of 64 bits", text)
	}
	return t, n, nil
}

// ofRust cuts the type of Rust that a number ends in, as in 5u32 and 1_000_i64.
func ofRust(text string) (digits string, ok bool) {
	for _, size := range []string{"8", "16", "32", "64", "128", "size"} {
		if rest, ends := strings.CutSuffix(text, size); ends && rest != "" && !isHexDigit(rest[len(rest)-1]) {
			if digits, ok = strings.CutSuffix(rest, "u"); !ok {
				digits, ok = strings.CutSuffix(rest, "i")
			}
			if digits = strings.TrimRight(digits, "_"); ok && digits != "" {
				return digits, true
			}
		}
	}
	return text, false
}

func isHexDigit(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

func isHex(s string) bool { return len(s) > 1 && s[0] == '0' && s[1]|0x20 == 'x' }

// quoted reads a character or a string.
func quoted(s string) (t token, n int, err error) {
	t.kind = tokString
	if s[0] == '\'' {
		t.kind = tokChar
	}
	for n = 1; n < len(s) && s[n] != s[0]; n++ {
		if s[n] == '\\' {
			n++
		}
	}
	if n >= len(s) {
		return t, 0, fmt.Errorf("%s is not closed", s)
	}
	rest, b := s[1:n], []byte(nil)
	for rest != "" {
		r, wide, tail, err := strconv.UnquoteChar(rest, s[0])
		if err != nil {
			return t, 0, fmt.Errorf("%s has an escape that is not known", s[:n+1])
		}
		if wide {
			b = utf8.AppendRune(b, r)
		} else {
			b = append(b, byte(r))
		}
		if rest = tail; t.kind == tokChar {
			if t.number = uint64(r); rest != "" {
				return t, 0, fmt.Errorf("%s is not one character", s[:n+1])
			}
		}
	}
	if t.text = string(b); t.kind == tokChar && len(b) == 0 {
		return t, 0, fmt.Errorf("%s is not one character", s[:n+1])
	}
	return t, n + 1, nil
}

// quotedName reads a name in single quotes, as gdb has it for names that are no identifiers, or a name after a file or
// a function in quotes. It reports false for a character.
func quotedName(s string) (t token, n int, ok bool) {
	if s[0] != '\'' {
		return t, 0, false
	}
	name, rest, closed := strings.Cut(s[1:], "'")
	if !closed || utf8.RuneCountInString(name) < 2 || strings.Contains(name, `\`) {
		return t, 0, false
	}
	t, n = token{kind: tokName, text: name}, len(name)+2
	if inner := nameLength(strings.TrimPrefix(rest, "::")); inner > 0 && strings.HasPrefix(rest, "::") {
		t.scope, t.text = name, rest[2:2+inner]
		n += 2 + inner
	}
	return t, n, true
}

// nameLength returns the length of the name that s begins with: its namespaces and the arguments of templates
// belong to it.
func nameLength(s string) int {
	i := 0
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '_' || unicode.IsLetter(r) || i > 0 && unicode.IsDigit(r):
			i += n
		case strings.HasPrefix(s[i:], "::") && len(s) > i+2 && (s[i+2] == '_' || s[i+2] == '~' || s[i+2] == '<' ||
			unicode.IsLetter(rune(s[i+2]))):
			i += 2
		case r == '~' && i > 1 && s[i-1] == ':':
			i++
		case r == '`' && i > 0: // of a module
			i++
		case r == '<' && i > 0:
			n := templateLength(s[i:])
			if n == 0 {
				return i
			}
			i += n
		default:
			return i
		}
	}
	return i
}

// templateLength returns the length of the arguments of a template that s begins with, 0 if "<" is an operator.
func templateLength(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '<':
			if depth++; i+1 < len(s) && strings.IndexByte(" =<", s[i+1]) >= 0 {
				return 0
			}
		case c == '>':
			if depth--; depth == 0 {
				rest := strings.TrimLeft(s[i+1:], " ")
				if rest == "" || strings.IndexByte(":.)*&[-,", rest[0]) >= 0 {
					return i + 1
				}
				return 0
			}
		case c == '&' && i+1 < len(s) && s[i+1] == '&', strings.IndexByte("+/%?;|^!\"", c) >= 0:
			return 0
		}
	}
	return 0
}
