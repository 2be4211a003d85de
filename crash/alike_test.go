package crash

import (
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes"
	"coredbg/stack"
	"coredbg/walk"
)

// TestStacksSeen: a task has the stack of another one if its return addresses say so, at the same distances.
func TestStacksSeen(t *testing.T) {
	const pc, first, second, root = 0x1000, 0x2000, 0x3000, 0x4000
	b := coretest.New(core.AMD64)
	stacks := map[string][]uint64{
		"one":   {7, first, 8, 9, second, root, 0, 0},
		"same":  {1, first, 2, 3, second, root, 5, 0},
		"other": {7, first, 8, 9, first, root, 0, 0},
	}
	tasks := map[string]*core.Thread{}
	at := core.Addr(0x10000)
	for _, name := range []string{"one", "same", "other"} {
		th := &core.Thread{State: "select", Task: &core.Task{Kind: "goroutine", Low: at, High: at + 64}}
		th.Regs.Set(core.AMD64.PC, pc)
		th.Regs.Set(core.AMD64.SP, uint64(at))
		tasks[name] = th
		b.Map(at, make([]byte, 0x1000)).Words(at, stacks[name]...)
		at += 0x1000
	}
	x, g := newStacksSeen(b.Process()), &waitGroup{}
	one := core.Addr(0x10000)
	st := &stack.Stack{Stop: &walk.StopError{Kind: walk.StopRoot}, Frames: []stack.Frame{
		{Kind: runtimes.Native, PC: pc, SP: one, CFA: one + 16, Trust: walk.Runtime},
		{Kind: runtimes.Native, PC: first, SP: one + 16, CFA: one + 40, Trust: walk.CFI},
		{Kind: runtimes.Native, PC: second, SP: one + 40, CFA: one + 48, Trust: walk.CFI},
		{Kind: runtimes.Native, PC: root, SP: one + 48, Trust: walk.CFI},
	}}
	x.add(tasks["one"], st, g)
	for name, want := range map[string]*waitGroup{"one": g, "same": g, "other": nil} {
		if got := x.group(tasks[name]); got != want {
			t.Errorf("%s: %p, want %p", name, got, want)
		}
	}
	tasks["same"].State = "sleep"
	if x.group(tasks["same"]) != nil {
		t.Error("a task that does something else is in the group")
	}
	st.Stop = &walk.StopError{Kind: walk.StopLimit}
	if y := newStacksSeen(x.p); true {
		if y.add(tasks["one"], st, g); len(y.seen) != 0 {
			t.Error("a stack that is not known to its end was noted")
		}
	}
}
