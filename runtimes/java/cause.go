package java

import (
	"strings"

	"coredbg/core"
	"coredbg/runtimes"
)

// maxCauseTrace bounds how much of a stack trace a cause has.
const maxCauseTrace = 64

// Causes returns an exception as a cause of a kind, then the chain of exceptions that caused it, then the exceptions that any of
// these suppressed. An uncaught exception has its trace.
func (r Reader) Causes(kind runtimes.CauseKind, at core.Addr, tid int) []runtimes.Cause {
	x, err := r.Throwable(at)
	if err != nil {
		return []runtimes.Cause{{Kind: kind, Addr: at, TID: tid, Note: err.Error()}}
	}
	var chain, suppressed []runtimes.Cause
	first, trace := kind, x.Trace
	for ; x != nil; kind, x = runtimes.CausedBy, x.Cause {
		chain = append(chain, causeOf(kind, x, tid))
		for _, s := range x.Suppressed {
			suppressed = append(suppressed, causeOf(runtimes.Suppressed, s, tid))
		}
	}
	if first == runtimes.UncaughtJava {
		for i := range trace[:min(len(trace), maxCauseTrace)] {
			e := &trace[i]
			chain[0].Trace = append(chain[0].Trace, runtimes.SourceFrame{Kind: runtimes.Java, Name: e.Method, File: e.File, Line: e.Line})
		}
	}
	return append(chain, suppressed...)
}

// causeOf returns an exception as a cause: at the first frame of the program's own code, or at
// the first one.
func causeOf(kind runtimes.CauseKind, x *Throwable, tid int) runtimes.Cause {
	cause := runtimes.Cause{Kind: kind, Type: x.Object.Class.Name, Message: x.Message, Addr: x.Object.Addr, TID: tid, Note: x.Problem}
	for i := range x.Trace {
		e := &x.Trace[i]
		if cause.At == "" || OfSystem(cause.At) && !OfSystem(e.Method) {
			cause.At = e.String()
		}
	}
	return cause
}

// OfSystem reports whether a method is one of the libraries that every process has.
func OfSystem(method string) bool {
	for _, p := range []string{"java.", "javax.", "android.", "androidx.", "dalvik.", "libcore.", "sun.", "jdk.", "com.android.internal.", "kotlin."} {
		if strings.HasPrefix(method, p) {
			return true
		}
	}
	return false
}

// DispatchUncaught is the method of the JDK and of libcore that gets exceptions that nothing caught.
const DispatchUncaught = "java.lang.Thread.dispatchUncaughtException"
