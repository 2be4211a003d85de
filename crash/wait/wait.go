package wait

import "coredbg/core"

// The kinds of objects and events that threads wait for.
const (
	Mutex     = "mutex"
	RWLock    = "rwlock"
	Thread    = "thread" // that it ends
	Condition = "condition"
	Semaphore = "semaphore"
	Barrier   = "barrier"
)

// A Wait is a thread that waits: for a lock that another one holds, for another one's end, or for an
// event without an owner.
type Wait struct {
	Thread *core.Thread
	// Owner is the thread that holds the lock, or the thread being joined. It is nil if the lock is
	// free or its owner is unknown.
	Owner *core.Thread
	At    core.Addr // of the lock, or of the word that the kernel clears at the end
	// Mutex, RWLock, Thread: it waits for the owner's end; Condition, Semaphore, Barrier: these have no owner
	Kind    string
	Readers int // how many threads hold a lock to read; who is not known
	// Unrecorded means that a thread holds the lock, and that the lock does not say which.
	Unrecorded bool
	Mutex      core.Addr // that was given up to wait for a condition; 0 if that is not recorded
	Timed      bool      // it waits for a limited time
	In         string    // the innermost function outside the system's libraries; "" if that is not known
}
