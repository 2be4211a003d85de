package node

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"coredbg/runtimes"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/promise"
)

// Limits of the waits of a program.
const (
	maxAwaiting = 1 << 20 // promises
	maxChain    = 8       // callers of an async function
	maxOutward  = 64      // promises from one that waits to the program's own
	maxTogether = 1 << 12 // that wait for one promise
	maxQueued   = 1 << 16 // requests of an agent
)

// Waits returns the waits of a program that no thread's stack shows, the most common first: async functions
// that await, requests that an http.Agent has queued, and if there is neither, the open handles of the event
// loop.
func (nr *Reader) Waits(ctx context.Context) []runtimes.Wait {
	list := append(promiseWaits(ctx, nr), agentWaits(ctx, nr)...)
	if len(list) == 0 {
		list = handleWaits(ctx, nr)
	}
	slices.SortStableFunc(list, func(a, b runtimes.Wait) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.What, b.What))
	})
	return list
}

// maxCallbacks bounds how many queued callbacks are looked at.
const maxCallbacks = 1 << 12

// Queued returns the callbacks of process.nextTick and the microtasks that are queued, by their functions,
// the most common first.
func (nr *Reader) Queued(ctx context.Context) (list []runtimes.Wait) {
	ticks, _ := nr.Tasks.Ticks(ctx)
	tasks, _, _ := nr.Tasks.Microtasks(ctx, maxCallbacks)
	known := map[frame.Place]int{}
	for _, t := range append(ticks[:min(len(ticks), maxCallbacks):min(len(ticks), maxCallbacks)], tasks...) {
		if t.Place == (frame.Place{}) || internal(t.Place.File) {
			continue
		}
		i, ok := known[t.Place]
		if !ok {
			i = len(list)
			known[t.Place] = i
			list = append(list, runtimes.Wait{What: "a callback is queued: " + t.Place.String(),
				Many:   "callbacks are queued: " + t.Place.String(),
				Frames: []runtimes.SourceFrame{sourceFrame(t.Place)}, Next: "::ticks"})
		}
		list[i].Count++
	}
	slices.SortStableFunc(list, func(a, b runtimes.Wait) int {
		return cmp.Or(b.Count-a.Count,
			cmp.Compare(a.What, b.What))
	})
	return list
}

// promiseWaits groups the pending promises that functions of the program await by the place of that. A
// promise that another function or promise in the heap will settle is left out: its own wait is the cause.
func promiseWaits(ctx context.Context, nr *Reader) (list []runtimes.Wait) {
	all, err := nr.frames.AllPromises(ctx)
	if err != nil || len(all) > maxAwaiting {
		return nil
	}
	settled := map[layout.Tagged]bool{} // by a waiter
	var pending []layout.Tagged
	for i, p := range all {
		if i&0x3ff == 0 && ctx.Err() != nil {
			return nil
		}
		waiters, _ := nr.frames.Promises.Waiters(p)
		for _, w := range waiters {
			settled[w.Next] = true
		}
		if len(waiters) > 0 {
			pending = append(pending, p)
		}
	}
	first := slices.DeleteFunc(slices.Clone(pending), func(p layout.Tagged) bool { return settled[p] })
	if list = awaiting(ctx, nr, first); len(list) == 0 { // functions that wait for each other
		list = awaiting(ctx, nr, pending)
	}
	return list
}

// awaiting groups what waits for some promises by its place.
func awaiting(ctx context.Context, nr *Reader, promises []layout.Tagged) (list []runtimes.Wait) {
	groups := map[frame.Place]int{}
	for i, p := range promises {
		if i&0x3ff == 0 && ctx.Err() != nil {
			return list
		}
		waiters, _ := nr.frames.Promises.Waiters(p)
		for _, w := range waiters[:min(len(waiters), maxTogether)] {
			chain, kind := asyncChain(nr, w)
			if len(chain) == 0 {
				continue
			}
			at := chain[0]
			i, ok := groups[at]
			if !ok {
				i = len(list)
				groups[at] = i
				list = append(list, runtimes.Wait{What: awaits(kind, at), Many: awaitsMany(kind, at),
					Next: "::promises -p"})
				for _, c := range chain {
					list[i].Frames = append(list[i].Frames, sourceFrame(c))
				}
			}
			list[i].Count++
		}
	}
	return list
}

