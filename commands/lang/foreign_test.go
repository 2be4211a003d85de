package lang

import (
	"reflect"
	"strings"
	"testing"
)

// TestForeign checks the translation of other debuggers' words: they never run the previous command again, and
// statements of this language keep their meaning.
func TestForeign(t *testing.T) {
	for _, c := range []struct {
		line string
		ran  []string
		says string
		dot  uint64
	}{
		{"bt", nil, "bt: $c", 5},
		{"bt 20", nil, "bt: $c", 5},
		{"x/8i $pc", nil, "x: /i", 5},
		{"f", nil, "f: $c; the number is 0f", 5},
		{"f 3", nil, "f: $c", 5},
		{"0f", []string{"status@f given first"}, "", 0xf},
		{"fee", []string{"status@fee given first"}, "", 0xfee},
		{"f=X", nil, "", 0xf},
		{"f::status", []string{"status@f given first"}, "", 0xf},
		{"f,2::status", []string{"status@f given first", "status@f given"}, "", 0xf},
		{"start", []string{"status@1000 given first"}, "note: start is a symbol here. start: ::status", 0x1000},
		{"greeting", []string{"status@1008 given first"}, "", 0x1008},
		{"sequ", nil, "did you mean ::seq?", 5},
		{"nothing", nil, `unknown symbol "nothing"`, 5},
		{"nothing at all", nil, "syntax error", 5},
		{"::eval bt", []string{"eval@5 first bt"}, `unknown symbol "bt"`, 5},
	} {
		h := newFake()
		h.in.Run(t.Context(), Source{Text: "5::status"})
		h.ran, h.warned = nil, nil
		h.in.Run(t.Context(), Source{Text: c.line})
		if !reflect.DeepEqual(h.ran, c.ran) {
			t.Errorf("%s ran %q, want %q", c.line, h.ran, c.ran)
		}
		if got := strings.Join(h.warned, "\n"); !strings.HasPrefix(got, c.says) || c.says == "" && got != "" {
			t.Errorf("%s said %q, want %q", c.line, got, c.says)
		}
		if uint64(h.in.Dot()) != c.dot {
			t.Errorf("%s: dot %#x, want %#x", c.line, h.in.Dot(), c.dot)
		}
	}
	for _, line := range []string{"quit", "face", "start; quit"} {
		if err := newFake().in.Run(t.Context(), Source{Text: line}); err != ErrQuit {
			t.Errorf("%s: %v, want ErrQuit", line, err)
		}
	}
	// In a script the failure costs its statement only.
	h := newFake()
	h.in.Run(t.Context(), Source{Name: "file", Text: "bt; 1::status\nf\nstart; 2::status\n", Script: true})
	if want := []string{"status@1 given first", "status@1000 given first",
		"status@2 given first"}; !reflect.DeepEqual(h.ran, want) {
		t.Errorf("the script ran %q, want %q", h.ran, want)
	}
	if len(h.warned) != 2 || !strings.Contains(h.warned[1], "on line 2 of file") {
		t.Errorf("the script said %q", h.warned)
	}
}
