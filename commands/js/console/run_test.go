package console

import "testing"

// TestNumber: what Node 24 prints for console.log(directive, text).
func TestNumber(t *testing.T) {
	for _, c := range []struct{ directive, text, want string }{
		{"%d", "42", "42"}, {"%d", "abc", "NaN"}, {"%d", "42px", "NaN"}, {"%d", "Infinity", "Infinity"},
		{"%i", "42.9", "42"}, {"%i", "7px", "7"}, {"%i", "Infinity", "NaN"}, {"%i", "1e+21", "1"},
		{"%i", ".5", "NaN"}, {"%i", "-3.5", "-3"},
		{"%f", "1.5x", "1.5"}, {"%f", "q", "NaN"}, {"%f", "-Infinity", "-Infinity"}, {"%f", "{ a: 1 }", "NaN"},
	} {
		if got := number(c.directive, c.text); got != c.want {
			t.Errorf("%s of %s is %s, want %s", c.directive, c.text, got, c.want)
		}
	}
}
