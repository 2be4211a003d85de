package lang

import (
	"fmt"
	"strings"
)

// A Stmt is one statement: what is between two semicolons or newlines.
type Stmt struct {
	Off   int  // byte offset of the statement in its source
	Addr  Expr // nil if dot is not set
	Count Expr // nil if the command runs once
	// Stages is the pipeline. It is empty where the previous one runs again
	// (there is an address or a count), where only a shell command runs, and
	// in the empty statement.
	Stages   []Cmd
	Shell    string // what follows "!", to the end of the statement
	HasShell bool
}

// Empty reports whether the statement does nothing at all.
func (s *Stmt) Empty() bool {
	return s.Addr == nil && s.Count == nil && len(s.Stages) == 0 && !s.HasShell
}

// A Cmd is one stage of a pipeline.
type Cmd struct {
	Off int
	// Name is the command with its verb: "/", "=", "$c", ":c", "::walk",
	// "::mod`cmd", ">", "$<", "$<<", "$>".
	Name string
	// Size is the letter of ">/c/name", or 0.
	Size byte
	Args []Word
	// Joined is set if the first argument, "-x", follows a "::name" without a blank.
	Joined bool
}

// A Word is one argument: text in pieces of different quoting, or one $[expr].
type Word []Part

// A Part is a piece of a word. It is text, or an expression whose value is an
// argument of its own.
type Part struct {
	Text  string
	Quote byte // 0, '\'' or '"'
	Expr  Expr // for $[expr]
}

// An Expr is an expression. Its String form parses to an equal expression.
type Expr interface{ String() string }

// The nodes of expressions.
type (
	// Number is a token that starts with a digit: "0t31", "1f".
	Number struct {
		Text string
		Off  int
	}
	// Ident is a token that starts with a letter: a symbol, or else a number.
	Ident struct {
		Text string
		Off  int
	}
	// Symbol is a quoted name, for names with characters that are special.
	Symbol struct{ Text string }
	// Chars is a character constant of up to 8 bytes.
	Chars struct{ Text string }
	// Var is "<name".
	Var struct{ Name string }
	// Place is dot ('.'), the next ('+') or previous ('^') location, or the
	// last one a command ran at ('&').
	Place struct{ Op byte }
	// Unary is negation ('-'), complement ('~') or logical not ('#').
	Unary struct {
		Op byte
		X  Expr
	}
	// Deref reads memory ('*') or the object file ('%') at X. Size is in
	// bytes, 0 for the size of a pointer.
	Deref struct {
		Op   byte
		Size int
		X    Expr
	}
	// Binary is an operation on two values.
	Binary struct {
		Op   string
		X, Y Expr
	}
)

// String returns the token.
func (e Number) String() string { return e.Text }

// String returns the token.
func (e Ident) String() string { return e.Text }

// String returns the name in quotes.
func (e Symbol) String() string { return quoteC(e.Text) }

// String returns the constant with its quotes.
func (e Chars) String() string { return "'" + escapeC(e.Text, '\'') + "'" }

// String returns "<name".
func (e Var) String() string { return "<" + e.Name }

// String returns the character.
func (e Place) String() string { return string(rune(e.Op)) }

// String returns the operation, with the parentheses that it needs and no others: what is
// printed is nested no deeper than what was read, and so is not refused for that.
func (e Unary) String() string { return string(rune(e.Op)) + within(e.X, unaryPrecedence) }

// String returns the read, with the parentheses that it needs.
func (e Deref) String() string {
	size := ""
	if e.Size != 0 {
		size = fmt.Sprintf("/%d/", e.Size)
	}
	return string(rune(e.Op)) + size + " " + within(e.X, unaryPrecedence)
}

// String returns the operation, with the parentheses that it needs.
func (e Binary) String() string {
	prec := precedence(e.Op)
	return within(e.X, prec) + " " + e.Op + " " + within(e.Y, prec+1)
}

// within returns e as an operand of an operator that takes operations of this precedence
// or a higher one as they are.
func within(e Expr, prec int) string {
	if b, ok := e.(Binary); ok && precedence(b.Op) < prec {
		return "(" + b.String() + ")"
	}
	return e.String()
}

// String returns the statement as it can be typed.
func (s *Stmt) String() string {
	var b strings.Builder
	if s.Addr != nil {
		b.WriteString(s.Addr.String())
	}
	if s.Count != nil {
		b.WriteString("," + s.Count.String())
	}
	for i, c := range s.Stages {
		if i > 0 {
			b.WriteString(" | ")
		} else if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(c.String())
	}
	if s.HasShell {
		b.WriteString("!" + s.Shell)
	}
	return b.String()
}

// String returns the command as it can be typed.
func (c *Cmd) String() string {
	var b strings.Builder
	b.WriteString(c.Name)
	if c.Size != 0 {
		b.WriteString("/" + string(rune(c.Size)) + "/")
	}
	for i, w := range c.Args {
		if i > 0 || !c.Joined {
			b.WriteByte(' ')
		}
		for _, p := range w {
			b.WriteString(p.String())
		}
	}
	return b.String()
}

// String returns the piece with its quotes.
func (p Part) String() string {
	switch {
	case p.Expr != nil:
		return "$[" + p.Expr.String() + "]"
	case p.Quote == '\'':
		return "'" + p.Text + "'"
	case p.Quote == '"':
		return quoteC(p.Text)
	}
	return p.Text
}

func quoteC(s string) string { return `"` + escapeC(s, '"') + `"` }

// escapeC writes s with C escapes for the quote, the backslash and whatever is
// not a printable ASCII character.
func escapeC(s string, quote byte) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteString(escapeByte(s[i], quote))
	}
	return b.String()
}

func escapeByte(c, quote byte) string {
	if i := strings.IndexByte("\a\b\f\n\r\t\v", c); i >= 0 {
		return `\` + "abfnrtv"[i:i+1]
	}
	if c == '\\' || c == quote && quote != 0 {
		return `\` + string(rune(c))
	}
	if c < ' ' || c > '~' {
		return fmt.Sprintf(`\%03o`, c)
	}
	return string(rune(c))
}
