package triage

import (
	"testing"

	"coredbg/core"
)

// TestThreads: the thread that died is listed, wherever it is.
func TestThreads(t *testing.T) {
	for died, want := range []int{2, 2, 3, 4} {
		p := &core.Process{}
		for i := range 4 {
			p.Threads = append(p.Threads, &core.Thread{TID: i + 1, Crashed: i == died})
		}
		got := Threads(p, 2)
		if len(got) != 2 || got[0].TID != 1 || got[1].TID != want {
			t.Errorf("thread %d died: %d and %d are listed", died+1, got[0].TID, got[1].TID)
		}
		if all := Threads(p, 4); len(all) != 4 || p.Threads[1].TID != 2 {
			t.Errorf("%d of 4 threads; the second is %d", len(all), p.Threads[1].TID)
		}
	}
}
