package console

import (
	"testing"

	"coredbg/runtimes/v8/syntax"
)

// TestParseDeclaration takes a function or class with a name for a declaration, as V8's console does.
func TestParseDeclaration(t *testing.T) {
	for text, declares := range map[string]bool{"function f() { return 1 }": true, "function* g() { yield 1 }": true,
		"async function a() {}": true, "class A { #p = 1 }": true, "class B extends Map {}": true,
		"class extends Map {}": false, "(function f() {})": false, "function () {}": false} {
		list, err := Parse(text)
		if err != nil || len(list) != 1 {
			t.Errorf("%s: %v", text, err)
			continue
		}
		n := list[0]
		got := n.Kind == syntax.Function && n.Arrow && n.A.Kind == syntax.Block && n.A.List[0].Kind == syntax.Declare
		if got != declares {
			t.Errorf("%s declares: %v, want %v", text, got, declares)
		}
	}
}
