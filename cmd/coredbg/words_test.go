package main

import (
	"regexp"
	"strings"
	"testing"

	"coredbg"
	"coredbg/commands/foreign"
)

// TestWordsOfOthers checks the table of other debuggers' words against what it
// promises: each line names commands that are there, and fits a terminal.
func TestWordsOfOthers(t *testing.T) {
	r := coredbg.Registry()
	seen := map[string]bool{}
	named := regexp.MustCompile(`::([a-z][a-z0-9]*)|\$([A-Za-z])`)
	for words, here := range foreign.Words() {
		for _, w := range strings.Split(words, ", ") {
			if w == "" || w != strings.ToLower(w) || strings.TrimSpace(w) != w || seen[w] {
				t.Errorf("%q is empty, not in lower case, or there twice", w)
			}
			seen[w] = true
			if _, ok := r.Command(w); ok && !regexp.MustCompile(`::`+regexp.QuoteMeta(w)+`\b`).MatchString(here) {
				t.Errorf("%q is a command here, and its answer lacks it: %q", w, here)
			}
		}
		all := named.FindAllStringSubmatch(here, -1)
		if len(all) == 0 {
			t.Errorf("%q: %q names no command", words, here)
		}
		for _, m := range all {
			name := m[1]
			if name == "" {
				name = "$" + m[2]
			}
			if _, ok := r.Command(name); !ok {
				t.Errorf("%q: there is no %s", here, m[0])
			}
		}
		if len(here) > 66 || strings.HasSuffix(here, ".") || strings.Contains(here, "\n") {
			t.Errorf("%q is not a short line", here)
		}
	}
	for _, w := range []string{"bt", "where", "info threads", "thread apply all bt", "p", "x", "info registers",
		"bt all", "register read",
		"v8 bt", "v8 findjsobjects", "k", "~*k", "!analyze", "clrstack", "dumpheap", "findleaks", "ps", "print"} {
		if !seen[w] {
			t.Errorf("nothing is said of %q", w)
		}
	}
}
