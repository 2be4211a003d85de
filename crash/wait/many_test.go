package wait

import (
	"testing"

	"coredbg/core"
	"coredbg/stack"
)

// TestManyWait: tasks that wait for one object in the same way share the tasks that can end the wait.
// Tasks that wait to receive from it do not end their own wait.
func TestManyWait(t *testing.T) {
	const many = 4000
	waits := map[*core.Thread]*TaskLink{}
	var tasks []*core.Thread
	var groups []*heldTasks
	for range many {
		th := &core.Thread{Task: &core.Task{Kind: "goroutine"}}
		w := &TaskLink{Thread: th, Kind: "channel", Does: goReceive, Frame: &stack.Frame{}}
		groups, waits[th], tasks = w.join(groups), w, append(tasks, th)
	}
	if len(groups) != 1 || len(groups[0].waiting) != many {
		t.Fatalf("%d groups, want one of %d", len(groups), many)
	}
	for range 2 {
		for _, th := range tasks {
			groups[0].add(TaskHolder{Thread: th, Frame: &stack.Frame{}})
		}
	}
	if n := len(groups[0].list); n != many {
		t.Errorf("%d may end the wait, want %d", n, many)
	}
	all := map[*core.Thread]*TaskLink{}
	for th, w := range waits {
		all[th] = w
	}
	stuck(all)
	if len(all) != many {
		t.Errorf("%d of %d wait for each other", len(all), many)
	}
	if circles := taskCircles(tasks, all); len(circles) != 1 || len(circles[0]) != 2 || circles[0][0] == circles[0][1] {
		t.Errorf("%d circles, want one of two tasks", len(circles))
	}
	groups[0].add(TaskHolder{Thread: &core.Thread{}, Frame: &stack.Frame{}}) // it may send, and waits for nothing
	if stuck(waits); len(waits) != 0 {
		t.Errorf("%d wait without end, want none", len(waits))
	}
}