// awaits says what waits for a promise, and awaitsMany the same of several.
func awaits(kind promise.WaitKind, at frame.Place) string {
	switch kind {
	case promise.WaitAwait, promise.WaitResolve:
		return "an async call awaits in " + at.String()
	case promise.WaitThen:
		return "a function given to then waits: " + at.String()
	}
	return fmt.Sprintf("a promise is waited for by %s, in %s", kind, at)
}

func awaitsMany(kind promise.WaitKind, at frame.Place) string {
	switch kind {
	case promise.WaitAwait, promise.WaitResolve:
		return "async calls await in " + at.String()
	case promise.WaitThen:
		return "functions given to then wait: " + at.String()
	}
	return fmt.Sprintf("promises are waited for by %s, in %s", kind, at)
}

// internal reports whether a file is Node's or Deno's own.
func internal(file string) bool {
	return strings.HasPrefix(file, "node:") || strings.HasPrefix(file, "internal/") ||
		strings.HasPrefix(file, "ext:") || file == ""
}

// asyncChain returns the functions of the program that go on after a waiter, the innermost first, each the
// first waiter for the one before. kind is what the innermost does.
func asyncChain(nr *Reader, w promise.Waiter) (chain []frame.Place, kind promise.WaitKind) {
	for range maxOutward {
		if at, ok := nr.frames.WaiterPlace(&w); ok && !internal(at.File) {
			if chain = append(chain, at); len(chain) == 1 {
				kind = w.Kind
			}
		}
		if len(chain) == maxChain || w.Next == 0 {
			break
		}
		waiters, _ := nr.frames.Promises.Waiters(w.Next)
		if len(waiters) == 0 {
			break
		}
		w = waiters[0]
	}
	return chain, kind
}

func sourceFrame(p frame.Place) runtimes.SourceFrame {
	return runtimes.SourceFrame{Kind: runtimes.JS, Name: p.Name, File: p.File, Line: p.Line, Column: p.Column}
}

// agentWaits finds the requests that agents of http and https have queued, by the host (lib/_http_agent.js:
// requests and sockets, arrays by the name of a host).
func agentWaits(ctx context.Context, nr *Reader) (list []runtimes.Wait) {
	h, err := nr.heaps.Snapshot(ctx)
	if err != nil {
		return nil
	}
	for _, g := range h.Groups() {
		if !mayBeAgent(&g) {
			continue
		}
		for _, a := range h.Objects(&g) {
			if ctx.Err() != nil {
				return list
			}
			list = append(list, queuedRequests(nr, layout.Tagged(a))...)
		}
	}
	return list
}

// mayBeAgent reports whether the objects of a group may be agents.
func mayBeAgent(g *heap.Group) bool {
	has := func(name string) bool { return slices.Contains(g.Props, name) }
	return has("requests") && has("sockets") && has("freeSockets")
}

// queuedRequests returns what waits for sockets of an agent.
func queuedRequests(nr *Reader, agent layout.Tagged) (list []runtimes.Wait) {
	requests, ok := nr.members.Word(agent, "requests")
	if !ok || !nr.IsReceiver(requests) {
		return nil
	}
	sockets, _ := nr.members.Word(agent, "sockets")
	nr.objects.EachProperty(requests, func(p object.RawProperty) bool {
		queued := elements(nr, p.Value)
		if len(queued) == 0 {
			return true
		}
		host := strings.TrimRight(nr.members.KeyName(p.Key), ":")
		used := 0
		if s, ok := nr.members.Word(sockets, nr.objects.Text(p.Key)); ok {
			used = len(elements(nr, s))
		}
		class := nr.objects.ConstructorName(agent)
		end := fmt.Sprintf(" for a socket of %s to %s; sockets in use: %d", class, host, used)
		w := runtimes.Wait{Count: len(queued), What: "a request waits" + end, Many: "requests wait" + end,
			Label: "queue of http." + class, Next: "::findjsobjects -c " + class}
		if at, ok := responseOf(nr, queued[0]); ok {
			w.Frames = []runtimes.SourceFrame{sourceFrame(at)}
		}
		list = append(list, w)
		return len(list) < maxChain
	})
	return list
}

// elements returns the objects in an array.
func elements(nr *Reader, array layout.Tagged) (list []layout.Tagged) {
	if !nr.IsReceiver(array) {
		return nil
	}
	_ = nr.objects.Elements(array, func(_ uint64, s object.Slot) bool {
		if !s.Raw && nr.IsReceiver(s.Word) {
			list = append(list, s.Word)
		}
		return len(list) < maxQueued
	})
	return list
}

