package juc

import (
	"slices"
	"testing"
)

// TestCircles: a thread is stuck if all threads that could end its wait are. If all of them have to, one is enough.
func TestCircles(t *testing.T) {
	for name, c := range map[string]struct {
		owners map[int][]int // the rest do not wait
		any    map[int]bool
		want   [][]int
	}{
		"circle":             {map[int][]int{0: {1}, 1: {0}, 2: {0}}, nil, [][]int{{0, 1}}},
		"two circles":        {map[int][]int{0: {1}, 1: {0}, 2: {3}, 3: {2}}, nil, [][]int{{0, 1}, {2, 3}}},
		"chain":              {map[int][]int{0: {1}, 1: {2}}, nil, nil},
		"itself":             {map[int][]int{0: {0}}, nil, [][]int{{0}}},
		"one of two is free": {map[int][]int{0: {1, 2}, 1: {0}}, map[int]bool{0: true}, nil},
		"both readers":       {map[int][]int{0: {1, 2}, 1: {0}}, nil, [][]int{{0, 1}}},
		"a pool":             {map[int][]int{0: {0, 1}, 1: {0, 1}, 2: {0}}, map[int]bool{0: true, 1: true}, [][]int{{0}}},
		"a free worker":      {map[int][]int{0: {0, 1, 3}, 1: {0, 1, 3}}, map[int]bool{0: true, 1: true}, nil},
	} {
		waits := map[int]Edge[int]{}
		for i, owners := range c.owners {
			waits[i] = Edge[int]{owners, c.any[i]}
		}
		if got := Circles([]int{0, 1, 2, 3, 4, 5}, waits); !slices.EqualFunc(got, c.want, slices.Equal) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
