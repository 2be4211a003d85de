package abort

import "testing"

func TestIsText(t *testing.T) {
	for msg, want := range map[string]bool{
		"prog: a.c:7: main: Assertion `x' failed.":     true,
		"\x1b[31mfatal\x1b[0m:\n\tno room":             true,
		"la m\xe9moire est \xe9puis\xe9e":              true, // in Latin-1
		"内存不足":                                         true,
		"=[4\x1a\vP\xca8flow detected ***: terminated": false,
		"\x9a\xd1\xd4\x80 \xfe\xffab":                  false,
	} {
		if got := isText(msg); got != want {
			t.Errorf("%q: %v", msg, got)
		}
	}
}
