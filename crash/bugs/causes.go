package bugs

import "strings"

// A Cause is a kind of bug. Its text is stable: programs compare it.
type Cause string

// The kinds of bugs. None means that the kind is not known.
const (
	None                 Cause = ""
	NullDereference      Cause = "null-dereference"
	NullCall             Cause = "null-call"
	WildPointer          Cause = "wild-pointer"
	UseAfterFree         Cause = "use-after-free"
	DoubleFree           Cause = "double-free"
	InvalidFree          Cause = "invalid-free"
	HeapCorruption       Cause = "heap-corruption"
	StackOverflow        Cause = "stack-overflow"
	StackSmash           Cause = "stack-smash"
	Fortify              Cause = "fortify"
	Assertion            Cause = "assertion"
	AbortMessage         Cause = "abort-message"
	Abort                Cause = "abort"
	PureVirtual          Cause = "pure-virtual"
	CXXException         Cause = "cxx-exception"
	DException           Cause = "d-exception"
	RustPanic            Cause = "rust-panic"
	GoPanic              Cause = "go-panic"
	Sanitizer            Cause = "sanitizer"
	IllegalInstruction   Cause = "illegal-instruction"
	Misaligned           Cause = "misaligned"
	TagMismatch          Cause = "tag-mismatch"
	BusTruncatedFile     Cause = "bus-truncated-file"
	DivideByZero         Cause = "divide-by-zero"
	OutOfMemory          Cause = "out-of-memory"
	BadSystemCall        Cause = "bad-system-call"
	ResourceLimit        Cause = "resource-limit"
	Killed               Cause = "killed"
	Watchdog             Cause = "watchdog"
	Deadlock             Cause = "deadlock"
	BusyLoop             Cause = "busy-loop"
	Snapshot             Cause = "snapshot"
	JSHeapLimit          Cause = "js-heap-limit"
	JSUncaught           Cause = "js-uncaught"
	JSUnhandledRejection Cause = "js-unhandled-rejection"
	JSFatal              Cause = "js-fatal"
	JSBlockedLoop        Cause = "js-blocked-loop"
	JSAbort              Cause = "js-abort"
	JavaUncaught         Cause = "java-uncaught"
	JNIAbort             Cause = "jni-abort"
	JavaDeadlock         Cause = "java-deadlock"
	ANR                  Cause = "anr"
	JavaOutOfMemory      Cause = "java-out-of-memory"
	Unknown              Cause = "unknown"
)

// A Confidence says how safe a verdict is.
type Confidence uint8

// The confidences. Possible is worth a look; Likely is what an engineer would bet on; Certain is
// written down in the process, or follows from the processor's actions.
const (
	NoConfidence Confidence = iota
	Possible
	Likely
	Certain
)

// String returns the confidence in a word.
func (c Confidence) String() string {
	return [...]string{"none", "possible", "likely", "certain"}[c]
}

// MarshalText returns the confidence in a word, for JSON.
func (c Confidence) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// Managed reports whether a cause is one of managed code: of JavaScript or Java.
func (c Cause) Managed() bool {
	return c == ANR || strings.HasPrefix(string(c), "js-") || strings.HasPrefix(string(c), "java-")
}

// FullHeap reports whether a cause is a heap of a managed runtime that was full.
func (c Cause) FullHeap() bool { return c == JSHeapLimit || c == JavaOutOfMemory }

// Full reports whether a cause is a heap of a runtime, or of C, that was full.
func (c Cause) Full() bool { return c.FullHeap() || c == OutOfMemory }

// FromOutside reports whether a cause is not what the thread did that was running.
func (c Cause) FromOutside() bool {
	switch c {
	case Killed, Watchdog, Snapshot, ResourceLimit, Deadlock, BusyLoop, OutOfMemory, ANR:
		return true
	}
	return false
}
