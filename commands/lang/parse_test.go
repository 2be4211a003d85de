package lang

import (
	"reflect"
	"strings"
	"testing"
)

// seeds are lines of the literature and of the corners of the language.
var seeds = []string{
	"", ";", "1", ",2", "1,2", "::status", "$c", "$C 10", ":c", "$", "$?", "$<file", "$<<file", "$>log", "!ls -l",
	"1::dis ! less",
	"ADDR-0x8/p", "::nm ! grep -w fork", "fork::dis", "<rsp,10/nap", "*(<rbp+8)=a", "main?10i", "main,5/ai",
	"0t31=X", "libc`fork=K",
	"::walk thread t | ::eval '<t=D' | ::head -n 5", `::echo "a\tb\"c\x41" 'd\e' f$[1+2]g`,
	"1+2*3%%4#5%6-7<<8>>9==a!=b&c^d|e::x",
	"-1::x; ~1::x; #1::x; *1::x; %1::x; */4/1::x; %/c/1::x; + + ^ ^ &::x", "'abc'=J", "5>x; 5>/c/x; <x=X", "::a`b c",
	"1/X\"text\"2x$[3]s",
	"::x // comment", "a // b\nc", "1 = X | = Y", "( ( 1 ) + ( 2 ) ) ::x", "\"ns::f(int)\"::dis", "0t1.5=F",
	"0t1.5e-10=F", ".=X;.+.=X", "%%1=X",
	"5!=6=X", "5==6=X", "1<<2=X", "1<x=X", "::x a/b=c?d>e$f:g\\h", "\x00", "é::x", "::x é", "1é", "1/\x80", "$\x80",
	"$[1]", "::x $[", "::x $[1",
	"::x 'a", "((((", "<", "</", "*", "*/", "*/4", "1,", "::", ":: x", ": ", "::1", "| ::x", "::x |", "::x | | ::y",
	"1 2", "!a;!b", "a!b!c", "\\X", "@X",
	"1/l 2 3", "1/w 4", "::x ''", "::x 'a'\"b\"c", "0x", "0t", "0tt", "0x_", "1__2", "1_", "_", "`", "a`", "`a", "..",
	".a", "1.", "0t1.", "::x ;;; ::y",
	"::x a!=b != c !=d ! e", "::x-y z", "::x -y z", "::x-'y'", "::x-$[1]", "$c-1",
}

// equal compares statements without the places of their tokens.
func equal(a, b *Stmt) bool { return reflect.DeepEqual(unplaced(a), unplaced(b)) }

func unplaced(s *Stmt) Stmt {
	c := *s
	c.Off = 0
	if c.Addr != nil {
		c.Addr = unplacedExpr(c.Addr)
	}
	if c.Count != nil {
		c.Count = unplacedExpr(c.Count)
	}
	c.Stages = nil
	for _, st := range s.Stages {
		st.Off = 0
		words := st.Args
		st.Args = nil
		for _, w := range words {
			var word Word
			for _, p := range w {
				if p.Expr != nil {
					p.Expr = unplacedExpr(p.Expr)
				}
				word = append(word, p)
			}
			st.Args = append(st.Args, word)
		}
		c.Stages = append(c.Stages, st)
	}
	return c
}

func unplacedExpr(e Expr) Expr {
	switch e := e.(type) {
	case Number:
		return Number{Text: e.Text}
	case Ident:
		return Ident{Text: e.Text}
	case Unary:
		return Unary{e.Op, unplacedExpr(e.X)}
	case Deref:
		return Deref{e.Op, e.Size, unplacedExpr(e.X)}
	case Binary:
		return Binary{e.Op, unplacedExpr(e.X), unplacedExpr(e.Y)}
	}
	return e
}

