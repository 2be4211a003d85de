package wait

import (
	"context"
	"fmt"
	"strings"

	"coredbg/core"
	"coredbg/crash/where"
	"coredbg/runtimes"
	"coredbg/runtimes/juc"
)

// A Link is the wait of one thread in a circle of threads that wait for locks of a runtime, such as Java's, and of
// native code.
type Link struct {
	Thread, Owner *core.Thread
	Native        *Wait              // nil of a lock of a runtime
	Runtime       *runtimes.LockWait // nil of a native lock
}

// MixedCircles returns the circles that have both locks of a runtime and native locks: a thread with a monitor
// waits in native code for a mutex, and the mutex's owner waits for the monitor. The waits are the runtime's.
func MixedCircles(ctx context.Context, p *core.Process, waits []runtimes.LockWait) (out [][]Link) {
	if p.Arch == nil || len(p.Threads) > maxWaiters || len(waits) == 0 {
		return nil
	}
	var links []Link
	var edges []juc.Edge[*core.Thread]
	managed := map[*core.Thread]bool{}
	for i := range waits {
		w := &waits[i]
		owners := nativeOwners(w)
		if t := w.Thread.Native; t != nil && len(owners) > 0 && !managed[t] {
			managed[t] = true
			links = append(links, Link{Thread: t, Runtime: w})
			edges = append(edges, juc.Edge[*core.Thread]{Thread: t, Owners: owners, Any: w.Any})
		}
	}
	for _, t := range p.Threads {
		if managed[t] || ctx.Err() != nil {
			continue
		}
		if w, ok := waitOf(p, t); ok && w.Owner != nil {
			links = append(links, Link{Thread: t, Native: &w})
			edges = append(edges, juc.Edge[*core.Thread]{Thread: t, Owners: []*core.Thread{w.Owner}})
		}
	}
	for _, path := range juc.Circles(edges) {
		var circle []Link
		natives := 0
		for i, n := range path {
			l := links[n]
			l.Owner = links[path[(i+1)%len(path)]].Thread
			circle = append(circle, l)
			if l.Native != nil {
				natives++
			}
		}
		if 0 < natives && natives < len(circle) {
			out = append(out, circle)
		}
	}
	return out
}

// nativeOwners returns the threads that can end a wait; nil if one that the core lacks can end it alone.
func nativeOwners(w *runtimes.LockWait) (list []*core.Thread) {
	for i := range w.Owners {
		switch t := w.Owners[i].Native; {
		case t != nil:
			list = append(list, t)
		case w.Any:
			return nil
		}
	}
	return list
}

// Mixed describes the circles that have both locks of a runtime and native locks.
func Mixed(ctx context.Context, threads *where.Threads, waits []runtimes.LockWait) (out []runtimes.DeadlockCircle) {
	names := map[*core.Thread]string{}
	for i := range waits {
		for _, t := range append([]runtimes.LockThread{waits[i].Thread}, waits[i].Owners...) {
			names[t.Native] = t.Name
		}
	}
	for _, circle := range MixedCircles(ctx, threads.Process, waits) {
		d := runtimes.DeadlockCircle{First: circle[0].Thread}
		var words []string
		for _, l := range circle {
			d.Threads = append(d.Threads, names[l.Thread])
			if l.Native != nil {
				words = append(words, l.Native.words(ctx, threads))
				continue
			}
			d.Inferred = d.Inferred || l.Runtime.Kind == juc.Completes
			words = append(words, fmt.Sprintf("thread %d waits for %s", l.Thread.TID, l.Runtime.Words))
		}
		d.Words = strings.Join(words, "; ")
		out = append(out, d)
	}
	return out
}
