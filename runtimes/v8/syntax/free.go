package syntax

import (
	"errors"
	"maps"
	"slices"
)

// errRest says that a text goes on after what was parsed.
var errRest = errors.New("syntax: the text goes on after its end")

// ParseExtent parses the whole text that V8 keeps as the extent of a function: a function from its parameters
// on, the class of an implicit constructor, or the statements of a file.
func ParseExtent(text string) (*Node, error) {
	if len(text) > MaxText {
		return nil, errors.New("syntax: the function is too long")
	}
	n, err := parseWhole(text, (*parser).fromParameters)
	if err != nil {
		n, err = parseWhole(text, func(p *parser) *Node {
			if !p.isWord("class") {
				p.lex.fail("it is not a class")
			}
			return p.class()
		})
	}
	if err != nil {
		return ParseBody(text)
	}
	return n, nil
}

// parseWhole parses a text that nothing is to follow.
func parseWhole(text string, parse func(*parser) *Node) (n *Node, err error) {
	p := &parser{tokens: tokens{lex: lexer{src: text}}}
	defer p.recover(&err)
	p.advance()
	n = parse(p)
	if p.tok.kind != tokEnd {
		return nil, errRest
	}
	return n, nil
}

// FreeNames returns the names that a function or class refers to, itself or in inner functions, and does not
// declare: rather one too many than one too few. ok is false if they are unknown, because code passed to eval
// may refer to any.
func FreeNames(n *Node) (names []string, ok bool) {
	f := &freeNames{free: map[string]bool{}}
	f.visit(n)
	return slices.Sorted(maps.Keys(f.free)), !f.free["eval"]
}

// freeNames goes over a tree with the names that are declared where it is.
type freeNames struct {
	scopes []map[string]bool
	free   map[string]bool
}

// within calls visit in a scope of some names.
func (f *freeNames) within(names map[string]bool, visit func()) {
	f.scopes = append(f.scopes, names)
	visit()
	f.scopes = f.scopes[:len(f.scopes)-1]
}

func (f *freeNames) refer(name string) {
	for _, s := range f.scopes {
		if s[name] {
			return
		}
	}
	f.free[name] = true
}

func (f *freeNames) visit(n *Node) {
	if n == nil {
		return
	}
	switch n.Kind {
	case Identifier:
		f.refer(n.Text)
	case Function:
		f.function(n, n.Text)
	case Class:
		f.class(n)
	case Declare: // a function that is declared has its name around it
		if n.A.Kind == Function {
			f.function(n.A, "")
		} else {
			f.visit(n.A)
		}
	case Property:
		f.property(n)
	case Block:
		f.within(lexical(n.List), func() { f.all(n.List) })
	case Switch:
		f.visit(n.A)
		var all []*Node
		for _, c := range n.List {
			f.visit(c.A)
			all = append(all, c.List...)
		}
		f.within(lexical(all), func() { f.all(all) })
	case For:
		f.within(lexical([]*Node{n.A}), func() { f.all([]*Node{n.A, n.B, n.C, n.D}) })
	case ForIn, ForOf:
		f.visit(n.B)
		f.within(lexical([]*Node{n.A}), func() { f.all([]*Node{n.A, n.C}) })
	case Try:
		f.visit(n.A)
		caught := map[string]bool{}
		bind(caught, n.B)
		f.within(caught, func() { f.all([]*Node{n.B, n.C}) })
		f.visit(n.D)
	default:
		f.all([]*Node{n.A, n.B, n.C, n.D})
		f.all(n.List)
	}
}

func (f *freeNames) all(list []*Node) {
	for _, n := range list {
		f.visit(n)
	}
}

// function: parameters do not see what the body declares. It knows itself by its name, if
// it has one.
func (f *freeNames) function(n *Node, name string) {
	own := map[string]bool{}
	if name != "" {
		own[name] = true
	}
	if !n.Arrow {
		own["arguments"] = true
	}
	for _, p := range n.List {
		bind(own, p)
	}
	f.within(own, func() {
		f.all(n.List)
		f.body(n.A)
	})
}

// body visits the body of a function, or a static block, with the variables that var declares in it.
func (f *freeNames) body(n *Node) {
	vars := map[string]bool{}
	hoist(vars, n)
	f.within(vars, func() { f.visit(n) })
}

func (f *freeNames) class(n *Node) {
	f.visit(n.A)
	own := map[string]bool{}
	if n.Text != "" {
		own[n.Text] = true
	}
	f.within(own, func() { f.all(n.List) })
}

// property: the name of a method is none that it knows itself by.
func (f *freeNames) property(n *Node) {
	if n.Computed {
		f.visit(n.A)
	}
	switch {
	case n.B != nil && n.B.Kind == Function && n.Prefix:
		f.function(n.B, "")
	case n.B != nil && n.B.Kind == Block:
		f.body(n.B)
	default:
		f.visit(n.B)
	}
}

// lexical returns the names that statements declare for the block that they are in.
func lexical(list []*Node) map[string]bool {
	names := map[string]bool{}
	for _, n := range list {
		switch {
		case n == nil:
		case n.Kind == Declare && n.A.Text != "":
			names[n.A.Text] = true
		case n.Kind == Var && n.Text != "var":
			for _, d := range n.List {
				bind(names, d)
			}
		}
	}
	return names
}

// hoist adds the names that var declares in a statement and below it, except in functions.
func hoist(names map[string]bool, n *Node) {
	if n == nil {
		return
	}
	switch n.Kind {
	case Var:
		if n.Text == "var" {
			for _, d := range n.List {
				bind(names, d)
			}
		}
	case Block, If, For, ForIn, ForOf, While, Do, Try, Switch, Case, Labeled:
		for _, x := range []*Node{n.A, n.B, n.C, n.D} {
			hoist(names, x)
		}
		for _, x := range n.List {
			hoist(names, x)
		}
	}
}

// bind adds the names that a declarator, a parameter or a pattern declares.
func bind(names map[string]bool, n *Node) {
	if n == nil {
		return
	}
	switch n.Kind {
	case Identifier:
		names[n.Text] = true
	case Assign, Spread:
		bind(names, n.A)
	case Property:
		bind(names, n.B)
	case Array, Object:
		for _, x := range n.List {
			bind(names, x)
		}
	}
}
