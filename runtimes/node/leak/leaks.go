// Package leak finds how programs of Node leak: listeners, timers, and streams that take less than
// is written. Listeners of an EventTarget are in eventtarget.go, streams in streams.go.
package leak

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/node/member"
	"coredbg/runtimes/node/tasks"
	"coredbg/runtimes/node/uv"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A Reader finds what leaks in a process of Node.
type Reader struct {
	*layout.Memory
	objects *object.Reader
	heaps   *heap.Walker
	frames  *frame.Decoder
	members *member.Reader
	loops   *uv.Reader
	tasks   *tasks.Reader
}

// New returns a reader of leaks in the process whose event loops and timers the others read.
func New(r *object.Reader, hs *heap.Walker, dec *frame.Decoder, loops *uv.Reader, waiting *tasks.Reader) *Reader {
	return &Reader{Memory: r.Memory, objects: r, heaps: hs, frames: dec, members: member.New(r), loops: loops,
		tasks: waiting}
}

// Rules returns the known leak patterns of Node programs.
func (r *Reader) Rules() []graph.Rule {
	return []graph.Rule{
		{ID: "listeners", Always: true, Find: r.crowdedEmitters},
		{ID: "unlimited-listeners", Find: r.unlimitedEmitters},
		{ID: "timers", Find: timerGroups{r, graph.RuleObjects, math.MaxInt}.find},
		{ID: "few-timers", Explains: true, Find: timerGroups{r, leastTimers, graph.RuleObjects - 1}.find},
		{ID: "streams", Find: streams{r}.crowded},
	}
}

// defaultMaxListeners is EventEmitter.defaultMaxListeners as Node sets it
// (lib/events.js).
const defaultMaxListeners = 10

// maxListeners bounds the listeners of one event.
const maxListeners = 1 << 20

// An eventList is the listeners that an emitter has for one event.
type eventList struct {
	emitter   layout.Tagged
	event     string
	limit     float64 // 0 if there is none
	listeners []layout.Tagged
	head      layout.Tagged // what holds them all as a list; 0 if an array does
}

// eventLists calls yield for events of emitters that have more listeners than least. An
// EventEmitter keeps in _events a function, or an array of several, for each event, and in
// _maxListeners a limit of its own, undefined without one (lib/events.js).
func (r *Reader) eventLists(ctx context.Context, least int, yield func(*eventList)) error {
	h, err := r.heaps.Snapshot(ctx)
	if err != nil {
		return err
	}
	for _, g := range h.Groups() {
		of := r.eventsOf
		if slices.Contains(g.Props, targetEvents) {
			of = r.targetEventsOf
		} else if !mayEmit(&g) {
			continue
		}
		for i, a := range h.Objects(&g) {
			if i&0xfff == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			of(layout.Tagged(a), least, yield)
		}
	}
	return nil
}

// mayEmit reports whether the objects of a group may be emitters. Those that share a
// dictionary's map may have any properties.
func mayEmit(g *heap.Group) bool {
	return slices.Contains(g.Props, "_events") || g.Dictionary && len(g.Props) == 0
}

func (r *Reader) eventsOf(emitter layout.Tagged, least int, yield func(*eventList)) {
	events, ok := r.members.Word(emitter, "_events")
	if !ok || !r.IsReceiver(events) {
		return
	}
	limit, own := r.members.Number(emitter, "_maxListeners")
	r.objects.EachProperty(events, func(p object.RawProperty) bool {
		if !r.IsReceiver(p.Value) || r.IsFunction(p.Value) {
			return true
		}
		l := &eventList{emitter: emitter, event: r.members.KeyName(p.Key), limit: finite(limit)}
		_ = r.objects.Elements(p.Value, func(_ uint64, s object.Slot) bool {
			if !s.Raw && r.IsReceiver(s.Word) {
				l.listeners = append(l.listeners, s.Word)
			}
			return len(l.listeners) < maxListeners
		})
		if !own && len(l.listeners) > defaultMaxListeners {
			l.limit = r.defaultLimit(emitter)
		} else if !own {
			l.limit = defaultMaxListeners
		}
		if len(l.listeners) > least {
			yield(l)
		}
		return true
	})
}

