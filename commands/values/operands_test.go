package values

import (
	"strings"
	"testing"

	"coredbg/commands/values/program"
)

// TestCutType splits words after the name of a type.
func TestCutType(t *testing.T) {
	for line, want := range map[string]string{
		"struct node next": "struct node|next", "unsigned long a": "unsigned long|a", "T * m": "T *|m", "node": "node|",
		"struct node [2] x": "struct node [2]|x",
	} {
		name, rest := cutType(strings.Fields(line))
		if got := name + "|" + strings.Join(rest, " "); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	base, made := program.CutSuffixes("struct node *[3] *")
	if base != "struct node" || len(made) != 3 || made[0] != -1 || made[1] != 3 || made[2] != -1 {
		t.Errorf("%q %v", base, made)
	}
}
