package names

import "testing"

func TestSplit(t *testing.T) {
	for text, want := range map[string][2]string{
		"server.js:sessions.size": {"server.js", "sessions.size"}, "sessions.size": {"", "sessions.size"},
		"lib/a.mjs:x": {"lib/a.mjs", "x"}, `m["a:b"]`: {"", `m["a:b"]`}, "server.js:": {"", "server.js:"},
		":x": {"", ":x"}, "a:b": {"", "a:b"},
		"Object.keys({a:1})": {"", "Object.keys({a:1})"}, "m.size > 3 ? x : y": {"", "m.size > 3 ? x : y"},
		"m.f(`a:b`)": {"", "m.f(`a:b`)"},
	} {
		if file, path := Split(text); file != want[0] || path != want[1] {
			t.Errorf("%q: %q, %q", text, file, path)
		}
	}
}
