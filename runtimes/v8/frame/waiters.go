package frame

import (
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
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
	Reaction layout.Tagged
	// Generator is the suspended function of an await.
	Generator layout.Tagged
	// Index of the element of a combinator; -1 for other kinds.
	Index int
	// Fulfill and Reject are the handlers of a then; 0 if absent.
	Fulfill, Reject layout.Tagged
	// Next is the promise that settles with the waiter's own outcome; 0 if
	// there is none.
	Next layout.Tagged
}

// maxWaiters bounds the reactions of one promise.
const maxWaiters = 1 << 20

// Waiters returns the waiters of a pending promise, the first one to wait first.
// A settled promise has no waiters.
func (dec *Decoder) Waiters(promise layout.Tagged) ([]Waiter, error) {
	state, reaction, err := dec.objects.Promise(promise)
	if err != nil || state != object.PromisePending {
		return nil, err
	}
	var out []Waiter
	seen := map[layout.Tagged]bool{}
	for !reaction.IsSmi() {
		if !dec.Is(reaction, dec.Types.PromiseReaction) || seen[reaction] || len(out) >= maxWaiters {
			slices.Reverse(out)
			return out, fmt.Errorf("corrupt: reactions of promise %v do not end", core.Addr(promise))
		}
		seen[reaction] = true
		out = append(out, dec.waiter(reaction))
		next, ok := dec.Field(reaction, dec.Layout.PromiseReaction.Next)
		if !ok {
			slices.Reverse(out)
			return out, dec.Fault(reaction, dec.Layout.PromiseReaction.Next)
		}
		reaction = next
	}
	slices.Reverse(out)
	return out, nil
}

// waiter decodes a reaction. The builtin of V8's own handlers tells their purpose.
// Where the image does not name builtins, the objects that they close over do: the
// generator that they resume, the capability of a combinator, or the
// promise that they settle (builtins/promise-all.tq, builtins/promise-any.tq,
// builtins/promise-abstract-operations.tq, builtins/array-from-async.tq).
func (dec *Decoder) waiter(reaction layout.Tagged) Waiter {
	l := &dec.Layout.PromiseReaction
	w := Waiter{Kind: WaitThen, Reaction: reaction, Index: -1}
	fulfill, _ := dec.Field(reaction, l.Fulfill)
	reject, _ := dec.Field(reaction, l.Reject)
	if dec.IsReceiver(fulfill) && dec.objects.IsBuiltin(fulfill) {
		if g, ok := dec.objects.Awaits(fulfill); ok {
			w.Kind, w.Generator = WaitAwait, g
			w.Next, _ = dec.generatorPromise(g)
			return w
		}
		if p, ok := dec.fromAsync(fulfill); ok {
			w.Kind, w.Next = WaitFromAsync, p
			return w
		}
	}
	if dec.combines(&w, fulfill, reject) {
		return w
	}
	if dec.IsReceiver(fulfill) && dec.objects.IsBuiltin(fulfill) && dec.mayBe(fulfill, "PromiseCapabilityDefaultResolve") {
		if p, ok := dec.closedOver(fulfill, dec.isPromise); ok {
			w.Kind, w.Next = WaitResolve, p
			return w
		}
	}
	w.Fulfill, w.Reject = dec.handler(fulfill), dec.handler(reject)
	then, _ := dec.Field(reaction, l.Promise)
	w.Next = dec.promiseOf(then)
	if w.Fulfill == 0 && w.Reject == 0 {
		w.Kind = WaitResolve
	}
	return w
}

// handler returns the function that a program gave to then, catch or finally. It is 0
// for a builtin that only passes an outcome on, and for anything but a function.
func (dec *Decoder) handler(fn layout.Tagged) layout.Tagged {
	const onFinally = 2 // PromiseFinallyContext; builtins/promise-finally.tq
	switch {
	case !dec.IsReceiver(fn):
		return 0
	case !dec.objects.IsBuiltin(fn):
		return fn
	}
	switch dec.objects.BuiltinName(fn) {
	case "PromiseThenFinally", "PromiseCatchFinally":
		ctx, _ := dec.Field(fn, dec.Layout.JSFunction.Context)
		if n, ok := dec.objects.ContextLength(ctx); ok && onFinally < n {
			if f, ok := dec.objects.WordAt(ctx, onFinally); ok && dec.IsFunction(f) {
				return f
			}
		}
	}
	if name := dec.objects.FunctionNameOf(fn); name != "" {
		return fn // one that has a name is a program's choice: then(console.log)
	}
	return 0
}

// mayBe reports whether fn runs the builtin of the given name; where the image
// does not name builtins it may.
func (dec *Decoder) mayBe(fn layout.Tagged, names ...string) bool {
	name := dec.objects.BuiltinName(fn)
	return name == "" || slices.Contains(names, name)
}

