package console

import (
	"testing"

	"coredbg/runtimes/v8/syntax"
)

// TestParse: which expressions are shown, as the consoles of Chrome and Node show them.
func TestParse(t *testing.T) {
	for text, want := range map[string][]syntax.Kind{
		"sessions":               {syntax.Identifier},
		"console.log(sessions)":  {syntax.Identifier},
		"console.error(a.b, 1);": {syntax.Call},
		"console.log()":          {syntax.Call},
		"JSON.stringify(a.b[0])": {syntax.Call},
		"util.inspect(x)":        {syntax.Identifier},
		"await queue":            {syntax.Await},
		"dir(x)":                 {syntax.Identifier},
		"keys(x)":                {syntax.Call},
		"{ a: 1 }":               {syntax.Object},
		"[...sessions.values()]": {syntax.Array},
		"list.map(x => x.id)[0]": {syntax.Index},
		"`v${process.version}`":  {syntax.Template},
		"typeof process":         {syntax.Unary},
		"bt 5":                   nil,
		"let x = 1":              {syntax.Function},
		"let x = 1; x + 1":       {syntax.Function},
		"for (const x of y) x":   {syntax.Function},
		"console.log(...list)":   {syntax.Call},
		"break main":             nil,
		"return":                 nil,
		"":                       nil,
		"(":                      nil,
		"x/8i $pc":               nil,
	} {
		list, err := Parse(text)
		if (err != nil) != (want == nil) || len(list) != len(want) {
			t.Errorf("%s: %d expressions, %v", text, len(list), err)
			continue
		}
		for i := range list {
			if list[i].Kind != want[i] {
				t.Errorf("%s: kind %d, want %d", text, list[i].Kind, want[i])
			}
		}
	}
}

// TestConsoleLine: calls that need no evaluation.
func TestConsoleLine(t *testing.T) {
	for text, want := range map[string]string{
		"process.memoryUsage()":   "",
		"queryObjects(Map)":       "",
		"console.time('x')":       "::jsprint undefined",
		"console.trace()":         "::jsstack",
		"console.trace('here')":   "::jsstack",
		"%DebugPrint(a['b'])":     `::jsprint -b "a['b']" | ::v8print`,
		"getEventListeners(emit)": "",
		"f(1)":                    "",
		"queryObjects":            "",
	} {
		if got := consoleLine(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
