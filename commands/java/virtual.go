package java

import (
	"context"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/stack"
	"coredbg/walk"
)

// A virtualGroup is the virtual threads that have the same stack.
type virtualGroup struct {
	_      out.Record      `record:"virtualthreads"`
	Count  int             `json:"count"`
	IDs    []int           `json:"ids"`             // Thread.threadId
	State  string          `json:"state,omitempty"` // "" if they are in different states
	Frames commands.Frames `json:"frames"`
	first  *stack.Stack
}

// groupThreads emits the stacks of virtual threads that no thread runs.
func groupThreads(ctx context.Context, c *commands.Call, all []runtimes.JavaThread) error {
	var groups stack.Groups
	for i := range all {
		t := &all[i]
		if !t.Virtual || t.Native == nil || t.Native.Task == nil {
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		groups.Add(c.Session.Stacks.Thread(ctx, t.Native, stack.Options{ManagedOnly: true}))
	}
	list := groups.Sorted()
	if len(list) == 0 {
		return c.Empty("no virtual thread waits without a carrier")
	}
	for _, g := range list {
		x := &virtualGroup{Count: len(g.TIDs), IDs: g.TIDs, State: g.First.State, Frames: g.First.Frames,
			first: g.First}
		if g.Mixed {
			x.State = ""
		}
		if err := c.Emit(x); err != nil {
			return err
		}
	}
	return nil
}

// Addr returns the address of the first one's java.lang.Thread.
func (x *virtualGroup) Addr() (core.Addr, bool) { return x.first.Thread.Task.Addr, true }

// Text writes the threads and their stack.
func (x *virtualGroup) Text(w *out.Writer) {
	state := x.State
	if state == "" {
		state = "in different states"
	}
	w.Paint(out.Keyword, "%s [%s]", out.Count(x.Count, "virtual thread"), state)
	w.Printf("\n")
	for i := range x.Frames {
		writeFrame(w, &x.Frames[i], false)
	}
	if s := x.first.Stop; s != nil && s.Kind != walk.StopRoot {
		w.Printf("  (stopped: %v)\n", s)
	}
	commands.WriteGroupIDs(w, "virtual threads", x.IDs)
}
