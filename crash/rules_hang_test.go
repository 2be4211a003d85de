package crash

import (
	"testing"
	"time"

	"coredbg/core"
)

// TestBusiest: of threads that are awake one runs on and on if it has used far more of the processor than any other.
func TestBusiest(t *testing.T) {
	const unknown = -1
	for _, c := range []struct {
		name string
		used []time.Duration
		want int // which one; -1 for none
	}{
		{"none is awake", nil, -1},
		{"one", []time.Duration{time.Millisecond}, 0},
		{"one whose time is not known", []time.Duration{unknown}, 0},
		{"another has hardly run", []time.Duration{16 * time.Millisecond, 2 * time.Second}, 1},
		{"another has run as well", []time.Duration{300 * time.Millisecond, 2 * time.Second}, -1},
		{"exactly a tenth", []time.Duration{2 * time.Second, 200 * time.Millisecond}, -1},
		{"two that have not run", []time.Duration{0, 0}, -1},
		{"the time of another is not known", []time.Duration{2 * time.Second, unknown}, -1},
	} {
		var threads []*core.Thread
		for _, d := range c.used {
			th := &core.Thread{}
			if d != unknown {
				th.CPU = &core.CPUTime{User: d}
			}
			threads = append(threads, th)
		}
		got := -1
		for i, th := range threads {
			if th == busiest(threads) {
				got = i
			}
		}
		if got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
