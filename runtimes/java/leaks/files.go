package leaks

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/java"
)

// leastFiles is the least number of open files in one place that is evidence: many processes may have 1,024 at most.
const leastFiles = 100

// files finds streams of open files, by their holder.
func (f *Finder) files(ctx context.Context, g *graph.Graph) (out []graph.Evidence, err error) {
	by := map[string][]core.Addr{}
	for _, class := range []string{"java.io.FileInputStream", "java.io.FileOutputStream"} {
		err = cmp.Or(err, f.Each(ctx, g, class, func(_ graph.ID, o java.Object) {
			if fd, ok := f.descriptor(o); ok && fd > 2 {
				by[class] = append(by[class], o.Addr)
			}
		}))
	}
	for class, all := range by {
		groups, bad := g.ByHolder(ctx, all)
		err = cmp.Or(err, bad)
		for _, list := range groups {
			if len(list) >= leastFiles {
				out = append(out, graph.Evidence{Objects: list, Class: class,
					Why: fmt.Sprintf("%d of %s that are open", len(list), class)})
			}
		}
	}
	slices.SortFunc(out, func(x, y graph.Evidence) int {
		return cmp.Or(cmp.Compare(x.Class, y.Class), cmp.Compare(x.Objects[0], y.Objects[0]))
	})
	return out, err
}

// descriptor returns the number of a stream's file; -1 if it is closed.
func (f *Finder) descriptor(o java.Object) (int64, bool) {
	at, ok := f.RefField(o, "fd")
	if !ok || at == 0 {
		return 0, false
	}
	d, err := f.Object(at)
	if err != nil {
		return 0, false
	}
	for _, name := range []string{"fd", "descriptor"} { // Android's has the second name
		if n, ok := f.IntField(d, name); ok {
			return int64(int32(n)), true
		}
	}
	return 0, false
}
