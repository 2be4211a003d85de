package tasks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/node/uv"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A Timer is a Timeout of Node that waits in one of the lists of timers
// (lib/internal/timers.js).
type Timer struct {
	Word     layout.Tagged // the Timeout
	Callback layout.Tagged // its function; 0 if unknown
	Place    frame.Place   // where the callback is defined; its name if it has no source
	// After is how long the timer waits, in milliseconds. Due is when, on
	// the clock that Node's timers count on: milliseconds since the
	// environment began.
	After, Due float64
	// In is Due from the time of the last turn of the loop on, in
	// milliseconds; negative if overdue. It is meaningful if HasIn.
	In        float64
	HasIn     bool
	Repeats   bool
	Unref     bool // it does not keep the process alive
	Immediate bool // of setImmediate: it has no times
}

// maxTimers bounds the timers of one list, and the lists.
const maxTimers = 1 << 20

// Timers returns the timers of all realms in the order in which they are due,
// then the immediates. Node keeps lists of timers with the same duration by
// that duration, and the immediates in a queue; the functions setTimeout and
// setImmediate close over both.
func (r *Reader) Timers(ctx context.Context) ([]Timer, error) {
	realms, err := r.objects.Realms(ctx, nil)
	if err != nil {
		return nil, err
	}
	var out []Timer
	var problems []error
	seen := map[layout.Tagged]bool{}
	found := false
	for _, native := range realms {
		m, ok1 := r.nodeVariable(native, "timerListMap", "setTimeout", "clearTimeout", "setInterval")
		q, ok2 := r.nodeVariable(native, "immediateQueue", "setImmediate", "clearImmediate")
		found = found || ok1 || ok2
		for _, x := range []*layout.Tagged{&m, &q} {
			if seen[*x] {
				*x = 0
			}
			seen[*x] = true
		}
		list, err := r.TimersOf(m, q)
		out, problems = append(out, list...), append(problems, err)
	}
	if !found {
		return nil, errors.New("v8: no realm's setTimeout leads to Node's lists of timers")
	}
	r.placeTimers(ctx, out)
	slices.SortStableFunc(out, func(a, b Timer) int { return CompareTimers(&a, &b) })
	return out, errors.Join(problems...)
}

// TimersOf returns the timers of the lists that an object has by their duration, and those of a
// queue of immediates, in no order and without the time until they are due; either may be 0.
// Deno's core has the same.
func (r *Reader) TimersOf(lists, immediates layout.Tagged) (out []Timer, err error) {
	if lists != 0 {
		err = r.timerLists(lists, &out)
	}
	if immediates != 0 {
		err = errors.Join(err, r.immediates(immediates, &out))
	}
	return out, err
}

// CompareTimers orders timers by when they are due, immediates last.
func CompareTimers(a, b *Timer) int {
	switch {
	case a.Immediate != b.Immediate && b.Immediate:
		return -1
	case a.Immediate != b.Immediate:
		return 1
	case a.Immediate:
		return 0
	}
	return cmp.Compare(a.Due, b.Due)
}

// nodeVariable finds a variable that one of the named globals closes over.
func (r *Reader) nodeVariable(native layout.Tagged, name string, globals ...string) (layout.Tagged, bool) {
	for _, g := range globals {
		fn, err := r.objects.Global(native, g)
		if err != nil || fn.Raw || !r.IsFunction(fn.Word) {
			continue
		}
		if s, ok := r.members.ClosureVariable(fn.Word, name); ok && r.IsReceiver(s.Word) {
			return s.Word, true
		}
	}
	return 0, false
}

func (r *Reader) timerLists(lists layout.Tagged, out *[]Timer) error {
	return r.objects.Elements(lists, func(_ uint64, s object.Slot) bool {
		if r.IsReceiver(s.Word) {
			r.timerList(s.Word, out)
		}
		return len(*out) < maxTimers
	})
}

