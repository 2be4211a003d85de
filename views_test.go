package coredbg

import (
	"regexp"
	"testing"

	"coredbg/commands"
	"coredbg/runtimes"
)

// TestViews: the line of each view names commands, and each language has a view of its values or its stacks.
func TestViews(t *testing.T) {
	r := Registry()
	word := regexp.MustCompile(`::(\w+)( \w+)?`)
	for _, v := range r.Views() {
		names := word.FindAllStringSubmatch(v.Line, -1)
		if len(names) == 0 {
			t.Errorf("%q is no line", v.Line)
		}
		for _, m := range names {
			if _, ok := r.Command(m[1]); !ok {
				t.Errorf("%s: there is no ::%s", v.Line, m[1])
			}
			if _, ok := r.Walker(m[2][min(1, len(m[2])):]); m[1] == "walk" && !ok {
				t.Errorf("%s: nothing walks%s", v.Line, m[2])
			}
		}
	}
	for _, l := range []runtimes.Language{runtimes.LanguageGo, runtimes.LanguageJava, runtimes.LanguageJavaScript} {
		if r.View(l, commands.Stacks) == "" {
			t.Errorf("no command shows all stacks of %s", l)
		}
	}
}
