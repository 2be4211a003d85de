package stack

import (
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/walk"
)

// TestGroups: the group of the thread that crashed comes first, and that thread is the first
// of it, wherever it is in the core.
func TestGroups(t *testing.T) {
	var g Groups
	for tid, pc := range []core.Addr{0x10, 0x10, 0x20, 0x30, 0x10, 0x20} {
		g.Add(&Stack{Thread: &core.Thread{TID: tid, Crashed: tid == 5}, Frames: []Frame{{PC: pc}},
			Stop: &walk.StopError{Kind: walk.StopRoot}})
	}
	want := [][]int{{5, 2}, {0, 1, 4}, {3}}
	got := g.Sorted()
	if len(got) != len(want) {
		t.Fatalf("%d groups, want %d", len(got), len(want))
	}
	for i, x := range got {
		if !slices.Equal(x.TIDs, want[i]) || x.First.Thread.TID != want[i][0] {
			t.Errorf("group %d: %v, of thread %d; want %v", i, x.TIDs, x.First.Thread.TID, want[i])
		}
	}
}

// TestGroupsManaged: an interpreter and a compiler run one place at two addresses; two lines are two places.
func TestGroupsManaged(t *testing.T) {
	var g Groups
	for tid, f := range []Frame{{PC: 0x10, Line: 7}, {PC: 0x20, Line: 7}, {PC: 0x20, Line: 8}} {
		f.Kind, f.Name, f.File = runtimes.Java, "Pool.take", "Pool.java"
		g.Add(&Stack{Thread: &core.Thread{TID: tid}, Frames: []Frame{f}, Stop: &walk.StopError{Kind: walk.StopRoot}})
	}
	if got := g.Sorted(); len(got) != 2 || !slices.Equal(got[0].TIDs, []int{0, 1}) {
		t.Errorf("%d groups, the first has %v", len(got), got[0].TIDs)
	}
}
