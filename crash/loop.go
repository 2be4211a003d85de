package crash

import (
	"slices"
	"strings"
	"time"

	"coredbg/core"
	"coredbg/crash/kernel"
	"coredbg/runtimes"
	"coredbg/stack"
)

// waitsBy returns the function that a function of JavaScript has called to wait, by the frames inside it: a
// builtin, one of Node's, or one of an addon; "" if the engine waits for itself, as for its collector.
func (x activity) waitsBy(inside []stack.Frame) string {
	for j := len(inside) - 1; j >= 0; j-- {
		g := &inside[j]
		switch {
		case g.Name == "" || g.Kind == runtimes.Stub:
		case stack.Managed(g):
			return strings.TrimPrefix(g.Name, "Object.")
		case x.threads.OfProgram(g):
			if x.ofRuntime(g) {
				return ""
			}
			return g.Name
		}
	}
	return ""
}

// collects returns the first thread if it waits inside the engine of JavaScript while a function of the
// program runs, as for the collector, with the time that it has used of the processor; nil if it does not.
func (x activity) collects() (*core.Thread, time.Duration) {
	t := x.p.Thread(x.p.PID)
	if t == nil || t.CPU == nil || x.stateOf(t) != kernel.InKernel {
		return nil, 0
	}
	st := x.threads.Stack(x.ctx, t, blamedFrames)
	if st == nil || !slices.ContainsFunc(st.Frames, func(f stack.Frame) bool {
		return f.Kind == runtimes.JS &&
			stack.OfProgram(&f) && !f.Async
	}) {
		return nil, 0
	}
	return t, t.CPU.User
}

// queued returns the function that a thread runs out of a queue of callbacks that does not end, the name of
// the queue, and what else is in it. If it runs no function just now, the first one of the queue stands for
// it.
func (x activity) queued(t *core.Thread) (f *stack.Frame, queue string, words []string) {
	st := x.threads.Stack(x.ctx, t, blamedFrames)
	if st == nil || x.s.Runtimes == nil {
		return nil, "", nil
	}
	f, queue, again := queueOf(st.Frames)
	if queue == "" {
		return nil, "", nil
	}
	for _, r := range x.s.Runtimes() {
		k, ok := r.(runtimes.Queuer)
		if !ok {
			continue
		}
		for i, w := range k.Queued(x.ctx) {
			g := waitGroup{count: w.Count, one: w.What, many: w.Many}
			if i < maxGroups {
				words = append(words, g.words())
			}
			if len(w.Frames) == 0 {
				continue
			}
			if again = again || f != nil && f.Name == w.Frames[0].Name && f.File == w.Frames[0].File; f == nil {
				f = frameOf(&w.Frames[0])
			}
		}
	}
	if !again { // it may be the function that does not end
		return nil, "", nil
	}
	return f, queue, words
}

// frameOf returns a frame of a function that is not on a stack.
func frameOf(f *runtimes.SourceFrame) *stack.Frame {
	return &stack.Frame{Kind: f.Kind, Name: f.Name, File: f.File, Line: f.Line, Column: f.Column}
}

// queueOf returns the function that an event loop runs out of a queue, if it runs one: microtasks, or
// callbacks of process.nextTick. queue is its name. These may queue others, so that the queue does not end:
// again says that the function queues one just now, or that none runs between two.
func queueOf(frames []stack.Frame) (f *stack.Frame, queue string, again bool) {
	for i := range frames {
		g := &frames[i]
		switch {
		case g.Kind == runtimes.JS && !g.Async && stack.OfProgram(g):
			f = g
		case g.Name == "RunMicrotasks" || strings.HasSuffix(g.Name, "MicrotaskQueue::RunMicrotasks"):
			return f, "microtasks", again || f == nil
		case strings.HasSuffix(g.Name, "processTicksAndRejections") || strings.HasSuffix(g.Name, "_tickCallback"):
			return f, "process.nextTick", again || f == nil
		case f == nil && queues(g.Name):
			again = true
		}
	}
	return nil, "", false
}

// queues reports whether a function of V8 or Node puts a callback into a queue.
func queues(name string) bool {
	return slices.ContainsFunc([]string{"Await", "Promise", "nextTick", "queueMicrotask", "EnqueueMicrotask"},
		func(s string) bool { return strings.Contains(name, s) })
}

// ofWorker says whose event loop a thread's is, if it is not the first one's.
func ofWorker(p *core.Process, t *core.Thread) string {
	if t.TID == p.PID {
		return ""
	}
	return " of a worker"
}
