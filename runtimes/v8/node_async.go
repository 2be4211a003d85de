package v8

import (
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/runtimes"
)

// A WaitKind says what waits for a promise.
type WaitKind string

// The kinds of waiters.
const (
	WaitAwait      WaitKind = "await"              // a suspended async function or generator
	WaitAll        WaitKind = "Promise.all"        // an element of a combinator
	WaitAllSettled WaitKind = "Promise.allSettled" // the same
	WaitAny        WaitKind = "Promise.any"        // the same
	WaitFromAsync  WaitKind = "Array.fromAsync"    // the next element of Array.fromAsync
	WaitResolve    WaitKind = "resolve"            // another promise takes over the outcome: race, resolve(promise)
	WaitThen       WaitKind = "then"               // functions given to then, catch or finally
)

// A Waiter is what goes on when a promise settles: a PromiseReaction
// (objects/promise.tq).
type Waiter struct {
	Kind     WaitKind
	Reaction Tagged
	// Generator is the suspended function of an await.
	Generator Tagged
	// Index of the element of a combinator; -1 for other kinds.
	Index int
	// Fulfill and Reject are the handlers of a then; 0 if absent.
	Fulfill, Reject Tagged
	// Next is the promise that settles with what the waiter makes of the
	// outcome; 0 if there is none.
	Next Tagged
}

// maxWaiters bounds the reactions of one promise.
const maxWaiters = 1 << 20

// Waiters returns who waits for a pending promise, in the order in which they
// asked. A settled promise has none.
func (v *V8) Waiters(promise Tagged) ([]Waiter, error) {
	state, reaction, err := v.Promise(promise)
	if err != nil || state != PromisePending {
		return nil, err
	}
	var out []Waiter
	seen := map[Tagged]bool{}
	for !reaction.IsSmi() {
		if !v.is(reaction, v.types.promiseReaction) || seen[reaction] || len(out) >= maxWaiters {
			slices.Reverse(out)
			return out, fmt.Errorf("corrupt: reactions of promise %v do not end", core.Addr(promise))
		}
		seen[reaction] = true
		out = append(out, v.waiter(reaction))
		next, ok := v.field(reaction, v.layout.PromiseReaction.Next)
		if !ok {
			slices.Reverse(out)
			return out, v.fault(reaction, v.layout.PromiseReaction.Next)
		}
		reaction = next
	}
	slices.Reverse(out)
	return out, nil
}

// waiter decodes a reaction. What V8's own handlers are for is told by which
// builtin they run, or where the image does not name builtins by what they close
// over: the generator that they resume, the capability of a combinator, or the
// promise that they settle (builtins/promise-all.tq, builtins/promise-any.tq,
// builtins/promise-abstract-operations.tq, builtins/array-from-async.tq).
func (v *V8) waiter(reaction Tagged) Waiter {
	l := &v.layout.PromiseReaction
	w := Waiter{Kind: WaitThen, Reaction: reaction, Index: -1}
	fulfill, _ := v.field(reaction, l.Fulfill)
	reject, _ := v.field(reaction, l.Reject)
	if v.isReceiver(fulfill) && v.isBuiltin(fulfill) {
		if g, ok := v.awaits(fulfill); ok {
			w.Kind, w.Generator = WaitAwait, g
			w.Next, _ = v.generatorPromise(g)
			return w
		}
		if p, ok := v.fromAsync(fulfill); ok {
			w.Kind, w.Next = WaitFromAsync, p
			return w
		}
	}
	if v.combines(&w, fulfill, reject) {
		return w
	}
	if v.isReceiver(fulfill) && v.isBuiltin(fulfill) && v.mayBe(fulfill, "PromiseCapabilityDefaultResolve") {
		if p, ok := v.closedOver(fulfill, v.isPromise); ok {
			w.Kind, w.Next = WaitResolve, p
			return w
		}
	}
	w.Fulfill, w.Reject = v.handler(fulfill), v.handler(reject)
	then, _ := v.field(reaction, l.Promise)
	w.Next = v.promiseOf(then)
	if w.Fulfill == 0 && w.Reject == 0 {
		w.Kind = WaitResolve
	}
	return w
}

// handler returns the function that a program gave to then, catch or finally; 0
// for a builtin that only passes an outcome on, and for what is no function.
func (v *V8) handler(fn Tagged) Tagged {
	const onFinally = 2 // PromiseFinallyContext; builtins/promise-finally.tq
	switch {
	case !v.isReceiver(fn):
		return 0
	case !v.isBuiltin(fn):
		return fn
	}
	switch v.builtinName(fn) {
	case "PromiseThenFinally", "PromiseCatchFinally":
		ctx, _ := v.field(fn, v.layout.JSFunction.Context)
		if n, ok := v.contextLength(ctx); ok && onFinally < n {
			if f, ok := v.wordAt(ctx, onFinally); ok && v.isFunction(f) {
				return f
			}
		}
	}
	if name := v.functionNameOf(fn); name != "" {
		return fn // one that has a name is a program's choice: then(console.log)
	}
	return 0
}

