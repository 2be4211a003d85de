package java

import (
	"context"
	"strconv"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/stack"
	"coredbg/walk"
)

var dumpCommands = []commands.Command{{
	Name: "jstackdump", Module: module, Addr: commands.AddrNone,
	Summary: "write the thread dump that the Java virtual machine would have printed",
	Detail: `The dump has the form that HotSpot prints on SIGQUIT, and jstack, so tools for thread
dumps can read it: threads with their states, frames and locks, and circles of threads
that wait for each other. It lacks times and the modules of classes. Virtual threads that no
thread runs come after the others, as SIGQUIT does not print them.`,
	Example: "::jstackdump",
	SeeAlso: []string{"javathreads", "javastack", "deadlock", "arttrace"},
	Run:     runStackDump,
}}

// dumpRecord is a thread of the dump.
type dumpRecord struct {
	*stack.Stack
	thread runtimes.JavaThread
	title  string
}

func runStackDump(ctx context.Context, c *commands.Call) error {
	r, ok := commands.RuntimeOf[runtimes.JavaLocker](c.Session)
	if !ok {
		return commands.LacksJava(c.Session, errNoMachine)
	}
	title := "Full thread dump Java " + r.Version() + ":"
	if m, ok := r.(runtimes.JavaMachiner); ok {
		title = "Full thread dump " + m.Machine(ctx).Name + " (" + r.Version() + "):"
	}
	threads, err := r.JavaThreads()
	for _, t := range threads {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if t.Virtual && (t.Native == nil || t.Native.Task == nil) {
			continue // it is in the stack of its carrier
		}
		x := &dumpRecord{thread: t, title: title, Stack: &stack.Stack{Thread: t.Native}}
		if t.Native != nil && !t.Internal {
			x.Stack = c.Session.Stacks.Thread(ctx, t.Native,
				stack.Options{ManagedOnly: true, Each: (&locker{r: r, t: t.Native}).add})
		}
		if t.Native == nil {
			x.Stack.Thread = &core.Thread{TID: t.TID, Name: t.Name}
		}
		if err := c.Emit(x); err != nil {
			return err
		}
	}
	if err != nil {
		return c.Unknown("whether these are all threads is not known: %w", err)
	}
	circles, err := r.LockCircles()
	for _, circle := range circles {
		if err := c.Emit(&dumpCircle{newCircle(circle), circle}); err != nil {
			return err
		}
	}
	return err
}

// Header writes the first line of the dump.
func (r *dumpRecord) Header(w *out.Writer) { w.Printf("%s\n\n", r.title) }

// Addr returns the thread's id, or the address of the virtual thread that it stands for.
func (r *dumpRecord) Addr() (core.Addr, bool) {
	if r.Thread.Task != nil {
		return r.Thread.Task.Addr, true
	}
	return core.Addr(r.Thread.TID), true
}

// JSON implements out.Formed.
func (r *dumpRecord) JSON() any { return commands.NewThreadJSON(r.ManagedOnly()) }

// Text writes a thread as HotSpot does (share/runtime/thread.cpp, JavaThread::print_on).
func (r *dumpRecord) Text(w *out.Writer) {
	t := &r.thread
	w.Printf("%q", t.Name)
	switch {
	case t.Virtual:
		w.Printf(" #%d virtual", t.Number)
	case !t.Internal:
		w.Printf(" #%d", t.Number)
		if t.Daemon {
			w.Printf(" daemon")
		}
		w.Printf(" prio=%d", t.Priority)
	}
	if t.Virtual {
		w.Printf("\n")
	} else {
		w.Printf(" tid=0x%016x nid=%#x %s\n", uint64(t.Addr), t.TID, t.Does)
	}
	frames, mounted := r.Frames, []stack.Frame(nil)
	if t.Carries != 0 {
		frames, mounted = carried(r.Frames)
		w.Printf("   Carrying virtual thread #%d\n", t.Carries)
	} else if t.State != "" {
		w.Printf("   java.lang.Thread.State: %s\n", t.State)
	}
	dumpFrames(w, frames)
	if mounted != nil {
		w.Printf("   Mounted virtual thread #%d\n", t.Carries)
		dumpFrames(w, mounted)
	}
	if s := r.Stop; s != nil && s.Kind != walk.StopRoot {
		w.Printf("\t(stopped: %v)\n", s)
	}
	w.Printf("\n")
}

// outermost is the method that a virtual thread's stack begins with.
const outermost = "jdk.internal.vm.Continuation.enter"

// carried parts the frames of a carrier: its own frames, and the frames of the virtual thread that it has
// mounted. Between them is the frame that dumps leave out, of Continuation.enterSpecial.
func carried(all []stack.Frame) (own, mounted []stack.Frame) {
	for i := range all {
		if all[i].Name != outermost {
			continue
		}
		if own = all[i+1:]; len(own) > 0 && own[0].Name == outermost+"Special" {
			own = own[1:]
		}
		return own, all[:i+1]
	}
	return all, nil
}

// dumpFrames writes frames with their locks.
func dumpFrames(w *out.Writer, frames []stack.Frame) {
	for i := range frames {
		f := &frames[i]
		if f.Kind != runtimes.Java {
			continue
		}
		w.Printf("\tat ")
		w.Value(f.Name + "(" + dumpPlace(f) + ")")
		w.Printf("\n")
		for _, l := range f.ExtraText {
			w.Printf("\t")
			w.Value(l)
			w.Printf("\n")
		}
	}
}

// dumpPlace is a frame's place as java.lang.StackTraceElement has it.
func dumpPlace(f *stack.Frame) string {
	switch {
	case f.Tier == "native":
		return "Native Method"
	case f.File == "":
		return "Unknown Source"
	case f.Line > 0:
		return f.File + ":" + strconv.Itoa(f.Line)
	}
	return f.File
}

// dumpCircle is a circle of threads in the form of a dump.
type dumpCircle struct {
	*deadlockRecord
	circle []runtimes.LockWait
}

// JSON implements out.Formed.
func (r *dumpCircle) JSON() any { return r.deadlockRecord }

// Text writes the circle (share/services/threadService.cpp, DeadlockCycle::print_on_with).
func (r *dumpCircle) Text(w *out.Writer) {
	w.Printf("Found one Java-level deadlock:\n=============================\n")
	for _, x := range r.circle {
		w.Printf("%q:\n", x.Thread.Name)
		switch {
		case x.Monitor != 0:
			w.Printf("  waiting to lock monitor 0x%016x (object 0x%016x, a %s),\n", uint64(x.Monitor),
				uint64(x.Addr), x.Class)
		case x.Kind == "park":
			w.Printf("  waiting for ownable synchronizer 0x%016x, (a %s),\n", uint64(x.Addr), x.Class)
		default:
			w.Printf("  waiting for %s\n\n", x.Words)
			continue
		}
		w.Printf("  which is held by %q\n\n", x.Owner.Name)
	}
}
