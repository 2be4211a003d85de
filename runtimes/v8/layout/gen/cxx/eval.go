package cxx

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// An Env says where to look names up: a scope, and the arguments of the enclosing templates and functions.
type Env struct {
	scope *Scope
	vars  *binding
	depth int
	lazy  bool // the sizes of classes are not asked for
}

// A binding is the value of a parameter.
type binding struct {
	name string
	typ  *Type
	n    int64
	next *binding
}

// Global returns the environment of a scope.
func Global(s *Scope) Env { return Env{scope: s} }

func (e Env) bind(name string, t *Type, n int64) Env {
	e.vars = &binding{name, t, n, e.vars}
	return e
}

func (e Env) find(name string) *binding {
	for b := e.vars; b != nil; b = b.next {
		if b.name == name {
			return b
		}
	}
	return nil
}

// maxDepth bounds how deeply constants refer to each other.
const maxDepth = 150

var errDeep = errors.New("constants refer to each other too deeply")

// Eval returns the value of an expression, given as text.
func (e Env) Eval(expr string) (int64, error) { return e.eval(Lex(expr)) }

// EvalTokens returns the value of an expression.
func (e Env) EvalTokens(t []Token) (int64, error) { return e.eval(t) }

// Find returns what a name, as in "Map::Bits3", stands for.
func (e Env) Find(name string) (*Decl, error) {
	x := &expr{t: Lex(name), env: e}
	d, _, err := x.path()
	if err == nil && d == nil {
		err = fmt.Errorf("%s is not declared", name)
	}
	return d, err
}

func (e Env) eval(t []Token) (int64, error) {
	if e.depth > maxDepth {
		return 0, errDeep
	}
	if len(t) == 0 {
		return 0, errors.New("no expression")
	}
	e.lazy = false
	x := &expr{t: t, env: e}
	v, err := x.ternary()
	if err == nil && x.i < len(t) {
		err = fmt.Errorf("%s: unexpected %q", Join(t), t[x.i].Text)
	}
	return v, err
}

// evalPlain evaluates an expression whose names stand for 0.
func evalPlain(t []Token) (int64, error) { return Env{}.eval(t) }

// An expr is an expression that is read.
type expr struct {
	t   []Token
	i   int
	env Env
}

func (x *expr) peek() string {
	if x.i < len(x.t) {
		return x.t[x.i].Text
	}
	return ""
}

func (x *expr) peekAt(n int) string {
	if x.i+n < len(x.t) {
		return x.t[x.i+n].Text
	}
	return ""
}

func (x *expr) accept(s string) bool {
	if x.peek() == s && x.i < len(x.t) {
		x.i++
		return true
	}
	return false
}

func (x *expr) expect(s string) error {
	if !x.accept(s) {
		return fmt.Errorf("%s: want %q, not %q", Join(x.t), s, x.peek())
	}
	return nil
}

func (x *expr) ternary() (int64, error) {
	c, err := x.binary(0)
	if err != nil || !x.accept("?") {
		return c, err
	}
	// Only the branch that is taken need have a value.
	a, errA := x.ternary()
	if errA != nil {
		for x.i < len(x.t) && x.peek() != ":" {
			if x.peek() == "(" {
				x.i = closing(x.t, x.i)
			}
			x.i++
		}
	}
	if err := x.expect(":"); err != nil {
		return 0, err
	}
	b, errB := x.ternary()
	if c != 0 {
		if errB != nil {
			x.i = len(x.t)
		}
		return a, errA
	}
	return b, errB
}

// precedence of the operators with two sides.
var precedence = map[string]int{
	"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7,
	"<<": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}

// operator returns the next operator and its precedence, or 0 if the next token is no operator.
func (x *expr) operator() (string, int) {
	s := x.peek()
	if s == ">" && x.peekAt(1) == ">" && !x.t[x.i+1].space {
		return ">>", 8
	}
	return s, precedence[s]
}

func (x *expr) binary(least int) (int64, error) {
	a, err := x.unary()
	for err == nil {
		op, p := x.operator()
		if p == 0 || p <= least {
			return a, nil
		}
		x.i += len(op)
		if op != ">>" {
			x.i += 1 - len(op)
		}
		var b int64
		if b, err = x.binary(p); err == nil {
			a, err = apply(op, a, b)
		}
	}
	return a, err
}

func apply(op string, a, b int64) (int64, error) {
	truth := func(t bool) (int64, error) {
		if t {
			return 1, nil
		}
		return 0, nil
	}
	switch op {
	case "||":
		return truth(a != 0 || b != 0)
	case "&&":
		return truth(a != 0 && b != 0)
	case "|":
		return a | b, nil
	case "^":
		return a ^ b, nil
	case "&":
		return a & b, nil
	case "==":
		return truth(a == b)
	case "!=":
		return truth(a != b)
	case "<":
		return truth(a < b)
	case ">":
		return truth(a > b)
	case "<=":
		return truth(a <= b)
	case ">=":
		return truth(a >= b)
	case "<<":
		return a << (uint64(b) & 63), nil
	case ">>":
		return a >> (uint64(b) & 63), nil
	case "+":
		return a + b, nil
	case "-":
		return a - b, nil
	case "*":
		return a * b, nil
	}
	if b == 0 {
		return 0, errors.New("division by zero")
	}
	if op == "/" {
		return a / b, nil
	}
	return a % b, nil
}

func (x *expr) unary() (int64, error) {
	switch op := x.peek(); op {
	case "-", "+", "!", "~":
		x.i++
		v, err := x.unary()
		switch {
		case op == "-":
			v = -v
		case op == "~":
			v = ^v
		case op == "!" && v == 0:
			v = 1
		case op == "!":
			v = 0
		}
		return v, err
	}
	return x.primary()
}

func (x *expr) primary() (int64, error) {
	if x.i >= len(x.t) {
		return 0, fmt.Errorf("%s: ends early", Join(x.t))
	}
	t := x.t[x.i]
	switch {
	case t.Kind == Number:
		x.i++
		return number(t.Text)
	case t.Kind == Text:
		x.i++
		return character(t.Text)
	case t.Text == "(":
		return x.parenthesis()
	case t.Text == "::" || t.Kind == Ident:
		return x.name(t)
	}
	return 0, fmt.Errorf("%s: unexpected %q", Join(x.t), t.Text)
}

// parenthesis reads "(a)" or the cast "(int)a".
func (x *expr) parenthesis() (int64, error) {
	end := closing(x.t, x.i)
	inner := x.t[x.i+1 : end]
	x.i = end + 1
	if s := x.peek(); x.i < len(x.t) && (x.t[x.i].Kind != Punct || s == "(" || s == "~") {
		if typ, err := x.env.typeOf(inner); err == nil {
			v, err := x.unary()
			return typ.truncate(v), err
		}
	}
	return x.env.eval(inner)
}

func number(s string) (int64, error) {
	s = strings.ReplaceAll(strings.ToLower(s), "'", "")
	if !strings.HasPrefix(s, "0x") {
		s = strings.TrimRight(s, "ulzf")
	}
	s = strings.TrimRight(s, "ulz")
	if v, err := strconv.ParseUint(s, 0, 64); err == nil {
		return int64(v), nil
	}
	f, err := strconv.ParseFloat(s, 64)
	return int64(f), err
}

func character(s string) (int64, error) {
	if strings.HasPrefix(s, "'") {
		if r, _, _, err := strconv.UnquoteChar(s[1:], '\''); err == nil {
			return int64(r), nil
		}
	}
	return 0, fmt.Errorf("%s is not a number", s)
}