// mayBe reports whether fn runs the builtin of the given name; where the image
// does not name builtins it may.
func (v *V8) mayBe(fn Tagged, names ...string) bool {
	name := v.builtinName(fn)
	return name == "" || slices.Contains(names, name)
}

// combines decodes the handlers of an element of Promise.all and its kin: at
// least one of them closes over the capability of the combinator.
func (v *V8) combines(w *Waiter, fulfill, reject Tagged) bool {
	var capability [2]Tagged
	names := [2][]string{
		{"PromiseAllResolveElementClosure", "PromiseAllSettledResolveElementClosure"},
		{"PromiseAllSettledRejectElementClosure", "PromiseAnyRejectElementClosure"},
	}
	index := -1
	for i, h := range []Tagged{fulfill, reject} {
		if !v.isReceiver(h) || !v.isBuiltin(h) || !v.mayBe(h, names[i]...) {
			continue
		}
		if p, ok := v.closedOver(h, v.isCapability); ok {
			capability[i] = p
			if hash, ok := v.smiField(h, v.layout.JSReceiver.Properties); ok && index < 0 {
				index = hash - 1 // the hash of an element's closure is its index and one
			}
		}
	}
	switch {
	case capability[0] != 0 && capability[1] != 0:
		w.Kind = WaitAllSettled
	case capability[0] != 0:
		w.Kind = WaitAll
	case capability[1] != 0:
		w.Kind = WaitAny
	default:
		return false
	}
	w.Index, w.Next = index, v.promiseOf(max(capability[0], capability[1]))
	return true
}

// fromAsyncPromises are the slots of the promise that Array.fromAsync returned
// in the contexts of its closures (builtins/array-from-async.tq @ 12.2:
// ArrayFromAsyncIterableResolveContextSlots and ArrayFromAsyncArrayLike…).
var fromAsyncPromises = map[string]int{
	"ArrayFromAsyncIterableOnFulfilled": 5, "ArrayFromAsyncArrayLikeOnFulfilled": 6,
}

// fromAsync returns the promise of the call of Array.fromAsync that the closure
// fn goes on with.
func (v *V8) fromAsync(fn Tagged) (Tagged, bool) {
	slot, ok := fromAsyncPromises[v.builtinName(fn)]
	if !ok {
		return 0, false
	}
	ctx, _ := v.field(fn, v.layout.JSFunction.Context)
	if n, ok := v.contextLength(ctx); !ok || slot >= n {
		return 0, false
	}
	p, ok := v.wordAt(ctx, slot)
	return p, ok && v.isPromise(p)
}

func (v *V8) isPromise(o Tagged) bool { return v.is(o, v.types.jsPromise) }

func (v *V8) isCapability(o Tagged) bool {
	if v.types.promiseCapability < 0 {
		// No constant in V8 7.8, where structs are numbered by name.
		return v.types.promiseReaction > 0 && v.is(o, v.types.promiseReaction-1)
	}
	return v.is(o, v.types.promiseCapability)
}

// promiseOf returns the promise that o is, or is the capability of; or 0.
func (v *V8) promiseOf(o Tagged) Tagged {
	if v.isCapability(o) {
		o, _ = v.field(o, 8) // PromiseCapability::promise
	}
	if v.isPromise(o) {
		return o
	}
	return 0
}

// closedOver finds what a builtin closure keeps in its context.
func (v *V8) closedOver(fn Tagged, want func(Tagged) bool) (Tagged, bool) {
	ctx, ok := v.field(fn, v.layout.JSFunction.Context)
	if !ok {
		return 0, false
	}
	n, ok := v.contextLength(ctx)
	if !ok || n > maxClosureSlots {
		return 0, false
	}
	for i := 2; i < n; i++ {
		if e, ok := v.field(ctx, v.layout.FixedArray.Data+8*i); ok && want(e) {
			return e, true
		}
	}
	return 0, false
}

// generatorPromise returns the promise that an async function settles, or the
// one that the request which an async generator works on does
// (objects/js-generator.tq: JSAsyncGeneratorObject, AsyncGeneratorRequest).
func (v *V8) generatorPromise(g Tagged) (Tagged, bool) {
	const requestPromise = 32
	p, ok := v.field(g, v.layout.JSGeneratorObject.Promise)
	if !ok || v.isPromise(p) {
		return p, ok
	}
	if n, ok := v.instanceType(p); !ok || n >= v.types.firstReceiver {
		return 0, false
	}
	p, ok = v.field(p, requestPromise)
	return p, ok && v.isPromise(p)
}

