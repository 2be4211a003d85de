package commands

import (
	"context"
	"errors"
	"fmt"

	"coredbg/commands/lang"
	"coredbg/core"
	"coredbg/stack"
)

// NoThreads says why a process has no threads that can be shown. Each had one when it
// lived, so that what is asked about it cannot be known.
func NoThreads(p *core.Process) error {
	switch {
	case p.Arch == nil:
		return core.Unknown(fmt.Errorf("threads are not known: registers of %s are not", p.Machine))
	case p.OS != "linux" && p.OS != "darwin":
		return core.Unknown(fmt.Errorf("threads are not known: threads in cores of %s are not read", p.OS))
	}
	return core.Unknown(errors.New("threads are not known: the core lists no threads"))
}

// StackOf returns the thread that a call is about, as Thread does, and an error if
// not even the first word of its stack can be read.
func (c *Call) StackOf() (*core.Thread, error) {
	t, err := c.Thread()
	if err != nil || c.Session.Process.Arch == nil {
		return t, err
	}
	sp, ok := t.Regs.Get(c.Session.Process.Arch.SP)
	if !ok {
		return nil, c.Unknown("the stack pointer of %v is not known", t)
	}
	cur := c.Session.Process.Cursor()
	if cur.Pointer(core.Addr(sp)); cur.Err() != nil {
		return nil, c.Unknown("the stack of %v cannot be read: %w", t, cur.Err())
	}
	return t, nil
}

// Thread returns the thread that a call is about: the one that its address
// names, else the current one.
func (c *Call) Thread() (*core.Thread, error) {
	if c.HasAddr {
		if t := c.Session.ThreadAt(c.Dot); t != nil {
			return t, nil
		}
		return nil, fmt.Errorf("no thread has the id %d (%v)", uint64(c.Dot), c.Dot)
	}
	if t := c.Session.Thread; t != nil {
		return t, nil
	}
	return nil, NoThreads(c.Session.Process)
}

// Aside runs do, and restores the current thread and the chosen frame.
func (s *Session) Aside(do func() error) error {
	thread, chosen := s.Thread, s.chosen
	defer func() { s.Thread, s.chosen = thread, chosen }()
	return do()
}

// RunPart runs a line, as if it were typed, for one of several threads or frames. head is the record of that thread or
// frame. Without quiet it comes first, and a failure is reported; with it, it comes before the line's first record, and
// failures are left out.
func (s *Session) RunPart(ctx context.Context, line string, head Record, quiet bool, c *Call) error {
	emit := c.Pass
	if quiet {
		first := true
		defer s.Listen(func(r Remark) bool { return r.Err != nil })()
		emit = func(r lang.Record) error {
			if first {
				if err := c.Emit(head); err != nil {
					return err
				}
				first = false
			}
			return c.Pass(r)
		}
	} else if err := c.Emit(head); err != nil {
		return err
	}
	err := s.RunWithout(ctx, "", line, emit)
	switch {
	case err == nil:
	case errors.Is(err, lang.ErrStop), errors.Is(err, lang.ErrQuit), errors.Is(err, lang.ErrEnough), ctx.Err() != nil:
		return err
	case !quiet:
		s.Warn(err)
	}
	return nil
}

// NoteStop remembers that a stack ended where memory is missing that the process had.
func NoteStop(s *Session, t *stack.Stack) {
	if f := core.Fault(t.Stop); f != nil && f.Gap != core.Unmapped {
		s.Partial = true
	}
}
