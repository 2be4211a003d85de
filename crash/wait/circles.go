package wait

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/crash/where"
	"coredbg/stack"
)

// Bounds of the search for threads that wait for each other.
const (
	maxWaiters = 1 << 14
	maxCircles = 8
	maxWaits   = 16 // sentences, of all circles
)

// Circles returns the threads that wait for each other, each circle once, from the thread
// on that comes first in the core.
func Circles(ctx context.Context, p *core.Process) [][]Wait {
	if p.Arch == nil || len(p.Threads) > maxWaiters {
		return nil
	}
	waits := map[*core.Thread]Wait{}
	for _, t := range p.Threads {
		if w, ok := waitOf(p, t); ok && ctx.Err() == nil {
			waits[t] = w
		}
	}
	var out [][]Wait
	done := map[*core.Thread]bool{}
	for _, t := range p.Threads {
		path := map[*core.Thread]int{}
		var list []Wait
		for w, ok := waits[t]; ok && !done[w.Thread]; w, ok = waits[w.Owner] {
			if from, again := path[w.Thread]; again {
				out = append(out, list[from:])
				break
			}
			path[w.Thread] = len(list)
			list = append(list, w)
		}
		for _, w := range list {
			done[w.Thread] = true
		}
	}
	return out
}

// A Deadlock describes threads that wait for each other.
type Deadlock struct {
	Title string
	Words []string     // a sentence for each thread, of a long circle for its first ones
	First *core.Thread // the one whose stack names the bug: which thread comes first is chance, its place is not
	// Frames name the bug in place of First's stack, of tasks that no thread runs.
	Frames []stack.Frame
}

// Deadlocked says which threads wait for each other, with the objects they wait for; nil if no threads
// do.
func Deadlocked(ctx context.Context, threads *where.Threads) *Deadlock {
	all := Circles(ctx, threads.Process)
	if len(all) == 0 {
		return nil
	}
	d := &Deadlock{Title: fmt.Sprintf("thread %d waits for a lock that it holds itself", all[0][0].Thread.TID)}
	if n := len(all[0]); n > 1 {
		d.Title = fmt.Sprintf("%d threads wait for each other", n)
	}
	d.First = slices.MinFunc(all[0], func(a, b Wait) int {
		return strings.Compare(threads.Of(ctx, a.Thread), threads.Of(ctx, b.Thread))
	}).Thread
	waiting, said := 0, 0
	for i, circle := range all {
		waiting += len(circle)
		if i >= maxCircles {
			continue
		}
		for j := range circle[:min(len(circle), maxWaits-said)] {
			d.Words = append(d.Words, circle[j].words(ctx, threads))
			said++
		}
	}
	if n := waiting - said; n > 0 {
		d.Words = append(d.Words, fmt.Sprintf("%d more threads wait so: circles in all: %d", n, len(all)))
	}
	return d
}

// words describes the wait in a sentence.
func (w *Wait) words(ctx context.Context, threads *where.Threads) string {
	s := fmt.Sprintf("thread %d", w.Thread.TID)
	if p := threads.Of(ctx, w.Thread); p != "" {
		s += ", in " + p + ","
	}
	if w.Kind == Thread {
		return s + fmt.Sprintf(" waits for thread %d to end", w.Owner.TID)
	}
	kind := "mutex"
	if w.Kind == RWLock {
		kind = "read-write lock"
	}
	s += fmt.Sprintf(" waits for the %s at %v", kind, w.At)
	if name := where.Symbolic(threads.Process, threads.Symbols, w.At); name != "" {
		s += " (" + name + ")"
	}
	if w.Owner == w.Thread {
		return s + ", which it holds itself"
	}
	return s + fmt.Sprintf(", which thread %d holds", w.Owner.TID)
}
