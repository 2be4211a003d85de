package cexpr

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// An Op says what a Node is.
type Op uint8

// The operations. Which fields of a Node are set depends on them.
const (
	Int        Op = iota // Number, Unsigned
	Float                // Real
	Char                 // Number
	String               // Text
	Name                 // Text, and Scope if a file or a function stands before it
	Register             // Text, without "$"
	Member               // A.Text or A->Text
	Index                // A[B]
	Slice                // A[B:C]; B and C may be nil
	Cast                 // (Text)A
	Place                // {Text}A: what is at an address, as a type
	Sizeof               // sizeof A
	SizeofType           // sizeof(Text)
	Unary                // Text A
	Binary               // A Text B
	Choice               // A ? B : C
	Array                // A@B
	Call                 // A(B, C, ...)
	Assign               // A Text B
)

// A Node is an expression.
type Node struct {
	Op       Op
	Text     string
	Scope    string
	Number   uint64
	Unsigned bool
	Real     float64
	A, B, C  *Node
}

const (
	maxText  = 1 << 14 // bytes of an expression
	maxDepth = 200
)

var errDepth = errors.New("the expression is nested too deep")

// Parse parses an expression. isType reports whether a name is a type's: only then is "(name)x" a cast.
func Parse(text string, isType func(name string) bool) (n *Node, err error) {
	if len(text) > maxText {
		return nil, errors.New("the expression is too long")
	}
	p := &parser{text: text, isType: isType}
	if p.list, err = lex(text); err != nil {
		return nil, err
	}
	if n, err = p.expression(0); err != nil {
		return nil, err
	}
	if t := p.peek(); t.kind != tokEnd {
		return nil, fmt.Errorf("%q was not expected", text[t.start:])
	}
	return n, nil
}

type parser struct {
	text   string
	list   []token
	at     int
	depth  int
	isType func(string) bool
}

func (p *parser) peek() *token { return &p.list[p.at] }

func (p *parser) take(text string) bool {
	if p.peek().is(text) {
		p.at++
		return true
	}
	return false
}

func (p *parser) expect(text string) error {
	if !p.take(text) {
		return p.missing(strconv.Quote(text))
	}
	return nil
}

// missing returns the error for a part that is missing before the next token.
func (p *parser) missing(what string) error {
	if p.peek().kind == tokEnd {
		return fmt.Errorf("%s is missing at the end", what)
	}
	return fmt.Errorf("%s is missing before %q", what, p.text[p.peek().start:])
}

