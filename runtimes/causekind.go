package runtimes

import "fmt"

// A CauseKind is the way that a process gave up. Users and records see its text.
type CauseKind int

// The kinds of causes.
const (
	NoCause         CauseKind = iota
	AbortMessage              // what a library of C wrote before it called abort
	FatalError                // of V8 or Node
	UncaughtError             // of JavaScript
	UncaughtUnknown           // an exception of JavaScript was thrown, and which is not known
	UncaughtCXX               // an exception of C++
	HandledCXX                // one that was being handled when the process ended
	Terminated                // std::terminate was called, and nothing was thrown
	UncaughtD                 // an exception of D
	RustPanic
	GoPanic
	FatalErrorOfGo
	FatalErrorOfJVM
	JNIError     // a call that the checks of JNI refuse
	UncaughtJava // an exception of Java
	PendingJava  // one that a thread was about to throw
	CausedBy     // the cause of the exception before it in the list
	Suppressed   // an exception that one before it in the list has suppressed
	// an exception of D that is chained to the one before it in the list, as its cause or as one that followed it
	Chained
	lastCause
)

var causeText = [lastCause]string{
	NoCause: "", AbortMessage: "abort message", FatalError: "fatal error", UncaughtError: "uncaught",
	UncaughtUnknown: "uncaught exception",
	UncaughtCXX:     "uncaught C++ exception", HandledCXX: "handled C++ exception",
	Terminated: "std::terminate was called without an exception",
	UncaughtD:  "uncaught D exception", RustPanic: "panic", GoPanic: "Go panic", FatalErrorOfGo: "fatal error of Go",
	FatalErrorOfJVM: "fatal error of the JVM",
	JNIError:        "JNI error", UncaughtJava: "uncaught Java exception", PendingJava: "pending exception",
	CausedBy: "caused by", Suppressed: "suppressed", Chained: "chained",
}

// String returns the kind's text.
func (k CauseKind) String() string {
	if k < 0 || k >= lastCause {
		return fmt.Sprintf("CauseKind(%d)", int(k))
	}
	return causeText[k]
}

// MarshalText returns the kind's text.
func (k CauseKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads a kind's text.
func (k *CauseKind) UnmarshalText(text []byte) error {
	for i, s := range causeText {
		if s == string(text) {
			*k = CauseKind(i)
			return nil
		}
	}
	return fmt.Errorf("no kind of cause is called %q", text)
}
