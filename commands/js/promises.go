package js

import (
	"context"
	"errors"

	"coredbg/commands"
	"coredbg/commands/js/target"
	"coredbg/commands/out"
	"coredbg/core"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/promise"
)

var promisesCommand = commands.Command{
	Name: "promises", Module: target.Module, Addr: commands.AddrNone,
	Options: []commands.Option{
		{Letter: 'p', Help: "only pending promises"},
	},
	Summary: "count the promises by the place that awaits them",
	Detail: `Promises on the heaps of all isolates are counted by state, pending ones also by
the place in the program that waits for them: the await of an async function, or a
function given to then. Promises that Promise.all, its kin or Array.fromAsync waits for, or
that only hand their outcome on, are rows of their own, with the place that they are
waited "for". "-" stands for promises that nothing waits for. The address is the first promise of a row; "::walk promise"
gives all of them. The promises of each worker thread have rows of their own. Promises that nothing refers to any more count until they are
collected.`,
	Example: "::promises -p",
	SeeAlso: []string{"asyncstack", "jsprint", "walk"},
	Run:     runPromises,
}

// promiseRecord is a row of ::promises.
type promiseRecord struct {
	_       out.Record          `record:"jspromise" cols:"First Count State How at"`
	State   object.PromiseState `json:"state" col:"STATE,9"`
	First   core.Addr           `json:"addr" dot:"always" col:"ADDR,16"`
	Awaited frame.Place         `json:"awaited_at,omitzero"`
	// For is the place that waits for a promise that a combinator makes of them.
	For   frame.Place      `json:"awaited_for,omitzero"`
	How   promise.WaitKind `json:"awaited_by,omitempty" col:"AWAITED BY,18,zero=-"`
	Count int              `json:"count" col:"COUNT,8,right"`
	// Worker is the thread whose heap they are on, if it is not the main thread.
	Worker *commands.HeapThread `json:"worker,omitempty"`
	at     string               `col:"AT"`
}

func runPromises(ctx context.Context, c *commands.Call) error {
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	groups, err := v.Frames.PromiseGroups(ctx, c.Flag('p'))
	if err != nil {
		return err
	}
	for i := range groups {
		if err := commands.EmitAll(c, promiseRows(ctx, c, v, &groups[i])); err != nil {
			return err
		}
	}
	return nil
}

// promiseRows returns the rows of a group: one for each thread that has promises of it.
func promiseRows(ctx context.Context, c *commands.Call, v *v8.V8, g *frame.PromiseGroup) []*promiseRecord {
	var rows []*promiseRecord
	of := map[*core.Thread]int{}
	for _, p := range g.Promises {
		a := layout.Tagged(p).Addr()
		t := v.HeapThread(ctx, a)
		k, ok := of[t]
		if !ok {
			k = len(rows)
			of[t] = k
			r := &promiseRecord{State: g.State, First: p, How: g.Kind, Worker: c.Session.HeapThread(ctx, a)}
			if g.Direct {
				r.Awaited = g.Awaited
			} else {
				r.For = g.Awaited
			}
			rows = append(rows, r)
		}
		rows[k].Count++
	}
	return rows
}

// Prepare implements out.Preparer.
func (r *promiseRecord) Prepare() {
	switch {
	case r.For != frame.Place{}:
		r.at = "for " + r.For.String()
	case r.Awaited != frame.Place{}:
		r.at = r.Awaited.String()
	default:
		r.at = "-"
	}
	if r.Worker != nil {
		r.at += ", in " + r.Worker.String()
	}
}

var asyncstackCommand = commands.Command{
	Name: "asyncstack", Module: target.Module, Addr: commands.AddrRequired,
	Summary: "show what waits for a promise",
	Detail: `The address is a promise, or the generator object of an async function. Shows the
functions that go on when it settles, then the functions that wait for these, and so on, as
the async frames of Error.stack: awaits with their position, functions given to then,
and combinators with the index of the element. Where several wait for one promise,
each has a branch of its own, which is indented.`,
	Example: "::promises -p | ::asyncstack",
	SeeAlso: []string{"promises", "jsstack"},
	Run:     runAsyncstack,
}

// asyncRecord is a promise with its waiters.
type asyncRecord struct {
	_       out.Record          `record:"jsasyncstack"`
	At      core.Addr           `json:"addr" dot:"always"`
	State   object.PromiseState `json:"state,omitempty"`
	Waiters []asyncWaiter       `json:"waiters,omitempty"`
	Cut     string              `json:"cut,omitempty"`
}

