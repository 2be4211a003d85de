package golang

import (
	"testing"

	"coredbg/stack"
)

// TestOutside: what a goroutine waits in is not where, unless there is nothing else.
func TestOutside(t *testing.T) {
	named := func(names ...string) *stack.Stack {
		st := &stack.Stack{}
		for _, n := range names {
			st.Frames = append(st.Frames, stack.Frame{Name: n})
		}
		return st
	}
	for _, c := range []struct {
		st   *stack.Stack
		want string
	}{
		{named("runtime.gopark", "internal/poll.runtime_pollWait", "net.(*conn).Read", "net/http.(*conn).serve",
			"runtime.goexit"), "net/http.(*conn).serve"},
		{named("runtime.gopark", "sync.(*Cond).Wait", "main.work"), "main.work"},
		{named("runtime.gopark", "time.Sleep", "runtime.main"), "time.Sleep"},
		{named("runtime.gopark", "runtime.main", "runtime.goexit"), "runtime.gopark"},
		{named(), ""},
	} {
		got := ""
		if f := outside(c.st); f != nil {
			got = f.Name
		}
		if got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
