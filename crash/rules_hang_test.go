package crash

import "testing"

// TestWaitTitle: the headline names the threads of a circle, if all have names.
func TestWaitTitle(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, "threads wait for each other"},
		{[]string{"a", ""}, "threads wait for each other"},
		{[]string{"a"}, `thread "a" waits for itself`},
		{[]string{"a", "b"}, `threads "a" and "b" wait for each other`},
		{[]string{"a", "b", "c"}, `threads "a", "b" and "c" wait for each other`},
		{[]string{"a", "b", "c", "d", "e"}, `5 threads wait for each other: "a", "b", "c", "d" …`},
		{[]string{"the thread whose name is forty-one letters", "b\n"},
			`threads "the thread whose name is forty-one lett…" and "b\n" wait for each other`},
	} {
		if got := waitTitle(c.names); got != c.want {
			t.Errorf("%q: %s, want %s", c.names, got, c.want)
		}
	}
}