// responseOf returns the place of the function that a request calls with its response.
func responseOf(nr *Reader, request layout.Tagged) (frame.Place, bool) {
	events, ok := nr.members.Word(request, "_events")
	if !ok || !nr.IsReceiver(events) {
		return frame.Place{}, false
	}
	fn, ok := nr.members.Word(events, "response")
	if !ok || !nr.IsReceiver(fn) {
		return frame.Place{}, false
	}
	if once, ok := nr.members.Word(fn, "listener"); ok && nr.IsReceiver(once) {
		fn = once
	}
	return nr.frames.FunctionPlace(fn)
}

// maxEvents bounds how many events of an emitter are looked at.
const maxEvents = 64

// listenerOf returns the place of a function of the program that an emitter calls when something comes in;
// the zero Place if it has no such function.
func listenerOf(nr *Reader, emitter layout.Tagged) (at frame.Place) {
	events, ok := nr.members.Word(emitter, "_events")
	if emitter == 0 || !ok || !nr.IsReceiver(events) {
		return at
	}
	n := 0
	nr.objects.EachProperty(events, func(p object.RawProperty) bool {
		if n++; n > maxEvents || !nr.IsReceiver(p.Value) {
			return n <= maxEvents
		}
		fns := []layout.Tagged{p.Value}
		if !nr.IsFunction(p.Value) {
			fns = elements(nr, p.Value)
		}
		for _, fn := range fns {
			if once, ok := nr.members.Word(fn, "listener"); ok && nr.IsReceiver(once) {
				fn = once
			}
			if place, ok := nr.frames.FunctionPlace(fn); ok && !internal(place.File) {
				at = place
			}
		}
		return at == (frame.Place{})
	})
	return at
}

// maxWorkers bounds how many workers are looked at.
const maxWorkers = 1 << 10

// workersOf returns the objects of class Worker that have a handle: their threads have not ended.
func workersOf(ctx context.Context, nr *Reader) (list []layout.Tagged) {
	h, err := nr.heaps.Snapshot(ctx)
	if err != nil {
		return nil
	}
	for _, g := range h.Groups() {
		if g.Constructor != "Worker" || !slices.Contains(g.Props, "_events") {
			continue
		}
		for _, a := range h.Objects(&g) {
			if len(list) < maxWorkers && nr.isWorker(layout.Tagged(a)) {
				list = append(list, layout.Tagged(a))
			}
		}
	}
	return list
}

// handleWaits counts the open sockets, pipes and the like of event loops by the class of their owner, timers
// by their function, and requests by their type.
func handleWaits(ctx context.Context, nr *Reader) (list []runtimes.Wait) {
	loops, err := nr.UV.Loops(ctx)
	if err != nil {
		return nil
	}
	known := map[string]int{}
	add := func(label, one, many, next string, at frame.Place) {
		if at != (frame.Place{}) {
			one, many = one+", which calls "+at.String(), many+", which call "+at.String()
		}
		i, ok := known[one]
		if !ok {
			i = len(list)
			known[one] = i
			list = append(list, runtimes.Wait{Label: label, What: one, Many: many, Next: next})
			if at != (frame.Place{}) {
				list[i].Frames = []runtimes.SourceFrame{sourceFrame(at)}
			}
		}
		list[i].Count++
	}
	for i := range loops {
		for j := range loops[i].Handles {
			h := &loops[i].Handles[j]
			class := cmp.Or(h.OwnerClass, h.WrapClass)
			if !h.Active || !h.Referenced || h.Internal || h.Closing || class == "" || h.Type == "timer" {
				continue
			}
			one, many := "an open handle: ", "open handles: "
			if h.Listening {
				one, many = "a handle that listens: ", "handles that listen: "
			}
			label := fmt.Sprintf("%s (%s)", class, h.Type)
			add(label, one+label, many+label, "::handles", listenerOf(nr, h.Owner))
		}
	}
	for _, w := range workersOf(ctx, nr) {
		add("worker", "a worker runs", "workers run", "::isolates", listenerOf(nr, w))
	}
	if timers, err := nr.Tasks.Timers(ctx); err == nil {
		for i := range timers {
			if t := &timers[i]; !t.Unref && !t.Immediate && !internal(t.Place.File) {
				add("timer", "a timer", "timers", "::timers", t.Place)
			}
		}
	}
	if requests, err := nr.UV.Requests(ctx); err == nil {
		for i := range requests {
			r := &requests[i]
			label := fmt.Sprintf("%s (%s)", r.WrapClass, r.Type)
			add(label, "a request is under way: "+label, "requests are under way: "+label, "::requests", frame.Place{})
		}
	}
	return list
}
