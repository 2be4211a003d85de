package commands

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"coredbg/commands/lang"
	"coredbg/core"
	"coredbg/runtimes"
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

// Crashed returns the thread that the signal hit, or nil.
func Crashed(p *core.Process) *core.Thread {
	for _, t := range p.Threads {
		if t.Crashed {
			return t
		}
	}
	return nil
}

// ThreadAt returns the thread whose id is a, or nil. People type ids as they
// read them, in decimal, but the language reads digits in its default radix:
// where no thread has the id a, the digits of a in hexadecimal are taken as decimal.
func ThreadAt(p *core.Process, a core.Addr) *core.Thread {
	if t := p.Thread(int(a)); t != nil {
		return t
	}
	if n, err := strconv.Atoi(strconv.FormatUint(uint64(a), 16)); err == nil {
		return p.Thread(n)
	}
	return nil
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

// ThreadAt returns the thread whose id is a, as the function ThreadAt does, or the one that runs, or stands
// for, the task of a runtime whose record is at a; nil if there is none.
func (s *Session) ThreadAt(a core.Addr) *core.Thread {
	if t := ThreadAt(s.Process, a); t != nil {
		return t
	}
	for _, r := range s.Found() {
		if x, ok := r.(runtimes.Tasker); ok {
			if t, ok := x.Task(a); ok {
				return t
			}
		}
	}
	return nil
}

// Tasks returns the tasks of all runtimes that no thread of the system runs, such as goroutines, each as the
// thread that stands for it, and the Tasker of each.
func (s *Session) Tasks() (list []*core.Thread, of []runtimes.Tasker) {
	for _, r := range s.Found() {
		if x, ok := r.(runtimes.Tasker); ok {
			for _, t := range x.Tasks() {
				list, of = append(list, t), append(of, x)
			}
		}
	}
	return list, of
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

// FunctionAt names the function of a thread's frame that the word at an address of its
// stack is in, with its position if it is a managed one; "" if it is in none.
func (s *Session) FunctionAt(ctx context.Context, t *core.Thread, at core.Addr) string {
	name := ""
	for _, f := range s.Stacks.Thread(ctx, t, stack.Options{}).Frames {
		if at < f.SP || at >= f.CFA {
			continue
		}
		if !stack.Managed(&f) {
			name = f.Symbolic()
			continue
		}
		if name = f.Name; name == "" {
			name = "<anonymous>"
		}
		if p := f.Position(); p != "" {
			name += " (" + p + ")"
		}
		break
	}
	return name
}

// An Examined is how memory was last shown, and where: gdb's letters and count, the last unit, and the next address.
// The zero value means that no memory was shown.
type Examined struct {
	Letter, Size byte
	Count        int
	Last, Next   core.Addr
}

// A chosenFrame is a frame of a thread that the user looks at.
type chosenFrame struct {
	thread *core.Thread
	index  int
}

// ChooseFrame makes the frame with an index of a thread's whole stack the one that is looked at,
// until another thread is.
func (s *Session) ChooseFrame(t *core.Thread, index int) { s.chosen = chosenFrame{t, index} }

// FrameOf returns the index of the frame of a thread that the user has chosen, if one was.
func (s *Session) FrameOf(t *core.Thread) (index int, ok bool) {
	return s.chosen.index, s.chosen.thread == t && t != nil
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
		outer, first := s.asked, true
		s.asked = func(Record) error { return nil }
		defer func() { s.asked = outer }()
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
