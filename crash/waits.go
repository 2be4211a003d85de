package crash

import (
	"context"

	"coredbg/core"
)

// A Wait is a thread that waits: for a lock that another one holds, for another one's end, or
// for what anybody may bring about.
type Wait struct {
	Thread *core.Thread
	// Owner is the thread that holds the lock, or that is to end; nil if nobody does, or it
	// is not known who.
	Owner   *core.Thread
	At      core.Addr // of the lock, or of the word that the kernel clears at the end
	Kind    string    // mutex, rwlock; thread: it waits for the owner's end; condition, semaphore, barrier: these have no owner
	Readers int       // how many threads hold a lock to read; who is not known
	// Unrecorded means that a thread holds the lock, and that the lock does not say which.
	Unrecorded bool
	Mutex      core.Addr // that was given up to wait for a condition; 0 if that is not recorded
	Timed      bool      // it waits for a limited time
	In         string    // the innermost function that is not of a system's library; "" if that is not known
}

func (w wait) exported() Wait {
	x := Wait{Thread: w.thread, Owner: w.owner, At: w.at, Kind: "mutex", Readers: w.readers}
	switch {
	case w.joins:
		x.Kind = "thread"
	case w.rw:
		x.Kind = "rwlock"
	}
	return x
}

// Circles returns the threads that wait for each other, each circle once.
func Circles(ctx context.Context, p *core.Process) [][]Wait {
	var out [][]Wait
	for _, circle := range circles(ctx, p) {
		var list []Wait
		for _, w := range circle {
			list = append(list, w.exported())
		}
		out = append(out, list)
	}
	return out
}
