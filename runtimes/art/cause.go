package art

import (
	"context"
	"strings"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/art/frame"
	"coredbg/runtimes/java"
)

// Causes returns the reason that ART aborted a call through JNI, the uncaught exception, or the exception that
// the thread was about to throw when the process ended, with its chain of causes.
func (a *ART) Causes(ctx context.Context, c *runtimes.Crash) []runtimes.Cause {
	if said, ok := a.jniAbort(ctx, c); ok {
		return append([]runtimes.Cause{said}, a.pending(c)...)
	}
	if found := a.uncaught(c); found != nil {
		return found
	}
	return a.pending(c)
}

// Methods that libcore passes uncaught exceptions to, the outermost first.
var uncaughtMethods = []string{java.DispatchUncaught, ".uncaughtException"}

// uncaught returns the exception that ended a thread, and its causes, if the thread is within the handler of
// such exceptions. It is the exception in the handler's frames, or else the only one that a local reference of
// JNI leads to, as the runtime keeps it while it calls the handler.
func (a *ART) uncaught(c *runtimes.Crash) []runtimes.Cause {
	t := a.Thread(c.Thread)
	if t == nil || c.Within(func(function string) bool { return function == uncaughtMethods[0] }) < 0 {
		return nil
	}
	found := map[string]core.Addr{}
	_, _ = a.Decoder.Roots(t, func(r frame.Root) {
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
	return a.IsThrowable(o.Class)
}

// pending returns the exception that a thread was about to throw, and its causes.
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

// thrown returns an exception as a cause, then its own causes.
func (a *ART) thrown(kind runtimes.CauseKind, at core.Addr, tid int) []runtimes.Cause {
	return java.Reader{Heap: a.JavaHeap()}.Causes(kind, at, tid)
}