// combines decodes the handlers of an element of Promise.all and its kin: at
// least one handler closes over the capability of the combinator.
func (dec *Decoder) combines(w *Waiter, fulfill, reject layout.Tagged) bool {
	var capability [2]layout.Tagged
	names := [2][]string{
		{"PromiseAllResolveElementClosure", "PromiseAllSettledResolveElementClosure"},
		{"PromiseAllSettledRejectElementClosure", "PromiseAnyRejectElementClosure"},
	}
	index := -1
	for i, h := range []layout.Tagged{fulfill, reject} {
		if !dec.IsReceiver(h) || !dec.objects.IsBuiltin(h) || !dec.mayBe(h, names[i]...) {
			continue
		}
		if p, ok := dec.closedOver(h, dec.isCapability); ok {
			capability[i] = p
			if hash, ok := dec.SmiField(h, dec.Layout.JSReceiver.Properties); ok && index < 0 {
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
	w.Index, w.Next = index, dec.promiseOf(max(capability[0], capability[1]))
	return true
}

// fromAsyncPromises are the slots of the promise that Array.fromAsync returned
// in the contexts of its closures (builtins/array-from-async.tq @ 12.2:
// ArrayFromAsyncIterableResolveContextSlots and ArrayFromAsyncArrayLike…).
var fromAsyncPromises = map[string]int{
	"ArrayFromAsyncIterableOnFulfilled": 5, "ArrayFromAsyncArrayLikeOnFulfilled": 6,
}

// fromAsync returns the promise of the call of Array.fromAsync that the closure
// fn goes on with. Where the image does not name builtins, it is known by its context, which
// has the closure itself after the promise and the function that made that.
func (dec *Decoder) fromAsync(fn layout.Tagged) (layout.Tagged, bool) {
	name := dec.objects.BuiltinName(fn)
	slot, known := fromAsyncPromises[name]
	if !known && name != "" {
		return 0, false
	}
	ctx, _ := dec.Field(fn, dec.Layout.JSFunction.Context)
	n, ok := dec.objects.ContextLength(ctx)
	for _, at := range fromAsyncPromises {
		if !ok || at+2 >= n || known && at != slot {
			continue
		}
		p, _ := dec.objects.WordAt(ctx, at)
		self, _ := dec.objects.WordAt(ctx, at+2)
		if dec.isPromise(p) && (known || self == fn) {
			return p, true
		}
	}
	return 0, false
}

func (dec *Decoder) isPromise(o layout.Tagged) bool { return dec.Is(o, dec.Types.JSPromise) }

func (dec *Decoder) isCapability(o layout.Tagged) bool { return dec.Is(o, dec.Types.PromiseCapability) }

// promiseOf returns o itself if it is a promise, or the promise of a capability; else 0.
func (dec *Decoder) promiseOf(o layout.Tagged) layout.Tagged {
	if dec.isCapability(o) {
		o, _ = dec.Field(o, dec.Slots(1)) // PromiseCapability::promise
	}
	if dec.isPromise(o) {
		return o
	}
	return 0
}

// closedOver finds what a builtin closure keeps in its context.
func (dec *Decoder) closedOver(fn layout.Tagged, want func(layout.Tagged) bool) (layout.Tagged, bool) {
	ctx, ok := dec.Field(fn, dec.Layout.JSFunction.Context)
	if !ok {
		return 0, false
	}
	n, ok := dec.objects.ContextLength(ctx)
	if !ok || n > object.MaxClosureSlots {
		return 0, false
	}
	for i := 2; i < n; i++ {
		if e, ok := dec.Field(ctx, dec.Layout.FixedArray.Data+dec.Slots(i)); ok && want(e) {
			return e, true
		}
	}
	return 0, false
}

// generatorPromise returns the promise that an async function settles, or the
// one that the request which an async generator works on does
// (objects/js-generator.tq: JSAsyncGeneratorObject, AsyncGeneratorRequest).
func (dec *Decoder) generatorPromise(g layout.Tagged) (layout.Tagged, bool) {
	requestPromise := dec.Slots(4)
	p, ok := dec.Field(g, dec.Layout.JSGeneratorObject.Promise)
	if !ok || dec.isPromise(p) {
		return p, ok
	}
	if n, ok := dec.InstanceType(p); !ok || n >= dec.Types.FirstReceiver {
		return 0, false
	}
	p, ok = dec.Field(p, requestPromise)
	return p, ok && dec.isPromise(p)
}

// asyncCallers returns the frames that Error.stack adds for a promise: it
// follows promises as long as exactly one waits for each
// (execution/isolate.cc: CaptureAsyncStackTrace).
func (dec *Decoder) asyncCallers(promise layout.Tagged) []runtimes.SourceFrame {
	var out []runtimes.SourceFrame
	for _, x := range dec.suspendedCallers(promise) {
		out = append(out, x.source)
	}
	return out
}

// suspendedCallers is asyncCallers with the calls that the frames belong to.
func (dec *Decoder) suspendedCallers(promise layout.Tagged) []suspension {
	var out []suspension
	seen := map[layout.Tagged]bool{}
	for promise != 0 && !seen[promise] && len(out) < maxAwaiters && len(seen) < maxAwaiters {
		seen[promise] = true
		list, err := dec.Waiters(promise)
		if err != nil || len(list) != 1 {
			break // V8 names none either if several wait
		}
		w := &list[0]
		switch w.Kind {
		case WaitAwait:
			out = append(out, suspension{dec.awaiter(w.Generator), w.Generator})
		case WaitAll, WaitAny, WaitAllSettled:
			if !dec.namesCombinator(w.Kind) {
				return out
			}
			out = append(out, suspension{source: w.combinator()})
		case WaitFromAsync:
			return out // Error.stack ends there
		}
		promise = w.Next
	}
	return out
}

// namesCombinator reports whether Error.stack of this version knows frames of
// the combinator.
func (dec *Decoder) namesCombinator(k WaitKind) bool {
	switch k {
	case WaitAny:
		return dec.Layout.ErrorStack.NamesAny == 1
	case WaitAllSettled:
		return dec.Layout.ErrorStack.NamesAllSettled == 1
	}
	return true
}

// combinator makes the frame of an element of Promise.all and its kin, as
// Error.stack prints it.
func (w *Waiter) combinator() runtimes.SourceFrame {
	return runtimes.SourceFrame{Kind: runtimes.JS, Name: string(w.Kind), File: fmt.Sprintf("index %d", w.Index),
		Tier: "builtin", Async: true}
}
