package runtimes

import "coredbg/core"

// A TaskWaiter is a Tasker that knows what its tasks wait for.
type TaskWaiter interface {
	Tasker
	// TaskWaits returns the objects that a task waits for, of a select more than one; nil if it waits for none, or
	// that is not known.
	TaskWaits(t *core.Thread) []TaskWait
}

// A TaskWait is a channel or a semaphore that a task waits for.
type TaskWait struct {
	At      core.Addr
	Channel bool
}
