package hotspot

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/hotspot/frame"
	"coredbg/runtimes/hotspot/sync"
	"coredbg/runtimes/juc"
	"coredbg/walk"
)

// javaThread describes a thread that runs Java.
func javaThread(t *frame.Thread) runtimes.JavaThread {
	x := runtimes.JavaThread{TID: t.TID, Native: t.Native, Name: t.Name, Number: t.Number, State: t.Status,
		Does: t.OSState, Code: t.State,
		Daemon: t.Daemon, Priority: t.Priority, Addr: t.Addr, Peer: t.Peer, Virtual: t.Virtual, Problem: t.Problem}
	if t.Carries != nil {
		x.Carries = t.Carries.Number
	}
	return x
}

// numbered names a thread by the kernel's id, a virtual thread by its own.
func numbered(t *frame.Thread) string {
	if t.Virtual {
		return fmt.Sprintf("virtual thread %d", t.Number)
	}
	return fmt.Sprintf("thread %d", t.TID)
}

func javaThreads(list []*frame.Thread) (out []runtimes.JavaThread) {
	for _, t := range list {
		out = append(out, javaThread(t))
	}
	return out
}

// JavaThreads implements runtimes.JavaThreader.
func (h *HotSpot) JavaThreads() ([]runtimes.JavaThread, error) {
	virtual, bad := h.walker.Virtual()
	threads, err := h.Threads()
	out := append(javaThreads(threads), javaThreads(virtual)...)
	if bad != nil {
		err = cmp.Or(err, fmt.Errorf("virtual threads are not known: %w", bad))
	}
	for _, t := range h.Internals() {
		out = append(out, runtimes.JavaThread{TID: t.Native.TID, Native: t.Native, Name: t.Name, Internal: true,
			Does: t.OSState, Addr: t.Addr})
	}
	return out, err
}

// FrameLocks implements runtimes.JavaLocker.
func (h *HotSpot) FrameLocks(t *core.Thread, f *walk.Frame, source int, innermost bool) (out []runtimes.JavaLock) {
	q, ok := f.Record.(*frame.Activation)
	x := h.walker.ThreadOf(t)
	if !ok || x == nil || source >= len(q.Scopes) {
		return nil
	}
	w, waits := h.locks.WaitOf(x)
	waits = waits && innermost
	if waits && w.Kind != sync.Enter {
		kind := runtimes.LockPark
		switch {
		case w.Kind == juc.Initialises:
			kind = runtimes.LockClass
		case x.Waiting != 0:
			kind = runtimes.LockNotify
		}
		out = append(out, runtimes.JavaLock{Kind: kind, Addr: w.Object, Class: w.Class})
	}
	entering := waits && w.Kind == sync.Enter
	for _, held := range h.locks.Locks(q, source, f) {
		l := runtimes.JavaLock{Kind: runtimes.LockHeld, Addr: held.Object, Missing: held.Missing}
		switch {
		case held.Eliminated:
			l.Kind = runtimes.LockNeedless
		case entering && (held.Object == w.Object || held.Object == 0): // a call that locks may have it in a register
			l = runtimes.JavaLock{Kind: runtimes.LockEnter, Addr: w.Object}
			entering = false
		}
		if l.Addr != 0 {
			l.Class = h.locks.TypeOf(l.Addr)
		}
		out = append(out, l)
	}
	if entering { // the frame does not have it yet
		out = append([]runtimes.JavaLock{{Kind: runtimes.LockEnter, Addr: w.Object, Class: w.Class}}, out...)
	}
	return out
}

// JavaMonitor implements runtimes.JavaLocker.
func (h *HotSpot) JavaMonitor(object core.Addr) (runtimes.JavaMonitor, error) {
	m, err := h.locks.Monitor(object)
	if err != nil {
		return runtimes.JavaMonitor{}, err
	}
	out := runtimes.JavaMonitor{Object: object, Class: h.locks.TypeOf(object), State: m.State, Addr: m.Addr,
		Count:    m.Count,
		Entering: javaThreads(m.Entering), Waiting: javaThreads(m.Waiting), Problem: m.Problem}
	if m.Owner != nil {
		owner := javaThread(m.Owner)
		out.Owner = &owner
	}
	return out, nil
}

// JavaMonitors implements runtimes.JavaLocker.
func (h *HotSpot) JavaMonitors(ctx context.Context) (out []runtimes.JavaMonitor, err error) {
	objects, err := h.lockedObjects(ctx)
	for _, o := range objects {
		m, e := h.JavaMonitor(o)
		if e != nil {
			err = cmp.Or(err, e)
			continue
		}
		if m.Owner != nil || len(m.Entering)+len(m.Waiting) > 0 || m.Problem != "" {
			out = append(out, m)
		}
	}
	return out, err
}

// lockedObjects returns the objects that frames have locked, and those of monitors.
func (h *HotSpot) lockedObjects(ctx context.Context) ([]core.Addr, error) {
	all := h.locks.Inflated()
	virtual, _ := h.walker.Virtual()
	threads, err := h.Threads()
	threads = slices.DeleteFunc(append(slices.Clone(threads), virtual...),
		func(t *frame.Thread) bool { return t.Carrier != nil })
	for _, t := range threads {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for _, f := range h.Frames(t) {
			q := f.Record.(*frame.Activation)
			for n := range q.Scopes {
				for _, held := range h.locks.Locks(q, n, &f) {
					if held.Object != 0 && !held.Eliminated {
						all = append(all, held.Object)
					}
				}
			}
		}
		if !t.Virtual {
			all = append(all, h.LockStack(t)...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all), err
}

// lockThread names a thread that waits, or that others wait for.
func lockThread(t *frame.Thread) runtimes.LockThread {
	x := javaThread(t)
	return x.LockThread()
}

func lockThreads(list []*frame.Thread) (out []runtimes.LockThread) {
	for _, t := range list {
		out = append(out, lockThread(t))
	}
	return out
}

// LockWords implements runtimes.LockWaiter.
func (h *HotSpot) LockWords() (what, language string) { return "monitors and locks", "Java" }

// LockCircles implements runtimes.LockWaiter.
func (h *HotSpot) LockCircles() ([][]runtimes.LockWait, error) {
	circles, err := h.locks.Deadlocks()
	return juc.WaitCircles(circles, javaWait), err
}

// LockWaits implements runtimes.LockWaiter.
func (h *HotSpot) LockWaits() ([]runtimes.LockWait, error) {
	all, err := h.locks.Waits()
	return juc.Waits(all, javaWait), err
}

// javaWait describes a wait whose owners are known.
func javaWait(w *sync.Wait) runtimes.LockWait {
	return runtimes.LockWait{Thread: lockThread(w.Thread), Owner: lockThread(w.Owners[0]),
		Owners: lockThreads(w.Owners), Any: w.Any, Kind: w.Kind,
		Addr: w.Object, Class: w.Class, Monitor: w.Thread.Pending,
		Words: w.Words(func(t *frame.Thread) string { return fmt.Sprintf("%s, %q", numbered(t), t.Name) })}
}

// DeadlockCircles implements runtimes.Deadlocker.
func (h *HotSpot) DeadlockCircles() []runtimes.DeadlockCircle {
	circles, _ := h.locks.Deadlocks() // what cannot be read leaves others to be found
	return juc.DeadlockCircles(circles, javaWait, func(w *sync.Wait) string {
		return fmt.Sprintf("%s waits for %s", numbered(w.Thread), w.Words(numbered))
	})
}
