package java

import (
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes"
)

// maxCauseTrace bounds how much of a stack trace a cause has.
const maxCauseTrace = 64

// Causes returns an exception as a cause of a kind, then the chain of exceptions that caused it, then the
// exceptions that any of these suppressed. An uncaught exception has its trace.
func (r Reader) Causes(kind runtimes.CauseKind, at core.Addr, tid int) []runtimes.Cause {
	x, err := r.Throwable(at)
	if err != nil {
		return []runtimes.Cause{{Kind: kind, Addr: at, TID: tid, Note: err.Error()}}
	}
	var chain, suppressed []runtimes.Cause
	first := kind
	path := causePath(x)
	for _, x := range path {
		chain = append(chain, causeOf(kind, x, tid))
		kind = runtimes.CausedBy
		for _, s := range x.Suppressed {
			if !s.Circular && !slices.Contains(path, s) {
				suppressed = append(suppressed, causeOf(runtimes.Suppressed, s, tid))
			}
		}
	}
	if first == runtimes.UncaughtJava {
		chain[0].Trace = sourceFrames(x.Trace)
		if named := naming(path); named == nil {
			chain[0].Names = []runtimes.SourceFrame{{Kind: runtimes.Java, Name: x.Object.Class.Name}}
		} else if named != x {
			chain[0].Names = sourceFrames(named.Trace)
		}
	}
	return append(chain, suppressed...)
}

func sourceFrames(trace []TraceElement) (list []runtimes.SourceFrame) {
	for i := range trace[:min(len(trace), maxCauseTrace)] {
		e := &trace[i]
		list = append(list, runtimes.SourceFrame{Kind: runtimes.Java, Name: e.Method, File: e.File, Line: e.Line})
	}
	return list
}

// naming returns the exception of a chain whose trace names the bug: the first one that says more than that
// it wraps the next. A wrapper is the same for all tasks of an executor, and for all calls by reflection.
// Naming returns nil if the chain has no trace.
func naming(path []*Throwable) *Throwable {
	for i, x := range path {
		if len(x.Trace) > 0 && (i == len(path)-1 || !x.wraps(path[i+1])) {
			return x
		}
	}
	for _, x := range path {
		if len(x.Trace) > 0 {
			return x
		}
	}
	return nil
}

// wraps reports whether an exception has no message, or its cause's. The message of a cause may have been made when
// it was asked for, and is kept nowhere.
func (x *Throwable) wraps(cause *Throwable) bool {
	of, isOf := strings.CutPrefix(x.Message, cause.Object.Class.Name)
	return x.Message == "" || isOf && (of == "" || of == ": "+cause.Message ||
		!cause.HasMessage && strings.HasPrefix(of, ": "))
}

// causePath returns an exception and its causes, each once.
func causePath(x *Throwable) (path []*Throwable) {
	for x != nil {
		if x.Circular {
			x = x.before
		}
		if slices.Contains(path, x) {
			break
		}
		path = append(path, x)
		x = x.Cause
	}
	return path
}

// causeOf returns an exception as a cause: at the first frame of the program's own code, or at
// the first one.
func causeOf(kind runtimes.CauseKind, x *Throwable, tid int) runtimes.Cause {
	cause := runtimes.Cause{Kind: kind, Type: x.Object.Class.Name, Message: x.Message, Addr: x.Object.Addr, TID: tid,
		Note: x.Problem}
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
	for _, p := range []string{"java.", "javax.", "android.", "androidx.", "dalvik.", "libcore.", "sun.", "jdk.",
		"com.android.internal.", "kotlin."} {
		if strings.HasPrefix(method, p) {
			return true
		}
	}
	return false
}

// DispatchUncaught is the method of the JDK and of libcore that gets exceptions that nothing caught.
const DispatchUncaught = "java.lang.Thread.dispatchUncaughtException"
