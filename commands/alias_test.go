package commands

import (
	"strings"
	"testing"
)

func TestAliases(t *testing.T) {
	var a Aliases
	for word, line := range map[string]string{"top": "bt 5", "bt": "bt 3", "each": "::walk thread | ::stack $*",
		"q": `::echo "a\b"`} {
		if err := a.Set(word, line); err != nil {
			t.Fatal(err)
		}
	}
	for text, want := range map[string]string{
		"top":      `::typed -n top "bt 5"`,
		"top -v":   `::typed -n top "bt 5 -v"`,
		"each 3":   `::typed -n each "::walk thread | ::stack 3"`,
		"each":     `::typed -n each "::walk thread | ::stack "`,
		"q":        `::typed -n q "::echo \"a\\b\""`,
		"bt":       "",
		"topmost":  "",
		"::top":    "",
		"each;top": "",
	} {
		a.running = []string{"bt"}
		if got, _ := a.statement(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	for _, bad := range []string{"", "3x", "a b", "x\x1b", strings.Repeat("x", 65), "-a"} {
		if a.Set(bad, "bt") == nil {
			t.Errorf("%q is taken", bad)
		}
	}
	if a.Set("top", "") != nil || a.Set("top", "") == nil || a.Line("top") != "" || len(a.Words()) != 3 {
		t.Error("top is still there, or was taken back twice")
	}
	if a.Set("long", strings.Repeat("x", maxAlias+1)) == nil {
		t.Error("a line of any length is taken")
	}
}
