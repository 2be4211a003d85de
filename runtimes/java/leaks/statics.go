package leaks

import (
	"context"
	"fmt"
	"slices"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/java"
)

// collecting are classes whose objects collect others, and the ends of the names of fields that do.
var (
	collecting = []string{"java.util.Collection", "java.util.Map", "java.util.HashMap", "java.util.ArrayList",
		"android.util.ArrayMap",
		"android.util.ArraySet", "android.util.SparseArray", "android.util.LongSparseArray", "android.util.LruCache",
		"androidx.collection.ArrayMap", "androidx.collection.LruCache", "androidx.collection.SparseArrayCompat"}
	collectingFields = []string{"listeners", "callbacks", "observers", "cache"}
)

// statics finds collections that static fields hold: whatever piles up in one stays for as long as the class does.
func (f *Finder) statics(ctx context.Context, g *graph.Graph) (out []graph.Evidence, err error) {
	err = f.static(ctx, g, func(c *java.Class, h held) {
		if g.Tree().Retained(h.id) < leastHeld || !f.collects(h.at) && !ending(h.field.Name, collectingFields) {
			return
		}
		out = append(out, graph.Evidence{Objects: []core.Addr{h.at}, Class: f.ClassName(h.at),
			Why: fmt.Sprintf("a collection in static field %s.%s, which lasts as long as its class", c.Name,
				h.field.Name)})
	})
	return out, err
}

// collects reports whether the class of an object says that it collects others.
func (f *Finder) collects(at core.Addr) bool {
	o, err := f.Object(at)
	return err == nil && slices.ContainsFunc(collecting, o.Class.IsA)
}
