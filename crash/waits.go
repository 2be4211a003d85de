package crash

import (
	"context"

	"coredbg/core"
)

// A Wait is a thread that waits for another one without a limit of time: for a lock that the
// other one holds, or for its end.
type Wait struct {
	Thread  *core.Thread
	Owner   *core.Thread // nil if threads read what is locked
	At      core.Addr    // of the lock, or of the word that the kernel clears at the end
	Kind    string       // mutex, rwlock; thread: it waits for the owner's end
	Readers int          // how many threads hold a lock to read; who is not known
}

func (w wait) exported() Wait {
	x := Wait{w.thread, w.owner, w.at, "mutex", w.readers}
	switch {
	case w.joins:
		x.Kind = "thread"
	case w.rw:
		x.Kind = "rwlock"
	}
	return x
}

// Waits returns the threads that wait for others, in their order. Locks that nobody waits for
// are not known.
func Waits(ctx context.Context, p *core.Process) []Wait {
	if p.Arch == nil {
		return nil
	}
	var out []Wait
	for _, t := range p.Threads {
		if w, ok := waitOf(p, t); ok {
			out = append(out, w.exported())
		}
		if ctx.Err() != nil {
			break
		}
	}
	return out
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
