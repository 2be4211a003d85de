package cxx

import "strings"

// A Kind is the class of a token.
type Kind uint8

// The kinds of tokens.
const (
	Ident Kind = iota + 1
	Number
	Text // a string or a character, with its quotes
	Punct
)

// A Pos is a line of a source file.
type Pos struct {
	File string
	Line int
}

// A Token is a token of C++ with where it was written; one that a macro expands to
// is where the macro was used.
type Token struct {
	Kind Kind
	Text string
	Pos  Pos

	space bool  // white space comes before
	hide  *hide // macros that it is not expanded by
}

// A hide is a set of names of macros.
type hide struct {
	name string
	next *hide
}

func (h *hide) has(name string) bool {
	for ; h != nil; h = h.next {
		if h.name == name {
			return true
		}
	}
	return false
}

// longPuncts are the operators of more than one character, the longest first. ">>" is two
// tokens, because it may close two lists of template arguments.
var longPuncts = []string{"<<=", ">>=", "...", "->*", "<=>", "::", "->", "++", "--", "<<", "<=", ">=", "==", "!=", "&&",
	"||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##", ".*"}

// A lexer cuts text into tokens; a backslash at the end of a line joins it to the next.
type lexer struct {
	file string
	s    string
	i    int
	line int
}

// logicalLine returns the tokens of the next line, continuations and comments that
// span lines included; ok is false at the end.
func (x *lexer) logicalLine() (line []Token, ok bool) {
	if x.i >= len(x.s) {
		return nil, false
	}
	space := false
	for x.i < len(x.s) {
		rest := x.s[x.i:]
		switch c := rest[0]; {
		case c == '\n':
			x.i++
			x.line++
			return line, true
		case strings.HasPrefix(rest, "\\\n"):
			x.i += 2
			x.line++
			space = true
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\\':
			x.i++
			space = true
		case strings.HasPrefix(rest, "//"):
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			x.i += n
		case strings.HasPrefix(rest, "/*"):
			x.comment(rest)
			space = true
		default:
			t := x.token(rest)
			t.space = space
			space = false
			line = append(line, t)
		}
	}
	return line, true
}

func (x *lexer) comment(rest string) {
	n := strings.Index(rest[2:], "*/")
	if n < 0 {
		n = len(rest) - 4
	}
	x.line += strings.Count(rest[:n+4], "\n")
	x.i += n + 4
}

// token reads the token that rest begins with.
func (x *lexer) token(rest string) Token {
	t := Token{Pos: Pos{x.file, x.line}}
	n := 0
	switch c := rest[0]; {
	case isLetter(c):
		t.Kind = Ident
		for n < len(rest) && (isLetter(rest[n]) || isDigit(rest[n])) {
			n++
		}
		if n < len(rest) && rest[n] == '"' && rest[n-1] == 'R' {
			t.Kind, n = Text, rawString(rest, n)
		}
	case isDigit(c):
		t.Kind = Number
		for n < len(rest) && (isLetter(rest[n]) || isDigit(rest[n]) || rest[n] == '.' || rest[n] == '\'' && n+
			1 < len(rest) && isLetterOrDigit(rest[n+1]) ||
			(rest[n] == '+' || rest[n] == '-') && (rest[n-1] == 'e' || rest[n-1] == 'p') &&
				!strings.HasPrefix(rest, "0x")) {
			n++
		}
	case c == '"' || c == '\'':
		t.Kind, n = Text, quoted(rest)
	default:
		t.Kind, n = Punct, 1
		for _, p := range longPuncts {
			if strings.HasPrefix(rest, p) {
				n = len(p)
				break
			}
		}
	}
	t.Text = rest[:n]
	x.i += n
	x.line += strings.Count(t.Text, "\n")
	return t
}

func isLetter(c byte) bool {
	return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80 || c == '$'
}
func isDigit(c byte) bool         { return c >= '0' && c <= '9' }
func isLetterOrDigit(c byte) bool { return isLetter(c) || isDigit(c) }

// quoted returns the length of the string or character that s begins with.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i + 1
		case '\n':
			return i
		}
	}
	return len(s)
}

// rawString returns the length of a raw string whose quote is at quote.
func rawString(s string, quote int) int {
	open := strings.IndexByte(s[quote:], '(')
	if open < 0 {
		return len(s)
	}
	end := ")" + s[quote+1:quote+open] + "\""
	n := strings.Index(s[quote+open:], end)
	if n < 0 {
		return len(s)
	}
	return quote + open + n + len(end)
}

// Lex returns the tokens of s, which is no file and has no directives.
func Lex(s string) []Token { return LexFile("", s) }

// Join returns the text of tokens, with spaces where words would run together.
func Join(tokens []Token) string {
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 && (t.space || tokens[i-1].Kind != Punct && t.Kind != Punct) {
			b.WriteByte(' ')
		}
		b.WriteString(t.Text)
	}
	return b.String()
}

// LexFile returns the tokens of a file, which has no directives.
func LexFile(name, text string) []Token {
	x := lexer{file: name, s: text, line: 1}
	var out []Token
	for {
		line, ok := x.logicalLine()
		if !ok {
			return out
		}
		out = append(out, line...)
	}
}
