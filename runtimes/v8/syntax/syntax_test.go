package syntax

import (
	"fmt"
	"strings"
	"testing"
)

// show writes a tree in brackets, operators first.
func show(n *Node) string {
	if n == nil {
		return "-"
	}
	var parts []string
	add := func(s string) { parts = append(parts, s) }
	switch n.Kind {
	case Identifier, Literal, BigInt:
		return n.Text
	case Number:
		return fmt.Sprint(n.Number)
	case String:
		return fmt.Sprintf("%q", n.Text)
	case Regexp:
		return "/" + n.Text + "/" + n.Flags
	case Hole:
		return "hole"
	case This:
		return "this"
	case Super:
		return "super"
	}
	add(fmt.Sprint(n.Kind))
	if n.Text != "" {
		add(n.Text)
	}
	for _, f := range []struct {
		set  bool
		name string
	}{{n.Optional, "?."}, {n.Computed, "[]"}, {n.Prefix, "prefix"}, {n.Arrow, "=>"}, {n.Async, "async"},
		{n.Generator, "*"}, {n.Static, "static"}} {
		if f.set {
			add(f.name)
		}
	}
	for _, c := range []*Node{n.A, n.B, n.C, n.D} {
		if c != nil {
			add(show(c))
		}
	}
	for _, c := range n.List {
		add(show(c))
	}
	return "(" + strings.Join(parts, " ") + ")"
}

// TestExpressions parses expressions. Precedence, automatic semicolons, arrows and regular expressions follow
// ECMA-262.
func TestExpressions(t *testing.T) {
	k := func(k Kind) string { return fmt.Sprint(k) }
	for _, x := range []struct{ src, want string }{
		{"1 + 2 * 3", "(" + k(Binary) + " + 1 (" + k(Binary) + " * 2 3))"},
		{"2 ** 3 ** 2", "(" + k(Binary) + " ** 2 (" + k(Binary) + " ** 3 2))"},
		{"a - b - c", "(" + k(Binary) + " - (" + k(Binary) + " - a b) c)"},
		{"a ?? b", "(" + k(Logical) + " ?? a b)"},
		{"a ? b : c", "(" + k(Conditional) + " a b c)"},
		{"a?.b.c", "(" + k(Chain) + " (" + k(Member) + " c (" + k(Member) + " b ?. a)))"},
		{"a ?.5 : 1", "(" + k(Conditional) + " a 0.5 1)"},
		{"a / b / c", "(" + k(Binary) + " / (" + k(Binary) + " / a b) c)"},
		{"a = /[/]\\//g", "(" + k(Assign) + " = a /[/]\\//g)"},
		{"`a${b + `c${d}`}e`", "(" + k(Template) + ` "a" (` + k(Binary) + " + b (" + k(Template) + ` "c" d "")) "e")`},
		{"(a, b) => a", "(" + k(Function) + " => a a b)"},
		{"async x => x", "(" + k(Function) + " => async x x)"},
		{"(a)(b)", "(" + k(Call) + " a b)"},
		{"({ a, b: 1, ...c, get d() {}, [e]: 2, f() {} })", "(" + k(Object) + " (" + k(Property) + ` init "a" a) (` +
			k(Property) + ` init "b" 1) (` + k(Spread) +
			" c) (" + k(Property) + ` get prefix "d" (` + k(Function) + " d (" + k(Block) + "))) (" + k(Property) +
			" init [] e 2) (" + k(Property) + ` init prefix "f" (` + k(Function) + " f (" + k(Block) + "))))"},
		{"[, 1, ...a]", "(" + k(Array) + " hole 1 (" + k(Spread) + " a))"},
		{"new a.b(c).d", "(" + k(Member) + " d (" + k(New) + " (" + k(Member) + " b a) c))"},
		{"'\\u{1f600}\\x41\\u00e9\\\nb'", `"😀Aéb"`},
		{"0x1f + 1_000 + .5e1", "(" + k(Binary) + " + (" + k(Binary) + " + 31 1000) 5)"},
		{"#p in o", "(" + k(Binary) + " in #p o)"},
		{"typeof a === 'b'", "(" + k(Binary) + " === (" + k(Unary) + ` typeof a) "b")`},
	} {
		n, err := ParseFunction("() => " + x.src)
		if err != nil {
			t.Errorf("%s: %v", x.src, err)
			continue
		}
		if got := show(n.A); got != x.want {
			t.Errorf("%s is\n%s, want\n%s", x.src, got, x.want)
		}
	}
}

