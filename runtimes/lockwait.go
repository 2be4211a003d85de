package runtimes

import "coredbg/core"

// A LockWaiter is a Runtime that records who can end the waits of its threads, such as the owners of its locks.
type LockWaiter interface {
	Runtime
	Deadlocker
	// LockWords returns what the locks are called, and the language that has them: "monitors and locks", "Java".
	LockWords() (what, language string)
	// LockCircles returns circles of threads that wait for each other. An error comes with the circles that
	// were found.
	LockCircles() ([][]LockWait, error)
	// LockWaits returns the waits of threads that known threads can end and that do not end by themselves. An
	// error comes with the waits that were found.
	LockWaits() ([]LockWait, error)
}

// A LockWait is the wait of a thread. In a circle the Owner is the next thread.
type LockWait struct {
	Thread, Owner LockThread
	Owners        []LockThread // all threads that can end it, the Owner first
	Any           bool         // each of the Owners can end it alone; otherwise all of them have to do their part
	Kind          string       // "lock", "park" and the other Kinds of package juc
	Addr          core.Addr
	Class         string
	Monitor       core.Addr // the record of the virtual machine; 0 if it is no monitor
	Words         string    // what it waits for, and who can end that
}

// A LockThread is a thread that waits, or that others wait for.
type LockThread struct {
	TID     int          // the kernel's id
	Native  *core.Thread // nil if the core does not have it
	Name    string
	Number  int64 // the runtime's number for it; 0 if it has none
	Virtual bool  // of Java
}
