package art

import (
	"context"
	"fmt"
	"strings"

	"coredbg/core"
	"coredbg/runtimes"
)

// Causes returns what ART refused to do through JNI, or the exception that the thread was
// about to throw when the process ended, and what caused it.
func (a *ART) Causes(ctx context.Context, c *runtimes.Crash) []runtimes.Cause {
	if i := c.Within(func(function string) bool { return strings.HasPrefix(function, "art::JavaVMExt::JniAbort") }); i >= 0 {
		if text := a.jniError(ctx, c, i); text != "" {
			return append([]runtimes.Cause{{Kind: "JNI error", Message: text, TID: c.Thread.TID}}, a.pending(c)...)
		}
	}
	return a.pending(c)
}

// What ART's words for a call through JNI that is wrong begin with (runtime/jni/
// java_vm_ext.cc, JniAbort), and bounds of where they are looked for.
const (
	jniErrorHead  = "JNI DETECTED ERROR IN APPLICATION: "
	maxJNIError   = 4 << 10
	maxAbortStack = 32 << 10 // bytes from the top of the stack
)

// jniError returns those words: the frames from the abort to JniAbort refer to them, as to
// strings that were put together there.
func (a *ART) jniError(ctx context.Context, c *runtimes.Crash, frame int) string {
	cur := a.Process.Cursor()
	from, to := c.Frames[0].SP, c.Frames[frame].SP+maxAbortStack/4
	word := core.Addr(cur.PtrSize())
	for at := from &^ (word - 1); at < min(to, from+maxAbortStack) && ctx.Err() == nil; at += word {
		text := cur.CString(cur.Pointer(at), maxJNIError)
		if cur.Reset() != nil {
			continue
		}
		if _, said, ok := strings.Cut(text, jniErrorHead); ok {
			return strings.Join(strings.Fields(said), " ")
		}
	}
	return ""
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
	cause := runtimes.Cause{Kind: "pending exception", Addr: at, TID: c.Thread.TID}
	x, err := a.Throwable(at)
	if err != nil {
		cause.Note = err.Error()
		return []runtimes.Cause{cause}
	}
	cause.Type, cause.Message, cause.Note = x.Object.Class.Name, x.Message, x.Problem
	for i := range x.Trace {
		e := &x.Trace[i]
		if cause.At == "" || ofSystem(cause.At) && !ofSystem(e.Method) {
			cause.At = e.String()
		}
	}
	out := []runtimes.Cause{cause}
	if x.Cause != nil {
		out = append(out, runtimes.Cause{Kind: "caused by", Type: x.Cause.Object.Class.Name, Message: x.Cause.Message,
			Addr: x.Cause.Object.Addr, TID: c.Thread.TID, Note: x.Cause.Problem})
	}
	return out
}

// ofSystem reports whether a method is one of the libraries that every process has.
func ofSystem(method string) bool {
	for _, p := range []string{"java.", "javax.", "android.", "androidx.", "dalvik.", "libcore.", "sun.", "jdk.", "com.android.internal.", "kotlin."} {
		if strings.HasPrefix(method, p) {
			return true
		}
	}
	return false
}

// DeadlockWords implements runtimes.Deadlocker.
func (a *ART) DeadlockWords() []string {
	circles, _ := a.Deadlocks() // what cannot be read leaves others to be found
	var out []string
	for _, circle := range circles {
		var words []string
		for _, w := range circle {
			words = append(words, fmt.Sprintf("thread %d waits for a %s held by thread %d", w.Thread.TID, a.TypeOf(w.Object), w.Owner.TID))
		}
		out = append(out, strings.Join(words, ", "))
	}
	return out
}
