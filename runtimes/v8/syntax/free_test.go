package syntax

import (
	"strings"
	"testing"
)

// TestFreeNames: what a function refers to and does not declare, as ECMA-262 scopes names.
func TestFreeNames(t *testing.T) {
	for text, want := range map[string]string{
		"() { return a + b.c }": "a b",
		"(a) => a.b":            "",
		"a => b":                "b",
		"async a => await a(b)": "b",
		"async (a) => { for await (const x of a) y(x) }":                                        "y",
		"(a, { b, c: d = e }, [f, ...g]) { return [a, b, d, f, g, c] }":                         "c e",
		"(a = b) { var b; return b }":                                                           "b",
		"() { x(); { let x; x() } }":                                                            "x",
		"() { { let x; x() } }":                                                                 "",
		"() { { var x } return x }":                                                             "",
		"() { for (let i = 0; i < n; i++) f(i); return i }":                                     "f i n",
		"() { for (const x of x) x() }":                                                         "x",
		"() { try { a() } catch ({ b }) { b() } finally { b() } }":                              "a b",
		"() { try { a() } catch { b() } }":                                                      "a b",
		"() { switch (a) { case b: let c; case d: return c } }":                                 "a b d",
		"() { f(); function f() { return g } }":                                                 "g",
		"() { return function f() { return f } }":                                               "",
		"() { return { f() { return f } } }":                                                    "f",
		"() { return { a, b: 1, [c]: d, get e() { return g } } }":                               "a c d g",
		"() { return () => arguments }":                                                         "",
		"() => arguments":                                                                       "arguments",
		"() { return class A extends B { x = y; static { var z; z = A } [k]() { return m } } }": "B k m y",
		"() { out: for (;;) break out }":                                                        "",
		"() { return eval('a') }":                                                               "not known",
		"() { return () => eval }":                                                              "not known",
		"() { return `${a}` + b`${c}` }":                                                        "a b c",
		"() { return a?.b?.[c] ?? new D }":                                                      "D a c",
		"(x) { if (x) function g() {} return h }":                                               "h",
		"class A extends B { constructor() { super(c) } d() { return e } }":                     "B c e",
		"const a = require('x'); exports.f = () => a(g)":                                        "exports g require",
		"(function() { a() })(); b()":                                                           "a b",
	} {
		n, err := ParseExtent(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		names, ok := FreeNames(n)
		got := strings.Join(names, " ")
		if !ok {
			got = "not known"
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{"() { with (a) b }", "() { return \\u0061 }", "() { import x from 'y' }",
		"x = big; y"} {
		if n, err := ParseExtent(text); err == nil && n.Kind != Function {
			t.Errorf("%s: parsed as %v", text, n)
		}
	}
}
