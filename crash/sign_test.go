package crash

import (
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/crash/bugs"
	"coredbg/runtimes"
	"coredbg/stack"
)

func native(names ...string) []stack.Frame {
	var list []stack.Frame
	for _, n := range names {
		list = append(list, stack.Frame{Name: n, Kind: runtimes.Native})
	}
	return list
}

// TestRecursion: the functions of a cycle whose frames the last call hides, or not.
func TestRecursion(t *testing.T) {
	var names []string
	for range 150 {
		names = append(names, "odd", "even")
	}
	c, ok := recursion(native(append([]string{"memset", "fill"}, append(names, "main")...)...))
	if !ok || c.depth != 300 || strings.Join(c.functions, " ") != "odd even" || c.frames[0].Name != "even" {
		t.Errorf("%+v, %t", c, ok)
	}
	if c, ok := recursion(native(append([]string{"leaf"}, names[:100]...)...)); ok {
		t.Errorf("%d frames are a recursion: %v", c.depth, c.functions)
	}
	if c, ok := recursion(native(make([]string, 1000)...)); ok {
		t.Errorf("functions without names are a recursion: %+v", c)
	}
}

// TestSignThrown: an unhandled error comes when the code that made it is gone.
func TestSignThrown(t *testing.T) {
	rest := []stack.Frame{{Name: "triggerUncaughtException", Kind: runtimes.JS,
		File: "node:internal/process/promises", Line: 3}}
	for at, want := range map[string]string{
		"":                        "js-unhandled-rejection | triggerUncaughtException",
		"load (/srv/app.js:12:3)": "js-unhandled-rejection | load",
		"/srv/app.js:12:3":        "js-unhandled-rejection | <anonymous> app.js",
	} {
		words := lastWords{{Kind: runtimes.UncaughtError, At: at}}
		if s := bugs.DefaultRules().Sign(bugs.JSUnhandledRejection, words.thrown(rest)); s.Name != want {
			t.Errorf("%q: %q, want %q", at, s.Name, want)
		}
	}
}

// TestSignLastWords: programs without names, whose panics, exceptions and assertions end in the same functions.
func TestSignLastWords(t *testing.T) {
	bare := func(offsets ...uint64) (list []stack.Frame) {
		for _, o := range offsets {
			list = append(list, stack.Frame{Kind: runtimes.Native, Module: "/srv/shop", ModuleOffset: core.Addr(o)})
		}
		return list
	}
	dynamic := append(native("raise", "abort"), bare(0x42)...)
	dynamic[0].Module, dynamic[1].Module = "/lib/libc.so.6", "/lib/libc.so.6"
	for _, c := range []struct {
		cause  bugs.Cause
		said   runtimes.Cause
		frames []stack.Frame
		want   string
	}{
		{bugs.RustPanic, runtimes.Cause{Kind: runtimes.RustPanic, At: "ledger.rs:7:9"}, bare(1, 2),
			"rust-panic | ledger.rs:7:9"},
		{bugs.RustPanic, runtimes.Cause{Kind: runtimes.RustPanic}, bare(1, 2), "rust-panic | shop+0x1"},
		{bugs.RustPanic, runtimes.Cause{Kind: runtimes.RustPanic, At: "ledger.rs:7:9"}, native("abort", "ledger::post"),
			"rust-panic | ledger::post"},
		{bugs.CXXException, runtimes.Cause{Kind: runtimes.UncaughtCXX, Type: "Refused"}, bare(1, 2),
			"cxx-exception | Refused"},
		{bugs.CXXException, runtimes.Cause{Kind: runtimes.UncaughtCXX, Type: "Refused"}, dynamic,
			"cxx-exception | Refused | shop+0x42"},
		{bugs.Assertion, runtimes.Cause{Kind: runtimes.AbortMessage, Message: "Assertion failed: n (s.c: f: 1)"},
			bare(1), "assertion | Assertion failed: n (s.c: f: 1)"},
		{bugs.Assertion, runtimes.Cause{Kind: runtimes.AbortMessage, Message: "\x01", Garbled: true}, bare(1),
			"assertion | shop+0x1"},
	} {
		frames := c.frames
		if words := (lastWords{c.said}).named(bugs.DefaultRules(), c.cause, frames); len(words) > 0 {
			frames = words
		}
		if s := bugs.DefaultRules().Sign(c.cause, frames); s.Name != c.want {
			t.Errorf("%v: %q, want %q", c.said, s.Name, c.want)
		}
	}
}
