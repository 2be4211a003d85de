package runtimes

import (
	"context"

	"coredbg/core"
)

// A Crash describes the end of a process before runtimes are asked for its cause: the thread that ended
// it and its stack, innermost frame first, as far as it was walked.
type Crash struct {
	Thread *core.Thread
	Signal *core.Signal // nil if it is not known
	Frames []CrashFrame
}

// A CrashFrame is a frame of such a stack.
type CrashFrame struct {
	Function string // demangled without parameters; "" if it is not known
	PC, SP   core.Addr
	// Own is the frame in a few words if it is managed code with a file, such as
	// "refuse (/app/fatal.js:23:9)"; "" of others.
	Own string
}

// Within returns the frame of the first function that is says yes to, counted from the
// innermost, or -1.
func (c *Crash) Within(is func(function string) bool) int {
	for i := range c.Frames {
		if is(c.Frames[i].Function) {
			return i
		}
	}
	return -1
}

// A Cause is the reason why a process gave up, as far as it was written down: by the C library before
// it aborted, by the code that throws, by the code that panics.
type Cause struct {
	Kind    CauseKind `json:"kind"`              // "abort message", "uncaught", "fatal error", "panic" …
	Type    string    `json:"class,omitempty"`   // of the thrown object: "TypeError", "std::bad_alloc"
	Message string    `json:"message,omitempty"` // what(), the text of the panic …
	At      string    `json:"at,omitempty"`      // the first frame of the program's own code, or its place
	Addr    core.Addr `json:"addr,omitzero"`     // of the object that was thrown
	TID     int       `json:"tid,omitempty"`
	// whose it is, where a process has several of the runtime: "isolate 7f3afc000f00 of thread 12, a worker"
	Owner string `json:"owner,omitempty"`
	Note  string `json:"note,omitempty"` // which parts are not certain, and why
	// Garbled is set if the message is not text: it may have been overwritten.
	Garbled bool `json:"-"`
	// Details are more about it, a sentence each.
	Details []string `json:"details,omitempty"`
	// Trace is where it was thrown, innermost first, if that is not where the thread is
	// any more: only Kind, Name, File and Line of its frames are known.
	Trace []SourceFrame `json:"-"`
	// Names are the frames that name the bug, nil if these are the frames of Trace.
	Names []SourceFrame `json:"-"`
	// Stack is the error's own stack, a line a frame without "at", as the program would have printed it.
	Stack []string `json:"-"`
}

// StackFull is the message of the RangeError that V8 throws when the stack is full (common/message-template.h).
const StackFull = "Maximum call stack size exceeded"

// String returns the cause in a line.
func (c *Cause) String() string {
	s := c.Kind.String()
	if c.Type != "" {
		s += " " + c.Type
	}
	if c.Message != "" {
		s += ": " + c.Message
	}
	if c.At != "" {
		s += ", at " + c.At
	}
	if c.Note != "" {
		s += " (" + c.Note + ")"
	}
	return s
}

// A CauseFinder may know why a process ended. Runtimes implement it, and decoders of libraries that are not
// runtimes.
type CauseFinder interface {
	// Causes returns what it knows, the most telling first; nil if it knows nothing.
	Causes(ctx context.Context, c *Crash) []Cause
}

// A Deadlocker finds threads that wait for each other. Runtimes implement it.
type Deadlocker interface {
	// DeadlockCircles says who waits for whom.
	DeadlockCircles() []DeadlockCircle
}

// A DeadlockCircle describes threads that wait for each other.
type DeadlockCircle struct {
	Words    string       // who waits for whom, in a sentence
	Threads  []string     // the threads' names, in the same order; "" if it is not known
	First    *core.Thread // nil if the core does not have it
	Inferred bool         // it is not recorded that one of them must end another one's wait
}

// A Blocker is a Runtime with a main thread that a user interface is drawn by, or that may be.
type Blocker interface {
	// MainBlocked returns what that thread waits for if another thread holds it; nil if it
	// waits for nothing of the kind, or that is not known.
	MainBlocked() *Blocked
}

// A Blocked is a thread that waits for an object that another one holds.
type Blocked struct {
	Main, Owner *core.Thread
	For         string // what the thread waits for, and by whom, in words
	Name, State string // of the owner, as the runtime has them
	At, OwnerAt string // where both are: the first frames of the program's own code; "" if there are none
}
