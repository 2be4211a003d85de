package out

import (
	"strings"
	"testing"
)

func TestCount(t *testing.T) {
	for _, c := range []struct {
		n    int
		what string
		want string
	}{{0, "thread", "0 threads"}, {1, "thread", "1 thread"}, {2, "byte", "2 bytes"}, {1, "class", "1 class"},
		{3, "class", "3 classes"}} {
		if got := Count(c.n, c.what); got != c.want {
			t.Errorf("%d of %q: %q, want %q", c.n, c.what, got, c.want)
		}
	}
}

func TestEnds(t *testing.T) {
	for n, want := range map[int]string{2: "0 1 ", 40: "0 38 39 ", 43: "0     (3 more)\n41 42 "} {
		var b strings.Builder
		w := NewWriter(&b)
		w.Ends(n, func(i int) {
			if i == 0 || i >= n-2 {
				w.Printf("%d ", i)
			}
		})
		if err := w.Flush(); err != nil || b.String() != want {
			t.Errorf("%d lines: %q, %v; want %q", n, b.String(), err, want)
		}
	}
}
