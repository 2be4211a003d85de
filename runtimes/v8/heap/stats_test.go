package heap

import "testing"

// TestDoubtStatistics: a space that uses more than it has was read between two stores. The numbers come from a
// core of Node 16 that was killed at such a moment.
func TestDoubtStatistics(t *testing.T) {
	known := func(name string, n uint64) HeapStatistic { return HeapStatistic{Name: name, Value: n, Known: true} }
	s := HeapStatistics{
		Heap: []HeapStatistic{known("total_heap_size", 6<<20), known("used_heap_size", 51410012000000),
			known("malloced_memory", 9)},
		Spaces: []SpaceStatistics{
			{"old_space", []HeapStatistic{known("space_size", 4<<20), known("space_used_size", 3<<20),
				known("space_available_size", 1<<20)}},
			{"new_space", []HeapStatistic{known("space_size", 2<<20), known("space_used_size", 51410008503848),
				known("space_available_size", 7)}},
		},
	}
	s.doubt()
	want := map[string]bool{"total_heap_size": true, "used_heap_size": false, "malloced_memory": true}
	for _, x := range s.Heap {
		if x.Known != want[x.Name] {
			t.Errorf("%s: known %v", x.Name, x.Known)
		}
	}
	for i, x := range s.Spaces {
		for k, size := range x.Sizes {
			if want := i == 0 || k == 0; size.Known != want {
				t.Errorf("%s of %s: known %v, want %v", size.Name, x.Name, size.Known, want)
			}
		}
	}
}
