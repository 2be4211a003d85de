package values

import (
	"strings"
	"testing"

	"coredbg/commands"
	"coredbg/commands/values/view"
)

func TestBrief(t *testing.T) {
	long := strings.Repeat("ä", 60)
	for want, n := range map[string]*view.Node{
		"3":                         {Text: "3", Note: "said elsewhere"},
		"?":                         {Kind: view.Unknown, Text: "optimised out"},
		"…":                         {Kind: view.Object, List: []*view.Node{{Text: "1"}}},
		"None":                      {Kind: view.Object, Tag: "None"},
		`"the text"`:                {Text: "0x10", Str: "the text", HasStr: true},
		`"` + long[:40] + `"…`:      {Text: "0x10", Str: long, HasStr: true},
		`"` + long[:40] + "\"…\x00": {Kind: view.Text, Text: long},
	} {
		if got := brief(n); got != strings.TrimSuffix(want, "\x00") {
			t.Errorf("%+v: %s, want %s", n, got, want)
		}
	}
}

func TestBriefManaged(t *testing.T) {
	long := strings.Repeat("x", 60)
	for want, v := range map[string]commands.Variable{
		"3":                    {Name: "arg1", Text: "3"},
		"'bottom'":             {Name: "arg1", Text: "0x3a3201b11ac9: 'bottom'"},
		"count=3":              {Name: "count", Text: "3"},
		"{…}":                  {Name: "arg2", Text: "{ a: '" + long + "' }"},
		"a: 1":                 {Name: "arg2", Text: "a: 1"},
		"Box {…}":              {Name: "arg2", Text: "Box { a: '" + long + "' }"},
		"'" + long[:39] + "…'": {Name: "arg2", Text: "'" + long + "'"},
		"?":                    {Name: "arg2", Text: "1", Why: "it is lost"},
		"argument=?":           {Name: "argument", Why: "it is lost"},
	} {
		if got := briefManaged(&v, commands.ArgumentsScalars); got != want {
			t.Errorf("%+v: %s, want %s", v, got, want)
		}
	}
}