// reparse checks that what a statement prints parses to an equal statement.
func reparse(t *testing.T, text string) {
	t.Helper()
	all, _ := Parse(text)
	for _, s := range all {
		printed := s.String()
		again, err := Parse(printed)
		if err != nil || len(again) != 1 || !equal(s, again[0]) {
			t.Fatalf("%q prints as %q, which parses to %v, %v", text, printed, again, err)
		}
	}
}

func TestPrintReparses(t *testing.T) {
	for _, s := range seeds {
		reparse(t, s)
	}
	for _, op := range []string{"-", "~", "*", "%", "#", "(", "1+(", "1*(2+(", "-(1+"} {
		n := maxDepth/(1+strings.Count(op[1:], "(")) - 1
		reparse(t, strings.Repeat(op, n)+"1"+strings.Repeat(")", n*strings.Count(op, "(")))
	}
	reparse(t, "1"+strings.Repeat("+1", 2*maxDepth))
}

// TestPrint: an expression has the parentheses that it needs.
func TestPrint(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"1+(2*3)", "1 + 2 * 3"}, {"(1+2)*3", "(1 + 2) * 3"}, {"(1-2)-3", "1 - 2 - 3"}, {"1-(2-3)", "1 - (2 - 3)"},
		{"-(1+2)", "-(1 + 2)"}, {"*(<x+8)", "* (<x + 8)"}, {"(*<x)+8", "* <x + 8"}, {"--1", "--1"}, {"%%1", "% % 1"},
		{"*/4/(1|2)", "*/4/ (1 | 2)"},
	} {
		if e, err := ParseExpr(c.text); err != nil || e.String() != c.want {
			t.Errorf("%q prints as %q, %v, want %q", c.text, e, err, c.want)
		}
	}
}

// TestParse: a statement parses as the one with all its parentheses does, and a text that is
// not a statement parses to "".
func TestParse(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"1+2*3::x", "(1 + (2 * 3)) ::x"}, {"1-2-3=X", "((1 - 2) - 3) = X"}, {"*1+2=X", "((* 1) + 2) = X"},
		{"*/4/-1=X", "(*/4/ (-1)) = X"},
		{"a|b::x|::y", "(a | b) ::x | ::y"}, {"1,2", "1,2"}, {",2", ",2"}, {"5>/c/x", "5 >/c/ x"},
		{"::x!y", "::x!y"}, {"$<file", "$< file"}, {"$", "$?"}, {"1<<2<x", ""}, {"1<<<x=X", "(1 << <x) = X"},
		{"%%1=X", "(% (% 1)) = X"},
		{"5!=6=X", "(5 != 6) = X"}, {"5!ls", "5!ls"}, {"::x!", ""}, {"! ", ""}, {"1<=X", ""},
	} {
		all, err := Parse(c.text)
		if c.want == "" {
			if len(all) > 0 && err == nil {
				t.Errorf("%q parsed as %q", c.text, all[0])
			}
			continue
		}
		want, _ := Parse(c.want)
		if err != nil || len(all) != 1 || len(want) != 1 || !equal(all[0], want[0]) {
			t.Errorf("%q parsed as %q, %v, want %q", c.text, all, err, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		reparse(t, text)
		p := NewParser(text)
		for n := 0; p.More(); n++ { // after an error there is a way on
			if n > len(text) {
				t.Fatalf("%q: the parser stands still", text)
			}
			if _, err := p.Next(); err != nil {
				p.Skip(false)
			}
		}
		for pos := range len(text) + 1 {
			if c := Complete(text, pos); c.Start > pos || text[c.Start:pos] != c.Prefix && c.Prefix != "" {
				t.Fatalf("Complete(%q, %d) = %+v", text, pos, c)
			}
			if pos > 100 {
				break
			}
		}
	})
}

func FuzzEval(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		h := newFake()
		h.maxRuns = 100
		ctx, cancel := withBudget(t.Context(), 2000)
		defer cancel()
		h.in.Run(ctx, Source{Text: text, Script: true, Name: "fuzz"})
	})
}