// timerList reads a TimersList: a ring through _idlePrev, on which the first
// to fire is next to the list.
func (r *Reader) timerList(list layout.Tagged, out *[]Timer) {
	after, _ := r.members.Number(list, "msecs")
	seen := map[layout.Tagged]bool{list: true}
	at := list
	for {
		next, ok := r.members.Word(at, "_idlePrev")
		if !ok || seen[next] || !r.IsReceiver(next) || len(*out) >= maxTimers {
			return
		}
		seen[next] = true
		at = next
		t := Timer{Word: at, After: after}
		t.Callback, t.Place = r.callback(at, "_onTimeout")
		if start, ok := r.members.Number(at, "_idleStart"); ok {
			t.Due = start + after
		}
		_, t.Repeats = r.members.Number(at, "_repeat")
		t.Unref = r.isUnref(at)
		*out = append(*out, t)
	}
}

// isUnref reads the property Symbol(refed) of a timer.
func (r *Reader) isUnref(o layout.Tagged) bool {
	unref := false
	r.objects.EachProperty(o, func(p object.RawProperty) bool {
		if r.Is(p.Key, r.Types.Symbol) && r.objects.SymbolDescription(p.Key) == "refed" {
			unref = r.objects.OddballKind(p.Value) != object.KindBoolean || r.objects.Oddball(p.Value) != "true"
		}
		return true
	})
	return unref
}

// callback returns the function that a property holds and where it is.
func (r *Reader) callback(o layout.Tagged, name string) (layout.Tagged, frame.Place) {
	fn, ok := r.members.Word(o, name)
	if !ok || !r.IsReceiver(fn) {
		return 0, frame.Place{}
	}
	p, _ := r.frames.FunctionPlace(fn)
	return fn, p
}

// immediates reads the ImmediateList: from head through _idleNext.
func (r *Reader) immediates(queue layout.Tagged, out *[]Timer) error {
	at, ok := r.members.Word(queue, "head")
	seen := map[layout.Tagged]bool{}
	for ok && r.IsReceiver(at) {
		if seen[at] || len(seen) >= maxTimers {
			return fmt.Errorf("corrupt: the queue of immediates at %v does not end", core.Addr(queue))
		}
		seen[at] = true
		t := Timer{Word: at, Immediate: true, Unref: r.isUnref(at)}
		t.Callback, t.Place = r.callback(at, "_onImmediate")
		*out = append(*out, t)
		at, ok = r.members.Word(at, "_idleNext")
	}
	return nil
}

// placeTimers sets when timers are due from the loop's time on. Node counts
// from timer_base_, a word of node::Environment: the loop's time when it began.
// The environment embeds the handle that timers run by; when that was set, it
// was for the list that is due first, which proves the word.
func (r *Reader) placeTimers(ctx context.Context, timers []Timer) {
	base, now, ok := r.timerBase(ctx, timers)
	if !ok {
		return
	}
	for i := range timers {
		if t := &timers[i]; !t.Immediate {
			t.In, t.HasIn = t.Due-float64(now-base), true
		}
	}
}

// Limits for the search of timer_base_.
const (
	environmentBytes = 16 << 10 // after the timer's handle
	timerSlack       = 50       // milliseconds between the handle's time and a list's
)

func (r *Reader) timerBase(ctx context.Context, timers []Timer) (base, now uint64, ok bool) {
	loops, err := r.loops.Loops(ctx)
	if err != nil || len(loops) == 0 {
		return 0, 0, false
	}
	l := &loops[0]
	for i := range l.Handles {
		h := &l.Handles[i]
		// uv_timer_t timer_handle_, uv_check_t immediate_check_handle_.
		if h.Type != "timer" || !slices.ContainsFunc(l.Handles, func(c uv.Handle) bool {
			return c.Type == "check" &&
				c.Addr == h.Addr+152
		}) {
			continue
		}
		data, _ := core.ReadBytes(r.Space, h.Addr, environmentBytes)
		best := 0.0
		for i := 0; i+8 <= len(data); i += 8 {
			w := r.Order.Uint64(data[i:])
			if w == 0 || w > l.Time || w > h.Due {
				continue
			}
			for _, t := range timers {
				if t.Immediate {
					continue
				}
				gap := t.Due - float64(h.Due-w)
				if gap < 0 {
					gap = -gap
				}
				if gap <= timerSlack && (!ok || gap < best) {
					base, best, ok = w, gap, true
				}
			}
		}
		return base, l.Time, ok
	}
	return 0, 0, false
}
