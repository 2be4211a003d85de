package runtimes

import (
	"context"

	"coredbg/core"
)

// A TaskWaiter is a Tasker that knows what its tasks wait for.
type TaskWaiter interface {
	Tasker
	// TaskWaits returns the objects that a task waits for, of a select more than one; nil if it waits for none, or
	// that is not known.
	TaskWaits(t *core.Thread) []TaskWait
	// WaitsError returns the reason if tasks, or the objects that they wait for, cannot be read.
	WaitsError() error
}

// A TaskWait is a channel or a semaphore that a task waits for.
type TaskWait struct {
	At      core.Addr
	Channel bool
}

// A Suspender is a Runtime with calls that left the stack until they go on, such as calls of async functions.
type Suspender interface {
	// Suspended returns the waiting calls, each as a thread with a core.Task. The thread has no registers:
	// its frames are the call itself and the calls that wait for it. Suspended may walk the heap.
	Suspended(ctx context.Context) ([]*core.Thread, error)
}

// A Waiter is a Runtime that knows what its program waits for where no stack of a thread shows it, such as
// functions that await.
type Waiter interface {
	// Waits returns these, the most common first. It may walk the heap.
	Waits(ctx context.Context) []Wait
}

// A Queuer is a Runtime with queues of callbacks that its event loop runs until they are empty.
type Queuer interface {
	// Queued returns the callbacks that are queued, the most common first.
	Queued(ctx context.Context) []Wait
}

// A Wait is a number of calls, requests or the like that wait in the same way.
type Wait struct {
	Count  int
	What   string        // in words, of one: "an async call awaits in query (app.js:3:5)"
	Many   string        // of several, after their number: "async calls await in query (app.js:3:5)"
	Label  string        // the part of a bug's name that comes after the frames; "" if these are enough
	Frames []SourceFrame // where it waits, innermost first
	Next   string        // the command that shows more
}
