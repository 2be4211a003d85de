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

// leastLoaders is the least number of class loaders with the same class that is evidence: a container may run
// an application twice.
const leastLoaders = 3

// A loading is the name of a class, and the class of its loader.
type loading struct{ loader, class string }

// loaders finds class loaders of one class that have each loaded a class of the same name. The loaders of
// former deployments should be gone.
func (f *Finder) loaders(ctx context.Context, g *graph.Graph) (out []graph.Evidence, err error) {
	by, loaded := map[loading]map[core.Addr]bool{}, map[core.Addr][]core.Addr{}
	err = f.eachClass(ctx, g, func(mirror core.Addr, c *java.Class) {
		if c.Loader == 0 || c.Shape == java.Arrays {
			return
		}
		loader := f.ClassName(c.Loader)
		if id, ok := g.ID(c.Loader); loader == "" || !ok || !g.Reachable(id, graph.Stacked) {
			return
		}
		loaded[c.Loader] = append(loaded[c.Loader], mirror)
		key := loading{loader, c.Name}
		if by[key] == nil {
			by[key] = map[core.Addr]bool{}
		}
		by[key][c.Loader] = true
	})
	most := map[string]string{} // the class that most loaders have, by the class of these
	for key, set := range by {
		old, ok := most[key.loader]
		if len(set) >= leastLoaders && (!ok || better(len(set), key.class, len(by[loading{key.loader, old}]), old)) {
			most[key.loader] = key.class
		}
	}
	for loader, name := range most {
		set := by[loading{loader, name}]
		e := graph.Evidence{Class: loader, Why: fmt.Sprintf("%d class loaders of %s that have each loaded a class %s",
			len(set), loader, name)}
		for at := range set {
			e.Objects = append(e.Objects, at)
			e.With = append(e.With, loaded[at]...)
		}
		slices.Sort(e.Objects)
		out = append(out, e)
	}
	slices.SortFunc(out, func(x, y graph.Evidence) int { return cmp.Compare(x.Class, y.Class) })
	return out, err
}

// better reports whether a class that n loaders have says more than an old one: more of them have it, or its
// name is shorter.
func better(n int, name string, oldN int, old string) bool {
	return cmp.Or(-cmp.Compare(n, oldN), cmp.Compare(len(name), len(old)), cmp.Compare(name, old)) < 0
}
