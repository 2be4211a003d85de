package leak

import (
	"math"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// What an EventTarget, such as an AbortSignal, has under symbols (lib/internal/event_target.js
// of Node 14.5 to 26): a Map from the type of an event to the head of a list of listeners, each
// with the next one and the callback, and the limit from which on Node warns.
const (
	targetEvents = "[Symbol(kEvents)]"
	targetLimit  = "[Symbol(events.maxEventTargetListeners)]"
)

// maxTypes bounds the types of events of one target.
const maxTypes = 1 << 12

func (r *Reader) targetEventsOf(target layout.Tagged, least int, yield func(*eventList)) {
	events, err := r.objects.Member(object.Slot{Word: target}, []string{targetEvents})
	if err != nil || events.Raw || !r.IsReceiver(events.Word) {
		return
	}
	table, ok := r.Field(events.Word, r.Layout.JSCollection.Table)
	if !ok {
		return
	}
	limit, known := r.members.Number(target, targetLimit)
	if !known {
		limit = defaultMaxListeners
	}
	types, _, _ := r.objects.OrderedEntries(table, true, 0, maxTypes) // what could be read
	for _, e := range types {
		l := &eventList{emitter: target, event: r.members.KeyName(e.Key), limit: finite(limit), head: e.Value}
		seen := map[layout.Tagged]bool{}
		for at, ok := r.members.Word(e.Value, "next"); ok && r.IsReceiver(at) && !seen[at] &&
			len(seen) < maxListeners; at, ok = r.members.Word(at, "next") {
			seen[at] = true
			if fn, ok := r.members.Word(at, "listener"); ok && r.IsReceiver(fn) {
				l.listeners = append(l.listeners, fn)
			}
		}
		if len(l.listeners) > least {
			yield(l)
		}
	}
}

// defaultLimit returns EventEmitter.defaultMaxListeners, which a program may have set: the
// functions of the module see its variable.
func (r *Reader) defaultLimit(emitter layout.Tagged) float64 {
	fn, err := r.objects.Member(object.Slot{Word: emitter}, []string{"setMaxListeners"})
	if err != nil || fn.Raw || !r.IsFunction(fn.Word) {
		return defaultMaxListeners
	}
	scopes, _ := r.objects.Contexts(fn.Word) // what could be read
	for _, c := range scopes {
		for _, v := range c.Variables {
			if v.Name != "defaultMaxListeners" {
				continue
			}
			if v.Slot.Raw {
				return finite(v.Slot.Double)
			}
			if n, ok := r.Number(v.Slot.Word); ok {
				return finite(n)
			}
		}
	}
	return defaultMaxListeners
}

// finite is a limit; 0, which is none, for the infinite one.
func finite(limit float64) float64 {
	if math.IsInf(limit, 1) {
		return 0
	}
	return limit
}
