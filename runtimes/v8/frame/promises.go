package frame

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/runtimes"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/promise"
)

// A Place is a position in a program's source.
type Place struct {
	Name   string `json:"name,omitempty"` // of the function
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"` // from 1; 0 if unknown, as the column
	Column int    `json:"column,omitempty"`
	// Unmapped is SourceFrame's Unmapped.
	Unmapped bool `json:"unmapped,omitempty"`
}

// String is the position as Error.stack has it.
func (p Place) String() string {
	name := cmp.Or(p.Name, "<anonymous>")
	switch {
	case p.File == "":
		return name
	case p.Line == 0:
		return fmt.Sprintf("%s (%s)", name, p.File)
	}
	mark := ""
	if p.Unmapped {
		mark = ", generated"
	}
	return fmt.Sprintf("%s (%s:%d:%d%s)", name, p.File, p.Line, p.Column, mark)
}

// FileLine returns the place without its column, as for classes.
func (p Place) FileLine() graph.Place { return graph.Place{File: p.File, Line: p.Line} }

// OfProgram reports whether the place is in a program's own file: not in one of the
// embedder's, which are named "node:…", and before Node 16 without a root. A script that vm runs
// has a name of its own if the program gives none.
func (p Place) OfProgram() bool {
	return p.File == "evalmachine.<anonymous>" || p.FileLine().OfProgram()
}

// A PromiseGroup is all promises of one state that the same place awaits.
type PromiseGroup struct {
	State object.PromiseState
	// Awaited is where the program waits for them; its zero value means that
	// it does not.
	Awaited Place
	Kind    promise.WaitKind // what waits for them; "" if nothing does
	// Direct is set if the function at Awaited waits for the promises themselves, and not for a promise derived
	// from them by a combinator or then.
	Direct bool
	// Promises are tagged addresses in order.
	Promises []core.Addr
}

// Receivers returns the objects of JavaScript whose instance type is wanted,
// in order of address.
func (dec *Decoder) Receivers(ctx context.Context, want func(typ int) bool) ([]layout.Tagged, error) {
	h, err := dec.heaps.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	return heap.Receivers(h, want), nil
}

// AllPromises returns the promises on the heap in order of address.
func (dec *Decoder) AllPromises(ctx context.Context) ([]layout.Tagged, error) {
	return dec.Receivers(ctx, func(typ int) bool { return typ == dec.Types.JSPromise })
}

// PromiseGroups counts the promises on the heap by state and by the place that
// waits for them, the most numerous first. Promises that nothing refers to any
// more count until they are swept.
func (dec *Decoder) PromiseGroups(ctx context.Context, pendingOnly bool) ([]PromiseGroup, error) {
	list, err := dec.AllPromises(ctx)
	if err != nil {
		return nil, err
	}
	type key struct {
		state   object.PromiseState
		awaited Place
		kind    promise.WaitKind
	}
	groups := map[key]*PromiseGroup{}
	for i, p := range list {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		state, _, err := dec.objects.Promise(p)
		if err != nil || pendingOnly && state != object.PromisePending {
			continue
		}
		k := key{state: state}
		if state == object.PromisePending {
			k.awaited, k.kind = dec.Awaited(p)
		}
		g := groups[k]
		if g == nil {
			g = &PromiseGroup{State: state, Awaited: k.awaited, Kind: k.kind}
			g.Direct = k.awaited != Place{} && (k.kind == promise.WaitAwait || k.kind == promise.WaitThen)
			groups[k] = g
		}
		g.Promises = append(g.Promises, p.TaggedAddr())
	}
	var out []PromiseGroup
	for _, g := range groups {
		out = append(out, *g)
	}
	slices.SortFunc(out, func(a, b PromiseGroup) int {
		return cmp.Or(cmp.Compare(len(b.Promises), len(a.Promises)), cmp.Compare(a.State, b.State),
			cmp.Compare(a.Promises[0], b.Promises[0]))
	})
	return out, nil
}

// Suspended returns the calls of async functions and generators that await a pending promise, each as a
// thread that stands for it, in the order of their objects' addresses. A call that awaits a settled promise
// is not among them: it is about to go on.
func (dec *Decoder) Suspended(ctx context.Context) ([]*core.Thread, error) {
	promises, err := dec.AllPromises(ctx)
	if err != nil {
		return nil, err
	}
	var calls []layout.Tagged
	for i, p := range promises {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		list, _ := dec.Promises.Waiters(p) // a damaged list has the waiters before the damage
		for k := range list {
			if list[k].Kind == promise.WaitAwait {
				calls = append(calls, list[k].Generator)
			}
		}
	}
	slices.Sort(calls)
	calls = slices.Compact(calls)
	threads := make([]*core.Thread, len(calls))
	for i, g := range calls {
		threads[i] = &core.Thread{Task: &core.Task{Kind: CallKind, ID: uint64(i + 1), Addr: core.Addr(g)}}
	}
	return threads, nil
}

