package deno

import (
	"context"
	"errors"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/node/tasks"
	"coredbg/runtimes/node/uv"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/layout"
)

// A Timer is a callback that waits for its time, or for the next turn of the event loop.
type Timer struct {
	tasks.Timer
	// ID is the number that setTimeout returned; 0 for immediates.
	ID uint64
	// HasAfter is set if After is known: Rust keeps it for intervals only.
	HasAfter bool
}

// errNoTimers says that there may be timers. An empty tree of Rust is a zero, as much else is.
var errNoTimers = core.Unknown(errors.New("deno: core has no lists of timers in JavaScript, and the tables of Rust were not found: empty ones cannot be told from other memory"))

// extPrefix is how scripts of Deno's own are named.
const extPrefix = "ext:"

// Timers returns the timers of all realms in the order of their due times, then the immediates. From
// Deno 2.7 on core keeps lists of timers as Node does (core/02_timers.js), whose clock counts from the
// start of the runtime; before, Rust kept them, by the monotonic clock of the system.
func (dr *Reader) Timers(ctx context.Context) ([]Timer, error) {
	waiting := tasks.New(dr.objects, dr.heaps, dr.frames, uv.New(dr.objects, dr.frames))
	scopes, err := dr.scopes(ctx, corePrefix, "timerListMap")
	if err != nil {
		return nil, err
	}
	var list []tasks.Timer
	var problems []error
	for i := range scopes {
		found, err := waiting.TimersOf(scopes[i].variables["timerListMap"].Word, 0)
		list, problems = append(list, found...), append(problems, err)
	}
	queues, err := dr.scopes(ctx, corePrefix, "immediateQueue")
	if err != nil {
		return nil, err
	}
	for i := range queues {
		if q := queues[i].variables["immediateQueue"].Word; dr.IsReceiver(q) {
			found, err := waiting.TimersOf(0, q)
			list, problems = append(list, found...), append(problems, err)
		}
	}
	var out []Timer
	for _, t := range list {
		x := Timer{Timer: t, HasAfter: !t.Immediate}
		if id, ok := dr.member(t.Word, "_timerId"); ok {
			n, _ := dr.Number(id)
			x.ID = uint64(max(n, 0))
		}
		out = append(out, x)
	}
	if len(scopes) == 0 {
		found, err := dr.rustTimers(ctx)
		if err != nil {
			return nil, err
		}
		out = append(found, out...)
	}
	for i := range out {
		out[i].Callback, out[i].Place = dr.program(out[i].Callback, out[i].Place)
	}
	slices.SortStableFunc(out, func(a, b Timer) int { return tasks.CompareTimers(&a.Timer, &b.Timer) })
	return out, errors.Join(problems...)
}

// program returns the function of a program that a function of Deno's own was made to call, and
// where it is: the only one that the nearest scope around it has, or that is reached so by way of
// Deno's own there: setTimeout and Node's Timeout each wrap what they are given
// (ext/web/02_timers.js, ext/node/polyfills/internal/timers.mjs).
func (dr *Reader) program(fn layout.Tagged, at frame.Place) (layout.Tagged, frame.Place) {
	if !strings.HasPrefix(at.File, extPrefix) {
		return fn, at
	}
	found := map[layout.Tagged]frame.Place{}
	dr.wrapped(fn, found, map[layout.Tagged]bool{})
	if len(found) == 1 {
		for inner, place := range found {
			return inner, place
		}
	}
	return fn, at
}

// wrapped adds the functions of a program that a function leads to by the scopes around it.
func (dr *Reader) wrapped(fn layout.Tagged, found map[layout.Tagged]frame.Place, seen map[layout.Tagged]bool) {
	const most = 16
	if seen[fn] || len(seen) > most {
		return
	}
	seen[fn] = true
	list, _ := dr.objects.Contexts(fn)
	if len(list) == 0 {
		return
	}
	for _, x := range list[0].Variables {
		if x.Slot.Raw || !dr.IsReceiver(x.Slot.Word) || !dr.IsFunction(x.Slot.Word) {
			continue
		}
		switch place, ok := dr.frames.FunctionPlace(x.Slot.Word); {
		case ok && place.OfProgram():
			found[x.Slot.Word] = place
		case ok && strings.HasPrefix(place.File, extPrefix):
			dr.wrapped(x.Slot.Word, found, seen)
		}
	}
}

// nativeContexts returns the native contexts of the realms of Deno's core.
func (dr *Reader) nativeContexts(ctx context.Context) ([]layout.Tagged, error) {
	scopes, err := dr.scopes(ctx, corePrefix, "promiseRing")
	if err != nil {
		return nil, err
	}
	var out []layout.Tagged
	for i := range scopes {
		if n, err := dr.objects.NativeContext(scopes[i].context); err == nil {
			out = append(out, n)
		}
	}
	return out, nil
}

// embedderPointers returns what an embedder keeps in the slots of a native context.
func (dr *Reader) embedderPointers(native layout.Tagged) (out []core.Addr) {
	const slots, words = 16, 64
	for i := range slots {
		array, ok := dr.objects.WordAt(native, i)
		if !ok || !array.IsHeap() {
			continue
		}
		// An EmbedderDataArray: where a table stands in for the constants its type may be another.
		if typ, ok := dr.InstanceType(array); !ok || typ >= dr.Types.FirstReceiver || dr.objects.IsContext(array) {
			continue
		}
		n, ok := dr.objects.SlotNumber(array, dr.SlotSize()) // a Smi, where FixedArrays have 32 bits (V8 15.0)
		if !ok {
			k, _ := dr.objects.FixedLength(array)
			n = float64(k)
		}
		if !(n > 0 && n <= words) {
			continue
		}
		for k := range int(n) {
			p, ok := dr.Word(array.Addr() + core.Addr(dr.Layout.FixedArray.Data+8*k))
			if ok && p&7 == 0 && p >= core.TracePage && !dr.image(core.Addr(p)) {
				out = append(out, core.Addr(p))
			}
		}
	}
	return out
}
