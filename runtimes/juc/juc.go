package juc

import "coredbg/core"

// A Heap reads objects of a Java process. A field or an object that cannot be read is 0 and false.
type Heap interface {
	// Ref and Int return an instance field, an inherited one, too.
	Ref(o core.Addr, field string) (core.Addr, bool)
	Int(o core.Addr, field string) (int64, bool)
	// IsA reports whether an object is of a class or of one that extends it.
	IsA(o core.Addr, class string) bool
	// Class returns the name of an object's class, "" of no object.
	Class(o core.Addr) string
	// Elements returns at most max references of an array.
	Elements(array core.Addr, max int) []core.Addr
	// References returns what the fields of an object that is no array refer to.
	References(o core.Addr) []core.Addr
	// Threads returns the java.lang.Thread of each thread that lives.
	Threads() []core.Addr
	// Stack returns the objects that a thread's frames refer to.
	Stack(thread core.Addr) []core.Addr
	// Blocker returns what a thread is parked for, 0 if for nothing.
	Blocker(thread core.Addr) core.Addr
}

// The Kinds of Owners.
const (
	Holds     = "park"     // a thread holds it
	Reads     = "read"     // threads hold a read lock
	Runs      = "task"     // a thread runs the task
	Queued    = "queue"    // the task waits in the queue of an executor, for its threads
	Completes = "complete" // what threads have at hand: they may count it down, release or complete it
	Ends      = "join"     // the end of a thread
)

// Owners are the threads that can end a wait.
type Owners struct {
	Kind    string
	Threads []core.Addr // objects of java.lang.Thread
	// Any says that each of them can end it alone; else all of them have to do their part.
	Any bool
}

// maxChain bounds lists that are followed.
const maxChain = 1 << 16

// Parked returns who can end the wait of a thread that is parked for a blocker.
func Parked(h Heap, thread, blocker core.Addr) (Owners, bool) {
	if owner, ok := h.Ref(blocker, "exclusiveOwnerThread"); ok && owner != 0 {
		return Owners{Kind: Holds, Threads: []core.Addr{owner}}, true
	}
	switch {
	case h.IsA(blocker, "java.util.concurrent.FutureTask"):
		if runner, ok := h.Ref(blocker, "runner"); ok && runner != 0 {
			return Owners{Kind: Runs, Threads: []core.Addr{runner}}, true
		}
		return queued(h, blocker)
	case h.IsA(blocker, "java.util.concurrent.locks.ReentrantReadWriteLock$Sync"):
		all := readers(h, blocker)
		return Owners{Kind: Reads, Threads: all}, len(all) > 0
	case h.IsA(blocker, "java.util.concurrent.CountDownLatch$Sync"), h.IsA(blocker, "java.util.concurrent.Semaphore$Sync"):
		return completers(h, thread, blocker, blocker)
	case h.IsA(blocker, "java.util.concurrent.CompletableFuture$Signaller"):
		if future := signalled(h, thread, blocker); future != 0 {
			return completers(h, thread, blocker, future)
		}
	}
	return Owners{}, false
}

// Joined returns the thread whose end is waited for by one that waits for a notification of an object: that is the
// Thread itself, or on Android a lock of its own.
func Joined(h Heap, object core.Addr) (Owners, bool) {
	for _, t := range h.Threads() {
		if lock, ok := h.Ref(t, "lock"); t == object || ok && lock == object {
			return Owners{Kind: Ends, Threads: []core.Addr{t}}, true
		}
	}
	return Owners{}, false
}
