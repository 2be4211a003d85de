package juc

import (
	"maps"
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
		"a pool": {map[int][]int{0: {0, 1}, 1: {0, 1}, 2: {0}},
			map[int]bool{0: true, 1: true}, [][]int{{0, 1}}},
		"a pool of four": {map[int][]int{0: {0, 1, 2, 3}, 1: {0, 1, 2, 3}, 2: {0, 1, 2, 3}, 3: {0, 1, 2, 3}},
			map[int]bool{0: true, 1: true, 2: true, 3: true}, [][]int{{0, 1, 2, 3}}},
		"two pools": {map[int][]int{0: {0, 2}, 1: {1, 3}, 2: {0, 2}, 3: {1, 3}},
			map[int]bool{0: true, 1: true, 2: true, 3: true}, [][]int{{0, 2}, {1, 3}}},
		"a circle that waits for another": {map[int][]int{0: {1}, 1: {2, 0}, 2: {3}, 3: {2}}, nil,
			[][]int{{0, 1}, {2, 3}}},
		"the lowest is no part":  {map[int][]int{0: {1}, 1: {2}, 2: {1}}, nil, [][]int{{1, 2}}},
		"the lowest comes later": {map[int][]int{0: {3}, 1: {2}, 2: {1, 0}, 3: {1}}, nil, [][]int{{0, 3, 1, 2}}},
		"a way out of the path":  {map[int][]int{0: {1}, 1: {0, 2}, 2: {1}}, nil, [][]int{{0, 1}}},
		"not the first":          {map[int][]int{1: {7}, 3: {5}, 5: {3}}, nil, [][]int{{3, 5}}},
		"a free worker":          {map[int][]int{0: {0, 1, 3}, 1: {0, 1, 3}}, map[int]bool{0: true, 1: true}, nil},
	} {
		var waits []Edge[int]
		for _, i := range slices.Sorted(maps.Keys(c.owners)) {
			waits = append(waits, Edge[int]{i, c.owners[i], c.any[i]})
		}
		var got [][]int
		for _, circle := range Circles(waits) {
			var threads []int
			for _, n := range circle {
				threads = append(threads, waits[n].Thread)
			}
			got = append(got, threads)
		}
		if !slices.EqualFunc(got, c.want, slices.Equal) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
