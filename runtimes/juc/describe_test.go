package juc

import (
	"fmt"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/runtimes"
)

// TestDeadlocks: each thread of a circle waits for the next, its first owner; a verdict names the threads in
// this order, and says if a wait of the circle is inferred.
func TestDeadlocks(t *testing.T) {
	type wait struct {
		thread int
		owners []int
		kind   string
	}
	all := []wait{{1, []int{9, 2}, Holds}, {2, []int{1}, Completes}, {3, []int{1}, Holds}, {4, []int{4}, Holds}}
	circles := Deadlocks(all, func(w *wait) Edge[int] { return Edge[int]{Thread: w.thread, Owners: w.owners} },
		func(w wait, next int) wait {
			w.owners = First(w.owners, next)
			return w
		})
	if len(circles) != 2 || len(circles[0]) != 2 || circles[0][0].thread != 1 || circles[0][1].thread != 2 ||
		circles[1][0].thread != 4 {
		t.Fatalf("circles %v", circles)
	}
	if o := circles[0][0].owners; !slices.Equal(o, []int{2, 9}) || !slices.Equal(all[0].owners, []int{9, 2}) {
		t.Errorf("the owners are %v of %v, want the next thread in front", o, all[0].owners)
	}
	first := &core.Thread{TID: 1}
	describe := func(w *wait) runtimes.LockWait {
		x := runtimes.LockWait{Kind: w.kind, Thread: runtimes.LockThread{Name: fmt.Sprint("t", w.thread)}}
		if w.thread == 1 {
			x.Thread.Native = first
		}
		return x
	}
	if got := WaitCircles(circles, describe); len(got) != 2 || len(got[0]) != 2 || got[0][1].Thread.Name != "t2" {
		t.Errorf("waits %v", got)
	}
	got := DeadlockCircles(circles, describe, func(w *wait) string { return fmt.Sprint(w.thread, " waits") })
	if len(got) != 2 || got[0].First != first || !slices.Equal(got[0].Threads, []string{"t1", "t2"}) ||
		got[0].Words != "1 waits, 2 waits" ||
		!got[0].Inferred || got[1].Inferred || got[1].First != nil {
		t.Errorf("circles %+v", got)
	}
}
