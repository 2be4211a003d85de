package syntax

import (
	"fmt"
	"strings"
	"testing"
)

// TestCalls: the calls of a function are in the order of V8's code for them, at the places that Error.stack
// shows.
func TestCalls(t *testing.T) {
	for text, want := range map[string]string{
		"() { a(b(1), c.d(2, 3)) }":                            "b/1@7 .d/2@15 a/2@5",
		"() { new A(x).f(...y) }":                              "new/1@5 .f/1...@14 iterates",
		"() { p.catch(f); p.then(g) }":                         ".(/1@12 .t/1@19",
		"() { (0, a)(1); a?.b?.(2) }":                          "(/1@11 .(/1@22",
		"() { for (a(); b(); c()) d() }":                       "a/0@10 b/0@15 d/0@25 c/0@20",
		"() { do a(); while (b()) }":                           "a/0@8 b/0@20",
		"() { switch (a()) { case b(): c(); case d(): e() } }": "a/0@13 b/0@25 d/0@40 c/0@30 e/0@45",
		"() { f(() => g()); function h() { i() } }":            "f/1@5",
		"(x = a()) { b() }":                                    "a/0@5 b/0@12",
		"() { return f`x${g()}y${1}` }":                        "g/0@17 `/3@13",
		"() { super(a()); super.b() }":                         "a/0@11 new/1@5 .b/0@23",
		"() { x = await a() + await b() }":                     "a/0@15 await@9 b/0@27 await@21",
		"() { for (const x of a()) b(x) }":                     "a/0@21 b/1@26 iterates",
		"() { yield* a() }":                                    "a/0@12 await@5 iterates",
	} {
		fn, err := ParseFunction(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		sites, iterates := Calls(fn)
		var got []string
		for _, s := range sites {
			name := text[s.At : s.At+1]
			switch {
			case s.Await:
				got = append(got, fmt.Sprintf("await@%d", s.At))
				continue
			case s.New:
				name = "new"
			case s.Member:
				name = "." + name
			}
			dots := ""
			if s.Spread {
				dots = "..."
			}
			got = append(got, fmt.Sprintf("%s/%d%s@%d", name, s.Args, dots, s.At))
		}
		if iterates {
			got = append(got, "iterates")
		}
		if g := strings.Join(got, " "); g != want {
			t.Errorf("%s:\n%s, want\n%s", text, g, want)
		}
	}
}
