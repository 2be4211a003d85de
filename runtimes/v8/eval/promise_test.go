package eval

import (
	"testing"

	"coredbg/runtimes/v8/ecma"
)

// A promise is what one shows of itself.
type promise ecma.Promise

// TestPromises: what util.inspect of Node 24 shows for these: a state and a value.
func TestPromises(t *testing.T) {
	for body, want := range map[string]promise{
		"builtin('Promise.resolve', null, 1)":                                      {"fulfilled", 1.0},
		"builtin('Promise.resolve', null)":                                         {"fulfilled", nil},
		"builtin('Promise.reject', null, 'x')":                                     {"rejected", "x"},
		"builtin('Promise.all', null, [1])":                                        {"pending", nil},
		"builtin('Promise.prototype.then', builtin('Promise.resolve'), x => x)":    {"pending", nil},
		"builtin('Promise.resolve', null, builtin('Promise.resolve', null, 2))":    {"fulfilled", 2.0},
		"builtin('Promise.resolve', null, { then() {} })":                          {"pending", nil},
		"made((a, b) => { b(3); a(2) })":                                           {"rejected", 3.0},
		"made(a => a(4))":                                                          {"fulfilled", 4.0},
		"made(() => {})":                                                           {"pending", nil},
		"made(() => { throw 5 })":                                                  {"rejected", 5.0},
		"made(a => a(builtin('Promise.resolve', null, 7)))":                        {"pending", nil},
		"made(a => { a(builtin('Promise.resolve', null, 7)); a(1) })":              {"pending", nil},
		"made((a, b) => { a({ then() {} }); b(1) })":                               {"pending", nil},
		"await 1, builtin('Promise.resolve', null, await made(a => a('awaited')))": {"fulfilled", "awaited"},
		"await made((a, b) => b('why'))":                                           {"rejected", "why"},
	} {
		v, err := evaluate(t, "return "+body, ecma.MaxSteps)
		if o, ok := v.(*ecma.Object); err != nil || !ok || o.Promise == nil || promise(*o.Promise) != want {
			t.Errorf("%s = %v, %v, want %v", body, v, err, want)
		}
	}
	if _, err := evaluate(t, "made(1)", ecma.MaxSteps); err == nil {
		t.Error("new Promise(1) is a promise")
	}
}