// TestStatements parses one of each statement.
func TestStatements(t *testing.T) {
	const body = `(a, { b, c: [d] = [] }, ...e) {
	'use strict'
	let x = 1, y
	for (const k in a) continue
	for (let i = 0, n = ('x' in a) ? 1 : 2; i < n; i++) { break }
	for (const [k, v] of e) if (k) ; else v()
	outer: while (true) { do { break outer } while (0) }
	switch (x) { case 1: y = 2; break; default: y = 3 }
	try { throw new Error(` + "`${x}`" + `) } catch { y++ } finally { --y }
	function f() { return
		1 }
	class C extends D { static #p = 1; get q() { return this.#p } static { x = 2 } 'r' = 3; async *[Symbol.iterator]() {} }
	return function* () { yield 1 }
}`
	n, err := ParseFunction(body)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []Kind
	for _, s := range n.A.List {
		kinds = append(kinds, s.Kind)
	}
	want := []Kind{Expression, Var, ForIn, For, ForOf, Labeled, Switch, Try, Declare, Declare, Return}
	if fmt.Sprint(kinds) != fmt.Sprint(want) {
		t.Errorf("the statements are %v, want %v", kinds, want)
	}
	if c := n.A.List[9].A; c.Kind != Class || len(c.List) != 5 || !c.List[0].Static || c.List[1].Text != "get" {
		t.Errorf("the class is %s", show(c))
	}
	c, err := ParseClass("class { #a; constructor() {} }")
	if err != nil || len(c.List) != 2 {
		t.Errorf("ParseClass: %v, %v", c, err)
	}
}

// TestErrors has what no function is.
func TestErrors(t *testing.T) {
	for _, src := range []string{
		"", "(", "() {", "() => ", "() => `${", "() => 'a", "() => /a", "() => a +", "(1) {}", "() { case 1: }",
		"() => { a b }",
		"() => " + strings.Repeat("(", 1000), "() => " + strings.Repeat("[", 5000),
		"() => " + strings.Repeat("-", 5000) + "1",
		"() => a" + strings.Repeat(".b", 5000), "() => " + strings.Repeat("new ", 5000) + "a",
		strings.Repeat(" ", MaxText+1),
	} {
		if n, err := ParseFunction(src); err == nil {
			t.Errorf("%.40q is %s", src, show(n))
		}
	}
}

// FuzzParse looks for texts that end in a panic or never.
func FuzzParse(f *testing.F) {
	f.Add("(a, b = 1) { return `${a}` + b?.c[0] }")
	f.Add("() => { new A(await b(c)`${d}`, ...e?.(1)) }")
	f.Add("x => ({ ...x, [y]: /z/g })")
	f.Add("class A extends B { #p = 1; static m() { return super.m() } }")
	f.Fuzz(func(t *testing.T, src string) {
		for _, parse := range []func(string) (*Node, error){ParseFunction, ParseBody} {
			fn, err := parse(src)
			if err != nil {
				continue
			}
			sites, _ := Calls(fn)
			for _, c := range sites {
				if c.At < 0 || c.At >= len(src) || c.Args < 0 {
					t.Fatalf("%+v in %d bytes", c, len(src))
				}
			}
			for _, v := range Locals(fn) {
				if v.At < 0 || v.At > v.End || v.End > len(src) || v.From < 0 || v.From > v.To || v.To > len(src) {
					t.Fatalf("%+v in %d bytes", v, len(src))
				}
			}
		}
		_, _ = ParseClass(src)
	})
}
