package leaks

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/java"
)

// finalizers finds objects that only their finalizers keep, by class: the thread that runs finalizers is too
// slow, or hangs. A Reference whose field next is set is in a queue, or was.
func (f *Finder) finalizers(ctx context.Context, g *graph.Graph) (out []graph.Evidence, err error) {
	by := map[string]*graph.Evidence{}
	err = f.Each(ctx, g, "java.lang.ref.FinalReference", func(_ graph.ID, o java.Object) {
		referent, _ := f.RefField(o, "referent")
		next, ok := f.RefField(o, "next")
		if referent == 0 || next == 0 || !ok {
			return
		}
		class := f.ClassName(referent)
		e := by[class]
		if e == nil {
			e = &graph.Evidence{Class: class, More: "::javathreads", Listed: true}
			by[class] = e
		}
		e.Objects = append(e.Objects, referent)
		e.With = append(e.With, o.Addr)
	})
	for class, e := range by {
		if len(e.Objects) >= graph.RuleObjects {
			e.Why = fmt.Sprintf("%d of %s that wait to be finalized: their thread, Finalizer, is slow or hangs",
				len(e.Objects), class)
			out = append(out, *e)
		}
	}
	slices.SortFunc(out, func(x, y graph.Evidence) int { return cmp.Compare(x.Class, y.Class) })
	return out, err
}
