package lang

import (
	"strings"
	"testing"
)

// TestBlockAt: blocks as the GDB manual has them, "Command Files" and "Define". Lines of other languages are no blocks.
func TestBlockAt(t *testing.T) {
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
		if b, _, depth := blockAt(text); (depth > 0) != want {
			t.Errorf("%q: %+v lacks %d ends, want %v", text, b, depth, want)
		}
	}
}

// TestGather: a block ends with its own "end", with its input, or where it is larger than a source may be. Its work
// grows with its lines, not with their square.
func TestGather(t *testing.T) {
	long := strings.Repeat("p 1\n", 200_000)
	for _, x := range []struct{ input, want string }{
		{"p 1\np 2", "p 1"},
		{"while 1\nif 2\nend\nend\np 3", "while 1\nif 2\nend\nend"},
		{"document f\nif it is text\nend\np 3", "document f\nif it is text\nend"},
		{"define f\np 1", "define f\np 1"},
		{"define f\n" + long + "end\np 2", "define f\n" + long + "end"},
	} {
		lines := strings.Split(x.input, "\n")
		got := Gather(lines[0], func() (string, bool) {
			if lines = lines[1:]; len(lines) == 0 {
				return "", false
			}
			return lines[0], true
		})
		if got != x.want {
			t.Errorf("%.40q: %d bytes %.40q, want %d bytes %.40q", x.input, len(got), got, len(x.want), x.want)
		}
	}
	endless := Gather("while 1", func() (string, bool) { return strings.Repeat("x", 1<<20), true })
	if len(endless) > maxText+1<<21 {
		t.Errorf("%d bytes of an endless block, at most %d are run", len(endless), maxText)
	}
}

// TestWithArguments: an argument is put in once, by its whole number (GDB manual, "Define").
func TestWithArguments(t *testing.T) {
	eleven := strings.Fields("a b c d e f g h i j k")
	for _, x := range []struct {
		body string
		args []string
		want string
	}{
		{"p $arg0 + $arg1", []string{"1", "2"}, "p 1 + 2"},
		{"p $arg10, $arg1", eleven, "p k, b"},
		{"p $arg10", []string{"1", "2"}, "p $arg10"},
		{"p $argc, $argcount", []string{"1", "2"}, "p 2, $argcount"},
		{"p $arg1 $arg0", []string{"x", "$arg0"}, "p $arg0 x"},
		{"p $arg99999999999999999999", []string{"1"}, "p $arg99999999999999999999"},
	} {
		if got, err := withArguments(x.body, x.args); err != nil || got != x.want {
			t.Errorf("%q with %q: %q, %v, want %q", x.body, x.args, got, err, x.want)
		}
	}
	long := []string{strings.Repeat("x", maxText/2)}
	if got, err := withArguments("f $arg0$arg0$arg0", long); err == nil {
		t.Errorf("%d bytes, want an error", len(got))
	}
}
