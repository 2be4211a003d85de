// Package target finds what a command over V8 is about: the V8 of its session, the heap with its functions, and the
// value at an address.
package target

import (
	"context"
	"fmt"
	"time"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/runtimes/engine"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/stack"
)

// Module is the name of the commands' module in ::dcmds.
const Module = "v8"

// Patience is how long words and lines may look at the heap: a user does not wait longer for them.
const Patience = 5 * time.Second

// V8 returns the V8 of a call's session.
func V8(c *commands.Call) (*v8.V8, error) {
	v, err := v8.Among(c.Session.Process, c.Session.Found())
	if err != nil {
		if e, ok := commands.RuntimeOf[*engine.Engine](c.Session); ok {
			return nil, core.Unknown(fmt.Errorf("the process has no V8: its engine of JavaScript is %s, which is not decoded%s", e.String(), engineFrames(c, e)))
		}
	}
	return v, err
}

// engineFrames describes the run of frames of the current thread where an engine runs: from the first one on,
// until a frame of another image.
func engineFrames(c *commands.Call, e *engine.Engine) string {
	t, err := c.Thread()
	if err != nil || c.Session.Stacks == nil {
		return ""
	}
	first, last := -1, -1
	for _, f := range c.Session.Stacks.Thread(context.Background(), t, stack.Options{}).Frames {
		if e.Holds(c.Session.Process, f.PC) {
			if last = f.Index; first < 0 {
				first = f.Index
			}
		} else if first >= 0 {
			break
		}
	}
	in := " in " + e.Module().Name() + " or in code made at run time"
	switch {
	case first < 0:
		return ""
	case first == last:
		return fmt.Sprintf("; frame #%d is%s", first, in)
	}
	return fmt.Sprintf("; frames #%d to #%d are%s", first, last, in)
}

// Heap returns the session's V8 with its heap.
func Heap(ctx context.Context, c *commands.Call) (*v8.V8, *heap.Snapshot, error) {
	v, err := V8(c)
	if err != nil {
		return nil, nil, err
	}
	h, err := v.Heaps.Snapshot(ctx)
	return v, h, err
}

// Functions returns the functions in the heap of V8.
func Functions(ctx context.Context, v *v8.V8) ([]heap.SharedFunction, error) {
	h, err := v.Heaps.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	return h.Functions(ctx)
}

// Tagged returns the value that an address stands for. V8 tags references with the low bit; an address without
// it counts as an object's address if an object begins there.
func Tagged(v *v8.V8, a core.Addr) layout.Tagged {
	t := layout.Tagged(a)
	if a&1 == 0 && a != 0 {
		if _, err := v.TypeOf(t | 1); err == nil {
			return t | 1
		}
	}
	return t
}
