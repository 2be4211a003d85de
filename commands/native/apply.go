package native

import (
	"context"
	"fmt"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/stack"
)

// An appliedRecord is the thread that a line runs with.
type appliedRecord struct {
	_      out.Record `record:"applied" text:"{text}"`
	TID    int        `json:"tid" dot:"always"`
	Number int        `json:"number"` // in the order of ::threads, from 1
	Name   string     `json:"name,omitempty"`
	text   string
}

// eachThread runs a line, as if it were typed, with each thread as the current one, or only with the threads that are
// arguments. The current thread stays.
func eachThread(ctx context.Context, c *commands.Call, line string) error {
	list := c.Session.Process.Threads
	if len(c.Args) > 0 {
		list = nil
	}
	for _, a := range c.Args {
		n, err := c.Decimal(a)
		if err != nil {
			return err
		}
		t, err := byNumber(c.Session.Process, n)
		if err != nil {
			c.Warn("%w", err)
			continue
		}
		list = append(list, t)
	}
	return c.Session.Aside(func() error {
		for _, t := range list {
			if err := ctx.Err(); err != nil {
				return err
			}
			c.Session.Thread = t
			c.Session.ChooseFrame(nil, 0)
			r := &appliedRecord{TID: t.TID, Number: numberOf(c.Session, t)}
			r.Name, _ = c.Session.Stacks.Describe(t)
			r.text = fmt.Sprintf("%v, number %d:", t, r.Number)
			if err := c.Session.RunPart(ctx, line, r, c.Flag('s'), c); err != nil {
				return err
			}
		}
		return nil
	})
}

// innermost emits the innermost frame of a thread, as a debugger does when it switches to one.
func innermost(ctx context.Context, c *commands.Call, t *core.Thread) error {
	st := c.Session.Stacks.Thread(ctx, t, stack.Options{Limit: 1})
	if len(st.Frames) == 0 {
		return nil
	}
	if c.Session.Frames != nil {
		c.Session.Frames.Brief(ctx, t, st, commands.FrameArguments(c.Session))
	}
	return c.Emit((*commands.FrameRecord)(&st.Frames[0]))
}
