package leaks

import (
	"context"
	"fmt"
	"strconv"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/java"
)

// queues finds tasks that wait in the queues of executors and timers.
func (f *Finder) queues(ctx context.Context, g *graph.Graph) (out []graph.Evidence, err error) {
	err = f.Each(ctx, g, "java.util.concurrent.ThreadPoolExecutor", func(_ graph.ID, o java.Object) {
		at, _ := f.RefField(o, "workQueue")
		n, ok := f.length(at)
		if !ok || n < graph.RuleObjects {
			return
		}
		e := graph.Evidence{Objects: []core.Addr{at}, Class: f.ClassName(at),
			Why: fmt.Sprintf("%d tasks wait in the queue of an executor", n)}
		workers, _ := f.RefField(o, "workers")
		if have, ok := f.length(workers); ok {
			e.Why += " with " + plural(have, "thread")
		}
		out = append(out, e)
	})
	if err != nil {
		return out, err
	}
	err = f.Each(ctx, g, "java.util.TimerThread", func(_ graph.ID, o java.Object) {
		at, _ := f.RefField(o, "queue")
		n, ok := f.length(at)
		if !ok || n < graph.RuleObjects {
			return
		}
		e := graph.Evidence{Objects: []core.Addr{at}, Class: f.ClassName(at),
			Why: fmt.Sprintf("%d tasks of a timer", n)}
		if name, ok := f.threadName(o); ok {
			e.Why += ", thread " + strconv.Quote(name)
		}
		out = append(out, e)
	})
	return out, err
}

// plural writes a number with its noun.
func plural(n uint64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
