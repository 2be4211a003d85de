package cexpr

import (
	"fmt"
	"strings"
	"testing"
)

// show writes a tree with all its parentheses.
func show(n *Node) string {
	switch n.Op {
	case Int:
		return fmt.Sprint(n.Number)
	case Float:
		return fmt.Sprint(n.Real)
	case Char:
		return fmt.Sprintf("'%c'", rune(n.Number))
	case String:
		return fmt.Sprintf("%q", n.Text)
	case Name:
		if n.Scope != "" {
			return n.Scope + " " + n.Text
		}
		return n.Text
	case Register:
		return "$" + n.Text
	case Member:
		return show(n.A) + "." + n.Text
	case Index:
		return show(n.A) + "[" + show(n.B) + "]"
	case Slice:
		low, high := "", ""
		if n.B != nil {
			low = show(n.B)
		}
		if n.C != nil {
			high = show(n.C)
		}
		return show(n.A) + "[" + low + ":" + high + "]"
	case Cast:
		return "((" + n.Text + ")" + show(n.A) + ")"
	case Sizeof:
		return "(sizeof " + show(n.A) + ")"
	case SizeofType:
		return "sizeof(" + n.Text + ")"
	case Unary:
		return "(" + n.Text + show(n.A) + ")"
	case Choice:
		return "(" + show(n.A) + "?" + show(n.B) + ":" + show(n.C) + ")"
	case Call:
		return show(n.A) + "()"
	}
	if n.B == nil {
		return "(" + show(n.A) + "=)"
	}
	return "(" + show(n.A) + n.Text + show(n.B) + ")"
}

// TestParse: operators bind as in C17, 6.5, with gdb's "@" between shifts and sums.
func TestParse(t *testing.T) {
	types := map[string]bool{"T": true, "struct node": true, "std::vector<int>": true}
	for text, want := range map[string]string{
		"1+2*3":                 "(1+(2*3))",
		"(1+2)*3":               "((1+2)*3)",
		"a-b-c":                 "((a-b)-c)",
		"a = b = c":             "(a=(b=c))",
		"a ? b : c ? d : e":     "(a?b:(c?d:e))",
		"a || b && c | d ^ e":   "(a||(b&&(c|(d^e))))",
		"a & b == c < d << e":   "(a&(b==(c<(d<<e))))",
		"*p@4":                  "((*p)@4)",
		"p + 1@n":               "((p+1)@n)",
		"-a.b[1]->c":            "(-a.b[1].c)",
		"&*x":                   "(&(*x))",
		"(T)x":                  "((T)x)",
		"(T *)x + 1":            "(((T *)x)+1)",
		"(x)-1":                 "(x-1)",
		"(x)":                   "x",
		"*(struct node *)p":     "(*((struct node *)p))",
		"(unsigned long)$sp":    "((unsigned long)$sp)",
		"sizeof(int)":           "sizeof(int)",
		"sizeof(x) + 1":         "((sizeof x)+1)",
		"sizeof x.y":            "(sizeof x.y)",
		"f(1, g(2))":            "f()",
		"a < b":                 "(a<b)",
		"a<b && c>d":            "((a<b)&&(c>d))",
		"m<int, 3>::k + 1":      "(m<int, 3>::k+1)",
		"(std::vector<int> *)p": "((std::vector<int> *)p)",
		"A::b::~c":              "A::b::~c",
		"0x10 + 010 + 1.5e-1":   "((16+8)+0.15)",
		`'\n' + "a\"b"`:         "('\n'+\"a\\\"b\")",
		"!a != ~b":              "((!a)!=(~b))",
		"lib.so`x":              "lib.so`x",
		"'main.move' + 1":       "(main.move+1)",
		"&'a.c'::count.n":       "(&a.c count.n)",
		"'a' + 'bc'":            "('a'+bc)",
		"$$2 + $$":              "($$2+$$)",
		"$i++":                  "($i=)",
		"sizeof(T[4])":          "sizeof(T[4])",
		"x as u8 + 1":           "(((u8)x)+1)",
		"a[1:n] + b[:][2:]":     "(a[1:n]+b[:][2:])",
		"x.(int) + 1":           "(x.get()+1)",
		"int(x) + T(1)":         "(((int)x)+((T)1))",
		"static_cast<int>(x)":   "((int)x)",
		"static_cast<std::vector<int>*>(x)->y + 1": "(((std::vector<int>*)x).y+1)",
		"t.0 + 1":             "(t.0+1)",
		"t[1].0.1->2.3":       "t[1].0.1.2.3",
		"a ? .5 : (float).25": "(a?0.5:((float)0.25))",
	} {
		n, err := Parse(text, func(name string) bool { return types[name] })
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := show(n); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestParseErrors: what is missing or too much is said.
func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "not complete",
		"1 +":                      "not complete",
		"a b":                      `"b" was not expected`,
		"a.":                       "the name of a member is missing at the end",
		"(a":                       `")" is missing at the end`,
		"a[1":                      `"]" is missing at the end`,
		"''":                       "not one character",
		`"a`:                       "not closed",
		"1x":                       "not a number",
		"a # b":                    "no meaning",
		"&&a":                      `"&&" has no left side`,
		strings.Repeat("(", 5000):  "nested too deep",
		strings.Repeat("!", 5000):  "nested too deep",
		strings.Repeat("a", 20000): "too long",
	} {
		if _, err := Parse(text, func(string) bool { return false }); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%.20s: %v, want %s", text, err, want)
		}
	}
}

// FuzzParse: no text makes the parser panic, or a tree without operands.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"*(struct node *)p->a[1]@2", "a ? b : c", "sizeof(int) << 3", "x++ + f(1, 2)",
		"m<int>::k < 3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if n, err := Parse(s, func(name string) bool { return len(name)%2 == 0 }); err == nil {
			_ = show(n)
		}
	})
}
