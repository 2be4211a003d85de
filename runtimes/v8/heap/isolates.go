package heap

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// Isolates returns the isolates of the process: first the ones that threads have entered, in the order of
// threads, then the owners of the other heaps. If the image has no symbol for a thread's isolate, the heaps
// show it: each is part of one.
func (h *Snapshot) Isolates(ctx context.Context) []Isolate {
	hs := h.v
	heaps := map[core.Addr]core.Addr{} // by isolate
	var rest []core.Addr
	for i := range h.Spaces {
		s := &h.Spaces[i]
		switch {
		case s.Heap == 0 || slices.Contains(rest, s.Heap):
		case s.Isolate != 0:
			heaps[s.Isolate] = s.Heap
		default:
			rest = append(rest, s.Heap)
		}
	}
	var out []Isolate
	entered := map[core.Addr][]*core.Thread{}
	for _, t := range hs.Process.Threads {
		if a, ok := hs.objects.Isolate(t); ok {
			if entered[a] = append(entered[a], t); len(entered[a]) == 1 {
				out = append(out, Isolate{a, heaps[a], t, true})
			}
		}
	}
	for i, x := range out {
		// Threads that work for an isolate, such as by compiling, have entered it for that time (since V8 14).
		if all := entered[x.Addr]; len(all) > 1 && x.Heap != 0 {
			if t := h.threadOf(ctx, x.Heap); slices.Contains(all, t) {
				out[i].Thread = t
			}
		}
	}
	for _, i := range slices.Sorted(maps.Keys(heaps)) {
		if entered[i] == nil {
			out = append(out, Isolate{Addr: i, Heap: heaps[i], Thread: h.threadOf(ctx, heaps[i])})
		}
	}
	for _, a := range rest {
		out = append(out, Isolate{Heap: a, Thread: h.threadOf(ctx, a)})
	}
	slices.SortStableFunc(out, func(a, b Isolate) int { return cmp.Compare(hs.rankOf(a.Thread), hs.rankOf(b.Thread)) })
	return out
}

// ThreadOf returns the thread of the isolate whose heap has an object. It returns nil if there is
// one isolate only, or if the thread is not known.
func ThreadOf(ctx context.Context, h *Snapshot, a core.Addr) *core.Thread {
	h.isolates.once.Do(func() { h.isolates.list = h.Isolates(ctx) })
	if len(h.isolates.list) < 2 {
		return nil
	}
	p, ok := PageIndex(h.Pages).At(a)
	if !ok || p.Heap == 0 {
		return nil
	}
	for i := range h.isolates.list {
		if x := &h.isolates.list[i]; x.Heap == p.Heap {
			return x.Thread
		}
	}
	return nil
}

// rankOf returns the place of a thread among all.
func (hs *Walker) rankOf(t *core.Thread) int {
	if i := slices.Index(hs.Process.Threads, t); i >= 0 {
		return i
	}
	return len(hs.Process.Threads)
}

// ThreadOf returns the thread whose stack refers to functions and contexts of a
// heap most often, or nil.
func (h *Snapshot) threadOf(ctx context.Context, heap core.Addr) *core.Thread {
	hs := h.v
	var best *core.Thread
	most := 0
	for _, t := range hs.Process.Threads {
		n := 0
		hs.objects.EachStackWord(ctx, t, func(w layout.Tagged) {
			if p, ok := PageIndex(h.Pages).At(w.Addr()); ok && p.Heap == heap &&
				(hs.IsFunction(w) || hs.objects.IsContext(w)) {
				n++
			}
		})
		if n > most {
			best, most = t, n
		}
	}
	return best
}
