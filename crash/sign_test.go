package crash

import (
	"strings"
	"testing"

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
	rest := []stack.Frame{{Name: "triggerUncaughtException", Kind: runtimes.JS, File: "node:internal/process/promises", Line: 3}}
	for at, want := range map[string]string{
		"":                        "js-unhandled-rejection | triggerUncaughtException",
		"load (/srv/app.js:12:3)": "js-unhandled-rejection | load",
		"/srv/app.js:12:3":        "js-unhandled-rejection | <anonymous> app.js",
	} {
		x := &examination{causes: []runtimes.Cause{{Kind: runtimes.UncaughtError, At: at}}}
		if s := bugs.DefaultRules().Sign(bugs.JSUnhandledRejection, x.thrown(rest)); s.Name != want {
			t.Errorf("%q: %q, want %q", at, s.Name, want)
		}
	}
}
