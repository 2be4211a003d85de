package juc

import (
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/java"
)

// A Machine is a virtual machine with the objects of its threads.
type Machine interface {
	JavaHeap() java.Heap
	// Peers returns the java.lang.Thread of each live thread.
	Peers() []core.Addr
	// Stack returns the objects that the frames of a thread refer to.
	Stack(peer core.Addr) []core.Addr
	// References returns the objects that the fields of an object refer to. An array has no fields.
	References(o core.Addr) []core.Addr
}

// The Kinds of Owners.
const (
	Holds       = "park"     // a thread holds it
	Reads       = "read"     // threads hold a read lock
	Runs        = "task"     // a thread runs the task
	Queued      = "queue"    // the task waits in the queue of an executor, for its threads
	Completes   = "complete" // what threads have at hand: they may count it down, release or complete it
	Ends        = "join"     // the end of a thread
	Terminates  = "stop"     // the end of an executor's threads
	Initialises = "class"    // a thread initialises the class; the virtual machine says which thread
)

// Owners are the threads that can end a wait.
type Owners struct {
	Kind    string
	Threads []core.Addr // objects of java.lang.Thread
	// Any says that each of them can end it alone; else all of them have to do their part.
	Any bool
	// Object is what the wait is for, where that is not the object that the thread is parked for; else 0.
	Object core.Addr
}

// Known returns the owners' threads as find finds them by their java.lang.Thread. Find returns the zero value
// for a thread that it does not know. Known returns nil if an unknown thread can end the wait alone.
func Known[T comparable](o Owners, find func(peer core.Addr) T) (list []T) {
	var unknown T
	for _, peer := range o.Threads {
		t := find(peer)
		switch {
		case t != unknown:
			list = append(list, t)
		case o.Any:
			return nil
		}
	}
	return list
}

// Words says in words what a wait is for: its kind, the class of the object, and the names of the threads
// that can end it.
func Words(kind, class string, owners []string) string {
	var by string
	switch len(owners) {
	case 0:
		return "a " + class
	case 1:
		by = owners[0]
	case 2:
		by = owners[0] + " and " + owners[1]
	default:
		by = fmt.Sprintf("%s and %d more", owners[0], len(owners)-1)
	}
	switch kind {
	case Initialises:
		return "the initialisation of " + class + " by " + by
	case Ends:
		return "the end of " + by
	case Runs:
		return "a " + class + " that is run by " + by
	case Queued:
		return "a " + class + " in the queue of an executor, for " + by
	case Terminates:
		return "the end of a " + class + ", for " + by
	case Reads:
		return "a " + class + " held for reading by " + by
	case Completes:
		return "a " + class + " that the stack of " + by + " leads to"
	}
	return "a " + class + " held by " + by
}

// maxChain bounds lists that are followed.
const maxChain = 1 << 16

// Parked returns who can end the wait of a thread that is parked for a blocker.
func Parked(m Machine, thread, blocker core.Addr) (Owners, bool) {
	h := newHeap(m)
	if owner, ok := h.ref(blocker, "exclusiveOwnerThread"); ok && owner != 0 {
		return Owners{Kind: Holds, Threads: []core.Addr{owner}}, true
	}
	switch {
	case h.isA(blocker, "java.util.concurrent.FutureTask"):
		if runner, ok := h.ref(blocker, "runner"); ok && runner != 0 {
			return Owners{Kind: Runs, Threads: []core.Addr{runner}}, true
		}
		return queued(h, blocker)
	case h.isA(blocker, "java.util.concurrent.locks.ReentrantReadWriteLock$Sync"):
		all := readers(h, blocker)
		return Owners{Kind: Reads, Threads: all}, len(all) > 0
	}
	switch object := awaited(h, thread, blocker); {
	case object == 0:
		return Owners{}, false
	case h.isA(object, executor):
		workers := workersOf(h, object)
		return Owners{Kind: Terminates, Threads: workers, Object: object}, len(workers) > 0
	case h.isA(object, "java.util.concurrent.CompletableFuture"), counted(h, object):
		o, ok := completers(h, thread, blocker, object)
		o.Object = object
		return o, ok
	}
	return Owners{}, false
}

// Joined returns the thread whose end is waited for by one that waits for a notification of an object: that is the
// Thread itself, or on Android a lock of its own.
func Joined(m Machine, object core.Addr) (Owners, bool) {
	h := newHeap(m)
	for _, t := range h.Peers() {
		if lock, ok := h.ref(t, "lock"); t == object || ok && lock == object {
			return Owners{Kind: Ends, Threads: []core.Addr{t}}, true
		}
	}
	return Owners{}, false
}
