package art

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/art/frame"
	"coredbg/runtimes/art/object"
	"coredbg/runtimes/java"
	"coredbg/runtimes/juc"
)

// Causes returns what ART refused to do through JNI, the exception that nobody caught, or the
// one that the thread was about to throw when the process ended, and what caused it.
func (a *ART) Causes(ctx context.Context, c *runtimes.Crash) []runtimes.Cause {
	if said, ok := a.jniAbort(ctx, c); ok {
		return append([]runtimes.Cause{said}, a.pending(c)...)
	}
	if found := a.uncaught(c); found != nil {
		return found
	}
	return a.pending(c)
}

// Methods that libcore gives exceptions to that nobody has caught, the outermost first.
var uncaughtMethods = []string{"java.lang.Thread.dispatchUncaughtException", ".uncaughtException"}

// uncaught returns the exception that ended a thread, and what caused it, if the thread is
// within the handler of such exceptions: that of the handler's frames, or else the only one
// that a local reference of JNI leads to, as the runtime keeps it while it calls the handler.
func (a *ART) uncaught(c *runtimes.Crash) []runtimes.Cause {
	t := a.Thread(c.Thread)
	if t == nil || c.Within(func(function string) bool { return function == uncaughtMethods[0] }) < 0 {
		return nil
	}
	found := map[string]core.Addr{}
	_ = a.Decoder.Roots(t, func(r frame.Root) {
		for _, m := range uncaughtMethods {
			if method, _, ok := strings.Cut(r.Name, " "); ok && strings.HasSuffix(method, m) && a.isThrowable(r.To) {
				found[m] = r.To
			}
		}
	})
	at := found[uncaughtMethods[0]]
	if at == 0 {
		at = found[uncaughtMethods[1]]
	}
	if at == 0 {
		refs, _ := a.JNILocals(t)
		for _, r := range refs {
			switch {
			case !a.isThrowable(r.Object) || r.Object == at:
			case at != 0:
				return nil // which one is not known
			default:
				at = r.Object
			}
		}
	}
	if at == 0 {
		return nil
	}
	return a.thrown(runtimes.UncaughtJava, at, c.Thread.TID)
}

// isThrowable reports whether an object can be thrown.
func (a *ART) isThrowable(at core.Addr) bool {
	o, err := a.Object(at)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(append([]*object.Class{o.Class}, a.Supers(o.Class)...), func(k *object.Class) bool { return k.Name == "java.lang.Throwable" })
}

// pending returns the exception that a thread was about to throw, and what caused it.
func (a *ART) pending(c *runtimes.Crash) []runtimes.Cause {
	t := a.Thread(c.Thread)
	if t == nil {
		return nil
	}
	at, err := a.PendingException(t)
	if err != nil || at == 0 {
		return nil
	}
	return a.thrown(runtimes.PendingJava, at, c.Thread.TID)
}

// thrown returns an exception as a cause, then those that caused it.
func (a *ART) thrown(kind runtimes.CauseKind, at core.Addr, tid int) []runtimes.Cause {
	return java.Reader{Heap: a.JavaHeap()}.Causes(kind, at, tid)
}

// DeadlockCircles implements runtimes.Deadlocker.
func (a *ART) DeadlockCircles() []runtimes.DeadlockCircle {
	circles, _ := a.Deadlocks() // what cannot be read leaves others to be found
	var out []runtimes.DeadlockCircle
	for _, circle := range circles {
		d := runtimes.DeadlockCircle{First: circle[0].Thread.Native}
		var words []string
		for _, w := range circle {
			d.Inferred = d.Inferred || w.Kind == juc.Completes
			words = append(words, fmt.Sprintf("thread %d waits for %s", w.Thread.TID, w.Words(a.TypeOf(w.Object), func(t *frame.Thread) string { return fmt.Sprintf("thread %d", t.TID) })))
		}
		d.Words = strings.Join(words, ", ")
		out = append(out, d)
	}
	return out
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
	return &runtimes.Blocked{Main: t.Native, Owner: w.Owner.Native, For: w.Words(a.TypeOf(w.Object), func(t *frame.Thread) string { return fmt.Sprintf("thread %d, %s", t.TID, t.Name) }), Name: w.Owner.Name, State: w.Owner.State,
		At: a.placeOf(t), OwnerAt: a.placeOf(w.Owner)}
}

// placeOf returns the first frame of a thread's own code, or of any if it has none.
func (a *ART) placeOf(t *frame.Thread) (at string) {
	list, _ := a.Activations(t) // those that it could not read are further out
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
