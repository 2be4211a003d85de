package lang

import "testing"

// TestUnfinished: blocks as the GDB manual has them, "Command Files" and "Define"; lines of other languages are none.
func TestUnfinished(t *testing.T) {
	for text, want := range map[string]bool{
		"while $i < 3":                          true,
		"while ($i < 3)":                        true,
		"while 1\n  p 1\nend":                   false,
		"while 1\n  if 2\n  end":                true,
		"while 1\n  if 2\n  end\nend":           false,
		"if 1\nelse\nend":                       false,
		"define f":                              true,
		"document f\nif this is text\nend":      false,
		"while":                                 false,
		"if (a) b()":                            false,
		"if (a) { b() }":                        false,
		"while (f(a) && (b))":                   true,
		"for x":                                 false,
		"p 1":                                   false,
		"(void *)p":                             false,
		"":                                      false,
		"if (a":                                 true,
		"define f\n  while $arg0\n  end\nend\n": false,
	} {
		if got := Unfinished(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
