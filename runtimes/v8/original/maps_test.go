package original

import "testing"

// TestNameBefore: the word that V8 has a function's name from, by the text before its
// parameters.
func TestNameBefore(t *testing.T) {
	for _, c := range []struct {
		text, name string
		back       int // -1: none
	}{
		{"function t", "t", 1}, {"x;function\n walk ", "walk", 5}, {"async function t", "t", 1}, {"function*t", "t", 1},
		{"class A{total", "total", 5}, {"get size", "size", 4}, {"#own", "#own", 4},
		{"const t=", "t", 2}, {"t = async ", "t", 10}, {"t=function", "t", 10}, {"{t:function ", "t", 11},
		{"t=async(", "t", 8},
		{"é=", "é", 2}, {"𝒳=", "𝒳", 3},
		{"at", "t", -1}, {"$t", "t", -1}, {"function ", "t", -1}, {"", "t", -1}, {"f(", "t", -1}, {"x=", "t", -1},
	} {
		got, ok := nameBefore(c.text, c.name)
		if !ok {
			got = -1
		}
		if got != c.back {
			t.Errorf("%q before its parameters: %q begins %d before the end, want %d", c.text, c.name, got, c.back)
		}
	}
}
