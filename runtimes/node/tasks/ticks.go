package tasks

import (
	"context"
	"errors"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/layout"
)

// A Tick is a callback that waits for its turn: of process.nextTick, or a
// microtask.
type Tick struct {
	Word     layout.Tagged // the entry of the queue
	Kind     string        // "nextTick", "callback", "reaction", "thenable", "await"; "" if unknown
	Callback layout.Tagged // 0 if unknown
	Place    frame.Place   // zero if the callback has no source
}

// Limits for the queues.
const (
	maxTicks      = 1 << 20
	maxMicrotasks = 1 << 24
)

// Ticks returns the callbacks that process.nextTick has queued in each realm,
// in order. The queue is a list of ring buffers (lib/internal/fixed_queue.js)
// that process._tickCallback closes over. Deno has the same of its own, which its functions
// close over that take ticks from it.
func (r *Reader) Ticks(ctx context.Context) ([]Tick, error) {
	realms, err := r.objects.Realms(ctx, nil)
	if err != nil {
		return nil, err
	}
	var out []Tick
	found := false
	seen := map[layout.Tagged]bool{}
	for _, native := range realms {
		process, err := r.objects.Global(native, "process")
		if err != nil {
			continue
		}
		for _, name := range []string{"_tickCallback", "nextTick"} {
			fn, err := r.objects.Member(process, []string{name})
			if err != nil || !r.IsFunction(fn.Word) {
				continue
			}
			queue, ok := r.members.ClosureVariable(fn.Word, "queue")
			if !ok || !r.IsReceiver(queue.Word) {
				continue
			}
			if found = true; !seen[queue.Word] {
				seen[queue.Word] = true
				out = r.tickQueue(queue.Word, out)
			}
			break
		}
	}
	if found {
		return out, nil
	}
	queues, err := r.denoQueues(ctx)
	if err != nil {
		return nil, err
	}
	if len(queues) == 0 {
		return nil, errors.New("v8: neither a realm's process._tickCallback nor a function of Deno's leads to a queue of ticks")
	}
	for _, q := range queues {
		out = r.tickQueue(q, out)
	}
	return out, nil
}

// denoQueues returns the queues that functions of Deno's close over which run ticks: in the extension for Node
// until Deno 2.6, then in the core (ext/node/polyfills/_next_tick.ts, core/01_core.js).
func (r *Reader) denoQueues(ctx context.Context) (out []layout.Tagged, err error) {
	h, err := r.heaps.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	list, err := h.Functions(ctx)
	if err != nil {
		return nil, err
	}
	for i := range list {
		f := &list[i]
		if !strings.HasPrefix(f.File, "ext:") || f.Name != "processTicksAndRejections" && f.Name != "runNextTicks" {
			continue
		}
		for _, closure := range f.Closures {
			q, ok := r.members.ClosureVariable(layout.Tag(closure), "queue")
			if !ok || !r.IsReceiver(q.Word) || slices.Contains(out, q.Word) {
				continue
			}
			if _, ok := r.members.Word(q.Word, "tail"); ok {
				out = append(out, q.Word)
			}
		}
	}
	return out, nil
}

// tickQueue reads a FixedQueue from its tail, where ticks are taken from.
func (r *Reader) tickQueue(queue layout.Tagged, out []Tick) []Tick {
	at, ok := r.members.Word(queue, "tail")
	seen := map[layout.Tagged]bool{}
	for ok && r.IsReceiver(at) && !seen[at] && len(out) < maxTicks {
		seen[at] = true
		bottom, ok1 := r.members.Number(at, "bottom")
		top, ok2 := r.members.Number(at, "top")
		list, ok3 := r.members.Word(at, "list")
		if !ok1 || !ok2 || !ok3 {
			return out
		}
		size, ok4 := r.objects.SlotNumber(list, r.Layout.JSArray.Length)
		if !ok4 || size < 1 || size > maxTicks {
			return out
		}
		for i := int(bottom); i != int(top) && len(out) < maxTicks; i = (i + 1) % int(size) {
			s, ok := r.objects.ElementAt(list, uint64(i))
			if !ok || !r.IsReceiver(s.Word) {
				break
			}
			t := Tick{Word: s.Word, Kind: "nextTick"}
			t.Callback, t.Place = r.callback(s.Word, "callback")
			out = append(out, t)
		}
		at, ok = r.members.Word(at, "next")
	}
	return out
}

// Microtasks returns what waits in the microtask queues of the realms: the
// first max of them, and how many there are.
func (r *Reader) Microtasks(ctx context.Context, max int) (list []Tick, n int, err error) {
	realms, err := r.objects.Realms(ctx, nil)
	if err != nil {
		return nil, 0, err
	}
	var queues []core.Addr
	for _, native := range realms {
		if q, ok := r.microtaskQueue(native); ok && !slices.Contains(queues, q) {
			queues = append(queues, q)
		}
	}
	if len(queues) == 0 {
		return nil, 0, errors.New("v8: no native context leads to a microtask queue")
	}
	for _, q := range queues {
		f, _ := r.queueFields(q)
		n += int(f.size)
		for i := range f.size {
			if len(list) >= max {
				break
			}
			w, ok := r.Word(f.ring + core.Addr(8*((f.start+i)%f.capacity)))
			if !ok {
				break
			}
			list = append(list, r.microtask(layout.Tagged(w)))
		}
	}
	return list, n, nil
}

