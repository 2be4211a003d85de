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
var unbounded = []string{"java.util.HashMap", "java.util.LinkedHashMap", "java.util.TreeMap", "java.util.Hashtable", "java.util.IdentityHashMap",
	"java.util.concurrent.ConcurrentHashMap", "java.util.concurrent.ConcurrentSkipListMap", "java.util.HashSet", "java.util.ArrayList", "java.util.LinkedList"}

// observers finds long collections of listeners.
func (f *Finder) observers(ctx context.Context, g *graph.Graph) ([]graph.Evidence, error) {
	return f.piles(ctx, g, observing, func(n uint64, class, field string) string {
		return fmt.Sprintf("%d listeners that were never removed, in field %s", n, field)
	})
}

// caches finds long caches.
func (f *Finder) caches(ctx context.Context, g *graph.Graph) ([]graph.Evidence, error) {
	return f.piles(ctx, g, caching, func(n uint64, class, field string) string {
		if slices.Contains(unbounded, class) {
			return fmt.Sprintf("a cache of %d entries, in field %s: a %s has no limit", n, field, class)
		}
		return fmt.Sprintf("a cache of %d entries, in field %s", n, field)
	})
}

// piles finds long collections in fields with such names. The first field that leads to one names it. The rule statics knows static
// fields.
func (f *Finder) piles(ctx context.Context, g *graph.Graph, ends []string, why func(n uint64, class, field string) string) (out []graph.Evidence, err error) {
	seen := map[core.Addr]bool{}
	err = f.fields(ctx, g, ends, func(h held) {
		if seen[h.at] || g.Tree().Retained(h.id) < leastHeld {
			return
		}
		seen[h.at] = true
		if n, ok := f.length(h.at); ok && n >= graph.RuleObjects {
			class := f.ClassName(h.at)
			out = append(out, graph.Evidence{Objects: []core.Addr{h.at}, Class: class, Why: why(n, class, h.field.Class+"."+h.field.Name)})
		}
	})
	return out, err
}
