package leaks

import (
	"context"
	"fmt"
	"slices"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
)

// The ends of the names of fields with collections of listeners and with caches.
var (
	observing = []string{"listeners", "observers", "callbacks", "handlers", "subscribers"}
	caching   = []string{"cache", "caches", "cached"}
)

// unbounded are collections that nothing keeps short.
var unbounded = []string{"java.util.HashMap", "java.util.LinkedHashMap", "java.util.TreeMap", "java.util.Hashtable",
	"java.util.IdentityHashMap",
	"java.util.concurrent.ConcurrentHashMap", "java.util.concurrent.ConcurrentSkipListMap", "java.util.HashSet",
	"java.util.ArrayList", "java.util.LinkedList"}

// observers finds long collections of listeners.
func (f *Finder) observers(ctx context.Context, g *graph.Graph) ([]graph.Evidence, error) {
	piles, err := f.piles(ctx, g, observing)
	var out []graph.Evidence
	for _, p := range piles {
		out = append(out, p.evidence(fmt.Sprintf("%d listeners that were never removed, in field %s",
			p.length, p.field)))
	}
	return out, err
}

// caches finds long caches.
func (f *Finder) caches(ctx context.Context, g *graph.Graph) ([]graph.Evidence, error) {
	piles, err := f.piles(ctx, g, caching)
	var out []graph.Evidence
	for _, p := range piles {
		why := fmt.Sprintf("a cache of %d entries, in field %s", p.length, p.field)
		if slices.Contains(unbounded, p.class) {
			why += fmt.Sprintf(": a %s has no limit", p.class)
		}
		out = append(out, p.evidence(why))
	}
	return out, err
}

// A pile is a long collection in a field.
type pile struct {
	at           core.Addr
	length       uint64
	class, field string
}

// evidence returns a pile as evidence.
func (p pile) evidence(why string) graph.Evidence {
	return graph.Evidence{Objects: []core.Addr{p.at}, Class: p.class, Why: why}
}

// piles finds long collections in instance fields whose names end as one of ends does. If several fields lead
// to a collection, the first one names it.
func (f *Finder) piles(ctx context.Context, g *graph.Graph, ends []string) (out []pile, err error) {
	seen := map[core.Addr]bool{}
	err = f.fields(ctx, g, ends, func(h held) {
		if seen[h.at] || g.Tree().Retained(h.id) < leastHeld {
			return
		}
		seen[h.at] = true
		if n, ok := f.length(h.at); ok && n >= graph.RuleObjects {
			out = append(out, pile{h.at, n, f.ClassName(h.at), h.field.Class + "." + h.field.Name})
		}
	})
	return out, err
}
