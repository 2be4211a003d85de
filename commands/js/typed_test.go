package js

import (
	"testing"

	"coredbg/runtimes/v8/syntax"
)

// TestUnanswered: a line that shows a table names the members that the text asks for.
func TestUnanswered(t *testing.T) {
	for text, want := range map[string]string{
		"process.memoryUsage();":              "",
		"process.memoryUsage().rss / 1024;":   ".rss / 1024",
		"performance.memory.usedJSHeapSize":   ".usedJSHeapSize",
		"v8.getHeapStatistics().malloced":     ".malloced",
		"process._getActiveHandles()[0]":      "[0]",
		"process.hrtime.bigint()":             "",
		"console.timeEnd('x')":                "",
		"performance.now()":                   "",
		"console.log(process.memoryUsage())":  "",
		"process.memoryUsage.call(undefined)": "",
	} {
		if got := unanswered(text, consoleLine(text)); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestParseTyped: which expressions are shown, as the consoles of Chrome and Node show them.
func TestParseTyped(t *testing.T) {
	for text, want := range map[string][]syntax.Kind{
		"sessions":               {syntax.Identifier},
		"console.log(sessions)":  {syntax.Identifier},
		"console.error(a.b, 1);": {syntax.Member, syntax.Number},
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
		"let x = 1":              nil,
		"":                       nil,
		"(":                      nil,
		"x/8i $pc":               nil,
	} {
		list, err := parseTyped(text)
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
		"process.memoryUsage()":   "::memory",
		"queryObjects(Map)":       "::findjsobjects -c 'Map'",
		"console.trace()":         "::jsstack",
		"console.trace('here')":   "::jsstack",
		"%DebugPrint(a['b'])":     `::jsprint -b "a['b']" | ::v8print`,
		"getEventListeners(emit)": "::jsprint 'emit._events'",
		"f(1)":                    "",
		"queryObjects":            "",
	} {
		if got := consoleLine(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
