package syntax

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestLocals: what a function declares, where each gets its value, and where it can be used.
func TestLocals(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string // name, kind, text at At, text of its extent
	}{
		{"(a) { let b = f(a), c; var d = b; const e = 1; return e }", []string{"b let f(a) stated", "c let c stated",
			"d var b stated alias", "e const 1 stated"}},
		{"() { var v; if (v) { let w = 1; } }", []string{"w let 1 stated in { let w = 1; }"}},
		{"() { for (let i = 0, n = 3; i < n; i++) { const k = i } }", []string{
			"i let 0 stated in for (let i = 0, n = 3; i < n; i++) { const k = i }",
			"n let 3 stated in for (let i = 0, n = 3; i < n; i++) { const k = i }",
			"k const i stated alias in { const k = i }"}},
		{"() { for (const v of []) ; for (var k in {}) ; }", []string{"v const v loop in for (const v of []) ;",
			"k var k loop"}},
		{"() { const {a, b: c, ...d} = o, [e, [f], g = 1] = p }", []string{"a const a pattern", "c const c pattern",
			"e const e pattern", "f const f pattern", "g const g pattern"}},
		{"() { const f = () => { let hidden = 1 }, g = class { m() { let no = 1 } }; function h() { var no = 1 } class K {} }", []string{
			"h function ", "f const () => { let hidden = 1 } stated", "g const class { m() { let no = 1 } }"}},
		{"() { let a = 1; while (true) { } }", []string{"a let 1"}},
		{"() { let a = 1; { const b = 2; f() } }",
			[]string{"a let 1 stated", "b const 2 stated in { const b = 2; f() }"}},
		{"() { try { let a = 1 } catch (e) { let b = 2; g() } finally { let c = f`x`; } }", []string{
			"a let 1 in { let a = 1 }", "b let 2 stated in { let b = 2; g() }", "c let f`x` in { let c = f`x`; }"}},
		{"() { switch (a) { case 1: let b = 1; f() } }", []string{"b let 1 stated in { case 1: let b = 1; f() }"}},
		{"() { const r = /x/; return r }", []string{"r const /x/ stated"}},
		{"() => 1", nil}, {"x => x", nil},
	} {
		fn, err := ParseFunction(c.text)
		if err != nil {
			t.Fatalf("%s: %v", c.text, err)
		}
		var got []string
		for _, v := range Locals(fn) {
			s := fmt.Sprintf("%s %s %s", v.Name, v.Kind, c.text[v.At:v.End])
			for word, is := range map[string]bool{" stated": v.Stated} {
				if is {
					s += word
				}
			}
			switch {
			case v.Alias:
				s += " alias"
			case v.Loop:
				s += " loop"
			case v.Pattern:
				s = fmt.Sprintf("%s %s %s pattern", v.Name, v.Kind, c.text[v.At:v.At+1])
			}
			if v.From != fn.A.Start || v.To != fn.A.End {
				s += " in " + c.text[v.From:v.To]
			}
			got = append(got, s)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.text, got, c.want)
		}
	}
	fn, err := ParseBody("'use strict'\nconst a = require('a')\nmodule.exports = a\n")
	if v := Locals(fn); err != nil || len(v) != 1 || v[0].Name != "a" {
		t.Errorf("a file: %v, %v", v, err)
	}
}

// TestParameters: names of parameters are told if all are names alone.
func TestParameters(t *testing.T) {
	for text, want := range map[string]string{
		"(a, b) { return a }": "a b", "x => x": "x", "async (x, y) => x": "x y", "() {}": "", "(a, a) {}": " a",
		"(a, b = 1) {}": "", "(a, ...b) {}": "", "({ a }) {}": "",
	} {
		fn, err := ParseFunction(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got := strings.Join(Parameters(fn), " "); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
