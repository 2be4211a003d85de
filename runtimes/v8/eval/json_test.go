package eval

import (
	"testing"

	"coredbg/runtimes/v8/ecma"
)

// TestStringify: what Node 24's JSON.stringify returns.
func TestStringify(t *testing.T) {
	const call = "return builtin('JSON.stringify', null, "
	for body, want := range map[string]ecma.Value{
		call + "{ a: 1, b: [true, null, undefined, 'x'], c: undefined, d: () => 1 })": `{"a":1,"b":[true,null,null,"x"]}`,
		call + "[1, { a: {} }, []], null, 2)":                                         "[\n  1,\n  {\n    \"a\": {}\n  },\n  []\n]",
		call + "{ a: [], b: undefined, c: 2 }, null, '--')":                           "{\n--\"a\": [],\n--\"c\": 2\n}",
		call + "[1], null, 0 / 0)":                                                    "[1]",
		call + "[1], null, -1)":                                                       "[1]",
		call + "[1], null, 2.7)":                                                      "[\n  1\n]",
		call + `"\b\t\n\f\r\"\\\u0001\u00e9")`:                                        `"\b\t\n\f\r\"\\\u0001é"`,
		call + `'\ud83d\ude00' + '\ud800')`:                                           `"😀\ud800"`,
		call + "[0 / 0, -0, 1e21, 1 / 0])":                                            "[null,0,1e+21,null]",
		call + "undefined)":                                                           nil,
		call + "1, ['a'])":                                                            "1",
		call + "{ a: 1, b: { a: 2, c: 3 } }, ['a', 'b'])":                             `{"a":1,"b":{"a":2}}`,
		call + "{ a: 1, b: 2 }, (k, v) => k === 'a' ? undefined : v)":                 `{"b":2}`,
		call + "{ toJSON(k) { return 'at ' + k; } })":                                 `"at "`,
		call + "{ x: { toJSON(k) { return [k]; } } })":                                `{"x":["x"]}`,
	} {
		if got, err := evaluate(t, body, 1e6); err != nil || got != want {
			t.Errorf("%s: %v, %v, want %v", body, got, err, want)
		}
	}
	for _, body := range []string{call + "(a => (a[0] = a, a))([1]))"} {
		if got, err := evaluate(t, body, 1e6); err == nil {
			t.Errorf("%s: %v, and no error", body, got)
		}
	}
}
