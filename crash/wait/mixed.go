package wait

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/crash/where"
	"coredbg/runtimes"
	"coredbg/runtimes/juc"
)

// A Link is the wait of one thread in a circle of threads that wait for locks of Java and of native code.
type Link struct {
	Thread, Owner *core.Thread
	Native        *Wait              // nil of a lock of Java
	Java          *runtimes.JavaWait // nil of a native lock
}

// MixedCircles returns the circles that have both locks of Java and native locks: a thread with a monitor waits in native code for a
// mutex, and the mutex's owner waits for the monitor. The waits are Java's.
func MixedCircles(ctx context.Context, p *core.Process, waits []runtimes.JavaWait) (out [][]Link) {
	if p.Arch == nil || len(p.Threads) > maxWaiters || len(waits) == 0 {
		return nil
	}
	links, edges := map[*core.Thread]Link{}, map[*core.Thread]juc.Edge[*core.Thread]{}
	var threads []*core.Thread
	for i := range waits {
		w := &waits[i]
		owners := nativeOwners(w)
		if t := w.Thread.Native; t != nil && len(owners) > 0 {
			threads = append(threads, t)
			links[t], edges[t] = Link{Thread: t, Java: w}, juc.Edge[*core.Thread]{Owners: owners, Any: w.Any}
		}
	}
	for _, t := range p.Threads {
		if _, java := links[t]; java || ctx.Err() != nil {
			continue
		}
		if w, ok := waitOf(p, t); ok && w.Owner != nil {
			threads = append(threads, t)
			links[t], edges[t] = Link{Thread: t, Native: &w}, juc.Edge[*core.Thread]{Owners: []*core.Thread{w.Owner}}
		}
	}
	for _, path := range juc.Circles(threads, edges) {
		var circle []Link
		for i, t := range path {
			l := links[t]
			l.Owner = path[(i+1)%len(path)]
			circle = append(circle, l)
		}
		native := func(l Link) bool { return l.Native != nil }
		if slices.ContainsFunc(circle, native) && slices.ContainsFunc(circle, func(l Link) bool { return !native(l) }) {
			out = append(out, circle)
		}
	}
	return out
}

// nativeOwners returns the threads that can end a wait; nil if one that the core lacks can end it alone.
func nativeOwners(w *runtimes.JavaWait) (list []*core.Thread) {
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

// Mixed describes the circles that have both locks of Java and native locks.
func Mixed(ctx context.Context, threads *where.Threads, waits []runtimes.JavaWait) (out []runtimes.DeadlockCircle) {
	for _, circle := range MixedCircles(ctx, threads.Process, waits) {
		d := runtimes.DeadlockCircle{First: circle[0].Thread}
		var words []string
		for _, l := range circle {
			if l.Native != nil {
				words = append(words, l.Native.words(ctx, threads))
				continue
			}
			d.Inferred = d.Inferred || l.Java.Kind == juc.Completes
			words = append(words, fmt.Sprintf("thread %d waits for %s", l.Thread.TID, l.Java.Words))
		}
		d.Words = strings.Join(words, "; ")
		out = append(out, d)
	}
	return out
}