// asyncCallers returns the frames that Error.stack adds for a promise: it
// follows promises as long as exactly one waits for each
// (execution/isolate.cc: CaptureAsyncStackTrace).
func (v *V8) asyncCallers(promise Tagged) []runtimes.SourceFrame {
	var out []runtimes.SourceFrame
	seen := map[Tagged]bool{}
	for promise != 0 && !seen[promise] && len(out) < maxAwaiters && len(seen) < maxAwaiters {
		seen[promise] = true
		list, err := v.Waiters(promise)
		if err != nil || len(list) != 1 {
			break // V8 names none either if several wait
		}
		w := &list[0]
		switch w.Kind {
		case WaitAwait:
			out = append(out, v.awaiter(w.Generator))
		case WaitAll, WaitAny, WaitAllSettled:
			if !v.namesCombinator(w.Kind) {
				return out
			}
			out = append(out, w.combinator())
		case WaitFromAsync:
			return out // Error.stack ends there
		}
		promise = w.Next
	}
	return out
}

// namesCombinator reports whether Error.stack of this version knows frames of
// the combinator.
func (v *V8) namesCombinator(k WaitKind) bool {
	switch k {
	case WaitAny:
		return v.layout.Version.AtLeast(8, 5)
	case WaitAllSettled:
		return v.layout.Version.AtLeast(10, 2)
	}
	return true
}

// combinator makes the frame of an element of Promise.all and its kin, as
// Error.stack prints it.
func (w *Waiter) combinator() runtimes.SourceFrame {
	return runtimes.SourceFrame{Kind: runtimes.JS, Name: string(w.Kind), File: fmt.Sprintf("index %d", w.Index),
		Tier: "builtin", Async: true}
}

// runsMicrotasks reports whether the frame is that of the builtin
// RunMicrotasks. In a stripped image any stub that C++ enters is taken for it.
func (a *activation) runsMicrotasks() bool {
	if a.frameType != "Stub" || a.place.builtin != "" && a.place.builtin != "RunMicrotasks" {
		return false
	}
	caller, ok1 := a.v.word(a.fp)
	marker, ok2 := a.v.word(core.Addr(caller).Add(int64(a.v.layout.Frame.ContextOrType)))
	return ok1 && ok2 && marker&1 == 0 && marker < 512 && a.v.frames[int(marker>>1)] == "Entry"
}

// callersOfJob returns the async frames of a stub frame that runs microtasks:
// those of the promise that the handler of a then, which is running, will
// settle. V8 finds it by the current microtask, which is a root of the isolate;
// where the isolate is unknown, the frame's own words name the promise.
func (a *activation) callersOfJob() []runtimes.SourceFrame {
	v := a.v
	if t := v.threadOf(a.fp); t != nil {
		if isolate, ok := v.Isolate(t); ok {
			if task, ok := v.currentMicrotask(isolate); ok {
				return v.callersOfTask(task)
			}
		}
	}
	const words = 16 // of the frame, below its marker
	for i := 2; i < words; i++ {
		w, ok := v.word(a.fp - core.Addr(8*i))
		if !ok {
			return nil
		}
		if p := v.promiseOf(Tagged(w)); p != 0 {
			return v.asyncCallers(p)
		}
	}
	return nil
}

// threadOf returns the thread whose stack holds fp: the one whose top is the
// nearest below.
func (v *V8) threadOf(fp core.Addr) *core.Thread {
	var best *core.Thread
	var top core.Addr
	for _, t := range v.process.Threads {
		sp, ok := t.Regs.Get(v.process.Arch.SP)
		if ok && core.Addr(sp) <= fp && (best == nil || core.Addr(sp) > top) {
			best, top = t, core.Addr(sp)
		}
	}
	return best
}

// currentMicrotask finds the reaction job that runs, among the roots that an
// isolate begins with (execution/isolate-data.h, roots/roots.h:
// CurrentMicrotask).
func (v *V8) currentMicrotask(isolate core.Addr) (Tagged, bool) {
	const roots = 0x4000 // bytes from the isolate
	data, _ := core.ReadBytes(v.space, isolate, roots)
	for i := 0; i+8 <= len(data); i += 8 {
		if t := Tagged(v.order.Uint64(data[i:])); t&3 == 1 && v.isReactionJob(t) {
			return t, true
		}
	}
	return 0, false
}

func (v *V8) isReactionJob(o Tagged) bool {
	n, ok := v.instanceType(o)
	if !ok {
		return false
	}
	name := v.types.names[n]
	return name == "PROMISE_FULFILL_REACTION_JOB_TASK_TYPE" || name == "PROMISE_REJECT_REACTION_JOB_TASK_TYPE"
}

// callersOfTask reads a PromiseReactionJobTask (objects/microtask.h): its
// context is followed by the handler and the promise or capability.
func (v *V8) callersOfTask(task Tagged) []runtimes.SourceFrame {
	for off := 16; off <= 24; off += 8 {
		ctx, ok := v.field(task, off)
		if !ok || !v.isContext(ctx) {
			continue
		}
		handler, _ := v.field(task, off+8)
		then, _ := v.field(task, off+16)
		if v.isReceiver(handler) && v.isBuiltin(handler) {
			if _, ok := v.awaits(handler); ok {
				return nil
			}
		}
		return v.asyncCallers(v.promiseOf(then))
	}
	return nil
}
