package java

import (
	"context"
	"fmt"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/stack"
	"coredbg/walk"
)

// A locker adds to frames what they have locked, and to the innermost one what its thread waits for.
type locker struct {
	r runtimes.JavaLocker
	t *core.Thread

	record any // of the frame of the machine before
	index  int // of the frame within record
	inner  bool
}

// lockWords are what thread dumps call the kinds of locks. The blank before the object of a park is theirs.
var lockWords = map[string]string{runtimes.LockHeld: "locked", runtimes.LockEnter: "waiting to lock",
	runtimes.LockNotify: "waiting on",
	runtimes.LockPark:   "parking to wait for ", runtimes.LockNeedless: "eliminated"}

// add adds to a frame of Java. It is an Each of stack.Options.
func (l *locker) add(r *stack.Frame, f *walk.Frame, src *runtimes.SourceFrame) {
	var all []lockJSON
	for _, x := range l.of(f, src) {
		r.ExtraText = append(r.ExtraText, lockLine(&x))
		all = append(all, lockJSON{Kind: x.Kind, Addr: x.Addr, Class: x.Class, Missing: x.Missing})
	}
	addLocks(r, all)
}

// of returns the locks of a frame; frames of one frame of the machine come one after the other.
func (l *locker) of(f *walk.Frame, src *runtimes.SourceFrame) []runtimes.JavaLock {
	if src == nil || src.Kind != runtimes.Java {
		return nil
	}
	if l.record != f.Record {
		l.record, l.index = f.Record, 0
	} else {
		l.index++
	}
	first := !l.inner
	l.inner = true
	return l.r.FrameLocks(l.t, f, l.index, first)
}

// lockLine is a lock as thread dumps have it.
func lockLine(l *runtimes.JavaLock) string {
	if l.Kind == runtimes.LockClass {
		return "- waiting on the Class initialization monitor for " + l.Class
	}
	if l.Missing != "" {
		return fmt.Sprintf("- %s an object that is not known: %s", lockWords[l.Kind], l.Missing)
	}
	return fmt.Sprintf("- %s <0x%016x> (a %s)", lockWords[l.Kind], uint64(l.Addr), l.Class)
}

// jvmRef names a thread.
func jvmRef(t *runtimes.JavaThread) *threadRef {
	x := t.LockThread()
	return lockRef(&x)
}

// lockRef names a thread that waits, or that others wait for. One without a number of its runtime has the kernel's.
func lockRef(t *runtimes.LockThread) *threadRef {
	return &threadRef{ID: int(t.Number), TID: t.TID, Name: t.Name, Virtual: t.Virtual, native: t.Number == 0}
}

func jvmRefs(list []runtimes.JavaThread) (all []threadRef) {
	for i := range list {
		all = append(all, *jvmRef(&list[i]))
	}
	return all
}

// runOtherMonitors is runMonitors for a runtime that is not ART.
func runOtherMonitors(ctx context.Context, c *commands.Call, r runtimes.JavaLocker) error {
	var list []runtimes.JavaMonitor
	var err error
	if c.HasAddr {
		m, err := r.JavaMonitor(c.Dot)
		if err != nil {
			return err
		}
		list = append(list, m)
	} else {
		list, err = r.JavaMonitors(ctx)
	}
	for _, m := range list {
		x := &monitorRecord{Addr: m.Object, Class: m.Class, State: m.State, Monitor: m.Addr, Count: m.Count,
			Entering: jvmRefs(m.Entering),
			Waiting:  jvmRefs(m.Waiting), Problem: m.Problem, monitor: "ObjectMonitor"}
		if m.Owner != nil {
			x.Owner = jvmRef(m.Owner)
		}
		if err := c.Emit(x); err != nil {
			return err
		}
	}
	return err
}