// Awaited returns the nearest place in the program's source that waits for a pending promise, directly or
// through combinators and promises that only pass the outcome on. The kind is the kind of the promise's own
// first waiter; it is "" if nothing waits.
func (dec *Decoder) Awaited(of layout.Tagged) (Place, promise.WaitKind) {
	var kind promise.WaitKind
	seen := map[layout.Tagged]bool{}
	for of != 0 && !seen[of] && len(seen) < maxAwaiters {
		seen[of] = true
		list, _ := dec.Promises.Waiters(of)
		if len(list) == 0 {
			break
		}
		w := &list[0]
		if kind == "" {
			kind = w.Kind
		}
		if p, ok := dec.WaiterPlace(w); ok {
			return p, kind
		}
		of = w.Next
	}
	return Place{}, kind
}

// WaiterPlace returns the position where a waiter goes on, if it is a function with a source: the await, or the
// start of a function given to then.
func (dec *Decoder) WaiterPlace(w *promise.Waiter) (Place, bool) {
	switch w.Kind {
	case promise.WaitAwait:
		return dec.placeOf(dec.awaiter(w.Generator)), true
	case promise.WaitThen:
		for _, h := range []layout.Tagged{w.Fulfill, w.Reject} {
			if h == 0 {
				continue
			}
			if p, ok := dec.FunctionPlace(h); ok {
				return p, true
			}
		}
	}
	return Place{}, false
}

// FunctionPlace returns the name of a function and its start. For a bound function this is the target's. V8's
// own functions have no place.
func (dec *Decoder) FunctionPlace(fn layout.Tagged) (Place, bool) {
	for range object.MaxPrototypes {
		f, err := dec.objects.Function(fn)
		if err != nil {
			return Place{}, false
		}
		if f.Target != 0 {
			fn = f.Target
			continue
		}
		return dec.placeOf(runtimes.SourceFrame{Kind: runtimes.JS, Name: f.Name, File: f.File, Line: f.Line,
			Column: f.Column,
			Unit:   object.AddrOf(f.Script), Function: object.AddrOf(fn)}), f.Script != 0
	}
	return Place{}, false
}

// placeOf returns where a frame is, in what its code was made from.
func (dec *Decoder) placeOf(f runtimes.SourceFrame) Place {
	if dec.maps != nil && f.Unit != 0 {
		dec.maps.MapFrame(&f)
	}
	return Place{f.Name, f.File, f.Line, f.Column, f.Unmapped}
}

// An AsyncNode is a waiter with the waiters for its own promise.
type AsyncNode struct {
	Waiter  promise.Waiter
	Place   Place // zero if the waiter is not a function with a source
	Waiters []AsyncNode
	// Cut says why Waiters is not complete; nil if it is.
	Cut error
}

// Limits for the tree of waiters.
const (
	maxAsyncDepth = 1 << 10
	maxAsyncNodes = 1 << 14
)

var (
	errAsyncCycle = errors.New("a promise that waits for itself")
	errAsyncLimit = errors.New("too many")
)

// AsyncStack returns the waiters for a promise, or for the promise of an async function or generator, and the
// waiters for their promises.
func (dec *Decoder) AsyncStack(o layout.Tagged) ([]AsyncNode, error) {
	promise := o
	if !dec.Promises.IsPromise(o) {
		p, ok := layout.Tagged(0), false
		if dec.objects.IsGenerator(o) {
			p, ok = dec.Promises.OfGenerator(o)
		}
		if !ok {
			return nil, fmt.Errorf("v8: %v is neither a promise nor an async function that was suspended", core.Addr(o))
		}
		promise = p
	}
	b := asyncTree{v: dec, path: map[layout.Tagged]bool{}}
	return b.waiters(promise, 0)
}

type asyncTree struct {
	v     *Decoder
	path  map[layout.Tagged]bool
	nodes int
}

func (b *asyncTree) waiters(promise layout.Tagged, depth int) ([]AsyncNode, error) {
	if b.path[promise] {
		return nil, errAsyncCycle
	}
	if depth > maxAsyncDepth {
		return nil, errAsyncLimit
	}
	b.path[promise] = true
	defer delete(b.path, promise)
	list, err := b.v.Promises.Waiters(promise)
	out := make([]AsyncNode, 0, min(len(list), maxAsyncNodes))
	for _, w := range list {
		if b.nodes++; b.nodes > maxAsyncNodes {
			return out, errAsyncLimit
		}
		n := AsyncNode{Waiter: w}
		n.Place, _ = b.v.WaiterPlace(&w)
		if w.Next != 0 {
			n.Waiters, n.Cut = b.waiters(w.Next, depth+1)
		}
		out = append(out, n)
	}
	return out, err
}

// SuspendedAt returns where a suspended generator or async function is suspended.
func (dec *Decoder) SuspendedAt(g layout.Tagged) (Place, bool) {
	if !dec.objects.IsGenerator(g) {
		return Place{}, false
	}
	return dec.placeOf(dec.awaiter(g)), true
}