// queueFields are those of a v8::internal::MicrotaskQueue after its vtable
// (execution/microtask-queue.h @ 7.8 to 14.6).
type queueFields struct {
	size, capacity, start uint64
	ring                  core.Addr
}

func (r *Reader) queueFields(q core.Addr) (f queueFields, ok bool) {
	var w [4]uint64
	for i := range w {
		if w[i], ok = r.Word(q + core.Addr(8+8*i)); !ok {
			return f, false
		}
	}
	f = queueFields{w[0], w[1], w[2], core.Addr(w[3])}
	return f, f.capacity <= maxMicrotasks && f.capacity&(f.capacity-1) == 0 && f.size <= f.capacity &&
		(f.start < f.capacity || f.start == 0) && (f.ring == 0) == (f.capacity == 0)
}

// microtaskQueue finds the queue of a native context: an untagged word, or with the
// sandbox a handle after the slots, whose target has the shape of one, and is linked in a ring of queues.
func (r *Reader) microtaskQueue(native layout.Tagged) (core.Addr, bool) {
	n, ok := r.objects.ContextLength(native)
	if !ok {
		return 0, false
	}
	const behind = 2 // words after the slots, where NativeContext::microtask_queue is
	first := 0
	if r.Sandbox != nil {
		first = n
	}
	for i := first; i < n+behind; i++ {
		for q := range r.ExternalPointers(native, r.Layout.Context.Data+r.Slots(i)) { // whole where fields are not
			if q&7 != 0 || uint64(q)>>48 != 0 {
				continue
			}
			if f, ok := r.queueFields(q); !ok || f.ring != 0 && !r.readable(f.ring) {
				continue
			}
			if r.ringed(q) {
				return q, true
			}
		}
	}
	return 0, false
}

func (r *Reader) readable(a core.Addr) bool {
	_, ok := r.Word(a)
	return ok
}

// ringed reports whether two words in a row after the ring buffer link the
// queue with its neighbours: next and prev.
func (r *Reader) ringed(q core.Addr) bool {
	for off := core.Addr(40); off <= 56; off += 8 {
		next, ok1 := r.Word(q + off)
		prev, ok2 := r.Word(q + off + 8)
		if !ok1 || !ok2 || next == 0 || prev == 0 {
			continue
		}
		back, ok3 := r.Word(core.Addr(next) + off + 8)
		forth, ok4 := r.Word(core.Addr(prev) + off)
		if ok3 && ok4 && core.Addr(back) == q && core.Addr(forth) == q {
			return true
		}
	}
	return false
}

// microtask decodes an entry of a queue: CallableTask {callable},
// PromiseReactionJobTask, PromiseResolveThenableJobTask (objects/microtask.h).
func (r *Reader) microtask(o layout.Tagged) Tick {
	t := Tick{Word: o}
	typ, ok := r.InstanceType(o)
	if !ok {
		return t
	}
	switch r.Types.Names[typ] {
	case "CALLABLE_TASK_TYPE":
		t.Kind = "callback"
	case "PROMISE_FULFILL_REACTION_JOB_TASK_TYPE", "PROMISE_REJECT_REACTION_JOB_TASK_TYPE":
		t.Kind = "reaction"
	case "PROMISE_RESOLVE_THENABLE_JOB_TASK_TYPE":
		t.Kind = "thenable"
	case "ASYNC_RESUME_TASK_TYPE": // since V8 15.0
		t.Kind = "await"
	}
	for i := 1; i <= 4; i++ {
		fn, ok := r.Field(o, r.Slots(i))
		if g, suspended := r.frames.SuspendedAt(fn); ok && suspended && t.Kind == "await" {
			t.Place = g
			return t
		}
		if ok && r.IsReceiver(fn) && r.objects.IsBound(fn) {
			fn, ok = r.boundCallback(fn)
		}
		if !ok || !r.IsReceiver(fn) || !r.IsFunction(fn) {
			continue
		}
		if g, ok := r.objects.Awaits(fn); ok && r.objects.IsBuiltin(fn) {
			t.Kind = "await"
			t.Callback = fn
			t.Place, _ = r.frames.SuspendedAt(g)
			return t
		}
		fn = r.denoCallback(fn)
		t.Callback = fn
		t.Place, _ = r.frames.FunctionPlace(fn)
		if t.Kind != "thenable" {
			break
		}
	}
	return t
}

// boundCallback returns what a bound function calls: queueMicrotask binds a
// function of its own to a resource, whose callback is the program's
// (lib/internal/process/task_queues.js, until Node 22).
func (r *Reader) boundCallback(fn layout.Tagged) (layout.Tagged, bool) {
	this, ok := r.Field(fn, r.Layout.JSBoundFunction.This)
	if ok && r.IsReceiver(this) {
		if cb, ok := r.members.Word(this, "callback"); ok && r.IsFunction(cb) {
			return cb, true
		}
	}
	return r.Field(fn, r.Layout.JSBoundFunction.Target)
}

// denoCallback returns what a function of Deno's calls that queueMicrotask has queued, which closes
// over it (core/01_core.js), or the function itself.
func (r *Reader) denoCallback(fn layout.Tagged) layout.Tagged {
	if at, _ := r.frames.FunctionPlace(fn); !strings.HasPrefix(at.File, "ext:core/") {
		return fn
	}
	if cb, ok := r.members.ClosureVariable(fn, "cb"); ok && r.IsReceiver(cb.Word) && r.IsFunction(cb.Word) {
		return cb.Word
	}
	return fn
}
