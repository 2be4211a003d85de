package out

import "testing"

func TestCount(t *testing.T) {
	for _, c := range []struct {
		n    int
		what string
		want string
	}{{0, "thread", "0 threads"}, {1, "thread", "1 thread"}, {2, "byte", "2 bytes"}, {1, "class", "1 class"}, {3, "class", "3 classes"}} {
		if got := Count(c.n, c.what); got != c.want {
			t.Errorf("%d of %q: %q, want %q", c.n, c.what, got, c.want)
		}
	}
}
