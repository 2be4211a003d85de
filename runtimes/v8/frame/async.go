package frame

import (
	"slices"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/callsite"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// withAwaiters adds the functions that wait for the one whose await the
// builtin frame f resumes, while it runs (execution/isolate.cc:
// CaptureAsyncStackTrace).
func (a *activation) withAwaiters(f runtimes.SourceFrame, c callsite.Call) []runtimes.SourceFrame {
	out := []runtimes.SourceFrame{f}
	if f.Kind != runtimes.Stub || !object.IsAwaitClosure(a.place.Builtin) {
		return out
	}
	g, ok := a.v.objects.Awaits(c.Closure)
	if !ok || !a.v.isExecuting(g) {
		return out
	}
	return append(out, a.v.awaiters(g)...)
}

// isExecuting is JSGeneratorObject::is_executing.
func (dec *Decoder) isExecuting(g layout.Tagged) bool {
	const executing = -2 // kGeneratorExecuting
	n, ok := dec.SmiField(g, dec.Layout.JSGeneratorObject.Continuation)
	return ok && n == executing
}

// awaiters returns the functions that wait for the one that a generator is.
func (dec *Decoder) awaiters(g layout.Tagged) []runtimes.SourceFrame {
	promise, ok := dec.Promises.OfGenerator(g)
	if !ok {
		return nil
	}
	return dec.asyncCallers(promise)
}

// runsMicrotasks reports whether the frame belongs to the builtin
// RunMicrotasks. Where builtins have no names any stub that C++ enters is taken for it.
func (a *activation) runsMicrotasks() bool {
	if a.frameType != "Stub" || a.place.Builtin != "" && a.place.Builtin != "RunMicrotasks" {
		return false
	}
	caller, ok1 := a.v.Word(a.fp)
	marker, ok2 := a.v.Word(core.Addr(caller).Add(int64(a.v.Layout.Frame.ContextOrType)))
	return ok1 && ok2 && marker&1 == 0 && marker < 512 && a.v.Markers[int(marker>>1)] == "Entry"
}

// callersOfJob returns the async frames of a stub frame that runs microtasks:
// the frames of the promise that the running handler of a then will
// settle. V8 finds it by the current microtask, which is a root of the isolate;
// where the isolate is unknown, the frame's own words name the promise.
func (a *activation) callersOfJob() []runtimes.SourceFrame {
	dec := a.v
	if t := dec.ThreadOf(a.fp); t != nil {
		if task, ok := dec.currentMicrotask(dec.isolateOf(t)); ok {
			return dec.callersOfTask(task)
		}
	}
	const words = 16 // of the frame, below its marker
	for i := 2; i < words; i++ {
		w, ok := dec.Word(a.fp - core.Addr(8*i))
		if !ok {
			return nil
		}
		if p := dec.Promises.Of(dec.Full(w)); p != 0 {
			return dec.asyncCallers(p)
		}
	}
	return nil
}

// ThreadOf returns the thread whose stack holds fp: the one whose top is the
// nearest below.
func (dec *Decoder) ThreadOf(fp core.Addr) *core.Thread {
	var best *core.Thread
	var top core.Addr
	for _, t := range dec.Process.Threads {
		for _, s := range layout.Stacks(dec.Process, t) {
			if s.Start <= fp && fp < s.End && (best == nil || s.Start > top) {
				best, top = t, s.Start
			}
		}
	}
	return best
}

// isolateOf returns the memory where the isolate begins that the thread has entered; where the image does not
// say which that is, the one that has the most addresses of the thread's stack.
func (dec *Decoder) isolateOf(t *core.Thread) (best layout.Area) {
	const roots = 0x4000 // bytes from the isolate
	if isolate, ok := dec.objects.Isolate(t); ok {
		return layout.Area{Start: isolate, End: isolate + roots}
	}
	most := 0
	stacks := layout.Stacks(dec.Process, t)
	for _, area := range dec.objects.IsolateAreas() {
		data, _ := core.ReadBytes(dec.Space, area.Start, uint64(area.End-area.Start))
		count := 0
		for i := 0; i+8 <= len(data); i += 8 {
			w := core.Addr(dec.Order.Uint64(data[i:]))
			if slices.ContainsFunc(stacks, func(s layout.Area) bool { return s.Start <= w && w < s.End }) {
				count++
			}
		}
		if count > most {
			most, best = count, area
		}
	}
	return best
}

// currentMicrotask finds the job that runs, among the roots that an isolate begins
// with (execution/isolate-data.h, roots/roots.h: CurrentMicrotask).
func (dec *Decoder) currentMicrotask(isolate layout.Area) (layout.Tagged, bool) {
	data, _ := core.ReadBytes(dec.Space, isolate.Start, uint64(isolate.End-isolate.Start))
	for i := 0; i+8 <= len(data); i += 8 {
		if t := dec.Full(dec.Order.Uint64(data[i:])); t&3 == 1 && dec.isMicrotask(t) {
			return t, true
		}
	}
	return 0, false
}

const thenableJob = "PROMISE_RESOLVE_THENABLE_JOB_TASK_TYPE"

// microtasks are the types of jobs, with whether they are PromiseReactionJobTasks.
var microtasks = map[string]bool{
	"PROMISE_FULFILL_REACTION_JOB_TASK_TYPE": true, "PROMISE_REJECT_REACTION_JOB_TASK_TYPE": true,
	thenableJob: false, "CALLABLE_TASK_TYPE": false, "CALLBACK_TASK_TYPE": false,
}

func (dec *Decoder) isMicrotask(o layout.Tagged) bool {
	n, ok := dec.InstanceType(o)
	if !ok {
		return false
	}
	_, ok = microtasks[dec.Types.Names[n]]
	return ok
}

// callersOfTask reads a job (objects/microtask.h). In a PromiseReactionJobTask the handler and the promise
// follow the context, in a PromiseResolveThenableJobTask, which later versions look at, the promise.
// V8 follows no capability, such as a class derived from Promise has.
func (dec *Decoder) callersOfTask(task layout.Tagged) []runtimes.SourceFrame {
	n, _ := dec.InstanceType(task)
	reaction := microtasks[dec.Types.Names[n]]
	if !reaction && (dec.Types.Names[n] != thenableJob || dec.Layout.ErrorStack.FollowsThenables == 0) {
		return nil
	}
	for off := dec.Slots(1); off <= dec.Slots(3); off += dec.SlotSize() {
		ctx, ok := dec.Field(task, off)
		if !ok || !dec.objects.IsContext(ctx) {
			continue
		}
		next, _ := dec.Field(task, off+dec.SlotSize())
		if reaction {
			if dec.IsReceiver(next) && dec.objects.IsBuiltin(next) {
				if _, ok := dec.objects.Awaits(next); ok {
					return nil
				}
			}
			next, _ = dec.Field(task, off+dec.Slots(2))
		}
		if !dec.Promises.IsPromise(next) {
			return nil
		}
		return dec.asyncCallers(next)
	}
	return nil
}
