package js

import "testing"

// TestSubject: an expression is taken for the value that it is about.
func TestSubject(t *testing.T) {
	for text, want := range map[string]string{
		"sessions":                        "sessions",
		"console.log(sessions)":           "sessions",
		"console.error(a.b, 1)":           "a.b",
		"JSON.stringify(a.b[0])":          "a.b[0]",
		"Object.entries(process.env)":     "process.env",
		"typeof process":                  "process",
		"await queue.drain()":             "queue",
		"sessions.get(1)":                 "sessions",
		"[...sessions.values()]":          "sessions",
		"process.cwd()":                   "process",
		"f(1)":                            "f",
		"":                                "",
		")":                               "",
		"(":                               "",
		"console.table(list.map(x => 1))": "list.map(x => 1",
	} {
		if got := subject(text); got != want {
			t.Errorf("%s: %q, not %q", text, got, want)
		}
	}
}
