package wait

import (
	"testing"

	"coredbg/core"
	"coredbg/stack"
)

// TestOthers: only the stacks of tasks that wait are needed to see that none waits for another. Here no
// other stack can be had.
func TestOthers(t *testing.T) {
	waiter, other := &core.Thread{Task: &core.Task{}}, &core.Thread{Task: &core.Task{}}
	tasks := []*core.Thread{other, waiter}
	w := &TaskLink{Thread: waiter, Kind: "sync.Mutex", Does: goLock, At: 8, Frame: &stack.Frame{}}
	x := &goSearch{ctx: t.Context(), stacks: map[*core.Thread]*stack.Stack{waiter: {}}}
	if x.mayCircle(map[*core.Thread]*TaskLink{waiter: w}, tasks) {
		t.Error("one task waits in a circle")
	}
	if w.held != nil {
		t.Error("the first search leaves holders behind")
	}
	x.tries = maxGoTries + 1 // it has given up
	if !x.mayCircle(map[*core.Thread]*TaskLink{waiter: w}, tasks) {
		t.Error("a search that has given up has no answer")
	}
}