// levels are the binary operators, the loosest first.
var levels = [][]string{{"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}, {"?"}, {"||"}, {"&&"},
	{"|"}, {"^"}, {"&"}, {"==", "!="}, {"<", ">", "<=", ">="}, {"<<", ">>"}, {"@"}, {"+", "-"}, {"*", "/", "%"}}

// expression parses operators of a level and of tighter levels.
func (p *parser) expression(level int) (*Node, error) {
	if p.depth++; p.depth > maxDepth*len(levels) {
		return nil, errDepth
	}
	defer func() { p.depth-- }()
	if level == len(levels) {
		return p.unary()
	}
	n, err := p.expression(level + 1)
	if err != nil {
		return nil, err
	}
	for {
		op := p.operator(levels[level])
		if op == "" {
			return n, nil
		}
		if op == "?" {
			return p.choice(n)
		}
		right := level + 1
		kind := Binary
		switch {
		case level == 0:
			kind, right = Assign, 0
		case op == "@":
			kind = Array
		}
		b, err := p.expression(right)
		if err != nil {
			return nil, err
		}
		n = &Node{Op: kind, Text: op, A: n, B: b}
	}
}

func (p *parser) operator(of []string) string {
	for _, op := range of {
		if p.take(op) {
			return op
		}
	}
	return ""
}

// choice parses what follows "a ?".
func (p *parser) choice(a *Node) (*Node, error) {
	b, err := p.expression(1)
	if err != nil {
		return nil, err
	}
	if err := p.expect(":"); err != nil {
		return nil, err
	}
	c, err := p.expression(1)
	if err != nil {
		return nil, err
	}
	return &Node{Op: Choice, A: a, B: b, C: c}, nil
}

// unary parses a prefix and its operand.
func (p *parser) unary() (*Node, error) {
	if p.depth++; p.depth > maxDepth*len(levels) {
		return nil, errDepth
	}
	defer func() { p.depth-- }()
	if t := p.peek(); t.kind == tokName && t.text == "sizeof" {
		p.at++
		if name := p.typeAhead(); name != "" {
			return &Node{Op: SizeofType, Text: name}, nil
		}
		a, err := p.unary()
		return &Node{Op: Sizeof, A: a}, err
	}
	if op := p.operator([]string{"*", "&", "-", "+", "!", "~", "++", "--"}); op != "" {
		a, err := p.unary()
		return &Node{Op: Unary, Text: op, A: a}, err
	}
	if p.take("&&") { // as "& &x", which has no meaning
		return nil, errors.New("\"&&\" has no left side")
	}
	if p.take("{") {
		return p.place()
	}
	at := p.at
	if name := p.typeAhead(); name != "" {
		if p.operandAhead() {
			a, err := p.unary()
			return &Node{Op: Cast, Text: name, A: a}, err
		}
		p.at = at
	}
	return p.postfix()
}

// place parses what follows "{": a type, and the address of a value of that type.
func (p *parser) place() (*Node, error) {
	first := p.peek().start
	for p.peek().kind != tokEnd && !p.peek().is("}") {
		p.at++
	}
	name := strings.TrimSpace(p.text[first:p.peek().start])
	if err := p.expect("}"); err != nil {
		return nil, err
	}
	a, err := p.unary()
	return &Node{Op: Place, Text: name, A: a}, err
}

// operandAhead reports whether what follows can be the operand of a cast.
func (p *parser) operandAhead() bool {
	t := p.peek()
	return t.kind != tokEnd && (t.kind != tokPunct || strings.Contains("( * & - + ! ~ {", t.text) && t.text != "")
}

// keywords begin the name of a type.
var keywords = map[string]bool{"struct": true, "class": true, "union": true, "enum": true, "unsigned": true,
	"signed": true, "long": true,
	"short": true, "int": true, "char": true, "float": true, "double": true, "void": true, "const": true,
	"volatile": true, "bool": true}

// typeAhead takes a type in parentheses, and returns its name; "" if there is no type ahead.
func (p *parser) typeAhead() string {
	at := p.at
	if !p.take("(") {
		return ""
	}
	first, words := p.peek(), 0
	for p.peek().kind == tokName {
		words++
		p.at++
	}
	for p.take("*") || p.take("&") || p.peek().kind == tokName && p.peek().text == "const" && p.next() {
	}
	last := p.list[p.at-1]
	for words > 0 && p.peek().is("[") && p.list[p.at+1].kind == tokInt && p.list[p.at+2].is("]") {
		p.at += 3
	}
	end := p.list[p.at-1].end
	if words > 0 && p.take(")") {
		name := p.text[first.start:end]
		base, _, _ := strings.Cut(name, "[")
		base = strings.TrimRight(base, "*& ")
		if keywords[first.text] || (words == 1 || last.text != first.text && strings.TrimRight(base,
			"*& ") != first.text) && p.isType(base) {
			return name
		}
	}
	p.at = at
	return ""
}

func (p *parser) next() bool { p.at++; return true }

// postfix parses an operand with the members, elements and calls behind it.
func (p *parser) postfix() (*Node, error) {
	n, err := p.primary()
	for err == nil {
		switch {
		case p.peek().is(".") && p.list[p.at+1].is("("): // Go's x.(T) is what x holds
			p.at += 2
			for p.peek().kind != tokEnd && !p.peek().is(")") {
				p.at++
			}
			n, err = &Node{Op: Call, A: &Node{Op: Member, Text: "get", A: n}}, p.expect(")")
		case p.take("."), p.take("->"):
			t := p.peek()
			if t.kind != tokName && t.kind != tokInt {
				return nil, p.missing("the name of a member")
			}
			p.at++
			n = &Node{Op: Member, Text: t.text, A: n}
		case p.take("["):
			n, err = p.index(n)
		case p.take("("):
			var args []*Node
			if args, err = p.arguments(); err != nil {
				return nil, err
			}
			n = p.called(n, args)
		case p.peek().kind == tokName && p.peek().text == "as" && p.list[p.at+1].kind == tokName: // Rust's cast
			p.at += 2
			n = &Node{Op: Cast, Text: p.list[p.at-1].text, A: n}
		case p.take("++"):
			n = &Node{Op: Assign, Text: "++", A: n}
		case p.take("--"):
			n = &Node{Op: Assign, Text: "--", A: n}
		default:
			return n, nil
		}
	}
	return nil, err
}

// index parses what follows "a[": an index, or Go's bounds of a slice.
func (p *parser) index(a *Node) (n *Node, err error) {
	n = &Node{Op: Index, A: a}
	if !p.peek().is(":") {
		if n.B, err = p.expression(1); err != nil {
			return nil, err
		}
	}
	if p.take(":") {
		n.Op = Slice
		if !p.peek().is("]") {
			if n.C, err = p.expression(1); err != nil {
				return nil, err
			}
		}
	}
	return n, p.expect("]")
}

// arguments parses the arguments of a call.
func (p *parser) arguments() (list []*Node, err error) {
	if p.take(")") {
		return nil, nil
	}
	for {
		n, err := p.expression(1)
		if err != nil {
			return nil, err
		}
		list = append(list, n)
		if !p.take(",") {
			return list, p.expect(")")
		}
	}
}

// called returns a call, or the cast that "int(x)" is.
func (p *parser) called(n *Node, args []*Node) *Node {
	if n.Op == Name && len(args) == 1 && (keywords[n.Text] || p.isType(n.Text)) {
		return &Node{Op: Cast, Text: n.Text, A: args[0]}
	}
	c := &Node{Op: Call, A: n}
	if len(args) > 0 {
		c.B = args[0]
	}
	if len(args) > 1 {
		c.C = args[1]
	}
	return c
}

// casts are C++'s.
var casts = map[string]bool{"static_cast": true, "reinterpret_cast": true, "const_cast": true, "dynamic_cast": true}

// castAhead takes "static_cast<T>", and returns T; "" if no such cast is ahead.
func (p *parser) castAhead() string {
	t := p.peek()
	if t.kind != tokName {
		return ""
	}
	if name, rest, ok := strings.Cut(t.text, "<"); ok && casts[name] {
		p.at++
		return strings.TrimSuffix(rest, ">")
	}
	if !casts[t.text] || !p.list[p.at+1].is("<") {
		return ""
	}
	p.at += 2
	first := p.peek().start
	for depth := 1; p.peek().kind != tokEnd; p.at++ {
		switch t := p.peek(); {
		case t.is("<"):
			depth++
		case t.is(">"):
			depth--
		case t.is(">>"):
			depth -= 2
		}
		if depth <= 0 {
			end := p.peek().end - 1
			p.at++
			return p.text[first:end]
		}
	}
	return ""
}

func (p *parser) primary() (*Node, error) {
	if name := p.castAhead(); name != "" {
		a, err := p.primary()
		return &Node{Op: Cast, Text: name, A: a}, err
	}
	t := p.peek()
	p.at++
	switch t.kind {
	case tokInt:
		return &Node{Op: Int, Text: t.text, Number: t.number, Unsigned: t.unsigned}, nil
	case tokFloat:
		return &Node{Op: Float, Real: t.real}, nil
	case tokChar:
		return &Node{Op: Char, Number: t.number}, nil
	case tokString:
		return &Node{Op: String, Text: t.text}, nil
	case tokName:
		return &Node{Op: Name, Text: t.text, Scope: t.scope}, nil
	case tokReg:
		return &Node{Op: Register, Text: t.text}, nil
	}
	p.at--
	if p.take("(") {
		n, err := p.expression(0)
		if err != nil {
			return nil, err
		}
		return n, p.expect(")")
	}
	if t.kind == tokEnd {
		return nil, errors.New("the expression is not complete")
	}
	return nil, p.missing("a value")
}
