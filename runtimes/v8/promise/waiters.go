package promise

import (
	"fmt"
	"slices"

	"coredbg/core"
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

// A Reader reads promises.
type Reader struct {
	*layout.Memory
	objects *object.Reader
}

// New returns a reader of the promises among the objects that r reads.
func New(r *object.Reader) *Reader { return &Reader{r.Memory, r} }

// maxWaiters bounds the reactions of one promise.
const maxWaiters = 1 << 20

// Waiters returns the waiters of a pending promise, the first one to wait first.
// A settled promise has no waiters.
func (r *Reader) Waiters(promise layout.Tagged) ([]Waiter, error) {
	state, reaction, err := r.objects.Promise(promise)
	if err != nil || state != object.PromisePending {
		return nil, err
	}
	var out []Waiter
	seen := map[layout.Tagged]bool{}
	for !reaction.IsSmi() {
		if !r.Is(reaction, r.Types.PromiseReaction) || seen[reaction] || len(out) >= maxWaiters {
			slices.Reverse(out)
			return out, fmt.Errorf("corrupt: reactions of promise %v do not end", core.Addr(promise))
		}
		seen[reaction] = true
		out = append(out, r.waiter(reaction))
		next, ok := r.Field(reaction, r.Layout.PromiseReaction.Next)
		if !ok {
			slices.Reverse(out)
			return out, r.Fault(reaction, r.Layout.PromiseReaction.Next)
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
func (r *Reader) waiter(reaction layout.Tagged) Waiter {
	l := &r.Layout.PromiseReaction
	w := Waiter{Kind: WaitThen, Reaction: reaction, Index: -1}
	fulfill, _ := r.Field(reaction, l.Fulfill)
	reject, _ := r.Field(reaction, l.Reject)
	if r.IsReceiver(fulfill) && r.objects.IsBuiltin(fulfill) {
		if g, ok := r.objects.Awaits(fulfill); ok {
			w.Kind, w.Generator = WaitAwait, g
			w.Next, _ = r.OfGenerator(g)
			return w
		}
		if p, ok := r.fromAsync(fulfill); ok {
			w.Kind, w.Next = WaitFromAsync, p
			return w
		}
	}
	if r.combines(&w, fulfill, reject) {
		return w
	}
	if r.IsReceiver(fulfill) && r.objects.IsBuiltin(fulfill) && r.mayBe(fulfill, "PromiseCapabilityDefaultResolve") {
		if p, ok := r.ClosedOver(fulfill, r.IsPromise); ok {
			w.Kind, w.Next = WaitResolve, p
			return w
		}
	}
	w.Fulfill, w.Reject = r.handler(fulfill), r.handler(reject)
	then, _ := r.Field(reaction, l.Promise)
	w.Next = r.Of(then)
	if w.Fulfill == 0 && w.Reject == 0 {
		w.Kind = WaitResolve
	}
	return w
}

// handler returns the function that a program gave to then, catch or finally. It is 0
// for a builtin that only passes an outcome on, and for anything but a function.
func (r *Reader) handler(fn layout.Tagged) layout.Tagged {
	const onFinally = 2 // PromiseFinallyContext; builtins/promise-finally.tq
	switch {
	case !r.IsReceiver(fn):
		return 0
	case !r.objects.IsBuiltin(fn):
		return fn
	}
	switch r.objects.BuiltinName(fn) {
	case "PromiseThenFinally", "PromiseCatchFinally":
		ctx, _ := r.Field(fn, r.Layout.JSFunction.Context)
		if n, ok := r.objects.ContextLength(ctx); ok && onFinally < n {
			if f, ok := r.objects.WordAt(ctx, onFinally); ok && r.IsFunction(f) {
				return f
			}
		}
	}
	if name := r.objects.FunctionNameOf(fn); name != "" {
		return fn // one that has a name is a program's choice: then(console.log)
	}
	return 0
}

// mayBe reports whether fn runs the builtin of the given name; where the image
// does not name builtins it may.
func (r *Reader) mayBe(fn layout.Tagged, names ...string) bool {
	name := r.objects.BuiltinName(fn)
	return name == "" || slices.Contains(names, name)
}

// combines decodes the handlers of an element of Promise.all and its kin: at
// least one handler closes over the capability of the combinator.
func (r *Reader) combines(w *Waiter, fulfill, reject layout.Tagged) bool {
	var capability [2]layout.Tagged
	names := [2][]string{
		{"PromiseAllResolveElementClosure", "PromiseAllSettledResolveElementClosure"},
		{"PromiseAllSettledRejectElementClosure", "PromiseAnyRejectElementClosure"},
	}
	index := -1
	for i, h := range []layout.Tagged{fulfill, reject} {
		if !r.IsReceiver(h) || !r.objects.IsBuiltin(h) || !r.mayBe(h, names[i]...) {
			continue
		}
		if p, ok := r.ClosedOver(h, r.isCapability); ok {
			capability[i] = p
			if hash, ok := r.SmiField(h, r.Layout.JSReceiver.Properties); ok && index < 0 {
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
	w.Index, w.Next = index, r.Of(max(capability[0], capability[1]))
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
func (r *Reader) fromAsync(fn layout.Tagged) (layout.Tagged, bool) {
	name := r.objects.BuiltinName(fn)
	slot, known := fromAsyncPromises[name]
	if !known && name != "" {
		return 0, false
	}
	ctx, _ := r.Field(fn, r.Layout.JSFunction.Context)
	n, ok := r.objects.ContextLength(ctx)
	for _, at := range fromAsyncPromises {
		if !ok || at+2 >= n || known && at != slot {
			continue
		}
		p, _ := r.objects.WordAt(ctx, at)
		self, _ := r.objects.WordAt(ctx, at+2)
		if r.IsPromise(p) && (known || self == fn) {
			return p, true
		}
	}
	return 0, false
}

// IsPromise reports whether o is a promise.
func (r *Reader) IsPromise(o layout.Tagged) bool { return r.Is(o, r.Types.JSPromise) }

func (r *Reader) isCapability(o layout.Tagged) bool { return r.Is(o, r.Types.PromiseCapability) }

// Of returns o itself if it is a promise, or the promise of a capability; else 0.
func (r *Reader) Of(o layout.Tagged) layout.Tagged {
	if r.isCapability(o) {
		o, _ = r.Field(o, r.Slots(1)) // PromiseCapability::promise
	}
	if r.IsPromise(o) {
		return o
	}
	return 0
}

// ClosedOver finds what a builtin closure keeps in its context.
func (r *Reader) ClosedOver(fn layout.Tagged, want func(layout.Tagged) bool) (layout.Tagged, bool) {
	ctx, ok := r.Field(fn, r.Layout.JSFunction.Context)
	if !ok {
		return 0, false
	}
	n, ok := r.objects.ContextLength(ctx)
	if !ok || n > object.MaxClosureSlots {
		return 0, false
	}
	for i := 2; i < n; i++ {
		if e, ok := r.Field(ctx, r.Layout.FixedArray.Data+r.Slots(i)); ok && want(e) {
			return e, true
		}
	}
	return 0, false
}

// OfGenerator returns the promise that an async function settles, or the
// one that the request which an async generator works on does
// (objects/js-generator.tq: JSAsyncGeneratorObject, AsyncGeneratorRequest).
func (r *Reader) OfGenerator(g layout.Tagged) (layout.Tagged, bool) {
	requestPromise := r.Slots(4)
	p, ok := r.Field(g, r.Layout.JSGeneratorObject.Promise)
	if !ok || r.IsPromise(p) {
		return p, ok
	}
	if n, ok := r.InstanceType(p); !ok || n >= r.Types.FirstReceiver {
		return 0, false
	}
	p, ok = r.Field(p, requestPromise)
	return p, ok && r.IsPromise(p)
}

// SettledBy returns the promise that fn settles, one of the two functions that new Promise hands
// to a program: both close over it (builtins/promise-misc.tq:
// CreatePromiseResolvingFunctionsContext).
func (r *Reader) SettledBy(fn layout.Tagged) (layout.Tagged, bool) {
	if !r.IsReceiver(fn) || !r.IsFunction(fn) || !r.objects.IsBuiltin(fn) {
		return 0, false
	}
	return r.ClosedOver(fn, r.IsPromise)
}
