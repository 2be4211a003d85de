package java

import (
	"context"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/art/frame"
	"coredbg/stack"
	"coredbg/walk"
)

var javastackCommand = commands.Command{
	Name: "javastack", Module: module, Addr: commands.AddrOptional,
	Views: []commands.View{{Language: runtimes.LanguageJava, Subject: commands.Stack},
		{Language: runtimes.LanguageJava, Subject: commands.Stacks, Line: "::walk javathread | ::javastack"}},
	Options: []commands.Option{
		{Letter: 'a', Help: "show all frames, native ones too, with their frame pointers"},
		{Letter: 'l', Help: "show the local variables and registers of each frame"},
		{Letter: 'v', Help: "show the kind of code, the method, the dex pc and the place of each frame, and its locks"},
	},
	Args:    "[tid]",
	Summary: "show the Java stack of a thread",
	Detail: `The thread is given by its id or address; without one it is the current
thread. A virtual thread has the address of its java.lang.Thread, and the id of Thread.threadId if no
thread of the system has that id.

` + frameHelp + `
Native frames in between are counted in parentheses; -a shows them. In JSON only
the frames of Java are there, with -a all of them.`,
	Example: "::walk javathread | ::javastack -v",
	SeeAlso: []string{"javaframe", "javathreads", "stack", "$C"},
	Run:     runStack,
}

// stackRecord is the stack of a thread as ::javastack shows it.
type stackRecord struct {
	*stack.Stack // with all frames
	all          bool
	thread       *frame.Thread // of ART; nil if it is not attached
	name, state  string        // as another runtime has them
	attached     bool
}

func runStack(ctx context.Context, c *commands.Call) error {
	a, err := artOf(c)
	if err != nil {
		if r, ok := commands.RuntimeOf[runtimes.JavaRunner](c.Session); ok {
			return runOtherStack(ctx, c, r)
		}
		return commands.LacksJava(c.Session, errNoJava)
	}
	t, err := threadNamed(c, a)
	if err != nil {
		return err
	}
	rec := &stackRecord{all: c.Flag('a'), thread: a.Thread(t)}
	more := &detail{a: a, verbose: c.Flag('v'), locals: c.Flag('l'), thread: rec.thread}
	rec.Stack = c.Session.Stacks.Thread(ctx, t, stack.Options{ManagedOnly: !rec.all, Each: more.add})
	return c.Emit(rec)
}

// runOtherStack is runStack for a runtime that is not ART.
func runOtherStack(ctx context.Context, c *commands.Call, r runtimes.JavaRunner) error {
	t, err := nativeNamed(c)
	if err != nil {
		return err
	}
	rec := &stackRecord{all: c.Flag('a')}
	rec.state, rec.attached = r.JavaState(t)
	if d, ok := r.(runtimes.ThreadDescriber); ok && rec.attached {
		rec.name, rec.state, _ = d.DescribeThread(t)
	}
	more := &otherDetail{}
	if l, ok := r.(runtimes.JavaLocker); ok && c.Flag('v') {
		more.locks = &locker{r: l, t: t}
	}
	if c.Flag('l') {
		more.variables = Variables(c.Session)
	}
	options := stack.Options{ManagedOnly: !rec.all, Each: more.add}
	rec.Stack = c.Session.Stacks.Thread(ctx, t, options)
	return c.Emit(rec)
}

// An otherDetail adds variables and locks to frames of a runtime that is not ART.
type otherDetail struct {
	variables commands.VariableReader
	locks     *locker

	record any // of the frame of the machine before
	index  int // of the frame within record
}

func (d *otherDetail) add(r *stack.Frame, f *walk.Frame, src *runtimes.SourceFrame) {
	if src == nil || src.Kind != runtimes.Java {
		return
	}
	if d.index++; d.record != f.Record {
		d.record, d.index = f.Record, 0
	}
	if d.variables != nil {
		if list, ok := d.variables(f, src, d.index); ok {
			addVariables(r, list)
		}
	}
	if d.locks != nil {
		d.locks.add(r, f, src)
	}
}

// Addr returns the thread's id, or the address of the virtual thread that it stands for.
func (r *stackRecord) Addr() (core.Addr, bool) {
	if r.Thread.Task != nil {
		return r.Thread.Task.Addr, true
	}
	return core.Addr(r.Thread.TID), true
}

// JSON implements out.Formed.
func (r *stackRecord) JSON() any {
	if r.all {
		return commands.NewThreadJSON(r.Stack)
	}
	return commands.NewThreadJSON(r.ManagedOnly())
}

// Text writes the thread and its stack in the manner of ART's traces.
func (r *stackRecord) Text(w *out.Writer) {
	if t := r.thread; t != nil {
		w.Printf("%q tid=%d %s sysTid=%d\n", t.Name, t.ID, t.State, t.TID)
	} else if k := r.Thread.Task; k != nil {
		w.Printf("%q %s %s %d\n", r.name, r.state, k.Kind, k.ID)
	} else if r.attached {
		w.Printf("%q %s sysTid=%d\n", r.name, r.state, r.Thread.TID)
	} else {
		w.Printf("%q sysTid=%d not attached to the runtime\n", r.Thread.Name, r.Thread.TID)
	}
	native := 0
	elided := func() {
		if native > 0 {
			w.Printf("  (%s elided)\n", out.Count(native, "native frame"))
		}
		native = 0
	}
	for i := range r.Frames {
		f := &r.Frames[i]
		if !r.all && !stack.Managed(f) {
			native++
			continue
		}
		elided()
		writeFrame(w, f, r.all)
	}
	elided()
	if s := r.Stop; s != nil && s.Kind != walk.StopRoot {
		w.Printf("  (stopped: %v)\n", s)
	}
}
