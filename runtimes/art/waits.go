package art

import (
	"fmt"

	"coredbg/runtimes"
	"coredbg/runtimes/art/frame"
	"coredbg/runtimes/art/sync"
	"coredbg/runtimes/java"
	"coredbg/runtimes/juc"
)

// DeadlockCircles implements runtimes.Deadlocker.
func (a *ART) DeadlockCircles() []runtimes.DeadlockCircle {
	circles, _ := a.Deadlocks() // what cannot be read leaves others to be found
	name := func(t *frame.Thread) string { return fmt.Sprintf("thread %d", t.TID) }
	return juc.DeadlockCircles(circles, a.javaWait, func(w *sync.Wait) string {
		return fmt.Sprintf("%s waits for %s", name(w.Thread), w.Words(a.TypeOf(w.Object), name))
	})
}

// LockWords implements runtimes.LockWaiter.
func (a *ART) LockWords() (what, language string) { return "monitors and locks", "Java" }

// LockCircles implements runtimes.LockWaiter.
func (a *ART) LockCircles() ([][]runtimes.LockWait, error) {
	circles, err := a.Deadlocks()
	return juc.WaitCircles(circles, a.javaWait), err
}

// LockWaits implements runtimes.LockWaiter.
func (a *ART) LockWaits() ([]runtimes.LockWait, error) {
	all, err := a.Waits()
	return juc.Waits(all, a.javaWait), err
}

// javaWait describes a wait whose owner is known.
func (a *ART) javaWait(w *sync.Wait) runtimes.LockWait {
	class := a.TypeOf(w.Object)
	x := runtimes.LockWait{Thread: lockThread(w.Thread), Owner: lockThread(w.Owner), Any: w.Any, Kind: w.Kind,
		Addr: w.Object.Addr, Class: class,
		Words: w.Words(class, func(t *frame.Thread) string { return fmt.Sprintf("%q tid=%d", t.Name, t.ID) })}
	for _, t := range w.Owners {
		x.Owners = append(x.Owners, lockThread(t))
	}
	return x
}

// javaThread names a thread.
func javaThread(t *frame.Thread) runtimes.JavaThread {
	return runtimes.JavaThread{TID: t.TID, Native: t.Native, Name: t.Name, Number: int64(t.ID)}
}

// lockThread names a thread that waits, or that others wait for.
func lockThread(t *frame.Thread) runtimes.LockThread {
	x := javaThread(t)
	return x.LockThread()
}

// MainBlocked implements runtimes.Blocker: the main thread of an app is the process' first.
func (a *ART) MainBlocked() *runtimes.Blocked {
	t := a.Thread(a.Process.Thread(a.Process.PID))
	if t == nil {
		return nil
	}
	w, ok := a.WaitFor(t)
	if !ok || w.Owner == nil || w.Owner == t || w.Owner.Native == nil {
		return nil
	}
	return &runtimes.Blocked{Main: t.Native, Owner: w.Owner.Native,
		For: w.Words(a.TypeOf(w.Object), func(t *frame.Thread) string {
			return fmt.Sprintf("thread %d, %s", t.TID,
				t.Name)
		}), Name: w.Owner.Name, State: w.Owner.State,
		At: a.placeOf(t), OwnerAt: a.placeOf(w.Owner)}
}

// placeOf returns the first frame of a thread's own code, or the first of all without one.
func (a *ART) placeOf(t *frame.Thread) (at string) {
	list, _ := a.Activations(t) // unreadable ones are further out
	for _, q := range list {
		for _, f := range a.Source(q) {
			if f.Kind != runtimes.Java || at != "" && java.OfSystem(f.Name) {
				continue
			}
			at = fmt.Sprintf("%s (%s:%d)", f.Name, f.File, f.Line)
			if f.File == "" {
				at = f.Name
			}
			if !java.OfSystem(f.Name) {
				return at
			}
		}
	}
	return at
}
