package syntax

import "errors"

// Limits for a text of a core.
const (
	MaxText  = 1 << 17 // bytes of one function
	maxDepth = 500     // expressions and statements inside each other
)

// A parser makes a tree of tokens.
type parser struct {
	tokens
	noIn bool // in the head of a for statement
}

// ParseFunction parses a function from its parameters on, because V8 keeps that position: "(a, b) { ... }",
// "(a) => ..." or "a => ...". It ignores the text after the function.
func ParseFunction(text string) (n *Node, err error) {
	if len(text) > MaxText {
		return nil, errors.New("syntax: the function is too long")
	}
	p := &parser{tokens: tokens{lex: lexer{src: text}}}
	defer p.recover(&err)
	p.advance()
	return p.fromParameters(), nil
}

// fromParameters parses a function from its parameters on.
func (p *parser) fromParameters() *Node {
	if p.isName() && p.tok.text == "async" {
		p.advance()
	}
	if p.isName() {
		return p.arrow([]*Node{p.binding()})
	}
	params := p.parameters()
	if p.isPunct("=>") {
		return p.arrow(params)
	}
	return &Node{Kind: Function, List: params, A: p.block()}
}

// ParseBody parses the statements of a file as a function body.
func ParseBody(text string) (n *Node, err error) {
	if len(text) > MaxText {
		return nil, errors.New("syntax: the file is too long")
	}
	p := &parser{tokens: tokens{lex: lexer{src: text}}}
	defer p.recover(&err)
	body := &Node{Kind: Block, End: len(text)}
	for p.advance(); p.tok.kind != tokEnd; {
		body.List = append(body.List, p.statement())
	}
	return &Node{Kind: Function, A: body}, nil
}

// ParseProgram parses statements as they are typed into a console, as the body of an arrow function.
func ParseProgram(text string) (n *Node, err error) {
	if n, err = ParseBody(text); err == nil {
		n.Arrow = true
	}
	return n, err
}

// ParseClass parses a class from its keyword on.
func ParseClass(text string) (n *Node, err error) {
	if len(text) > MaxText {
		return nil, errors.New("syntax: the class is too long")
	}
	p := &parser{tokens: tokens{lex: lexer{src: text}}}
	defer p.recover(&err)
	p.advance()
	if !p.isWord("class") {
		p.lex.fail("it is not a class")
	}
	return p.class(), nil
}

func (p *parser) recover(err *error) {
	switch e := recover().(type) {
	case nil:
	case *SyntaxError:
		*err = e
	default:
		panic(e)
	}
}

// reserved are words that are no names.
var reserved = map[string]bool{
	"break": true, "case": true, "catch": true, "class": true, "const": true, "continue": true, "debugger": true,
	"default": true, "delete": true, "do": true, "else": true, "export": true, "extends": true, "false": true,
	"finally": true, "for": true, "function": true, "if": true, "import": true, "in": true, "instanceof": true,
	"new": true, "null": true, "return": true, "super": true, "switch": true, "this": true, "throw": true, "true": true,
	"try": true, "typeof": true, "var": true, "void": true, "while": true, "with": true,
}
