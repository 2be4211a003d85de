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

// JavaDeadlocks implements runtimes.JavaDeadlocker.
func (a *ART) JavaDeadlocks() ([][]runtimes.JavaWait, error) {
	circles, err := a.Deadlocks()
	return juc.WaitCircles(circles, a.javaWait), err
}

// JavaWaits implements runtimes.JavaDeadlocker.
func (a *ART) JavaWaits() ([]runtimes.JavaWait, error) {
	all, err := a.Waits()
	return juc.Waits(all, a.javaWait), err
}

// javaWait describes a wait whose owner is known.
func (a *ART) javaWait(w *sync.Wait) runtimes.JavaWait {
	class := a.TypeOf(w.Object)
	x := runtimes.JavaWait{Thread: javaThread(w.Thread), Owner: javaThread(w.Owner), Any: w.Any, Kind: w.Kind,
		Addr: w.Object.Addr, Class: class,
		Words: w.Words(class, func(t *frame.Thread) string { return fmt.Sprintf("%q tid=%d", t.Name, t.ID) })}
	for _, t := range w.Owners {
		x.Owners = append(x.Owners, javaThread(t))
	}
	return x
}

// javaThread names a thread.
func javaThread(t *frame.Thread) runtimes.JavaThread {
	return runtimes.JavaThread{TID: t.TID, Native: t.Native, Name: t.Name, Number: int64(t.ID)}
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