// crowdedEmitters finds events with more listeners than the limit of their emitter, from
// which on Node warns of a leak.
func (r *Reader) crowdedEmitters(ctx context.Context, _ *graph.Graph) ([]graph.Evidence, error) {
	var out []graph.Evidence
	err := r.eventLists(ctx, 1, func(l *eventList) {
		if l.limit > 0 && float64(len(l.listeners)) > l.limit {
			out = append(out, r.listenersEvidence(l, fmt.Sprintf("above the limit of %.0f", l.limit)))
		}
	})
	return out, err
}

// unlimitedEmitters finds events with many listeners whose emitter has no limit.
func (r *Reader) unlimitedEmitters(ctx context.Context, _ *graph.Graph) ([]graph.Evidence, error) {
	var out []graph.Evidence
	err := r.eventLists(ctx, graph.RuleObjects-1, func(l *eventList) {
		if l.limit == 0 {
			out = append(out, r.listenersEvidence(l, "which has no limit"))
		}
	})
	return out, err
}

func (r *Reader) listenersEvidence(l *eventList, limit string) graph.Evidence {
	e := graph.Evidence{Class: "Function"}
	places := map[frame.Place]int{}
	for _, fn := range l.listeners {
		if l.head == 0 {
			e.Objects = append(e.Objects, fn.Addr())
		}
		// What once() adds is a bound function with the program's own beside it.
		if inner, ok := r.members.Word(fn, "listener"); ok && r.IsFunction(inner) {
			fn = inner
		}
		if p, ok := r.frames.FunctionPlace(fn); ok {
			places[p]++
		}
	}
	if l.head != 0 {
		e.Class, e.Objects = "Listener", []core.Addr{l.head.Addr()}
	}
	class := cmp.Or(r.objects.ClassFor(l.emitter).Name, "EventEmitter")
	e.Why = fmt.Sprintf("%d listeners of event %q on the %s at %x, %s", len(l.listeners), l.event, class,
		uint64(l.emitter), limit)
	if p, n := commonest(places); n > 0 {
		e.Place = p.FileLine()
		e.Why += fmt.Sprintf("; %s are %s", share(n, len(l.listeners)), p)
	}
	e.More = fmt.Sprintf("%x::jsprint -d 2", uint64(l.emitter))
	return e
}

// share says how many of all.
func share(n, all int) string {
	if n == all {
		return "all"
	}
	return fmt.Sprint(n)
}

// commonest returns the place that counts most, the first by name of several.
func commonest(places map[frame.Place]int) (best frame.Place, most int) {
	for p, n := range places {
		if n > most || n == most && comparePlaces(p, best) < 0 {
			best, most = p, n
		}
	}
	return best, most
}

func comparePlaces(a, b frame.Place) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
		cmp.Compare(a.Name, b.Name))
}

// leastTimers is how many timers of one callback may keep what other rules find. They are no leak by their number.
const leastTimers = 10

// timerGroups are the timers of one callback each whose number is from least to most.
type timerGroups struct {
	*Reader
	least, most int
}

// find finds them. Those that Node sets itself, such as one for each connection, are not leaks of
// their own.
func (g timerGroups) find(ctx context.Context, _ *graph.Graph) ([]graph.Evidence, error) {
	list, err := g.tasks.Timers(ctx)
	if list == nil {
		return nil, nil //nolint:nilerr // a process without Node has no timers of Node
	}
	type key struct {
		place   frame.Place
		repeats bool
	}
	groups := map[key][]*tasks.Timer{}
	for i := range list {
		if t := &list[i]; !t.Immediate && t.Place.OfProgram() {
			k := key{t.Place, t.Repeats}
			groups[k] = append(groups[k], t)
		}
	}
	var out []graph.Evidence
	for k, timers := range groups {
		if len(timers) < g.least || len(timers) > g.most {
			continue
		}
		e := graph.Evidence{Class: "Timeout", Place: k.place.FileLine(), More: "::timers", Listed: true}
		first, last := timers[0].After, timers[0].After
		for _, t := range timers {
			e.Objects = append(e.Objects, t.Word.Addr())
			first, last = min(first, t.After), max(last, t.After)
		}
		what, after := "timeouts", fmt.Sprintf("%.0f ms", first)
		if k.repeats {
			what = "intervals"
		}
		if first < last {
			after = fmt.Sprintf("%.0f to %.0f ms", first, last)
		}
		e.Why = fmt.Sprintf("%d %s of %s that were never cleared, with the callback %v", len(timers), what,
			after, k.place)
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b graph.Evidence) int {
		return cmp.Or(a.Place.Compare(b.Place), cmp.Compare(a.Why, b.Why))
	})
	return out, err
}
