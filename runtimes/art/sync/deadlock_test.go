package sync

import (
	"testing"

	"coredbg/runtimes/art/frame"
)

// TestSettle: a thread is stuck if all that could end its wait are, or one of those that all have to.
func TestSettle(t *testing.T) {
	th := make([]*frame.Thread, 6)
	for i := range th {
		th[i] = &frame.Thread{ID: i}
	}
	for name, c := range map[string]struct {
		owners map[int][]int // the rest do not wait
		any    map[int]bool
		want   []int
	}{
		"circle":             {map[int][]int{0: {1}, 1: {0}, 2: {0}}, nil, []int{0, 1, 2}},
		"chain":              {map[int][]int{0: {1}, 1: {2}}, nil, nil},
		"itself":             {map[int][]int{0: {0}}, nil, []int{0}},
		"one of two is free": {map[int][]int{0: {1, 2}, 1: {0}}, map[int]bool{0: true}, nil},
		"both readers":       {map[int][]int{0: {1, 2}, 1: {0}}, nil, []int{0, 1}},
		"a pool":             {map[int][]int{0: {0, 1}, 1: {0, 1}, 2: {0}}, map[int]bool{0: true, 1: true}, []int{0, 1, 2}},
		"a free worker":      {map[int][]int{0: {0, 1, 3}, 1: {0, 1, 3}}, map[int]bool{0: true, 1: true}, nil},
	} {
		waits, stuck := map[*frame.Thread]Wait{}, map[*frame.Thread]bool{}
		for i, owners := range c.owners {
			w := Wait{Thread: th[i], Any: c.any[i]}
			for _, o := range owners {
				w.Owners = append(w.Owners, th[o])
			}
			waits[th[i]], stuck[th[i]] = w, true
		}
		settle(waits, stuck)
		if len(stuck) != len(c.want) {
			t.Errorf("%s: %d stuck, want %v", name, len(stuck), c.want)
		}
		for _, i := range c.want {
			if !stuck[th[i]] || !stuck[waits[th[i]].Owner] {
				t.Errorf("%s: %d is not stuck, or its owner", name, i)
			}
		}
	}
}