// asyncWaiter is a node of its tree.
type asyncWaiter struct {
	Kind  promise.WaitKind `json:"kind"`
	Index *int             `json:"index,omitempty"` // of a combinator's element
	frame.Place
	Generator core.Addr     `json:"generator,omitzero"`
	Promise   core.Addr     `json:"promise,omitzero"` // that settles next
	Waiters   []asyncWaiter `json:"waiters,omitempty"`
	Cut       string        `json:"cut,omitempty"`
}

func runAsyncstack(_ context.Context, c *commands.Call) error {
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	t := target.Tagged(v, c.Dot)
	nodes, err := v.Frames.AsyncStack(t)
	if err != nil && nodes == nil {
		return err
	}
	r := &asyncRecord{At: core.Addr(t), Waiters: asyncWaiters(nodes), Cut: reason(err)}
	r.State, _, _ = v.Objects.Promise(t)
	return c.Emit(r)
}

func reason(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func asyncWaiters(nodes []frame.AsyncNode) []asyncWaiter {
	var list []asyncWaiter
	for i := range nodes {
		n := &nodes[i]
		w := asyncWaiter{Kind: n.Waiter.Kind, Place: n.Place, Generator: core.Addr(n.Waiter.Generator),
			Promise: core.Addr(n.Waiter.Next), Waiters: asyncWaiters(n.Waiters), Cut: reason(n.Cut)}
		if n.Waiter.Index >= 0 {
			w.Index = &n.Waiter.Index
		}
		list = append(list, w)
	}
	return list
}

// Text writes the tree.
func (r *asyncRecord) Text(w *out.Writer) {
	w.Printf("%x", uint64(r.At))
	if r.State != "" {
		w.Printf(": %s promise", string(r.State))
	}
	if len(r.Waiters) == 0 {
		w.Printf(", nothing waits for it")
	}
	w.Printf("\n")
	writeWaiters(w, r.Waiters, 1)
	writeCut(w, r.Cut, 1)
}

// writeWaiters indents only where there is more than one branch.
func writeWaiters(w *out.Writer, list []asyncWaiter, depth int) {
	for i := range list {
		n := &list[i]
		switch {
		case n.Index != nil:
			w.Printf("%*sat async %s (index %d)\n", 4*depth, "", string(n.Kind), *n.Index)
		case n.Kind == promise.WaitFromAsync:
			w.Printf("%*sat async %s\n", 4*depth, "", string(n.Kind))
		case n.Kind == promise.WaitAwait:
			w.Printf("%*sat async %v\n", 4*depth, "", n.Place)
		case n.Kind == promise.WaitThen && n.Place != frame.Place{}:
			w.Printf("%*sat then %v\n", 4*depth, "", n.Place)
		case n.Kind == promise.WaitThen:
			w.Printf("%*sat then <builtin>\n", 4*depth, "")
		default:
			w.Printf("%*sresolves %x\n", 4*depth, "", uint64(n.Promise))
		}
		below := depth
		if len(list) > 1 {
			below++
		}
		writeWaiters(w, n.Waiters, below)
		writeCut(w, n.Cut, below)
	}
}

func writeCut(w *out.Writer, why string, depth int) {
	if why != "" {
		w.Printf("%*s(%s)\n", 4*depth, "", why)
	}
}

var promiseWalker = commands.Walker{Name: "promise", Module: target.Module, Addr: commands.AddrOptional,
	Summary: "all promises, or the promises that settle after one", Walk: walkPromises}

var errNoPromise = errors.New("the address is not a promise")

// walkPromises walks all promises, or the promises that settle after the one at the address.
func walkPromises(ctx context.Context, c *commands.Call, yield func(core.Addr) bool) error {
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	if c.HasAddr {
		t := target.Tagged(v, c.Dot)
		if _, _, err := v.Objects.Promise(t); err != nil {
			return errNoPromise
		}
		list, err := v.Frames.Promises.Waiters(t)
		for _, w := range list {
			if w.Next != 0 && !yield(core.Addr(w.Next)) {
				return nil
			}
		}
		return err
	}
	list, err := v.Frames.AllPromises(ctx)
	for _, t := range list {
		if !yield(core.Addr(t)) {
			return nil
		}
	}
	return err
}
