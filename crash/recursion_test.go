package crash

import (
	"strings"
	"testing"

	"coredbg/runtimes"
	"coredbg/stack"
)

// TestRecursionInlined: names of one turn as GCC 12 with -O2 and -O0 have them for functions that call themselves.
func TestRecursionInlined(t *testing.T) {
	const whole = "app::(anonymous namespace)::F::f"
	for _, c := range []struct {
		name string
		turn []stack.Frame
		want string
	}{
		{"inlined into itself", []stack.Frame{{Name: "f", Inlined: true}, {Name: "f", Inlined: true}, {Name: whole}},
			whole + " calls itself"},
		{"two inlined into each other", []stack.Frame{{Name: "g", Inlined: true}, {Name: "a::f", Inlined: true},
			{Name: "a::g", Inlined: true},
			{Name: "a::f"}}, "a::g, a::f call each other"},
		{"another class", []stack.Frame{{Name: "a::f"}, {Name: "f"}}, "a::f, f call each other"},
		{"through std::function", []stack.Frame{{Name: "main::{lambda(int)#1}::operator()"},
			{Name: "std::__invoke_impl<int>", Inlined: true},
			{Name: "std::function<int (int)>::operator()"}}, "main::{lambda(int)#1}::operator() calls itself"},
		{"through std::function, inlined", []stack.Frame{{Name: "operator()", File: "q.cc", Line: 13, Inlined: true},
			{Name: "__invoke_impl<int>", File: "/usr/include/c++/12/bits/invoke.h", Inlined: true},
			{Name: "std::function<int (int)>::operator()"}},
			"operator() (q.cc:13) calls itself"},
		{"of two classes", []stack.Frame{{Name: "f", Inlined: true}, {Name: "a::f"}, {Name: "b::f"}},
			"f, a::f, b::f call each other"},
		{"of a library alone", []stack.Frame{{Name: "std::a"}, {Name: "std::b"}}, "std::a, std::b call each other"},
	} {
		var frames []stack.Frame
		for len(frames) < 2*minRecursion {
			frames = append(frames, c.turn...)
		}
		got, ok := recursion(frames)
		if !ok || got.short() != c.want {
			t.Errorf("%s: %q, want %q", c.name, got.short(), c.want)
		}
	}
}

// TestFullStack: functions of JavaScript that call each other until V8 throws a RangeError name the bug,
// wherever the stack was full; builtins between them do not.
func TestFullStack(t *testing.T) {
	js := func(name, file, tier string) stack.Frame {
		return stack.Frame{Kind: runtimes.JS, Name: name, File: file, Tier: tier}
	}
	walk, descend, mapped := js("walk", "/srv/app.js", ""), js("descend", "/srv/app.js", ""),
		js("Array.map", "", "builtin")
	serialize := stack.Frame{Name: "v8::internal::JsonStringifier::Serialize"}
	for _, c := range []struct {
		name    string
		message string
		turn    []stack.Frame
		title   string
		signed  string
	}{
		{"two functions", runtimes.StackFull, []stack.Frame{walk, descend}, ": descend, walk call each other",
			"descend walk"},
		{"the other one first", runtimes.StackFull, []stack.Frame{descend, walk}, ": descend, walk call each other",
			"descend walk"},
		{"through a builtin", runtimes.StackFull, []stack.Frame{walk, mapped}, ": walk calls itself", "Array.map walk"},
		{"of V8 itself", runtimes.StackFull, []stack.Frame{serialize}, "", ""},
		{"another error", "Invalid array length", []stack.Frame{walk, descend}, "", ""},
	} {
		var st stack.Stack
		for len(st.Frames) < 2*minRecursion {
			st.Frames = append(st.Frames, c.turn...)
		}
		x, f := &examination{stack: &st}, &finding{}
		x.fullStack(f, &runtimes.Cause{Type: "RangeError", Message: c.message})
		var signed []string
		for i := range x.signed {
			signed = append(signed, x.signed[i].Name)
		}
		if f.title != c.title || strings.Join(signed, " ") != c.signed {
			t.Errorf("%s: %q, signed by %q", c.name, f.title, signed)
		}
	}
}
